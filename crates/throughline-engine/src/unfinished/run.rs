//! What a check runs, however its line is spelled: by that, one that passed settles one that failed.

use super::command::CHECKERS;
use crate::shell::{Command, words};
use crate::words::is_in;

/// A check without what it is started by and what only changes how much it says.
pub(super) struct Run<'a> {
    /// The program and what it is told to do: `pytest`, `cargo test`, `npm lint`.
    pub(super) check: Vec<&'a str>,
    /// What narrows it to a part: files, names, packages.
    pub(super) part: Vec<&'a str>,
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
const TALK: &str = "-q -qq -v -vv -vvv -s -x -l -B -y -- . ./... -count=1 --quiet --verbose --exitfirst --silent --nocapture \
    --no-capture --show-output --showlocals --no-header --no-fail-fast --fail-fast --ci --run --no-watch --coverage --cov \
    --locked --offline --workspace --all --no-daemon --stacktrace --info --bail --yes --color --no-color";
const TALK_BEGINS: [&str; 7] =
    ["--tb=", "--color=", "--maxfail=", "--durations=", "--reporter=", "--reporters=", "--watch"];
/// What follows these narrows them, and is not what they are told to do.
const WHOLE: &str = "ctest eslint flake8 jest ktlint mocha mypy nox phpunit pre-commit pyright pytest rspec rubocop tox tsc \
    unittest vitest";
/// Those whose scripts are run with and without the word `run`.
const SCRIPTED: &str = "npm pnpm yarn";

impl<'a> Run<'a> {
    pub(super) fn of(command: &'a str) -> Run<'a> {
        let told = words(command).into_iter().filter(|word| !is_talk(word)).collect();
        let told = spelled_out(started(told));
        let Some((program, args)) = told.split_first() else { return Run { check: vec![], part: vec![] } };
        let check = match is_in(WHOLE, program) || program.contains('/') {
            true => 1,
            false => Command { settings: vec![], program, args: args.to_vec() }.act().len(),
        };
        let part = told[check.min(told.len())..].to_vec();
        Run { check: told[..check.min(told.len())].to_vec(), part }
    }

    /// Whether it is the same as the other, or more than it: `cargo test` after `cargo test cart`.
    pub(super) fn covers(&self, other: &Run<'_>) -> bool {
        self.check == other.check && other.part.starts_with(&self.part)
    }
}

fn is_talk(word: &str) -> bool {
    is_in(TALK, word) || TALK_BEGINS.iter().any(|begin| word.starts_with(begin))
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
            None => return told,
        }
    }
}

fn is_python(name: &str) -> bool {
    name.strip_prefix("python").is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// `npm t`, `npm run test` and `npm test` are one.
fn spelled_out(mut told: Vec<&str>) -> Vec<&str> {
    let program = told.first().copied().unwrap_or_default();
    if is_in(SCRIPTED, program) && told.len() > 2 && matches!(told[1], "run" | "run-script") {
        told.remove(1);
    }
    if (program == "cargo" || is_in(SCRIPTED, program)) && told.get(1) == Some(&"t") {
        told[1] = "test";
    }
    told
}
