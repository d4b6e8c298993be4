//! How a project is built, tested and run, seen from what was run more than once and passed.

use throughline_store::event::Event;
use throughline_store::memory::{Kind, Scope, Source};

use super::command::{self, Outcome, Run, Step};
use super::{BootFiles, Candidate, Evidence, Extraction, Family, evidence, topic};
use crate::shell::Command;

/// Once may be chance.
const TIMES: usize = 2;
const MAX_ROUTINES: usize = 6;
/// So many different commands are counted.
const MAX_COMMANDS: usize = 64;

/// What a command is for, and the words that say so.
const PURPOSES: &[(&str, &str, &str)] = &[
    (
        "test",
        "runs the tests",
        "test tests pytest vitest jest nextest rspec phpunit ctest tox mocha unittest spec check:test",
    ),
    ("lint", "runs the linter", "lint clippy eslint ruff mypy flake8 typecheck golangci-lint"),
    ("build", "builds the project", "build assemble compile bundle tsc"),
    ("migrate", "runs the migrations", "migrate alembic db:migrate migrations"),
    ("run", "starts the project", "dev serve start"),
];

/// How often a command passed.
struct Routine<'a> {
    line: &'a str,
    purpose: &'static str,
    does: &'static str,
    seen: Vec<Evidence>,
}

pub(super) fn find(events: &[Event], boot: &BootFiles, extraction: &mut Extraction) {
    let mut routines: Vec<Routine<'_>> = vec![];
    for step in command::steps(events) {
        if let Step::Ran(run) = step {
            note(&mut routines, &run);
        }
    }
    routines.retain(|routine| routine.seen.len() >= TIMES);
    routines.truncate(MAX_ROUTINES);
    for routine in routines {
        extraction.take(candidate(routine), boot);
    }
}

fn note<'a>(routines: &mut Vec<Routine<'a>>, run: &Run<'a>) {
    let line = run.line.split(" | ").next().unwrap_or(run.line).trim_end_matches("2>&1").trim();
    let passed = run.outcome == Outcome::Passed;
    let Some(command) = Command::last(line).filter(|command| passed && is_general(line, command)) else {
        return;
    };
    let Some((purpose, does)) = purpose(&command) else { return };
    let is_full = routines.len() == MAX_COMMANDS;
    match routines.iter_mut().find(|routine| routine.line == line) {
        Some(routine) => routine.seen.push(evidence(run.event, 1)),
        None if is_full => {}
        None => routines.push(Routine { line, purpose, does, seen: vec![evidence(run.event, 1)] }),
    }
}

/// A whole suite or build: nothing that picks out a part, no place of one machine, no chain of commands.
fn is_general(line: &str, command: &Command<'_>) -> bool {
    let picks = command.args.iter().any(|arg| {
        arg.contains("::") || matches!(*arg, "-k" | "-t" | "--filter-expr" | "-E" | "--grep") || is_path(arg)
    });
    // `cargo test parse` picks tests by name, `pytest tests/auth` by place; what stands behind an option is the option's.
    let names = command.args.iter().zip(std::iter::once(&"").chain(&command.args));
    let is_runner = matches!(command.program, "pytest" | "jest" | "vitest");
    let picked = (is_runner || matches!(command.program, "cargo" | "go"))
        && names
            .clone()
            .skip(usize::from(!is_runner))
            .any(|(arg, before)| !arg.starts_with('-') && !before.starts_with('-') && !is_all(arg))
        || names.clone().any(|(arg, before)| is_part_of_tests(arg) && !before.starts_with("--"));
    let chained = ["&&", ";", "||", ">", "<", "$("].iter().any(|sign| line.contains(sign));
    !picks && !picked && !chained && !command.cannot_help()
}

/// The whole of what a runner of tests is given.
fn is_all(arg: &str) -> bool {
    matches!(
        arg.trim_end_matches('/'),
        "run" | "test" | "tests" | "./..." | "." | "spec" | "./tests" | "./test"
    )
}

/// `tests/auth`, `./internal/auth`, but not `./...` nor a registry's `@scope/name`.
fn is_part_of_tests(arg: &str) -> bool {
    let deep = arg.trim_end_matches('/').split('/').filter(|part| *part != ".").count() > 1;
    let begins =
        ["test", "spec", "src", "internal", "./", "__tests__", "e2e", "lib", "pkg", "crates", "packages"];
    deep && !is_all(arg) && begins.iter().any(|begin| arg.starts_with(begin))
}

fn is_path(arg: &str) -> bool {
    let leaves = arg.starts_with('/') || arg.starts_with("~/");
    let file = arg.rsplit('/').next().is_some_and(|name| {
        name.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty() && ending.len() <= 4 && ending.bytes().all(|byte| byte.is_ascii_alphabetic())
        })
    });
    leaves || file
}

fn purpose(command: &Command<'_>) -> Option<(&'static str, &'static str)> {
    let words = std::iter::once(command.program).chain(command.args.iter().copied());
    let parts: Vec<String> = words
        .filter(|word| !word.starts_with("--"))
        .flat_map(|word| {
            let whole = word.to_lowercase();
            let pieces: Vec<String> = whole.split([':', '/', '-']).map(str::to_owned).collect();
            let humps = if word.starts_with("assemble") { vec!["assemble".to_owned()] } else { vec![] };
            [vec![whole], pieces, humps].concat()
        })
        .collect();
    let serves = |list: &str| list.split(' ').any(|word| parts.iter().any(|part| part == word));
    PURPOSES.iter().find(|(.., list)| serves(list)).map(|(purpose, does, _)| (*purpose, *does))
}

fn candidate(routine: Routine<'_>) -> Candidate {
    let content = format!("`{}` {}", routine.line, routine.does);
    let mut tags = topic::tags(&content);
    if !tags.iter().any(|tag| tag == routine.purpose) {
        tags.push(routine.purpose.to_owned());
    }
    Candidate {
        kind: Kind::Fact,
        scope: Scope::App,
        confidence: 0.55,
        source: Source::Implicit,
        tags,
        // A project has more than one way to test; the next one seen must not end this one.
        state_key: None,
        family: Family::Routine,
        evidence: routine.seen,
        tentative: false,
        amends: None,
        content,
    }
}
