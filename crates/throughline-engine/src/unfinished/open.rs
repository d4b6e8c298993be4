//! What stays open while a session goes on, followed event by event: a check that failed until it passes, a gate until it is
//! passed.

use throughline_store::event::{Event, Kind};
use throughline_store::id::EventId;

use super::place::Shell;
use super::{command, command_of, flag, is_covered, is_gone, is_passed, removed};
use crate::capture::one_line;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// The command, or the name of the gate.
    pub check: String,
    /// What it said.
    pub text: String,
    pub event: EventId,
}

/// Words of the line that says what went wrong.
const TELLING: [&str; 6] = ["error", "failed", "panicked", "exception", "cannot", "assert"];
const GATE: &str = "gate ";

/// Takes in an event; answers with what it settled.
pub(crate) fn follow(open: &mut Vec<Open>, event: &Event) -> Vec<Open> {
    if event.kind == Kind::ValidationGate {
        let check = format!("{GATE}{}", event.target.as_deref().unwrap_or_default());
        if is_passed(event) {
            return settled(open, |one| one.check == check);
        }
        add(open, event, check);
        return vec![];
    }
    let removed = removed(event);
    open.retain(|one| !is_gone(&one.check, &removed));
    let Some(line) = command_of(event) else { return vec![] };
    match flag(event, &["ok"]) {
        Some(true) => {
            let passed = command::read(line).passed();
            settled(open, |one| is_covered(&one.check, &passed, Shell::Stayed))
        }
        Some(false) => {
            if let Some(check) = command::read(line).failed() {
                add(open, event, check);
            }
            vec![]
        }
        None => vec![],
    }
}

fn settled(open: &mut Vec<Open>, is_settled: impl Fn(&Open) -> bool) -> Vec<Open> {
    let (settled, left) = open.drain(..).partition(is_settled);
    *open = left;
    settled
}

/// A call and its result tell the same; the one that says more stays.
fn add(open: &mut Vec<Open>, event: &Event, check: String) {
    let text = said(event);
    let known = open.iter().position(|one| one.check == check).map(|place| open.remove(place));
    let text = known.map(|one| one.text).filter(|earlier| text.is_none() && !earlier.is_empty()).or(text);
    open.push(Open { check, text: text.unwrap_or_default(), event: event.id.clone() });
}

/// The line of its content that says what went wrong, else what a gate's summary says.
fn said(event: &Event) -> Option<String> {
    let content = event.content.as_deref().filter(|_| event.kind != Kind::ToolCall);
    let is_telling = |line: &&str| {
        let line = line.to_lowercase();
        TELLING.iter().any(|word| line.contains(word))
    };
    let first = content.and_then(|text| {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.clone().next();
        lines.find(is_telling).or(first)
    });
    let of_gate = || (event.kind == Kind::ValidationGate).then_some(event.summary.as_str());
    first.or_else(of_gate).map(one_line)
}
