//! What was different about a command that passed from one that had failed, and may be why.

use crate::shell::{self, Command};

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

/// Whether two commands are after the same, however they are called.
pub(super) fn are_one_task(one: &Command<'_>, other: &Command<'_>) -> bool {
    one.act() == other.act() || is_called_otherwise(one, other) || is_flagged(one, other)
}

/// Whether what is different about the command that passed may have helped.
pub(super) fn may_help(failed: &Command<'_>, passed: &Command<'_>) -> bool {
    is_added(failed, passed) || is_called_otherwise(failed, passed)
}

fn is_called_otherwise(failed: &Command<'_>, passed: &Command<'_>) -> bool {
    is_wrapped(failed, passed) || is_at_hand(failed, passed)
}

/// `make -C firmware all` for `make all`, `mvn -DskipTests package` for `mvn package`: nothing but flags and their values were
/// added, wherever they stand.
fn is_flagged(failed: &Command<'_>, passed: &Command<'_>) -> bool {
    let is_new = |arg: &str| !failed.args.contains(&arg);
    let (mut rest, mut args) = (vec![], passed.args.iter().copied().peekable());
    while let Some(arg) = args.next() {
        if !is_flag(arg) || !is_new(arg) {
            rest.push(arg);
        } else if !arg.contains('=') {
            args.next_if(|value| !is_flag(value) && is_new(value));
        }
    }
    passed.program == failed.program && rest == failed.args
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
    let times = |args: &[&str], flag: &str| args.iter().filter(|arg| **arg == flag).count();
    let news = flags.filter(|arg| times(&passed.args, arg) > times(&failed.args, arg)).count();
    let settings = passed.settings.iter().filter(|setting| !failed.settings.contains(setting)).count();
    Command { args: kept, ..failed.clone() }.is_part_of(passed) && news + settings > 0
}

/// Some programs have long ones with one hyphen, and some take settings as arguments: `goose -allow-missing`, `make sim PORT=7190`.
fn is_flag(arg: &str) -> bool {
    arg.len() > 1 && arg.starts_with('-') && arg != "--" || shell::is_setting(arg)
}

/// `bundle exec rspec` for `rspec`, `python -m pytest` for `pytest`.
fn is_wrapped(failed: &Command<'_>, passed: &Command<'_>) -> bool {
    let inner: Vec<&str> = std::iter::once(failed.program).chain(failed.args.iter().copied()).collect();
    passed.args.ends_with(&inner)
        && !BYSTANDERS.contains(&passed.program)
        && !passed.cannot_help()
        && failed.program != passed.program
}

/// `./gradlew build` for `gradle build`, `vendor/bin/phpunit` for `phpunit`.
fn is_at_hand(failed: &Command<'_>, passed: &Command<'_>) -> bool {
    let name = |program: &str| program.rsplit('/').next().unwrap_or(program).to_owned();
    let (wanted, found) = (name(failed.program), name(passed.program));
    let is_same = found == wanted || found == format!("{wanted}w");
    is_same && failed.program != passed.program && passed.program.contains('/') && failed.args == passed.args
}

#[cfg(test)]
mod tests {
    use super::{are_one_task, may_help};
    use crate::shell::Command;

    fn of(line: &str) -> Command<'_> {
        Command::last(line).unwrap()
    }

    #[test]
    fn a_command_is_known_however_it_is_called() {
        for (failed, passed) in [
            ("rspec spec/order_spec.rb", "bundle exec rspec spec/order_spec.rb"),
            ("pytest tests", "python -m pytest tests"),
            ("gradle build", "./gradlew build"),
            ("phpunit tests", "vendor/bin/phpunit tests"),
            ("make all", "make -C firmware all"),
            ("mvn package", "mvn -DskipTests package"),
            ("goose -dir db up", "goose -allow-missing -dir db up"),
            ("psql -d shop -f a.sql", "psql -h 127.0.0.1 -d shop -f a.sql"),
            ("make sim STATION=north", "make sim STATION=north SIM_PORT=7190"),
            ("make proto", "PATH=\"$PATH:$(go env GOPATH)/bin\" make proto"),
            ("go run ./seed --all", "ZONEINFO=$(go env GOROOT)/lib/zoneinfo.zip go run ./seed --all"),
            (
                "openocd -f a.cfg -c 'program a.elf exit'",
                "openocd -f a.cfg -c 'srst only' -c 'program a.elf exit'",
            ),
        ] {
            let (failed, passed) = (of(failed), of(passed));
            assert!(are_one_task(&failed, &passed) && may_help(&failed, &passed), "{passed:?}");
        }
    }

    #[test]
    fn another_task_and_another_choice_help_nothing() {
        for (failed, passed) in [
            ("make", "make clean -j4"),
            ("make -C firmware all", "make -C firmware clean"),
            ("cargo test", "timeout 60 cargo test"),
            ("go test ./...", "go test ./... -run TestOne"),
        ] {
            let (failed, passed) = (of(failed), of(passed));
            assert!(!(are_one_task(&failed, &passed) && may_help(&failed, &passed)), "{passed:?}");
        }
    }
}
