//! Things of which a project has one: whoever uses pnpm does not use npm. Says which words exclude each other, and
//! what they are values of.

use crate::words::is_in;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a value is a value of, and the values, by which word they are known. Names of two words are written with a
/// space and matched as such.
const ALTERNATIVES: &[(&str, &[&str])] = &[
    ("package manager", &["npm", "pnpm", "yarn", "bun"]),
    ("python packages", &["pip", "uv", "poetry", "conda", "pipenv", "rye", "hatch"]),
    ("javascript tests", &["jest", "vitest", "mocha", "ava", "jasmine"]),
    ("python tests", &["pytest", "unittest", "nose"]),
    ("browser tests", &["playwright", "cypress", "selenium", "puppeteer"]),
    ("indentation", &["tabs", "spaces", "tab", "space"]),
    ("quotes", &["single quotes", "double quotes"]),
    ("formatter", &["black", "ruff", "yapf", "autopep8", "prettier", "biome"]),
    ("rust database library", &["diesel", "sqlx", "sea-orm", "rusqlite"]),
    ("javascript database library", &["prisma", "drizzle", "typeorm", "knex", "sequelize"]),
    (
        "database",
        &[
            "postgres",
            "postgresql",
            "mysql",
            "mariadb",
            "mongodb",
            "mongo",
            "sqlite",
            "cockroachdb",
            "dynamodb",
            "oracle",
        ],
    ),
    ("message bus", &["kafka", "nats", "rabbitmq", "sqs", "pulsar", "kinesis"]),
    ("cache server", &["redis", "memcached", "valkey"]),
    ("state management", &["redux", "zustand", "mobx", "pinia", "vuex", "jotai", "recoil"]),
    (
        "continuous integration",
        &["jenkins", "github actions", "gitlab ci", "circleci", "buildkite", "travis", "drone"],
    ),
    ("payment provider", &["stripe", "adyen", "paypal", "braintree", "mollie"]),
    ("api style", &["rest", "graphql", "grpc", "trpc", "soap"]),
    ("frontend framework", &["react", "vue", "svelte", "angular", "solid", "preact"]),
    ("dates library", &["moment", "date-fns", "dayjs", "luxon"]),
    ("http client", &["axios", "fetch", "got", "ky"]),
    ("python http client", &["requests", "httpx", "aiohttp", "urllib"]),
    ("async runtime", &["tokio", "async-std", "smol"]),
    ("branch name", &["main", "master", "trunk", "develop"]),
    ("case of names", &["snake_case", "camelcase", "kebab-case", "pascalcase"]),
    ("weekday", &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]),
    (
        "spoken language",
        &[
            "english",
            "german",
            "french",
            "spanish",
            "russian",
            "chinese",
            "japanese",
            "italian",
            "portuguese",
            "deutsch",
            "englisch",
        ],
    ),
    ("error tracking", &["sentry", "rollbar", "bugsnag", "honeybadger"]),
    ("web server", &["nginx", "caddy", "apache", "traefik", "haproxy"]),
    ("container builder", &["docker", "podman", "buildah", "kaniko"]),
    ("password hash", &["bcrypt", "argon2", "argon2id", "scrypt", "pbkdf2"]),
    ("processor", &["x86", "x86_64", "amd64", "arm64", "aarch64"]),
    (
        "programming language",
        &[
            "rust",
            "go",
            "golang",
            "python",
            "typescript",
            "javascript",
            "java",
            "kotlin",
            "swift",
            "ruby",
            "php",
            "scala",
            "elixir",
        ],
    ),
    ("bundler", &["webpack", "vite", "esbuild", "rollup", "turbopack", "parcel"]),
    ("cloud", &["aws", "gcp", "azure", "hetzner"]),
    ("output stream", &["stdout", "stderr"]),
    ("time zone", &["utc", "local time", "cet", "pst"]),
    ("hosting", &["ecs", "fargate", "lambda", "kubernetes", "heroku", "vercel", "netlify", "fly.io"]),
    ("validation", &["zod", "yup", "joi", "valibot"]),
    ("pagination", &["offset", "cursor"]),
    ("styling", &["tailwind", "styled-components", "css modules", "emotion", "sass"]),
    ("merging", &["squash", "merge commit", "rebase", "squashing"]),
    ("date format", &["iso", "epoch"]),
    ("components", &["class components", "function components"]),
    ("log format", &["json", "logfmt", "plain text"]),
    ("infrastructure as code", &["terraform", "pulumi", "cloudformation", "cdk"]),
    ("test runner of rust", &["nextest", "cargo test"]),
    ("editor", &["vim", "neovim", "emacs", "vscode", "intellij"]),
    (
        "month",
        &[
            "january",
            "february",
            "march",
            "april",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
        ],
    ),
    ("test folder", &["__tests__", "next to"]),
];

/// Different names of one value.
const ALIASES: &[(&str, &str)] = &[
    ("postgresql", "postgres"),
    ("mongo", "mongodb"),
    ("golang", "go"),
    ("tab", "tabs"),
    ("space", "spaces"),
    ("aarch64", "arm64"),
    ("amd64", "x86"),
    ("x86_64", "x86"),
    ("argon2", "argon2id"),
    ("deutsch", "german"),
    ("englisch", "english"),
    ("squashing", "squash"),
];

/// A value of one of the alternatives, found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value {
    /// What it is a value of.
    pub(crate) of: &'static str,
    pub(crate) name: &'static str,
    /// Its place among the words.
    pub(crate) at: usize,
    /// Of how many words it is.
    pub(crate) words: usize,
}

/// A name of a value, where it stands in the list.
#[derive(Debug, Clone, Copy)]
struct Name {
    group: usize,
    of: &'static str,
    name: &'static str,
}

/// The names by their first word, in the order of the list: statements are compared while somebody waits.
static NAMES: LazyLock<HashMap<&str, Vec<Name>>> = LazyLock::new(|| {
    let mut names: HashMap<&str, Vec<Name>> = HashMap::new();
    for (group, (of, all)) in ALTERNATIVES.iter().enumerate() {
        for name in *all {
            let first = name.split(' ').next().unwrap_or(name);
            names.entry(first).or_default().push(Name { group, of, name });
        }
    }
    names
});

/// The names of the things of a sort.
pub(crate) fn named(sort: &str) -> impl Iterator<Item = &'static str> + use<> {
    let of = ALTERNATIVES.iter().find(|(of, _)| *of == sort);
    of.into_iter().flat_map(|(_, names)| names.iter().copied())
}

/// Whether a word is one of several that exclude each other.
pub(crate) fn is_known(word: &str) -> bool {
    NAMES.get(word).is_some_and(|names| names.iter().any(|name| name.name == word))
}

/// The values among words in small letters, in their order.
pub(crate) fn values(words: &[String]) -> Vec<Value> {
    let mut found = vec![];
    for (at, word) in words.iter().enumerate() {
        // "Fridays" is Friday.
        let day = word.strip_suffix('s').filter(|word| word.ends_with("day"));
        let names = [Some(word.as_str()), day].into_iter().flatten().filter_map(|word| NAMES.get(word));
        let mut last = None;
        for name in names.flatten().filter(|name| stands_at(&words[at..], name.name)) {
            // Of the names of one thing the first says which.
            if last.replace(name.group) != Some(name.group) {
                let words = name.name.split(' ').count();
                found.push(Value { of: name.of, name: canonical(name.name), at, words });
            }
        }
    }
    found
}

/// Whether the words go on as the name does; its first word is there.
fn stands_at(words: &[String], name: &str) -> bool {
    let mut have = words.iter().skip(1);
    name.split(' ').skip(1).all(|wanted| have.next().is_some_and(|word| word == wanted))
}

fn canonical(name: &'static str) -> &'static str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name)
}

/// What a statement is the present value of: where it says little more than which of the alternatives it is.
pub(crate) fn state_key(content: &str) -> Option<String> {
    const LITTLE: &str = "we use uses using our the a in this repo project codebase here not never instead of always is are and for \
        everywhere only now don't no with on it be to was prefer i it's please all wir on nous usamos мы";
    const TELLING: [&str; 8] = [
        "package manager",
        "python packages",
        "indentation",
        "quotes",
        "javascript tests",
        "python tests",
        "async runtime",
        "merging",
    ];
    let words: Vec<String> = content
        .to_lowercase()
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '.' | '`' | '!'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let values = values(&words);
    let of = values.first()?.of;
    let is_little = |word: &String| is_in(LITTLE, word);
    let taken: usize = values.iter().map(|value| value.words).sum();
    let more = words.iter().filter(|word| !is_little(word)).count().saturating_sub(taken);
    let alone = values.iter().all(|value| value.of == of);
    (alone && more == 0 && TELLING.contains(&of)).then(|| of.replace(' ', "-"))
}
