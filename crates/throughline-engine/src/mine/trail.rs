//! What a session did, reduced to what patterns are made of: files read and changed, commands run and how they ended.

use serde_json::Value as Json;
use throughline_code::Language;
use throughline_store::event::{Event, Kind};
use throughline_store::id::EventId;

use crate::remember::extract::signature;
use crate::shell::run_what_they_fetch;

pub(super) const KINDS: [Kind; 4] = [Kind::Read, Kind::Write, Kind::ToolCall, Kind::ToolResult];

#[derive(Debug)]
pub(super) struct Trail {
    pub(super) steps: Vec<Step>,
}

#[derive(Debug)]
pub(super) struct Step {
    pub(super) event: EventId,
    pub(super) did: Did,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Did {
    Read(String),
    Wrote(String),
    Ran { command: String, end: End },
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    Passed,
    /// With how the error begins, without what differs from time to time.
    Failed(Option<String>),
}

const COMMAND_CHARS: usize = 120;

impl Trail {
    pub(super) fn of(events: &[Event]) -> Trail {
        let mut steps: Vec<Step> = vec![];
        for event in events.iter().filter(|event| event.purge.is_none()) {
            let Some(target) = event.target.clone().filter(|target| !is_never_told(event, target)) else {
                continue;
            };
            let did = match event.kind {
                Kind::Read => Did::Read(target),
                Kind::Write => Did::Wrote(target),
                Kind::ToolCall => match ended(event) {
                    Some(end) => Did::Ran { command: command(&target), end },
                    None => continue,
                },
                Kind::ToolResult => {
                    explain(&mut steps, &command(&target), event);
                    continue;
                }
                _ => continue,
            };
            steps.push(Step { event: event.id.clone(), did });
        }
        Trail { steps }
    }
}

/// What runs whatever somebody else puts there now is nothing to be advised.
fn is_never_told(event: &Event, target: &str) -> bool {
    event.kind == Kind::ToolCall && run_what_they_fetch([target])
}

/// The command without the folder it is run in and what becomes of its output.
fn command(line: &str) -> String {
    let line = line.lines().next().unwrap_or_default();
    let last = line.rsplit("&&").next().unwrap_or(line);
    let end = last.find(['|', '>']).unwrap_or(last.len());
    let words: Vec<&str> = last[..end].trim_end_matches(" 2").split_whitespace().collect();
    words.join(" ").chars().take(COMMAND_CHARS).collect()
}

fn ended(event: &Event) -> Option<End> {
    let parts: Json = serde_json::from_str(event.parts.as_deref()?).ok()?;
    let passed = parts.get("ok")?.as_bool()?;
    Some(if passed { End::Passed } else { End::Failed(None) })
}

/// The result of a failed call says what went wrong.
fn explain(steps: &mut [Step], command: &str, result: &Event) {
    let last = steps.iter_mut().rev().find_map(|step| match &mut step.did {
        Did::Ran { command: known, end: End::Failed(error) } if known == command => Some(error),
        _ => None,
    });
    if let Some(error) = last.filter(|error| error.is_none()) {
        *error = result.content.as_deref().and_then(named);
    }
}

/// The line that names the error; numbers, which differ from time to time, are all the same.
fn named(error: &str) -> Option<String> {
    let mut name = String::new();
    for c in signature(error)?.chars() {
        match c {
            '0'..='9' if name.ends_with('#') => {}
            '0'..='9' => name.push('#'),
            c if c.is_control() => name.push(' '),
            c => name.push(c),
        }
    }
    Some(name)
}

pub(super) fn is_test_file(path: &str) -> bool {
    let path = path.to_lowercase();
    let named = path.split(['/', '\\', '.', '_', '-']).any(|part| matches!(part, "test" | "tests" | "spec"));
    named && is_code(&path)
}

pub(super) fn is_code(path: &str) -> bool {
    Language::of_path(path).is_some_and(Language::is_code)
}
