//! What a search finds: the records behind the documents of each collection, and whether they may be shown.

use std::collections::HashMap;

use throughline_store::Connection;
use throughline_store::event::{self, Event};
use throughline_store::index_page::Collection;
use throughline_store::item::{self, Item};
use throughline_store::memory::{self, Memory, Status};
use throughline_store::resource::{self, Resource};
use throughline_store::time::Timestamp;

use super::code::{self, Code};
use crate::index::events::is_memory;
use crate::session::privacy::Sight;
use crate::{Caller, Result};

#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    Memory(Box<Memory>),
    Event(Box<Event>),
    Item(Box<Item>),
    Resource(Box<Resource>),
    Code(Box<Code>),
}

impl Found {
    pub(super) fn is_live(&self, now: Timestamp) -> bool {
        match self {
            Found::Memory(memory) => memory.status_at(now) == Status::Active,
            Found::Event(event) => event.purge.is_none() && !is_memory(event),
            Found::Item(_) | Found::Resource(_) | Found::Code(_) => true,
        }
    }

    /// Only what happened is somebody's own.
    pub(super) fn is_in(
        &self,
        sight: &mut Sight,
        conn: &mut dyn Connection,
        caller: &Caller,
    ) -> Result<bool> {
        match self {
            Found::Event(event) => sight.shows(conn, caller, &event.session_id),
            Found::Memory(_) | Found::Item(_) | Found::Resource(_) | Found::Code(_) => Ok(true),
        }
    }

    /// When it happened, or was written down.
    pub fn at(&self) -> Timestamp {
        match self {
            Found::Memory(memory) => memory.occurred_at.unwrap_or(memory.created_at),
            Found::Event(event) => event.at,
            Found::Item(item) => item.updated_at,
            Found::Resource(resource) => resource.updated_at,
            Found::Code(code) => code.changed_at(),
        }
    }
}

/// How many of these records could be shown.
pub(super) fn countable(
    conn: &mut dyn Connection,
    caller: &Caller,
    collection: Collection,
    numbers: &[i64],
    (now, since): (Timestamp, Option<Timestamp>),
) -> Result<usize> {
    let count = match collection {
        Collection::Memories => memory::count_active(conn, &caller.project, numbers, (now, since))?,
        Collection::Events => event::count_unpurged(conn, &caller.project, numbers, since)?,
        Collection::Items => item::count_documents(conn, &caller.project, numbers, since)?,
        Collection::Resources => resource::count_documents(conn, &caller.project, numbers, since)?,
        // Their files were looked up just now, in the same state.
        Collection::Chunks => return Ok(numbers.len()),
        Collection::Files => 0,
    };
    Ok(usize::try_from(count).unwrap_or(0))
}

/// The records themselves, which have the last word.
pub(super) fn records(
    conn: &mut dyn Connection,
    caller: &Caller,
    collection: Collection,
    numbers: &[i64],
) -> Result<HashMap<i64, Found>> {
    Ok(match collection {
        Collection::Memories => memory::of_documents(conn, &caller.project, numbers)?
            .into_iter()
            .map(|memory| (memory.document, Found::Memory(Box::new(memory))))
            .collect(),
        Collection::Events => event::at_positions(conn, &caller.project, numbers)?
            .into_iter()
            .map(|event| (event.position, Found::Event(Box::new(event))))
            .collect(),
        Collection::Items => item::of_documents(conn, &caller.project, numbers)?
            .into_iter()
            .map(|item| (item.document, Found::Item(Box::new(item))))
            .collect(),
        Collection::Resources => resource::of_documents(conn, &caller.project, numbers)?
            .into_iter()
            .map(|resource| (resource.document, Found::Resource(Box::new(resource))))
            .collect(),
        Collection::Chunks => code::records(conn, caller, numbers)?
            .into_iter()
            .map(|code| (code.chunk.number, Found::Code(Box::new(code))))
            .collect(),
        Collection::Files => HashMap::new(),
    })
}
