//! Why a memory is as sure as it is: every event that moved it, from the first statement to now, and the steps add up.

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::actor::Actor;
use throughline_store::event::{self, Event, Filter, Order};
use throughline_store::id::{EventId, SessionId};
use throughline_store::link::{self, End, Kind as LinkKind, Node};
use throughline_store::memory::{self, Memory};
use throughline_store::time::Timestamp;

use crate::{Caller, Result};

/// One thing that happened to a memory, and what it was worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Nothing where the log does not say what changed the memory.
    pub event: Option<EventId>,
    pub session: Option<SessionId>,
    pub at: Option<Timestamp>,
    pub actor: Option<Actor>,
    pub action: String,
    /// Nothing before the first.
    pub before: Option<f64>,
    pub after: f64,
    pub reason: Option<String>,
    /// The event that led to it: a decision, a test, a message.
    pub because_of: Option<EventId>,
}

const MOST: i64 = 1000;
/// Smaller differences come from rounding.
const SAME: f64 = 1e-9;

/// In the order of time; the last one ends where the memory stands.
pub(crate) fn steps(conn: &mut dyn Connection, caller: &Caller, memory: &Memory) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> = vec![];
    let mut now_at: Option<f64> = None;
    for event in events(conn, caller, memory)? {
        let step = step(&event, now_at);
        now_at = Some(step.after);
        steps.push(step);
    }
    if now_at.is_none_or(|after| (after - memory.confidence).abs() > SAME) {
        steps.push(unrecorded(memory, now_at));
    }
    Ok(steps)
}

fn events(conn: &mut dyn Connection, caller: &Caller, memory: &Memory) -> Result<Vec<Event>> {
    let origins = memory::origins(conn, &caller.project, &memory.id)?;
    let mut ids: Vec<EventId> = origins.into_iter().map(|origin| origin.event).collect();
    let node = Node::memory(&memory.id);
    for kind in [LinkKind::Informs, LinkKind::Supports, LinkKind::Contradicts] {
        let from = link::to(conn, &caller.project, (&node, kind), (End::Event, MOST))?;
        ids.extend(from.into_iter().map(|node| EventId::from(node.id)));
    }
    let filter = Filter { ids, ..Filter::default() };
    if filter.ids.is_empty() {
        return Ok(vec![]);
    }
    let mut events = event::list(conn, &caller.project, &filter, Order::OldestFirst, i64::MAX)?;
    // What a pattern was seen in tells where a belief comes from, and moved nothing.
    events.retain(|event| event.informs.is_some());
    Ok(events)
}

fn step(event: &Event, before: Option<f64>) -> Step {
    let parts: Json =
        event.parts.as_deref().and_then(|parts| serde_json::from_str(parts).ok()).unwrap_or_default();
    let text = |name: &str| parts.get(name).and_then(Json::as_str).map(str::to_owned);
    let after = parts.get("confidence").and_then(Json::as_f64).or(before).unwrap_or_default();
    Step {
        event: Some(event.id.clone()),
        session: Some(event.session_id.clone()),
        at: Some(event.at),
        actor: Some(event.actor.clone()),
        action: text("action").unwrap_or_else(|| event.summary.clone()),
        before,
        after,
        reason: text("reason").or_else(|| event.rationale.clone()),
        because_of: event.triggered_by.clone(),
    }
}

fn unrecorded(memory: &Memory, before: Option<f64>) -> Step {
    Step {
        event: None,
        session: None,
        at: None,
        actor: None,
        action: "not recorded".to_owned(),
        before,
        after: memory.confidence,
        reason: None,
        because_of: None,
    }
}
