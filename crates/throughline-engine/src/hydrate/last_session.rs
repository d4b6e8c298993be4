//! What the last session did to an item and its children, so that the next one does not begin at nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::event::{self, Event, Kind};
use throughline_store::id::ItemId;
use throughline_store::item::{self, Item};
use throughline_store::session;

use super::answer::SessionSummary;
use crate::backlog::phrase;
use crate::capture::{CLI, shortened};
use crate::{Caller, Result};

/// Where no client says when a session begins and ends, this long without anything ends one.
const GAP: Duration = Duration::from_secs(30 * 60);
/// So many children that changed last are looked at, beside those that are shown.
const RECENT_CHILDREN: i64 = 1000;
const PHRASES: usize = 6;
const ITEMS: usize = 6;
const SUMMARY_CHARS: usize = 600;

pub(super) fn summarize(
    conn: &mut dyn Connection,
    caller: &Caller,
    focal: &Item,
    shown_children: impl Iterator<Item = ItemId>,
) -> Result<Option<SessionSummary>> {
    let mut items = vec![focal.id.clone()];
    if focal.below.children > 0 {
        let recent = item::recently_changed(conn, &caller.project, &focal.id, RECENT_CHILDREN)?;
        items.extend(shown_children.chain(recent));
        items.sort();
        items.dedup();
    }
    let Some(last) = last_event(conn, caller, &items)? else { return Ok(None) };
    let events = of_session(conn, caller, &last, &items)?;
    let (Some(first), Some(end)) = (events.first(), events.last()) else { return Ok(None) };
    Ok(Some(SessionSummary {
        session: last.session_id.clone(),
        actor: last.actor.clone(),
        started_at: first.at,
        ended_at: end.at,
        operations: events.len(),
        summary: told(&events, &focal.id),
    }))
}

fn last_event(conn: &mut dyn Connection, caller: &Caller, items: &[ItemId]) -> Result<Option<Event>> {
    let last = event::last_of_items(conn, &caller.project, items.iter())?;
    let Some(moment) = last.iter().map(|(_, at)| *at).max() else { return Ok(None) };
    let mut events = vec![];
    for (item, _) in last.iter().filter(|(_, at)| *at == moment) {
        events.extend(event::of_item(conn, &caller.project, item, 1)?);
    }
    Ok(events.into_iter().max_by_key(|event| event.position))
}

/// What the session of an event did to the items. What people do on the command line belongs to no client's session,
/// so there the gaps tell.
fn of_session(
    conn: &mut dyn Connection,
    caller: &Caller,
    last: &Event,
    items: &[ItemId],
) -> Result<Vec<Event>> {
    let mut events = event::of_items_in_session(conn, &caller.project, &last.session_id, items.iter())?;
    events.retain(|event| event.actor == last.actor);
    events.sort_by_key(|event| std::cmp::Reverse((event.at, event.position)));
    let known = session::by_id(conn, &caller.project, &last.session_id)?;
    if known.is_some_and(|session| session.client == CLI) {
        let mut after = last.at;
        let gap =
            events.iter().position(|event| std::mem::replace(&mut after, event.at).since(event.at) > GAP);
        events.truncate(gap.unwrap_or(events.len()));
    }
    events.reverse();
    Ok(events)
}

/// "status → in_progress, added evidence; TASK-0043: status → done".
fn told(events: &[Event], focal: &ItemId) -> String {
    let mut by_item: BTreeMap<(bool, &str), Vec<String>> = BTreeMap::new();
    for event in events {
        let item = event.item_id.as_deref().unwrap_or_default();
        by_item.entry((item != focal.as_str(), item)).or_default().extend(phrases(event));
    }
    let mut told: Vec<String> = vec![];
    for ((_, item), phrases) in by_item.iter().take(ITEMS) {
        let what = joined(phrases);
        let named = *item == focal.as_str() || what.contains(item);
        told.push(if named { what } else { format!("{item}: {what}") });
    }
    if by_item.len() > ITEMS {
        told.push(format!("and {} more items", by_item.len() - ITEMS));
    }
    shortened(&told.join("; "), SUMMARY_CHARS)
}

/// Each phrase once, with how often when it is more.
fn joined(phrases: &[String]) -> String {
    let mut counted: Vec<(&str, usize)> = vec![];
    for phrase in phrases {
        match counted.iter_mut().find(|(known, _)| known == phrase) {
            Some((_, times)) => *times += 1,
            None => counted.push((phrase, 1)),
        }
    }
    let more = counted.len().saturating_sub(PHRASES);
    let mut told: Vec<String> = counted
        .iter()
        .take(PHRASES)
        .map(
            |(phrase, times)| {
                if *times > 1 { format!("{phrase} ({times} times)") } else { (*phrase).to_owned() }
            },
        )
        .collect();
    if more > 0 {
        told.push(format!("{more} more changes"));
    }
    told.join(", ")
}

/// What an event did, in words.
fn phrases(event: &Event) -> Vec<String> {
    let changes = event
        .parts
        .as_deref()
        .and_then(|parts| serde_json::from_str::<Json>(parts).ok())
        .and_then(|mut parts| parts.get_mut("changes").map(Json::take));
    match event.kind {
        Kind::ItemCreated => vec![format!("created {}", event.item_id.as_deref().unwrap_or_default())],
        Kind::ItemDeleted => vec!["deleted".to_owned()],
        Kind::ResourceWritten => vec!["wrote a resource".to_owned()],
        _ => match changes {
            Some(Json::Object(changes)) if !changes.is_empty() => {
                changes.iter().map(|(field, change)| shortened(&phrase(field, change), 120)).collect()
            }
            _ => vec![shortened(&event.summary, 120)],
        },
    }
}
