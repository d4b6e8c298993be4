//! What was begun and not brought to an end, read from the log without a model: commands that failed and did not pass since,
//! gates that are not passed, files that changed after the last test, steps that an agent said are next and nothing has settled,
//! whatever was said since, how a session ended that was not brought to an end. Tasks of the backlog are its own to tell.

mod answer;
mod assent;
mod command;
pub(crate) mod next_step;
pub mod open;
mod outcome;
mod place;
mod printed;
mod run;
mod settled;
mod task;
mod tested;
#[cfg(test)]
mod tests;
pub(crate) mod unanswered;
mod wanted;

use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;

use serde_json::Value as Json;
use throughline_code::Language;
use throughline_store::Connection;
use throughline_store::event::{Event, Kind};
use throughline_store::id::SessionId;
use throughline_store::time::Timestamp;

pub(crate) use command::is_test;
pub use printed::hides_failure;
pub use task::TASKS;

use crate::capture::one_line;
use crate::log::newest;
use crate::words::is_in;
use crate::{Caller, Result};
use place::Shell;
use tested::Since;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    pub reason: Reason,
    pub text: String,
    pub since: Timestamp,
    pub session: SessionId,
}

/// In the order of how much it matters to who goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    Failing,
    GateNotPassed,
    /// A request that the session broke off after.
    NotAnswered,
    /// The agent asked, and nobody answered.
    Question,
    /// Of the client's own list of tasks.
    Task,
    NotTested,
    NextStep,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Failing => "failing",
            Reason::GateNotPassed => "gate not passed",
            Reason::Task => "task",
            Reason::NotTested => "not tested",
            Reason::NextStep => "next step",
            Reason::NotAnswered => "not answered",
            Reason::Question => "question",
        })
    }
}

/// So far back is looked.
const EVENTS_OF_EACH: i64 = 150;
const DAYS: u64 = 30;
const KINDS: [Kind; 4] = [Kind::ToolCall, Kind::ToolResult, Kind::Write, Kind::ValidationGate];
/// What may have been said and done about a step since it was named.
const SAID: [Kind; 2] = [Kind::UserMessage, Kind::TaskCompleted];
const FILES_NAMED: usize = 4;

/// Of the project's last events.
pub(crate) fn lately(conn: &mut dyn Connection, caller: &Caller, now: Timestamp) -> Result<Vec<Unfinished>> {
    let mut events = newest(conn, caller, &KINDS, EVENTS_OF_EACH)?;
    // Before this not everything is in view, and what passed might be missing for what failed.
    let all_from = KINDS.iter().filter_map(|kind| {
        let mut of_kind = events.iter().filter(|event| event.kind == *kind);
        let first = of_kind.next()?.position;
        (of_kind.count() + 1 == EVENTS_OF_EACH as usize).then_some(first)
    });
    let all_from = all_from.max().unwrap_or_default();
    let max_age = Duration::from_secs(DAYS * 24 * 3600);
    events.extend(newest(conn, caller, &[Kind::ModelMessage], answer::LOOKED_AT as i64)?);
    events.extend(newest(conn, caller, &SAID, EVENTS_OF_EACH)?);
    events.retain(|event| event.position >= all_from && now.since(event.at) <= max_age);
    events.sort_by_key(|event| event.position);
    let mut found = of_events(&events);
    found.extend(unanswered::lately(conn, caller, &events)?);
    found.sort_by_key(in_order);
    Ok(found)
}

/// Of these events, which are in their order.
pub(crate) fn of_events(events: &[Event]) -> Vec<Unfinished> {
    let record = settled::Record::of(events);
    let said = [task::left(events, &record), answer::left(events, &record), wanted::later(events, &record)];
    let mut found = [failing(events), gates(events), said.concat()].concat();
    found.extend(not_tested(events));
    found.sort_by_key(in_order);
    found
}

/// What matters most comes first, of equals the newest.
fn in_order(one: &Unfinished) -> (Reason, Reverse<Timestamp>) {
    (one.reason, Reverse(one.since))
}

fn unfinished(reason: Reason, event: &Event, text: &str) -> Unfinished {
    Unfinished { reason, text: one_line(text), since: event.at, session: event.session_id.clone() }
}

/// A check that failed.
struct Failed<'a> {
    check: String,
    event: &'a Event,
    shell: Shell,
}

/// Checks that failed, and neither they nor a wider one passed afterwards.
fn failing(events: &[Event]) -> Vec<Unfinished> {
    let mut failing: Vec<Failed<'_>> = vec![];
    for event in events {
        let Some((line, ok)) = command_of(event).zip(flag(event, &["ok"])) else { continue };
        if ok && failing.is_empty() {
            continue;
        }
        let removed = command::removed(line);
        failing.retain(|failed| !is_gone(&failed.check, &removed));
        let line = command::read(line);
        let left_in = line.left_in.clone();
        if let Some(folder) = &left_in {
            failing.iter_mut().for_each(|failed| failed.follow(event, folder));
        }
        if ok {
            let passed = line.passed();
            failing.retain(|failed| !failed.is_covered(event, &passed));
        } else if let Some(check) = line.failed() {
            failing.retain(|failed| failed.check != check);
            failing.push(Failed::of(check, event, left_in.as_deref()));
        }
    }
    failing.iter().map(|failed| unfinished(Reason::Failing, failed.event, &failed.check)).collect()
}

impl<'a> Failed<'a> {
    fn of(check: String, event: &'a Event, left_in: Option<&str>) -> Failed<'a> {
        let mut failed = Failed { check, event, shell: Shell::Elsewhere };
        left_in.into_iter().for_each(|folder| failed.follow(event, folder));
        failed
    }

    /// The shell of a session goes to a folder.
    fn follow(&mut self, event: &Event, folder: &str) {
        if event.session_id == self.event.session_id {
            let is_there = place::placed(&self.check).0 == Some(folder);
            self.shell = if is_there { Shell::Stayed } else { Shell::Elsewhere };
        }
    }

    fn is_covered(&self, event: &Event, passed: &[String]) -> bool {
        let is_same_shell = event.session_id == self.event.session_id;
        let shell = if is_same_shell { self.shell } else { Shell::Elsewhere };
        is_covered(&self.check, passed, shell)
    }
}

fn gates(events: &[Event]) -> Vec<Unfinished> {
    let mut closed: Vec<(&str, &Event)> = vec![];
    for event in events.iter().filter(|event| event.kind == Kind::ValidationGate) {
        let gate = event.target.as_deref().unwrap_or_default();
        closed.retain(|(known, _)| *known != gate);
        if !is_passed(event) {
            closed.push((gate, event));
        }
    }
    let told = |(gate, event): &(&str, &Event)| {
        let named = if gate.is_empty() { String::new() } else { format!("{gate}: ") };
        unfinished(Reason::GateNotPassed, event, &format!("{named}{}", event.summary))
    };
    closed.iter().map(told).collect()
}

/// Whether it tells of work that was checked and holds: a gate that was passed, a task that was completed and found valid.
pub(crate) fn passes_a_gate(event: &Event) -> bool {
    match event.kind {
        Kind::ValidationGate => is_passed(event),
        Kind::TaskCompleted => flag(event, &["valid"]) == Some(true),
        _ => false,
    }
}

/// By what it says in so many words, else by how its summary sounds.
pub(crate) fn is_passed(gate: &Event) -> bool {
    flag(gate, &["passed", "ok", "valid", "success"]).or_else(|| verdict(gate)).unwrap_or_else(|| {
        let said = gate.summary.to_lowercase();
        let words: Vec<&str> =
            said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let is_bad = |(number, word): (usize, &&str)| {
            let before = number.checked_sub(1).map_or("", |before| words[before]);
            match *word {
                "failed" | "failure" | "failures" | "fails" | "failing" => {
                    !["0", "no", "never"].contains(&before)
                }
                "passed" => before == "not",
                "rejected" | "blocked" => true,
                _ => false,
            }
        };
        !words.iter().enumerate().any(is_bad)
    })
}

/// What its parts say in a word: `"status": "failed"`.
fn verdict(gate: &Event) -> Option<bool> {
    const NAMES: [&str; 6] = ["status", "result", "outcome", "verdict", "conclusion", "state"];
    const PASSED: &str = "passed pass ok success successful succeeded green approved valid accepted";
    const FAILED: &str = "failed fail failure failing error errored red rejected blocked invalid denied cancelled timeout timed_out";
    let parts: Json = serde_json::from_str(gate.parts.as_deref()?).ok()?;
    NAMES.iter().find_map(|name| {
        let said = parts.get(*name)?.as_str()?.trim().to_lowercase();
        match () {
            () if is_in(FAILED, &said) => Some(false),
            () if is_in(PASSED, &said) => Some(true),
            () => None,
        }
    })
}

/// Source files that changed after the last test of them and are still there.
pub(crate) fn not_tested(events: &[Event]) -> Option<Unfinished> {
    let mut changed: Vec<(&str, &Event)> = vec![];
    for event in events {
        let removed = removed(event);
        changed.retain(|(file, _)| !removed.contains(file));
        let tests = tests(event);
        if !tests.is_empty() {
            changed.retain(|(file, change)| !tested::settles(&tests, file, Since::of(change, event)));
        }
        if let Some(file) = changed_code(event).filter(|file| changed.iter().all(|(known, _)| known != file))
        {
            changed.push((file, event));
        }
    }
    let (_, first) = *changed.first()?;
    let files: Vec<&str> = changed.iter().map(|(file, _)| *file).collect();
    let named = files[..files.len().min(FILES_NAMED)].join(", ");
    let more = files.len().saturating_sub(FILES_NAMED);
    let text = if more > 0 { format!("{named} and {more} more") } else { named };
    Some(unfinished(Reason::NotTested, first, &text))
}

/// The tests that the event ran; one that failed has told so however its line ends.
fn tests(event: &Event) -> Vec<String> {
    let Some(line) = command_of(event) else { return vec![] };
    let is_failed = flag(event, &["ok"]) == Some(false);
    let line = command::read(line);
    command::tests_of(if is_failed { line.all() } else { line.passed() })
}

fn changed_code(event: &Event) -> Option<&str> {
    let is_change = event.kind == Kind::Write && flag(event, &["ok"]) != Some(false);
    event.target.as_deref().filter(|file| is_change && is_code(file))
}

fn is_covered(failed: &str, passed: &[String], shell: Shell) -> bool {
    passed.iter().any(|passed| place::covers(passed, failed, shell))
}

/// The files that the event removes.
fn removed(event: &Event) -> Vec<&str> {
    command_of(event).map(command::removed).unwrap_or_default()
}

/// What failed in a file that is removed is nobody's concern any more.
fn is_gone(check: &str, removed: &[&str]) -> bool {
    !removed.is_empty() && check.split(' ').any(|word| removed.contains(&word))
}

fn command_of(event: &Event) -> Option<&str> {
    let is_use = matches!(event.kind, Kind::ToolCall | Kind::ToolResult);
    event.target.as_deref().filter(|_| is_use)
}

fn is_code(file: &str) -> bool {
    Language::of_path(file).is_some_and(Language::is_code)
}

/// What the event says beside its text, under any of these names.
pub(crate) fn flag(event: &Event, names: &[&str]) -> Option<bool> {
    let parts: Json = serde_json::from_str(event.parts.as_deref()?).ok()?;
    names.iter().find_map(|name| parts.get(name)?.as_bool())
}
