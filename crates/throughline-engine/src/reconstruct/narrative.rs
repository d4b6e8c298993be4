//! The story of a session in a few sentences, made of its events without a model.

use std::collections::HashSet;
use std::time::Duration;

use throughline_store::event::{Event, Kind};
use throughline_store::session::Session;

use super::choice::Choice;
use super::operation::has_failed;
use crate::capture::shortened;
use crate::session::State;

pub(super) struct Told<'a> {
    pub(super) session: &'a Session,
    pub(super) state: State,
    pub(super) events: &'a [Event],
    pub(super) decisions: &'a [Choice],
    /// What is told of it, and how much more there is.
    pub(super) unfinished: (&'a [String], usize),
}

const NAMES: usize = 4;
const SAID_CHARS: usize = 140;
const DECISIONS: usize = 3;

impl Told<'_> {
    pub(super) fn narrative(&self) -> String {
        let sentences = [
            Some(self.who()),
            self.asked(),
            self.worked(),
            self.checked(),
            self.decided(),
            self.completed(),
            self.ended(),
        ];
        sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn who(&self) -> String {
        let session = self.session;
        let branch = session.git_branch.as_deref().map(|branch| format!(" on branch {branch}"));
        let state = match self.state {
            State::Open => "goes on",
            State::Idle => "has gone quiet",
            State::Ended(_) => "has ended",
        };
        let duration = length(session.last_event_at.since(session.started_at));
        format!(
            "A session of {} in the role {}{} took {duration} and {state}.",
            session.client,
            session.chatmode,
            branch.unwrap_or_default()
        )
    }

    fn asked(&self) -> Option<String> {
        let requests: Vec<&Event> = self.of(Kind::UserMessage).collect();
        let (first, last) = (requests.first()?, requests.last()?);
        let first = quoted(&first.summary);
        Some(match requests.len() {
            1 => format!("It was asked: {first}."),
            2 => format!("It was asked: {first}, then: {}.", quoted(&last.summary)),
            more => format!(
                "It was asked: {first}, and {} more times, at last: {}.",
                more - 1,
                quoted(&last.summary)
            ),
        })
    }

    /// What it looked at and changed, by file, and what it ran.
    fn worked(&self) -> Option<String> {
        let read = self.files("read", Kind::Read);
        let searches = self.of(Kind::Search).count();
        let searched = (searches > 0).then(|| format!("searched {}", times(searches)));
        let wrote = self.files("changed", Kind::Write);
        let did: Vec<String> = [read, searched, wrote].into_iter().flatten().collect();
        (!did.is_empty()).then(|| format!("It {}.", and(&did)))
    }

    fn checked(&self) -> Option<String> {
        let calls: Vec<&Event> = self.of(Kind::ToolCall).collect();
        let failed = calls.iter().filter(|event| has_failed(event)).count();
        let ran = match (calls.len(), failed) {
            (0, _) => return None,
            (1, 0) => "It ran one command".to_owned(),
            (1, _) => "It ran one command, which failed".to_owned(),
            (all, 0) => format!("It ran {all} commands, none of which failed"),
            (all, failed) => format!("It ran {all} commands, {failed} of which failed"),
        };
        let fixed = fixed(&calls).map(|command| format!("; {} failed and passed later", quoted(command)));
        Some(format!("{ran}{}.", fixed.unwrap_or_default()))
    }

    fn decided(&self) -> Option<String> {
        let said: Vec<String> = self
            .decisions
            .iter()
            .filter(|choice| !choice.is_past)
            .map(|choice| match choice.subject.as_str() {
                "" => choice.choice.clone(),
                subject if choice.choice.contains(subject) => choice.choice.clone(),
                subject => format!("{subject}: {}", choice.choice),
            })
            .collect();
        let shown = &said[..said.len().min(DECISIONS)];
        let more = said.len() - shown.len();
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        (!shown.is_empty()).then(|| format!("It decided: {}{more}.", shown.join("; ").trim_end_matches('.')))
    }

    fn completed(&self) -> Option<String> {
        let mut items: Vec<String> = vec![];
        for event in self.of(Kind::TaskCompleted) {
            let item = event.item_id.clone().unwrap_or_else(|| shortened(&event.summary, 60));
            if !items.contains(&item) {
                items.push(item);
            }
        }
        (!items.is_empty()).then(|| format!("It completed {}.", named(&items)))
    }

    fn ended(&self) -> Option<String> {
        let answer = self.of(Kind::ModelMessage).last();
        let said = answer.map(|event| format!("Its last answer began: {}.", quoted(&event.summary)));
        let (told, more) = self.unfinished;
        let left = match told {
            [] => None,
            [one] if more == 0 => Some(format!("Left open is: {}.", one.trim_end_matches('.'))),
            [first, ..] => {
                Some(format!("Left open are {} things, first of all, {first}.", told.len() + more))
            }
        };
        let told: Vec<String> = [said, left].into_iter().flatten().collect();
        (!told.is_empty()).then(|| told.join(" "))
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.kind == kind)
    }

    /// "read 5 files (a.rs, b.rs, c.rs, d.rs and 1 more)".
    fn files(&self, verb: &str, kind: Kind) -> Option<String> {
        let mut files: Vec<String> = vec![];
        for file in self.of(kind).filter_map(|event| event.target.clone()) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        match files.len() {
            0 => None,
            1 => Some(format!("{verb} {}", files[0])),
            count => Some(format!("{verb} {count} files ({})", named(&files))),
        }
    }
}

/// The last command that failed first and passed at last.
fn fixed<'a>(calls: &[&'a Event]) -> Option<&'a str> {
    let failed: HashSet<&str> =
        calls.iter().filter(|call| has_failed(call)).filter_map(|call| call.target.as_deref()).collect();
    let mut seen = HashSet::new();
    calls.iter().rev().find_map(|call| {
        let command = call.target.as_deref()?;
        let is_last = seen.insert(command);
        (is_last && failed.contains(command) && !has_failed(call)).then_some(command)
    })
}

fn named(names: &[String]) -> String {
    let shown = &names[..names.len().min(NAMES)];
    match names.len() - shown.len() {
        0 => and(shown),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn and(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn quoted(text: &str) -> String {
    format!("“{}”", shortened(text, SAID_CHARS).trim_end_matches('.'))
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

fn length(duration: Duration) -> String {
    let minutes = duration.as_secs() / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) => "less than a minute".to_owned(),
        (0, 1) => "a minute".to_owned(),
        (0, minutes) => format!("{minutes} minutes"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}
