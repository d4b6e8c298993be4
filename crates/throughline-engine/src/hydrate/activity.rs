//! What happened lately to an item and those around it, the newest first.

use std::collections::HashSet;

use throughline_store::Connection;
use throughline_store::event;
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
    last.sort_by(|a, b| (b.1, &b.0).cmp(&(a.1, &a.0)));
    let mut events = vec![];
    for (item, _) in last.iter().take(limit.max(1)) {
        let asked = i64::try_from(limit).unwrap_or(i64::MAX);
        events.extend(event::of_item(conn, &caller.project, item, asked)?);
    }
    events.sort_by_key(|event| std::cmp::Reverse((event.at, event.position)));
    let mut seen = HashSet::new();
    let list: Vec<Activity> = events
        .into_iter()
        .filter_map(|event| {
            Some(Activity {
                at: event.at,
                kind: event.kind,
                item: event.item_id?,
                actor: event.actor,
                summary: event.summary,
            })
        })
        .filter(|entry| seen.insert((entry.at, entry.item.clone(), entry.kind)))
        .take(limit)
        .collect();
    let all = event::count_of_items(conn, &caller.project, items.iter())?;
    Ok(Candidates::capped(list, limit, usize::try_from(all).unwrap_or(0)))
}
