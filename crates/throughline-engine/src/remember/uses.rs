//! How often memories were put before a model: hooks note it in the log and count nothing, which is done here, each note once.

use std::collections::HashSet;

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::id::MemoryId;
use throughline_store::item;
use throughline_store::memory;
use throughline_store::time::Timestamp;

use crate::turn::INJECTION_TARGET;
use crate::{Caller, Engine, Result};

/// The counter that says up to where the log was counted.
const COUNTED_TO: &str = "memory_use";
/// So many notes are counted in one transaction.
const NOTES: i64 = 200;

impl Engine {
    /// Counts what was told since the last time as uses.
    pub(crate) fn count_told(&self, caller: &Caller) -> Result<()> {
        loop {
            let counted = self.write(caller, |tx| {
                let counted_to = item::last_number(tx, &caller.project, COUNTED_TO)?;
                let notes = notes(tx, caller, counted_to)?;
                let Some(last) = notes.last() else { return Ok(0) };
                for (id, at) in notes.iter().flat_map(told) {
                    memory::note_use(tx, &caller.project, &id, at)?;
                }
                item::note_number(tx, &caller.project, COUNTED_TO, last.position)?;
                Ok(notes.len() as i64)
            })?;
            if counted < NOTES {
                return Ok(());
            }
        }
    }
}

/// Notes of what was told behind a place in the log, the oldest first.
fn notes(conn: &mut dyn Connection, caller: &Caller, after: i64) -> Result<Vec<Event>> {
    let filter = Filter {
        kinds: vec![Kind::MemoryRecall],
        target: Some(INJECTION_TARGET.to_owned()),
        after_position: Some(after),
        ..Filter::default()
    };
    Ok(event::list(conn, &caller.project, &filter, Order::OldestFirst, NOTES)?)
}

/// What was told and is not counted yet.
pub(super) fn told_uncounted(conn: &mut dyn Connection, caller: &Caller) -> Result<HashSet<MemoryId>> {
    let mut after = item::last_number(conn, &caller.project, COUNTED_TO)?;
    let mut all = HashSet::new();
    loop {
        let notes = notes(conn, caller, after)?;
        all.extend(notes.iter().flat_map(told).map(|(id, _)| id));
        match notes.last() {
            Some(last) if notes.len() as i64 == NOTES => after = last.position,
            _ => return Ok(all),
        }
    }
}

/// What a note names: memories, and other things, which no memory is called like.
fn told(note: &Event) -> Vec<(MemoryId, Timestamp)> {
    let parts: Json =
        note.parts.as_deref().and_then(|parts| serde_json::from_str(parts).ok()).unwrap_or_default();
    let given = parts["given"].as_array().into_iter().flatten();
    given.filter_map(|piece| Some((MemoryId::from(piece["what"].as_str()?.to_owned()), note.at))).collect()
}
