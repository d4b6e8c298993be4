//! Which command lines check something, and when one that passed settles one that failed.

/// What builds, tests or lints. Others may fail without anything being left to do: `grep` that finds nothing, `ls` of
/// what is not there.
const CHECKERS: &str = "bazel bun bundle cabal cargo cmake composer ctest deno dotnet dune eslint flake8 go gradle gradlew \
    jest just ktlint make mix mocha mvn mvnw mypy ninja nox npm npx phpunit pnpm poetry pre-commit pyright pytest rake \
    rspec rubocop ruff rustc sbt stack swift tox tsc uv vitest yarn zig";
const TESTS: [&str; 12] = [
    "test", "tests", "nextest", "pytest", "tox", "nox", "jest", "vitest", "mocha", "rspec", "phpunit",
    "ctest",
];

/// The command itself, without where it is done and what becomes of its output; nothing when it checks nothing.
pub(super) fn check(line: &str) -> Option<String> {
    let parts = line.split(['\n', ';']).flat_map(|part| part.split("&&")).flat_map(|part| part.split("||"));
    parts.map(command).find(|command| is_checker(command) || is_test(command))
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
    let end = part.find(['|', '>']).unwrap_or(part.len());
    let end = if part[..end].ends_with(" 2") { end - 2 } else { end };
    let words = part[..end].split_whitespace().skip_while(|word| word.contains('=') || *word == "time");
    words.collect::<Vec<_>>().join(" ")
}

fn is_checker(command: &str) -> bool {
    let program = command.split(' ').next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or(program);
    CHECKERS.split_whitespace().any(|checker| checker == name)
}
