//! The newest part of a session that fits: by turns, by tokens, and never a tool's result without its call.

use std::collections::HashSet;

use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::id::{EventId, SessionId};
use throughline_store::{Connection, session};

use super::find;
use crate::settings::Window;
use crate::{Caller, Engine, Result};

/// A session's newest events, oldest of them first.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    pub session: session::Session,
    pub events: Vec<Event>,
    pub tokens: u64,
    /// How many events of the session are not shown.
    pub omitted: i64,
}

/// How much of a session to show.
pub type Turns = Window;

/// Read in pages, so that a long session costs no more than what is shown of it.
const PAGE: i64 = 256;

impl Engine {
    pub fn history(&self, caller: &Caller, name: Option<&str>, window: Window) -> Result<History> {
        self.store.read(|conn| {
            let session = find(conn, caller, name)?;
            let newest_first = newest(conn, caller, &session.id, window)?;
            let events = without_orphans(newest_first.into_iter().rev().collect());
            Ok(History {
                tokens: events.iter().map(cost).sum(),
                omitted: session.last_sequence - events.len() as i64,
                events,
                session,
            })
        })
    }
}

/// The newest events that fit, newest first; the one before them would not.
fn newest(
    conn: &mut dyn Connection,
    caller: &Caller,
    session: &SessionId,
    window: Window,
) -> Result<Vec<Event>> {
    let mut taken: Vec<Event> = Vec::new();
    let (mut turns, mut tokens) = (0, 0);
    loop {
        let filter = Filter {
            session: Some(session.clone()),
            before_position: taken.last().map(|event| event.position),
            ..Filter::default()
        };
        let page = event::list(conn, &caller.project, &filter, Order::NewestFirst, PAGE)?;
        let is_last = (page.len() as i64) < PAGE;
        for event in page {
            tokens += cost(&event);
            if turns == window.turns || tokens > window.max_tokens {
                return Ok(taken);
            }
            turns += usize::from(event.kind == Kind::UserMessage);
            taken.push(event);
        }
        if is_last {
            return Ok(taken);
        }
    }
}

/// A result whose call fell outside the window would be an answer without its question.
fn without_orphans(events: Vec<Event>) -> Vec<Event> {
    let shown: HashSet<EventId> = events.iter().map(|event| event.id.clone()).collect();
    let mut open_calls: Vec<(EventId, Option<String>)> = Vec::new();
    let mut kept = Vec::with_capacity(events.len());
    for event in events {
        match event.kind {
            Kind::ToolCall => open_calls.push((event.id.clone(), event.target.clone())),
            Kind::ToolResult if !answers(&event, &shown, &mut open_calls) => continue,
            _ => {}
        }
        kept.push(event);
    }
    kept
}

/// By the call it names, else by the oldest unanswered call of the same target.
fn answers(
    result: &Event,
    shown: &HashSet<EventId>,
    open_calls: &mut Vec<(EventId, Option<String>)>,
) -> bool {
    if let Some(call) = &result.triggered_by {
        open_calls.retain(|(id, _)| id != call);
        return shown.contains(call);
    }
    match open_calls.iter().position(|(_, target)| *target == result.target) {
        Some(place) => {
            open_calls.remove(place);
            true
        }
        None => false,
    }
}

fn cost(event: &Event) -> u64 {
    u64::try_from(event.tokens).unwrap_or(0)
}
