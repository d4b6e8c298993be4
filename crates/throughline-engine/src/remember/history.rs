//! How a memory came to be what it is: what stood in its place before and after, and what happened to it.

use throughline_store::Connection;
use throughline_store::event::{self, Event, Filter, Order};
use throughline_store::id::MemoryId;
use throughline_store::memory::{self, Memory};

use super::look::named;
use crate::{Caller, Engine, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct MemoryHistory {
    /// The first of them first, the memory itself among them.
    pub versions: Vec<Memory>,
    /// The newest first.
    pub events: Vec<Event>,
}

const MOST_VERSIONS: usize = 100;
const MOST_EVENTS: i64 = 200;

impl Engine {
    pub fn memory_history(&self, caller: &Caller, name: &str) -> Result<MemoryHistory> {
        self.store.read(|conn| {
            let memory = named(conn, caller, name)?;
            let mut versions = chain(conn, caller, &memory, |one| one.supersedes.clone())?;
            versions.reverse();
            let later = chain(conn, caller, &memory, |one| one.superseded_by.clone())?;
            let filter = Filter { informs: Some(memory.id.to_string()), ..Filter::default() };
            let events = event::list(conn, &caller.project, &filter, Order::NewestFirst, MOST_EVENTS)?;
            versions.push(memory);
            versions.extend(later);
            Ok(MemoryHistory { versions, events })
        })
    }
}

fn chain(
    conn: &mut dyn Connection,
    caller: &Caller,
    from: &Memory,
    step: impl Fn(&Memory) -> Option<MemoryId>,
) -> Result<Vec<Memory>> {
    let mut found: Vec<Memory> = vec![];
    let mut next = step(from);
    while let Some(id) = next.filter(|id| *id != from.id && found.len() < MOST_VERSIONS) {
        let Some(memory) = memory::by_id(conn, &caller.project, &id)? else { break };
        next = step(&memory).filter(|id| found.iter().all(|known| known.id != *id));
        found.push(memory);
    }
    Ok(found)
}
