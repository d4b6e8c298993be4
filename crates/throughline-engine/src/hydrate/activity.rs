//! What happened lately to an item and those around it, the newest first.

use std::collections::HashSet;

use throughline_store::Connection;
use throughline_store::event::{self, Event};
use throughline_store::id::ItemId;

use super::answer::Activity;
use super::relations::Candidates;
use crate::{Caller, Result};

/// Only the items that changed last can have any of the newest events; the others are not asked for theirs.
pub(super) fn recent(
    conn: &mut dyn Connection,
    caller: &Caller,
    items: &[ItemId],
    limit: usize,
) -> Result<Candidates<Activity>> {
    let mut last = event::last_of_items(conn, &caller.project, items.iter())?;
    last.sort_by_key(|(_, at)| std::cmp::Reverse(*at));
    // Of those that changed at the same moment none is before the others.
    let oldest = last.get(limit.saturating_sub(1)).map(|(_, at)| *at);
    let mut events = vec![];
    for (item, _) in last.iter().take_while(|(_, at)| oldest.is_none_or(|oldest| *at >= oldest)) {
        events.extend(of_item(conn, caller, item, limit)?);
    }
    events.sort_by_key(|event| std::cmp::Reverse((event.at, event.position)));
    let list = events.into_iter().filter_map(|event| {
        Some(Activity {
            at: event.at,
            kind: event.kind,
            item: event.item_id?,
            actor: event.actor,
            summary: event.summary,
        })
    });
    let all = event::count_of_items(conn, &caller.project, items.iter())?;
    Ok(Candidates::capped(list.collect(), limit, usize::try_from(all).unwrap_or(0)))
}

/// The newest events about an item; of several of a kind in one moment only the last.
fn of_item(conn: &mut dyn Connection, caller: &Caller, item: &ItemId, limit: usize) -> Result<Vec<Event>> {
    let mut asked = i64::try_from(limit).unwrap_or(i64::MAX);
    loop {
        let mut events = event::of_item(conn, &caller.project, item, asked)?;
        let all = (events.len() as i64) < asked;
        let mut seen = HashSet::new();
        events.retain(|event| seen.insert((event.at, event.kind)));
        if all || events.len() >= limit {
            return Ok(events);
        }
        asked = asked.saturating_mul(4);
    }
}
