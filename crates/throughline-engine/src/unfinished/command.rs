//! Which command lines check something, which of them run tests, and when one that passed settles one that failed.

use super::outcome::statements;
use super::place::{entered, in_folder, placed};
use super::run::Run;
use crate::shell::{Command, cut_at, is_setting, words};
use crate::words::is_in;

/// What builds, tests or lints. Others may fail without anything being left to do: `grep` that finds nothing, `ls` of
/// what is not there.
pub(super) const CHECKERS: &str = "ava bats bazel bun bundle cabal cargo cmake composer ctest deno dotnet dune eslint flake8 \
    go gradle gradlew jest just ktlint make mix mocha mvn mvnw mypy ninja nose2 nox npm npx phpunit pnpm poetry pre-commit \
    prove pyright pytest rake rspec rubocop ruff rustc sbt stack swift tox tsc unittest uv vitest yarn zig";
const TESTS: [&str; 12] = [
    "test", "tests", "nextest", "pytest", "tox", "nox", "jest", "vitest", "mocha", "rspec", "phpunit",
    "ctest",
];
/// Those that are told from others by their place alone.
const TESTERS: &str = "ava bats nose2 prove unittest";
/// Who is told one of these words runs the tests too.
const WITH_TESTS: [(&str, &str); 3] = [
    ("make gmake ninja R", "check"),
    ("mvn mvnw", "verify package install deploy"),
    ("gradle gradlew", "check build"),
];
/// They do something to tests, or to what is called so, and run none.
const NO_TESTERS: &str = "test [ [[ git gh pip pip3 apt apt-get brew mkdir touch rm mv cp ln chmod curl wget code vim vi nano for \
    ruff eslint mypy pyright flake8 black prettier isort rubocop ktlint tsc pre-commit rustc";
/// Who is told one of these first runs none.
const NO_TESTS: &str = "install add i ci remove uninstall build check clippy fmt format lint pip new init create publish push pull";
/// Said anywhere, nothing is tested.
const LEFT_OUT: [&str; 7] =
    ["skipTests", "maven.test.skip", "--no-run", "--collect-only", "--listTests", "--version", "--help"];

/// They run what somebody wrote, if they are given a file or a module of it.
const INTERPRETERS: &str = "bash deno java node perl php pypy python python2 python3 ruby sh ts-node tsx zsh";
/// Where programs are that came with the machine.
const OF_THE_MACHINE: [&str; 3] = ["/bin/", "/usr/bin/", "/usr/local/bin/"];

/// What a line checks, and where it goes.
#[derive(Default)]
pub(super) struct Line {
    checks: Vec<Check>,
    /// The folder that it leaves the shell in, if it goes anywhere.
    pub(super) left_in: Option<String>,
}

struct Check {
    /// With the folder that the line goes to before it, without what becomes of its output: `cd api && npm test`.
    text: String,
    /// Whether the line tells how it ended.
    is_judged: bool,
}

impl Line {
    /// The first one: of those after it nobody knows whether they were run.
    pub(super) fn failed(self) -> Option<String> {
        self.checks.into_iter().map(|check| check.text).next()
    }

    pub(super) fn passed(self) -> Vec<String> {
        self.checks.into_iter().filter(|check| check.is_judged).map(|check| check.text).collect()
    }

    pub(super) fn all(self) -> Vec<String> {
        self.checks.into_iter().map(|check| check.text).collect()
    }
}

pub(super) fn read(line: &str) -> Line {
    let (mut checks, mut gone, mut before) = (vec![], None, None);
    for statement in statements(line) {
        for (at, part) in statement.parts.iter().enumerate() {
            // What is in brackets has a shell of its own.
            if part.starts_with('(') {
                before = Some(gone.clone());
            }
            for command in cut_at(part, &["||"]).into_iter().map(command) {
                let folder = gone.as_deref().unwrap_or_default();
                match command.split_once(' ') {
                    Some(("cd" | "pushd", to)) => gone = Some(entered(folder, to)),
                    _ if is_check(&command) => {
                        let is_judged = !statement.throws_away(at);
                        checks.push(Check { text: in_folder(folder, command), is_judged });
                    }
                    _ => {}
                }
            }
            if closes(part) {
                gone = before.take().unwrap_or(gone);
            }
        }
    }
    Line { checks, left_in: gone }
}

/// Whether brackets end in it that began in it or before it.
fn closes(part: &str) -> bool {
    let (opened, closed) = (part.matches('(').count(), part.matches(')').count());
    closed > opened || part.starts_with('(') && closed == opened
}

/// The tests among checks.
pub(super) fn tests_of(mut checks: Vec<String>) -> Vec<String> {
    checks.retain(|check| tests(placed(check).1));
    checks
}

/// The files that the line removes.
pub(super) fn removed(line: &str) -> Vec<&str> {
    let parts = cut_at(line, &["\n", ";", "&&"]);
    let removals = parts.into_iter().filter_map(|part| part.strip_prefix("rm "));
    removals.flat_map(words).filter(|word| !word.starts_with('-')).collect()
}

pub(crate) fn is_test(line: &str) -> bool {
    commands(line).any(|command| tests(&command))
}

fn commands(line: &str) -> impl Iterator<Item = String> {
    cut_at(line, &["\n", ";", "&&", "||"]).into_iter().map(command)
}

fn command(part: &str) -> String {
    let part = part.strip_prefix('(').unwrap_or(part);
    let shown = cut_at(part, &["|", " 2>", ">"])[0];
    let shown = if shown.contains('(') { shown } else { shown.trim_end_matches(')') };
    let told = words(shown).into_iter().skip_while(|word| is_setting(word) || *word == "time");
    told.collect::<Vec<_>>().join(" ")
}

fn tests(command: &str) -> bool {
    // Who looks for tests, or tells of them, runs none.
    let is_aside = Command::last(command).is_none_or(|command| command.cannot_help());
    let run = Run::of(command);
    let Some((program, args)) = run.told.split_first() else { return false };
    let is_left_out = LEFT_OUT.iter().any(|words| command.contains(words))
        || program.starts_with("gradle") && command.contains(" -x test");
    if is_aside || is_left_out || is_in(NO_TESTERS, program) {
        return false;
    }
    let is_told = |words: &'static str| args.iter().any(|arg| is_in(words, arg));
    if is_in(TESTERS, program)
        || WITH_TESTS.iter().any(|(programs, words)| is_in(programs, program) && is_told(words))
    {
        return true;
    }
    let does_else = args.first().is_some_and(|first| is_in(NO_TESTS, first)) && args.get(1) != Some(&"test");
    !does_else && run.told.iter().any(|word| names_test(word))
}

fn names_test(word: &str) -> bool {
    word.split(|c: char| !c.is_alphanumeric()).any(|part| TESTS.contains(&part))
}

fn is_check(command: &str) -> bool {
    is_checker(command) || builds_image(command) || runs_own_program(command) || tests(command)
}

/// `docker build .`, `docker compose build web`.
fn builds_image(command: &str) -> bool {
    let mut words = command.split(' ');
    words.next().is_some_and(|program| is_in("docker podman", program))
        && words.take(2).any(|word| word == "build")
}

fn is_checker(command: &str) -> bool {
    let program = command.split(' ').next().unwrap_or_default();
    is_in(CHECKERS, program.rsplit('/').next().unwrap_or(program))
}

/// A script or a module given to an interpreter, or a program of the project by its path.
fn runs_own_program(command: &str) -> bool {
    let mut words = command.split(' ');
    let program = words.next().unwrap_or_default();
    let of_machine = OF_THE_MACHINE.iter().find_map(|folder| program.strip_prefix(folder));
    let name = of_machine.unwrap_or(program);
    if is_in(INTERPRETERS, name) {
        return words
            .find(|word| *word == "-m" || !word.starts_with('-'))
            .is_some_and(|word| word == "-m" || word.contains(['.', '/']))
            && !command.contains(" -c ")
            && !command.contains(" -e ");
    }
    of_machine.is_none() && program.contains('/')
}
