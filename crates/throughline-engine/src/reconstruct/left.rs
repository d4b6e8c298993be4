//! What a session left behind that is still open: what came later in the project may have settled it.

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::id::ItemId;
use throughline_store::item::{self, Item, Status};
use throughline_store::session::Session;

use crate::capture::shortened;
use crate::session::State;
use crate::unfinished::{Reason, Unfinished, not_tested, of_events, unanswered};
use crate::{Caller, Result};

/// So much of what came after the session is looked at.
const LATER: i64 = 1000;
const SETTLES: [Kind; 6] = [
    Kind::ToolCall,
    Kind::ToolResult,
    Kind::Write,
    Kind::ValidationGate,
    Kind::UserMessage,
    Kind::TaskCompleted,
];
const MOST: usize = 10;
const TEXT_CHARS: usize = 140;
/// So much of a title leaves room for the reason.
const TITLED_CHARS: usize = 70;

/// As much of it as is told, and how much more there is.
pub(super) fn behind(
    conn: &mut dyn Connection,
    caller: &Caller,
    (session, state): (&Session, State),
    events: &[Event],
) -> Result<(Vec<String>, usize)> {
    let open = still_open(conn, caller, (session, state), events)?;
    let told = |one: &Unfinished| format!("{}: {}", one.reason, one.text);
    let mut left = tasks(conn, caller, events)?;
    left.extend(open.iter().filter(|one| one.reason != Reason::NextStep).map(told));
    left.extend(blockers(session));
    left.extend(open.iter().filter(|one| one.reason == Reason::NextStep).map(told));
    let omitted = left.len().saturating_sub(MOST);
    left.truncate(MOST);
    Ok((left.iter().map(|line| shortened(line, TEXT_CHARS)).collect(), omitted))
}

fn still_open(
    conn: &mut dyn Connection,
    caller: &Caller,
    (session, state): (&Session, State),
    events: &[Event],
) -> Result<Vec<Unfinished>> {
    let mut open = of_events(events);
    // While a session goes on, somebody may be about to answer.
    let ending =
        |later: &[Event]| unanswered::of_session(session, events, later).filter(|_| state != State::Open);
    // What is noted of a session may be noted long after it.
    let done = events.iter().rev().find(|event| event.kind != Kind::SystemEvent);
    let Some(last) = done.filter(|_| !open.is_empty() || ending(&[]).is_some()) else { return Ok(open) };
    let filter = Filter { kinds: SETTLES.to_vec(), after_position: Some(last.position), ..Filter::default() };
    let mut later = event::list(conn, &caller.project, &filter, Order::OldestFirst, LATER)?;
    later.retain(|event| events.iter().all(|known| known.id != event.id));
    let ending = ending(&later);
    if !later.is_empty() {
        let by_now = of_events(&[events, &later].concat());
        open.retain(|one| by_now.iter().any(|known| is_same(one, known)));
        // What others changed later is theirs to test.
        later.retain(|event| event.kind != Kind::Write);
        open.extend(not_tested(&[events, &later].concat()));
    }
    open.extend(ending);
    open.sort_by_key(|one| one.reason);
    Ok(open)
}

/// A check that fails again has a later moment. Of files that are not tested the list may be shorter by now.
fn is_same(one: &Unfinished, known: &Unfinished) -> bool {
    let is_told_so = known.text == one.text || known.since == one.since && one.reason != Reason::NextStep;
    one.reason == known.reason && is_told_so && one.reason != Reason::NotTested
}

/// The items that the session touched and that wait for somebody to finish them.
fn tasks(conn: &mut dyn Connection, caller: &Caller, events: &[Event]) -> Result<Vec<String>> {
    let mut ids: Vec<ItemId> =
        events.iter().filter_map(|event| event.item_id.clone()).map(ItemId::from).collect();
    ids.sort();
    ids.dedup();
    let mut items = item::by_ids(conn, &caller.project, ids.iter())?;
    items.sort_by_key(|item| item.number);
    let waiting = items.iter().filter(|item| matches!(item.status, Status::InProgress | Status::Blocked));
    Ok(waiting.map(task).collect())
}

/// What it waits for is what whoever goes on has to know of it.
fn task(item: &Item) -> String {
    let told = format!("{}: {} {}", item.status, item.id, item.title);
    match item.blocked_reason.is_empty() {
        true => told,
        false => format!("{}: {}", shortened(&told, TITLED_CHARS), item.blocked_reason.join("; ")),
    }
}

fn blockers(session: &Session) -> Vec<String> {
    let scratchpad: Json = serde_json::from_str(&session.scratchpad).unwrap_or_default();
    let blockers = scratchpad.get("blockers").and_then(Json::as_array).cloned().unwrap_or_default();
    blockers.iter().filter_map(Json::as_str).map(|blocker| format!("blocker: {blocker}")).collect()
}
