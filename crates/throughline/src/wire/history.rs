//! How a memory came to be what it is, in JSON.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::remember::MemoryHistory;
use throughline_engine::store::time::Timestamp;

use super::event::Event;
use super::memory::Memory;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct History {
    /// What stood in each other's place, the first of them first; the memory itself is among them.
    pub(crate) versions: Vec<Memory>,
    /// What happened to the memory, the newest first.
    pub(crate) events: Vec<Event>,
}

impl History {
    pub(crate) fn at(told: MemoryHistory, now: Timestamp) -> History {
        History {
            versions: told.versions.into_iter().map(|memory| Memory::at(memory, now)).collect(),
            events: told.events.into_iter().map(Event::from).collect(),
        }
    }
}
