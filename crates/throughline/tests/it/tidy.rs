//! The invariants of ARCHITECTURE.md held over the source tree; each rule is first shown to fail on a wrong file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::fixture::command;

/// Lists longer than a file should be are easier to read in one piece.
const LONG_TABLES: [(&str, &str); 0] = [];
const LINES_AT_MOST: usize = 400;

const ASK_FOR_THE_DIALECT: [&str; 7] =
    ["sql.rs", "sqlite.rs", "postgres.rs", "driver.rs", "migrate.rs", "text_search.rs", "vectors.rs"];
const OUTSIDE_SHAPES: [&str; 8] = [
    "crates/throughline/src/wire/",
    "crates/throughline/src/config/",
    "crates/throughline/src/cli/",
    "crates/throughline/src/hooks/",
    // The ledger is a file of its own, read by nobody else.
    "crates/throughline/src/install/",
    // A tool's arguments and an operation's parameters, which no other door has.
    "crates/throughline/src/mcp/",
    "crates/throughline/src/http/",
    // Front matter is YAML that people write, and its shape is what the product knows as a workflow.
    "crates/throughline-engine/src/session/workflow.rs",
];
const READ_THE_CLOCK: [&str; 5] = [
    "crates/throughline-engine/src/clock.rs",
    "crates/throughline-store/src/lib.rs",
    // What something costs is real time.
    "crates/throughline/src/cli/bench/cost.rs",
    "crates/throughline/src/cli/eval/ask.rs",
    "crates/throughline/src/cli/eval/commits.rs",
];
/// Which of our crates a crate may depend on.
const ARROWS: [(&str, &[&str]); 5] = [
    ("throughline", &["throughline-engine"]),
    ("throughline-engine", &["throughline-store", "throughline-code", "throughline-inference"]),
    ("throughline-store", &[]),
    ("throughline-code", &[]),
    ("throughline-inference", &[]),
];
const ONLY_AT_THE_EDGE: [&str; 11] = [
    "anyhow",
    "async-trait",
    "axum",
    "clap",
    "futures",
    "hyper",
    "reqwest",
    "rmcp",
    "tokio",
    "tower",
    "tower-http",
];

#[test]
fn every_source_file_opens_with_what_it_is_about() {
    check(opens_with_its_question, &[("crates/a/src/b.rs", "use std::fs;\n//! Late.\n")]);
}

#[test]
fn sql_is_only_in_the_store() {
    let wrong = |text| ("crates/throughline-engine/src/a.rs", text);
    check(
        sql_in_the_store,
        &[
            wrong(r#"let q = "select id from event";"#),
            wrong(r##"let q = r#"  Insert into event values (1)"#;"##),
            wrong("let q = \"\n  update event set a = 1\";"),
            wrong(r#"let q = "delete from event";"#),
            wrong(r#"let q = format!("create table {name} (a text)");"#),
        ],
    );
}

#[test]
fn only_the_drivers_ask_for_the_dialect() {
    check(dialect_in_the_drivers, &[("crates/throughline-store/src/event.rs", "if d == Dialect::Sqlite {}")]);
}

#[test]
fn only_the_binary_knows_async_protocols_and_the_command_line() {
    let wrong = |text| ("crates/throughline-engine/Cargo.toml", text);
    check(
        edge_only_in_the_binary,
        &[wrong("[dependencies]\ntokio = \"1\"\n"), wrong("[build-dependencies]\nclap.workspace = true\n")],
    );
}

#[test]
fn dependencies_point_down_only() {
    check(
        arrows_point_down,
        &[
            ("crates/throughline-store/Cargo.toml", "[dependencies]\nthroughline-engine.workspace = true\n"),
            (
                "crates/throughline-code/Cargo.toml",
                "[dependencies]\nthroughline-inference = { path = \"x\" }\n",
            ),
            ("crates/throughline/Cargo.toml", "[dependencies]\nthroughline-store.workspace = true\n"),
            ("crates/throughline-more/Cargo.toml", "[dependencies]\n"),
        ],
    );
}

#[test]
fn outside_shapes_are_only_in_the_doors() {
    let wrong = |text| ("crates/throughline-engine/src/a.rs", text);
    check(
        shapes_in_the_doors,
        &[
            wrong("#[derive(Debug, Serialize)]\nstruct A;"),
            wrong("#[derive(\n    serde::Deserialize,\n)]\nstruct A;"),
        ],
    );
}

#[test]
fn names_say_what_a_thing_is() {
    check(
        telling_names,
        &[
            ("crates/a/src/utils.rs", "//! a"),
            ("crates/a/src/helpers/mod.rs", "//! a"),
            ("crates/a/src/b.rs", "pub struct SessionManager;"),
            ("crates/a/src/b.rs", "enum EventData {}"),
            ("crates/a/src/b.rs", "trait IndexService {}"),
        ],
    );
}

#[test]
fn only_output_prints() {
    let wrong = |text| ("crates/throughline/src/cli/check.rs", text);
    check(
        prints_in_output,
        &[wrong("println!(\"a\");"), wrong("eprintln!(\"a\");"), wrong("let out = io::stdout().lock();")],
    );
}

#[test]
fn nothing_is_silenced_or_left_undone() {
    let wrong = |text| ("crates/a/src/b.rs", text);
    check(
        finished,
        &[
            wrong("#[allow(dead_code)]\nfn a() {}"),
            wrong("#![allow(dead_code)]"),
            wrong("fn a() { todo!() }"),
            wrong("fn a() { unimplemented!() }"),
            wrong("fn a() { dbg!(1); }"),
            wrong("fn a() {} // TODO: more"),
            wrong("/// FIXME\nfn a() {}"),
        ],
    );
}

#[test]
fn time_comes_in_from_outside() {
    let wrong = |text| ("crates/throughline-engine/src/a.rs", text);
    check(
        time_from_outside,
        &[
            wrong("let now = SystemTime::now();"),
            wrong("std::time::Instant::now()"),
            wrong("jiff::Timestamp::now()"),
        ],
    );
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    check(
        no_machine,
        &[
            ("README.md", concat!("see `/wo", "rk/main/README.md`")),
            ("test", concat!("cd /ro", "ot/x")),
            (".cargo/config.toml", concat!("index = \"sparse", "+https://mirror.example/\"")),
            (".cargo/config.toml", concat!("replace-", "with = \"mirror\"")),
            ("Cargo.lock", concat!("source = \"regis", "try+https://mirror.example/index\"")),
            ("ci", concat!("pip install --index", "-url https://mirror.example/simple x")),
            ("requirements.txt", concat!("--find", "-links ./wheels")),
            ("package-lock.json", concat!("\"resol", "ved\": \"https://mirror.example/x.tgz\"")),
        ],
    );
}

#[test]
fn every_test_file_takes_part() {
    let it = "crates/throughline/tests/it";
    assert_ne!(
        test_files_take_part(&[file(&format!("{it}/main.rs"), "mod a;"), file(&format!("{it}/b.rs"), "")]),
        [""; 0]
    );
    holds(test_files_take_part);
}

#[test]
fn product_files_stay_short() {
    check(short_files, &[("crates/a/src/b.rs", &"\n".repeat(LINES_AT_MOST + 1))]);
}

#[test]
fn migrations_are_numbered_without_gap() {
    let name = |name: &str| file(&format!("crates/throughline-store/migrations/{name}"), "");
    for wrong in [
        vec![name("0002_log.sql")],
        vec![name("0001_log.sql"), name("0003_jobs.sql")],
        vec![name("1_log.sql")],
        vec![name("0001_log.mysql.sql")],
        vec![name("0001_log.sqlite.sql")],
        vec![name("0001_log.sql"), name("0001_jobs.sql")],
        vec![name("0001_log.txt")],
    ] {
        assert_ne!(numbered_migrations(&wrong), [""; 0], "{:?}", wrong[0].path);
    }
    assert_eq!(
        numbered_migrations(&[name("0001_log.sql"), name("0002_a.sqlite.sql"), name("0002_a.postgres.sql")]),
        [""; 0]
    );
    holds(numbered_migrations);
}

#[test]
fn rules_about_code_do_not_see_comments_and_literals() {
    let source = Source::of("a('\"', '\\'', 'x); // \"b\"\nlet c = \"d // \\\" e\"; /* f */ g(r#\"h\"i\"#)");
    assert_eq!(source.code.split_whitespace().collect::<String>(), "a(,,'x);letc=;g()");
    assert_eq!(source.comments, [(1, "// \"b\""), (2, "/* f */")]);
    let literals: Vec<&str> = source.literals.iter().map(|(_, text)| *text).collect();
    assert_eq!(literals, ["'\"'", "'\\''", "\"d // \\\" e\"", "r#\"h\"i\"#"]);
}

/// A file of the tree: its path below the root and what it says.
struct File {
    path: String,
    text: String,
}

/// What breaks the rule, as `path:line: why`.
type Rule = fn(&[File]) -> Vec<String>;

/// The rule finds each wrong file, and nothing in the tree.
fn check(rule: Rule, wrong: &[(&str, &str)]) {
    for (path, text) in wrong {
        assert_ne!(rule(&[file(path, text)]), [""; 0], "the rule does not see {path}: {text:?}");
    }
    holds(rule);
}

fn holds(rule: Rule) {
    let breaches = rule(&tree());
    assert!(breaches.is_empty(), "{} breaches:\n{}", breaches.len(), breaches.join("\n"));
}

fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

/// Every text file that git knows or would add.
fn tree() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let listed = command("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(&root)
        .env_remove("GIT_DIR")
        .output()
        .unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let paths = String::from_utf8(listed.stdout).unwrap();
    // A file that was removed and not yet committed is listed and not there; others hold no text.
    let read = |path: &str| fs::read_to_string(root.join(path)).ok().map(|text| file(path, &text));
    let files: Vec<File> = paths.split_terminator('\0').filter_map(read).collect();
    assert!(rust(&files).count() > 50, "the tree is not where it is looked for: {}", root.display());
    files
}

fn rust(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| file.path.starts_with("crates/") && file.path.ends_with(".rs"))
}

/// What is shipped: neither tests nor benches.
fn product(files: &[File]) -> impl Iterator<Item = &File> {
    let is_test = |path: &str| {
        let parts = ["/tests/", "/benches/", "/contract/"];
        parts.iter().any(|part| path.contains(part))
            || path.ends_with("/tests.rs")
            || path.ends_with("/testing.rs")
    };
    rust(files).filter(move |file| !is_test(&file.path))
}

fn opens_with_its_question(files: &[File]) -> Vec<String> {
    let wrong = rust(files).filter(|file| !file.text.starts_with("//!"));
    wrong.map(|file| breach(file, 1, "a file opens with `//!`: what question it answers")).collect()
}

fn sql_in_the_store(files: &[File]) -> Vec<String> {
    let elsewhere = product(files).filter(|file| !file.path.starts_with("crates/throughline-store/"));
    elsewhere
        .flat_map(|file| {
            let source = Source::of(&file.text);
            let statements = source.literals.into_iter().filter(|(_, literal)| is_sql(literal));
            statements
                .map(|(line, _)| breach(file, line, "SQL is only in throughline-store"))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn is_sql(literal: &str) -> bool {
    let text = literal.trim_start_matches(['r', 'b', '#', '"']).to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["select", ..] => words.contains(&"from"),
        ["update", _, "set", ..]
        | ["insert", "into", ..]
        | ["delete", "from", ..]
        | ["with", "recursive", ..] => true,
        ["create" | "drop" | "alter", what, ..] => {
            ["table", "index", "unique", "schema", "view", "virtual", "trigger"].contains(&what)
        }
        _ => false,
    }
}

fn dialect_in_the_drivers(files: &[File]) -> Vec<String> {
    let may_ask = |path: &str| {
        let name = path.strip_prefix("crates/throughline-store/src/");
        name.is_some_and(|name| ASK_FOR_THE_DIALECT.contains(&name))
    };
    let others = product(files).filter(|file| !may_ask(&file.path));
    in_code(others, &["Dialect::"], "only the drivers, migrate, text_search and vectors ask for the dialect")
}

fn edge_only_in_the_binary(files: &[File]) -> Vec<String> {
    manifests(files)
        .filter(|(name, _)| *name != "throughline")
        .flat_map(|(_, manifest)| {
            dependencies(manifest).into_iter().filter(|name| ONLY_AT_THE_EDGE.contains(&name.as_str())).map(
                |name| {
                    breach(manifest, line_of(manifest, &name), &format!("{name} belongs to the binary alone"))
                },
            )
        })
        .collect()
}

fn arrows_point_down(files: &[File]) -> Vec<String> {
    manifests(files)
        .flat_map(|(name, manifest)| {
            let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
                return vec![breach(
                    manifest,
                    1,
                    "say in ARROWS which of our crates the crate may depend on",
                )];
            };
            let ours = dependencies(manifest).into_iter().filter(|name| name.starts_with("throughline-"));
            ours.filter(|to| !allowed.contains(&to.as_str()))
                .map(|to| {
                    breach(manifest, line_of(manifest, &to), &format!("{name} must not depend on {to}"))
                })
                .collect()
        })
        .collect()
}

fn shapes_in_the_doors(files: &[File]) -> Vec<String> {
    let rule = "shapes of JSON and files are only in wire, config, cli, hooks and mcp";
    let mut breaches = Vec::new();
    for file in product(files).filter(|file| !OUTSIDE_SHAPES.iter().any(|door| file.path.starts_with(door))) {
        let code = Source::of(&file.text).code;
        for (start, _) in code.match_indices("derive(") {
            let list = code[start..].split(')').next().unwrap_or_default();
            if list.contains("Serialize") || list.contains("Deserialize") {
                breaches.push(breach(file, line_at(&code, start), rule));
            }
        }
    }
    breaches
}

fn telling_names(files: &[File]) -> Vec<String> {
    const FILES: [&str; 9] =
        ["common", "helper", "helpers", "manager", "misc", "service", "types", "util", "utils"];
    const ENDINGS: [&str; 8] = ["Manager", "Service", "Helper", "Processor", "Util", "Utils", "Info", "Data"];
    let mut breaches = Vec::new();
    for file in rust(files) {
        let parts = file.path.split('/').map(|part| part.trim_end_matches(".rs"));
        for part in parts.filter(|part| FILES.contains(part)) {
            breaches.push(breach(file, 1, &format!("`{part}` does not say what is in it")));
        }
        let code = Source::of(&file.text).code;
        for (number, line) in code.lines().enumerate() {
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            let named = words
                .windows(2)
                .filter(|pair| ["struct", "enum", "trait", "type", "union"].contains(&pair[0]))
                // What a type inside an implementation is called is its trait's to say.
                .filter(|pair| pair[0] != "type" || !line.starts_with(' '));
            for name in named.map(|pair| pair[1]).filter(|name| ENDINGS.iter().any(|end| name.ends_with(end)))
            {
                breaches.push(breach(file, number + 1, &format!("`{name}` does not say what it is")));
            }
        }
    }
    breaches
}

fn prints_in_output(files: &[File]) -> Vec<String> {
    let cli = "crates/throughline/src/cli";
    let not = |names: &'static [&'static str]| {
        product(files).filter(move |file| !names.iter().any(|name| file.path == format!("{cli}/{name}")))
    };
    let macros = ["println!", "print!", "eprintln!", "eprint!"];
    // A build script speaks to cargo by printing.
    let is_built_with = |path: &str| path.ends_with("/build.rs") || path.contains("/build/");
    let in_product = not(&["output.rs"]).filter(|file| !is_built_with(&file.path));
    let printed = in_code(in_product, &macros, "only cli/output.rs prints");
    let rule = "only cli/output.rs and cli/log/export.rs write to stdout";
    [printed, in_code(not(&["output.rs", "log/export.rs"]), &["stdout()"], rule)].concat()
}

fn finished(files: &[File]) -> Vec<String> {
    let allowed =
        in_code(rust(files), &["#[allow(", "#![allow("], "use #[expect(lint, reason)] instead of #[allow]");
    let undone = in_code(rust(files), &["todo!", "unimplemented!", "dbg!"], "finish it");
    let mut breaches = [allowed, undone].concat();
    for file in rust(files) {
        for (line, comment) in Source::of(&file.text).comments {
            let is_open = comment.contains("TODO") || comment.contains("FIXME");
            let issue = comment.split('#').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            if is_open && !issue {
                breaches.push(breach(file, line, "what is to do has an issue: `TODO(#12)`"));
            }
        }
    }
    breaches
}

fn time_from_outside(files: &[File]) -> Vec<String> {
    let others = product(files).filter(|file| !READ_THE_CLOCK.contains(&file.path.as_str()));
    let clocks = ["SystemTime::now", "Instant::now", "Timestamp::now", "Zoned::now"];
    in_code(others, &clocks, "time comes from the engine's clock")
}

fn no_machine(files: &[File]) -> Vec<String> {
    // In pieces, so that this file does not hold what it looks for.
    const PLACES: [&str; 4] = [
        concat!("/wo", "rk/main"),
        concat!("/wo", "rk/shared"),
        concat!("/wo", "rk/."),
        concat!("/ro", "ot/"),
    ];
    const REGISTRIES: [&str; 6] = [
        concat!("sparse", "+http"),
        concat!("replace-", "with"),
        concat!("--index", "-url"),
        concat!("--regis", "try "),
        concat!("--find", "-links"),
        concat!("\"resol", "ved\":"),
    ];
    let public = concat!("regis", "try+https://github.com/rust-lang/crates.io-index");
    let mut breaches = Vec::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            if PLACES.iter().any(|place| stands_alone(line, place)) {
                breaches.push(breach(file, number + 1, "a path of one machine means nothing elsewhere"));
            }
            let foreign = line.replace(public, "").contains(concat!("regis", "try+"));
            if foreign || REGISTRIES.iter().any(|part| line.contains(part)) {
                breaches.push(breach(
                    file,
                    number + 1,
                    "which registry is used is the machine's own setting",
                ));
            }
        }
    }
    breaches
}

/// The path begins here, and is not the end of a longer one.
fn stands_alone(line: &str, path: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || "._-~]})>$".contains(c);
    line.match_indices(path).any(|(start, _)| !line[..start].ends_with(inside))
}

fn test_files_take_part(files: &[File]) -> Vec<String> {
    let folder = "crates/throughline/tests/it/";
    let main = files.iter().find(|file| file.path == format!("{folder}main.rs"));
    let code = Source::of(main.map_or("", |file| &file.text)).code;
    let mut breaches = Vec::new();
    for file in rust(files) {
        let Some(name) = file.path.strip_prefix(folder) else { continue };
        let module = name.split('/').next().unwrap_or(name).trim_end_matches(".rs");
        if module != "main" && !code.contains(&format!("mod {module};")) {
            breaches.push(breach(file, 1, &format!("`mod {module};` is missing in tests/it/main.rs")));
        }
    }
    breaches
}

fn short_files(files: &[File]) -> Vec<String> {
    product(files)
        .filter(|file| !LONG_TABLES.iter().any(|(path, _)| file.path == *path))
        .map(|file| (file, file.text.lines().count()))
        .filter(|(_, lines)| *lines > LINES_AT_MOST)
        .map(|(file, lines)| {
            breach(file, lines, &format!("over {LINES_AT_MOST} lines: look for a second concept"))
        })
        .collect()
}

fn numbered_migrations(files: &[File]) -> Vec<String> {
    let mut numbers: BTreeMap<u32, Vec<(&str, &str)>> = BTreeMap::new();
    let mut breaches = Vec::new();
    for file in files {
        let Some(name) = file.path.strip_prefix("crates/throughline-store/migrations/") else { continue };
        match migration(name) {
            Some((number, name, dialect)) => numbers.entry(number).or_default().push((name, dialect)),
            None => breaches.push(breach(file, 1, "a migration is named NNNN_name(.sqlite|.postgres)?.sql")),
        }
    }
    for (wanted, (number, mut found)) in (1..).zip(numbers) {
        found.sort_unstable();
        let complete = match found[..] {
            [(_, "")] => true,
            [(postgres, "postgres"), (sqlite, "sqlite")] => postgres == sqlite,
            _ => false,
        };
        if number != wanted || !complete {
            breaches.push(format!(
                "migrations: {number:04} is {found:?}; numbers follow each other from 0001, each with one file for \
                 both databases or one for each"
            ));
        }
    }
    breaches
}

/// Number, name and the one database it is for, if any.
fn migration(file: &str) -> Option<(u32, &str, &str)> {
    let (number, rest) = file.strip_suffix(".sql")?.split_once('_')?;
    let (name, dialect) = rest.split_once('.').unwrap_or((rest, ""));
    let named =
        !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let fits = number.len() == 4 && named && ["", "sqlite", "postgres"].contains(&dialect);
    fits.then(|| Some((number.parse().ok()?, name, dialect)))?
}

fn manifests(files: &[File]) -> impl Iterator<Item = (&str, &File)> {
    files.iter().filter_map(|file| {
        let name = file.path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
        Some((name, file))
    })
}

/// What a crate is built with; its tests may use more.
fn dependencies(manifest: &File) -> Vec<String> {
    let table: toml::Table = manifest.text.parse().unwrap();
    let names =
        |key: &str| table.get(key).and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
    names("dependencies").chain(names("build-dependencies")).cloned().collect()
}

fn line_of(file: &File, word: &str) -> usize {
    file.text.lines().position(|line| line.starts_with(word)).unwrap_or(0) + 1
}

/// Where any of the patterns stands in the code of the files, and not as the end of a longer word.
fn in_code<'a>(files: impl Iterator<Item = &'a File>, patterns: &[&str], rule: &str) -> Vec<String> {
    let mut breaches = Vec::new();
    for file in files {
        let code = Source::of(&file.text).code;
        for pattern in patterns {
            let inside = |c: char| c.is_alphanumeric() || c == '_';
            for (start, _) in
                code.match_indices(pattern).filter(|(start, _)| !code[..*start].ends_with(inside))
            {
                breaches.push(breach(file, line_at(&code, start), &format!("{rule} ({pattern})")));
            }
        }
    }
    breaches
}

fn breach(file: &File, line: usize, rule: &str) -> String {
    format!("{}:{line}: {rule}", file.path)
}

fn line_at(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// Rust source with comments and literals set apart, each with its line.
#[derive(Default)]
struct Source<'a> {
    /// As many lines as the source.
    code: String,
    comments: Vec<(usize, &'a str)>,
    literals: Vec<(usize, &'a str)>,
}

enum Token {
    Code,
    Comment,
    Literal,
}

impl<'a> Source<'a> {
    fn of(text: &'a str) -> Source<'a> {
        let mut source = Source::default();
        let (mut rest, mut line) = (text, 1);
        while let Some(first) = rest.chars().next() {
            let (token, length) = next_token(&source.code, rest, first);
            let (taken, after) = rest.split_at(length.min(rest.len()));
            match token {
                Token::Code => source.code.push_str(taken),
                Token::Comment => source.comments.push((line, taken)),
                Token::Literal => source.literals.push((line, taken)),
            }
            let newlines = taken.matches('\n').count();
            if !matches!(token, Token::Code) {
                source.code.extend(std::iter::repeat_n('\n', newlines));
            }
            line += newlines;
            rest = after;
        }
        source
    }
}

/// What begins here, and how many bytes long it is.
fn next_token(before: &str, rest: &str, first: char) -> (Token, usize) {
    let until = |from: usize, end: &str| rest[from..].find(end).map_or(rest.len(), |at| from + at);
    match first {
        '/' if rest.starts_with("//") => (Token::Comment, until(0, "\n")),
        '/' if rest.starts_with("/*") => (Token::Comment, until(2, "*/") + 2),
        '"' => (Token::Literal, quoted(rest, '"')),
        'r' if !before.ends_with(|c: char| c.is_alphanumeric() || c == '_') || before.ends_with('b') => {
            let hashes = rest[1..].chars().take_while(|c| *c == '#').count();
            if rest[1 + hashes..].starts_with('"') {
                let end = format!("\"{}", "#".repeat(hashes));
                return (Token::Literal, until(2 + hashes, &end) + end.len());
            }
            (Token::Code, 1)
        }
        '\'' => {
            let mut next = rest[1..].chars();
            match (next.next(), next.next()) {
                (Some('\\'), _) => (Token::Literal, quoted(rest, '\'')),
                (Some(inner), Some('\'')) => (Token::Literal, 2 + inner.len_utf8()),
                // A lifetime.
                _ => (Token::Code, 1),
            }
        }
        other => (Token::Code, other.len_utf8()),
    }
}

/// The length of a literal with escapes.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}
