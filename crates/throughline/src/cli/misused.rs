//! What the command line answers to a call that it cannot read.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::meant::{is_slip, tip};
use super::output::Output;
use crate::wire::error::{Problem, Usage, exit_code, message};

/// The arguments of this process, where `help COMMAND` asks for what `COMMAND --help` does, and `version` for `--version`.
pub(super) fn arguments() -> Vec<OsString> {
    let mut given: Vec<OsString> = std::env::args_os().collect();
    match given.get(1).and_then(|first| first.to_str()) {
        Some("help") => {
            given.remove(1);
            given.push("--help".into());
        }
        Some("version") if given.len() == 2 => given[1] = "--version".into(),
        _ => {}
    }
    given
}

/// Help and version go to stdout and are no failure. A wrong call with `--json` is answered in JSON.
pub(super) fn answer(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    let said = in_our_words(error);
    if std::env::args_os().any(|arg| arg == "--json") {
        let said = said.trim_end();
        let usage = anyhow::Error::from(Usage(said.strip_prefix("error: ").unwrap_or(said).to_owned()));
        Output::new(true).failure(&Problem::of(&usage), &message(&usage));
        return exit_code(&usage);
    }
    if said == error.to_string() {
        error.exit();
    }
    let _ = write!(io::stderr(), "{said}");
    ExitCode::from(2)
}

/// The parser of numbers says what it stumbled on, not what to write.
fn in_our_words(error: &clap::Error) -> String {
    let said = error.to_string();
    match error.kind() {
        ErrorKind::ValueValidation => {
            let said = said
                .replace("invalid digit found in string", "write a whole number, for instance 10")
                .replace("number too large to fit in target type", "write a smaller number, for instance 10");
            said.lines().map(|line| format!("{}\n", in_range(line))).collect()
        }
        ErrorKind::UnknownArgument => match flag_before(error) {
            Some(flag) => {
                with_tip(&said, &format!("no value of {flag} is below zero; write it without the -"))
            }
            None => said,
        },
        ErrorKind::InvalidSubcommand => {
            let said =
                without_far_tip(error, ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand);
            match wanted(error) {
                Some(tip) => with_tip(&said, tip),
                None => said,
            }
        }
        ErrorKind::InvalidValue => {
            without_far_tip(error, ContextKind::InvalidValue, ContextKind::SuggestedValue)
        }
        _ => said,
    }
}

/// The parser also offers names that have little more than some letters in common with what was written.
fn without_far_tip(error: &clap::Error, written: ContextKind, offered: ContextKind) -> String {
    let said = error.to_string();
    let Some(ContextValue::String(written)) = error.get(written) else { return said };
    let is_far = match error.get(offered) {
        Some(ContextValue::String(name)) => !is_slip(written, name),
        Some(ContextValue::Strings(names)) => !names.iter().any(|name| is_slip(written, name)),
        _ => false,
    };
    if is_far { without_tip(&said) } else { said }
}

/// What does here what the unknown command says.
fn wanted(error: &clap::Error) -> Option<&'static str> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let given = given();
    let at = given.iter().position(|arg| arg == word)?;
    tip(given.get(at.checked_sub(1)?)?, word)
}

/// The arguments of this process, to be looked at.
fn given() -> Vec<String> {
    std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect()
}

/// The flag whose value begins with a minus, which the parser takes for a flag of its own.
fn flag_before(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return None };
    unknown.parse::<f64>().ok()?;
    let given = given();
    let at = given.iter().position(|arg| arg.starts_with(unknown))?;
    given.get(at.checked_sub(1)?).filter(|before| before.starts_with('-')).cloned()
}

/// After the first lines, in the place of the parser's own tip.
fn with_tip(said: &str, tip: &str) -> String {
    let said = without_tip(said);
    let (first, rest) = said.split_once("\n\n").unwrap_or((said.trim_end(), ""));
    format!("{first}\n\n  tip: {tip}\n\n{rest}")
}

fn without_tip(said: &str) -> String {
    let is_tip = |part: &&str| part.trim_start().starts_with("tip: ");
    said.split("\n\n").filter(|part| !is_tip(part)).collect::<Vec<_>>().join("\n\n")
}

/// `0 is not in 1..=500` as `write a whole number from 1 to 500`; the largest that fits a type is no end.
fn in_range(line: &str) -> String {
    let parted = line.rsplit_once(": ").and_then(|(before, after)| {
        let (_, range) = after.split_once(" is not in ")?;
        let (from, to) = range.split_once("..")?;
        Some((before, from, to.trim_start_matches('=').parse::<u64>().ok()?))
    });
    match parted {
        Some((before, from, to)) if to < u64::from(u32::MAX) => {
            format!("{before}: write a whole number from {from} to {to}")
        }
        Some((before, from, _)) => format!("{before}: write a whole number, {from} or more"),
        None => line.to_owned(),
    }
}
