//! What a check runs, however its line is spelled: by that, one that passed settles one that failed.

use super::command::CHECKERS;
use crate::shell::{Command, is_setting, words};
use crate::words::is_in;

/// A check without what it is started by and what only changes how much it says.
#[derive(Clone)]
pub(super) struct Run<'a> {
    /// The program and what it is told to do: `pytest`, `cargo test`, `npm lint`.
    pub(super) check: Vec<&'a str>,
    /// All that it is told, whatever that does.
    pub(super) told: Vec<&'a str>,
    /// Files, names, packages: what narrows it to a part. Of a builder, what it is to do.
    pub(super) places: Vec<&'a str>,
    /// With their values. Those that make no difference to what is run are left out.
    pub(super) flags: Vec<(&'a str, &'a str)>,
}

/// They start what is named after them.
const STARTERS: [&[&str]; 16] = [
    &["npx"],
    &["bunx"],
    &["pnpx"],
    &["uvx"],
    &["uv", "run"],
    &["poetry", "run"],
    &["pipenv", "run"],
    &["hatch", "run"],
    &["pdm", "run"],
    &["rye", "run"],
    &["bundle", "exec"],
    &["npm", "exec"],
    &["pnpm", "exec"],
    &["yarn", "exec"],
    &["coverage", "run", "-m"],
    &["python", "-m"],
];
/// What says how much is told, where it stops, or that it is all of it.
const TALK: &str = "-q -qq -v -vv -vvv -s -x -l -B -y -- . ./... //... --quiet --verbose --exitfirst";
/// The same with what follows them.
const VALUED_TALK: &str = "-j --jobs -n --parallel --workers --maxWorkers --summary --seed --timeout --reporter --tb --maxfail \
    --durations --log-level --test-threads --color";
const CONTAINERS: &str = "docker podman";
/// What an image is called, and how it is shown that it is made.
const OF_AN_IMAGE: &str = "-t --tag --progress";
/// Who is told to do several things at once, and does them whole.
pub(super) const BUILDERS: &str = "make gmake ninja gradle gradlew mvn mvnw ant";
/// What does the other as well.
const IMPLIED: [(&str, &str, &str); 2] =
    [("gradle gradlew", "build check", "test"), ("mvn mvnw", "verify package install deploy", "test")];
/// Parts of the names of flags that pick what is run.
const PICKING: [&str; 22] = [
    "test", "only", "skip", "filter", "grep", "ignore", "exclude", "select", "match", "pattern", "run",
    "list", "collect", "failed", "changed", "package", "project", "scope", "since", "affected", "shard",
    "tag",
];
/// Those that have no such part.
const PICKERS: &str = "--lib --bin --bins --doc --example --name --suite --lf --sw --dir --directory --path --config --file -pl";
/// They look as if they picked, and do not.
const NO_PICKERS: &str =
    "--test-threads --no-fail-fast --run --runInBand --include-ignored --list-files --no-project";
/// With them more is run, or it is run somewhere else: what passed without them says nothing of what failed with them.
const KEPT: &str = "--all-features --features --ignored --include-ignored --all-targets --run-ignored -C --prefix --cwd --dir \
    --directory --manifest-path -chdir --rootdir --test-dir";
/// What follows these narrows them, and is not what they are told to do.
const WHOLE: &str = "ctest eslint flake8 jest ktlint mocha mypy nox phpunit pre-commit pyright pytest rspec rubocop tox tsc \
    unittest vitest";
/// Those whose scripts are run with and without the word `run`.
const SCRIPTED: &str = "npm pnpm yarn";
/// What a path ends with that stands for all below it, where a path alone does not.
const BELOW: &str = "...";
const FLAT: &str = "go bazel";

impl<'a> Run<'a> {
    pub(super) fn of(command: &'a str) -> Run<'a> {
        let told = spelled_out(in_container(started(without_talk(words(command)))));
        let Some((program, args)) = told.split_first() else {
            return Run { check: vec![], told, places: vec![], flags: vec![] };
        };
        let act = || Command { settings: vec![], program, args: args.to_vec() }.act().len();
        let check = match () {
            () if is_container(&told) => 5,
            () if is_in(WHOLE, program) || is_in(BUILDERS, program) || program.contains('/') => 1,
            () => act(),
        };
        let check = check.min(told.len());
        let (places, flags) = parted(&told[check..]);
        Run { check: told[..check].to_vec(), places, flags, told }
    }

    /// Whether it is the same as the other, or more than it: `cargo test` after `cargo test cart`, `pytest tests` after
    /// `pytest tests/test_cart.py`.
    pub(super) fn covers(&self, other: &Run<'_>) -> bool {
        let has = |flags: &[(&str, &str)], (name, value): (&str, &str)| {
            flags.iter().any(|(known, of)| *known == name && (value.is_empty() || *of == value))
        };
        let adds = self.flags.iter().any(|flag| !has(&other.flags, *flag));
        let lacks = other.flags.iter().any(|flag| is_in(KEPT, flag.0) && !has(&self.flags, *flag));
        are_one(&self.check, &other.check) && !adds && !lacks && self.holds(&other.places)
    }

    fn holds(&self, places: &[&str]) -> bool {
        let program = self.check.first().copied().unwrap_or_default();
        if is_in(BUILDERS, program) {
            let is_done = |goal: &&str| self.places.iter().any(|done| does(program, done, goal));
            return self.places.is_empty() && places.is_empty()
                || !places.is_empty() && places.iter().all(is_done);
        }
        let is_held = |place: &&str| self.places.iter().any(|wider| is_within(place, wider, program));
        self.places.is_empty() || !places.is_empty() && places.iter().all(is_held)
    }
}

/// `./gradlew` is `gradle`.
fn are_one(one: &[&str], other: &[&str]) -> bool {
    let wrapped = |check: &[&str]| {
        match check {
            ["gradlew"] => vec!["gradle"],
            ["mvnw"] => vec!["mvn"],
            check => check.to_vec(),
        }
        .join(" ")
    };
    wrapped(one) == wrapped(other)
}

/// Whether a goal that was reached is the other, or one of all modules, or reaches it too: `test` for `:api:test`.
fn does(program: &str, done: &str, goal: &str) -> bool {
    let parts = |goal: &str| {
        goal.rsplit_once(':')
            .map_or((String::new(), goal.to_owned()), |(module, task)| (module.to_owned(), task.to_owned()))
    };
    let ((of, task), (module, wanted)) = (parts(done), parts(goal));
    let implies = IMPLIED
        .iter()
        .any(|(programs, more, less)| is_in(programs, program) && is_in(more, &task) && wanted == *less);
    (of.is_empty() || of == module) && (task == wanted || implies)
}

/// Whether a place is the other, or in it: `tests/test_cart.py::test_sum` in `tests/`.
fn is_within(place: &str, wider: &str, program: &str) -> bool {
    let bare = |path: &str| path.trim_matches(['\'', '"']).trim_start_matches("./").to_owned();
    let (place, wider) = (bare(place), bare(wider));
    let is_open = wider.ends_with(BELOW);
    let folder = wider.trim_end_matches(BELOW).trim_end_matches('/');
    let rest = place.strip_prefix(folder).unwrap_or("-");
    let is_deep = is_open || !is_in(FLAT, program) && !place.ends_with(BELOW);
    place == wider || is_deep && (rest.is_empty() || rest.starts_with(['/', ':', '#', '[']))
}

/// What picks what is run, and what is said beside it.
fn parted<'a>(told: &[&'a str]) -> (Vec<&'a str>, Vec<(&'a str, &'a str)>) {
    let (mut places, mut flags) = (vec![], vec![]);
    let mut words = told.iter().copied().peekable();
    while let Some(word) = words.next() {
        if !is_flag(word) {
            if word != "clean" {
                places.push(word);
            }
            continue;
        }
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        if picks(name) || is_in(KEPT, name) {
            let next = if word.contains('=') { None } else { words.next_if(|next| !is_flag(next)) };
            flags.push((name, next.unwrap_or(value)));
        }
    }
    (places, flags)
}

fn is_flag(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-') || is_setting(word)
}

/// Of short flags nobody knows what they do.
fn picks(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_short =
        name.starts_with('-') && name.chars().filter(|c| *c != '-').count() == 1 && !name.starts_with("--");
    let has_part = PICKING.iter().any(|part| lower.contains(part)) && !lower.starts_with("--all");
    !is_in(NO_PICKERS, name) && (is_short || has_part || is_in(PICKERS, name))
}

fn without_talk(told: Vec<&str>) -> Vec<&str> {
    let mut left = vec![];
    // To Gradle it says what is left out.
    let is_talk = |word: &str, told: &[&str]| {
        is_in(TALK, word) && !(word == "-x" && told.first().is_some_and(|program| program.contains("gradle")))
    };
    let mut words = told.iter().copied().peekable();
    while let Some(word) = words.next() {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        let is_count =
            |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !word.contains("test");
        let is_image = is_in(CONTAINERS, told[0]) && is_in(OF_AN_IMAGE, name);
        if is_image && !word.contains('=') {
            words.next();
        } else if is_image {
            continue;
        } else if is_in(VALUED_TALK, name) {
            let is_apart = !word.contains('=');
            words.next_if(|next| is_apart && is_count(next));
        } else if !is_talk(word, &told) && !is_jobs(word) {
            left.push(word);
        }
    }
    left
}

/// `-j8`.
fn is_jobs(word: &str) -> bool {
    word.strip_prefix("-j").is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_container(told: &[&str]) -> bool {
    matches!(told, ["docker" | "podman", "compose", "run" | "exec", ..])
}

/// How a container is run makes no difference to what is run in it.
fn in_container(mut told: Vec<&str>) -> Vec<&str> {
    if is_container(&told) {
        let flags = told.iter().skip(3).take_while(|word| word.starts_with('-')).count();
        told.drain(3..3 + flags);
    }
    told
}

/// From the program on that does it: `python3 -m pytest` and `.venv/bin/pytest` are `pytest`.
fn started(mut told: Vec<&str>) -> Vec<&str> {
    loop {
        let Some(first) = told.first_mut() else { return told };
        let name = first.rsplit('/').next().unwrap_or(first);
        if is_in(CHECKERS, name) || is_python(name) {
            *first = if is_python(name) { "python" } else { name };
        }
        let starter = STARTERS.iter().find(|starter| told.len() > starter.len() && told.starts_with(starter));
        match starter {
            Some(starter) => drop(told.drain(..starter.len())),
            None if is_timed(&told) => drop(told.drain(..2)),
            None => return told,
        }
    }
}

/// `timeout 60 pytest`.
fn is_timed(told: &[&str]) -> bool {
    matches!(told, ["timeout" | "gtimeout", limit, _, ..] if limit.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_python(name: &str) -> bool {
    name.strip_prefix("python").is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// `npm t`, `npm run test` and `npm test` are one, as are `cargo nextest run` and `cargo test`.
fn spelled_out(mut told: Vec<&str>) -> Vec<&str> {
    let program = told.first().copied().unwrap_or_default();
    if is_in(SCRIPTED, program) && told.len() > 2 && matches!(told[1], "run" | "run-script") {
        told.remove(1);
    }
    if (program == "cargo" || is_in(SCRIPTED, program)) && told.get(1) == Some(&"t") {
        told[1] = "test";
    }
    if told.starts_with(&["cargo", "nextest", "run"]) {
        told.splice(1..3, ["test"]);
    }
    // sbt takes a task and what it is told as one word.
    if let ["sbt", task] = told[..]
        && let Some(only) = task.trim_matches(['\'', '"']).strip_prefix("testOnly ")
    {
        told = vec!["sbt", "test", only];
    }
    told
}
