//! What was different about a command that passed from one that had failed, and may be why.

use super::command::{self, Command};

/// What chooses what is run, or how much is told about it, makes nothing pass.
const CHOOSING: [&str; 24] = [
    "-v",
    "-vv",
    "--verbose",
    "-x",
    "-k",
    "--lib",
    "--nocapture",
    "-q",
    "--quiet",
    "-s",
    "--help",
    "--version",
    "--dry-run",
    "--no-fail-fast",
    "--last-failed",
    "-run",
    "-t",
    "-g",
    "-short",
    "-Dtest",
    "--filter",
    "--grep",
    "--tests",
    "--only",
];
/// These run another command as it is.
const BYSTANDERS: [&str; 9] =
    ["timeout", "nohup", "strace", "gdb", "perf", "watch", "xargs", "nice", "script"];

/// Whether the command that passed is the one that failed, in a way that may have helped.
pub(super) fn is_of(failed: &Command<'_>, passed: &Command<'_>) -> bool {
    is_added(failed, passed) || is_wrapped(failed, passed) || is_at_hand(failed, passed)
}

/// Something was added that is more than a choice of what to run.
fn is_added(failed: &Command<'_>, passed: &Command<'_>) -> bool {
    let is_choice = |args: &[&str], at: usize| {
        let name = args[at].split_once('=').map_or(args[at], |(name, _)| name);
        // A host, where it is given one.
        let is_help = name == "-h" && args.get(at + 1).is_none_or(|next| next.starts_with('-'));
        is_help || CHOOSING.contains(&name)
    };
    let chosen = |args: &[&str]| (0..args.len()).filter(|at| !is_choice(args, *at)).collect::<Vec<_>>();
    let kept = chosen(&failed.args).into_iter().map(|at| failed.args[at]).collect();
    let flags = chosen(&passed.args).into_iter().map(|at| passed.args[at]).filter(|arg| is_flag(arg));
    let news = flags.filter(|arg| !failed.args.contains(arg)).count();
    let settings = passed.settings.iter().filter(|setting| !failed.settings.contains(setting)).count();
    Command { args: kept, ..failed.clone() }.is_part_of(passed) && news + settings > 0
}

/// Some programs have long ones with one hyphen: `goose -allow-missing`.
fn is_flag(arg: &str) -> bool {
    arg.len() > 1 && arg.starts_with('-') && arg != "--"
}

/// `bundle exec rspec` for `rspec`, `python -m pytest` for `pytest`.
fn is_wrapped(failed: &Command<'_>, passed: &Command<'_>) -> bool {
    let inner: Vec<&str> = std::iter::once(failed.program).chain(failed.args.iter().copied()).collect();
    passed.args.ends_with(&inner)
        && !BYSTANDERS.contains(&passed.program)
        && !command::only_looks(passed)
        && failed.program != passed.program
}

/// `./gradlew build` for `gradle build`, `vendor/bin/phpunit` for `phpunit`.
fn is_at_hand(failed: &Command<'_>, passed: &Command<'_>) -> bool {
    let name = |program: &str| program.rsplit('/').next().unwrap_or(program).to_owned();
    let (wanted, found) = (name(failed.program), name(passed.program));
    let is_same = found == wanted || found == format!("{wanted}w");
    is_same && failed.program != passed.program && passed.program.contains('/') && failed.args == passed.args
}
