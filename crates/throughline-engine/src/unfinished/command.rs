//! Which command lines check something, and when one that passed settles one that failed.

use crate::shell::{Command, cut_at, is_setting, words};

/// What builds, tests or lints. Others may fail without anything being left to do: `grep` that finds nothing, `ls` of
/// what is not there.
const CHECKERS: &str = "bazel bun bundle cabal cargo cmake composer ctest deno dotnet dune eslint flake8 go gradle gradlew \
    jest just ktlint make mix mocha mvn mvnw mypy ninja nox npm npx phpunit pnpm poetry pre-commit pyright pytest rake \
    rspec rubocop ruff rustc sbt stack swift tox tsc uv vitest yarn zig";
const TESTS: [&str; 12] = [
    "test", "tests", "nextest", "pytest", "tox", "nox", "jest", "vitest", "mocha", "rspec", "phpunit",
    "ctest",
];

/// They run what somebody wrote, if they are given a file or a module of it.
const INTERPRETERS: &str = "bash deno java node perl php pypy python python2 python3 ruby sh ts-node tsx zsh";
/// Where programs are that came with the machine.
const OF_THE_MACHINE: [&str; 3] = ["/bin/", "/usr/bin/", "/usr/local/bin/"];

/// The command itself, without where it is done and what becomes of its output; nothing when it checks nothing.
pub(super) fn check(line: &str) -> Option<String> {
    let mut commands = cut_at(line, &["\n", ";", "&&", "||"]).into_iter().map(command);
    commands.find(|command| {
        // Who looks for tests, or tells of them, runs none.
        let is_aside = Command::last(command).is_none_or(|command| command.cannot_help());
        is_checker(command) || runs_own_program(command) || is_test(command) && !is_aside
    })
}

/// The files that the line removes.
pub(super) fn removed(line: &str) -> Vec<&str> {
    let parts = cut_at(line, &["\n", ";", "&&"]);
    let removals = parts.into_iter().filter_map(|part| part.strip_prefix("rm "));
    removals.flat_map(words).filter(|word| !word.starts_with('-')).collect()
}

pub(crate) fn is_test(line: &str) -> bool {
    let words = line.split(|c: char| !c.is_alphanumeric());
    words.into_iter().any(|word| TESTS.contains(&word))
}

/// Whether what passed is the same as what failed, or more than it: `cargo test` after `cargo test cart`.
pub(super) fn covers(passed: &str, failed: &str) -> bool {
    failed.strip_prefix(passed).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn command(part: &str) -> String {
    let shown = cut_at(part, &["|", " 2>", ">"])[0];
    let told = words(shown).into_iter().skip_while(|word| is_setting(word) || *word == "time");
    told.collect::<Vec<_>>().join(" ")
}

fn is_checker(command: &str) -> bool {
    let program = command.split(' ').next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or(program);
    CHECKERS.split_whitespace().any(|checker| checker == name)
}

/// A script or a module given to an interpreter, or a program of the project by its path.
fn runs_own_program(command: &str) -> bool {
    let mut words = command.split(' ');
    let program = words.next().unwrap_or_default();
    let of_machine = OF_THE_MACHINE.iter().find_map(|folder| program.strip_prefix(folder));
    let name = of_machine.unwrap_or(program);
    if INTERPRETERS.split_whitespace().any(|known| known == name) {
        return words
            .find(|word| *word == "-m" || !word.starts_with('-'))
            .is_some_and(|word| word == "-m" || word.contains(['.', '/']))
            && !command.contains(" -c ")
            && !command.contains(" -e ");
    }
    of_machine.is_none() && program.contains('/')
}
