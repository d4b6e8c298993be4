//! What an observation names that the project does not know. The log takes it all the same: what it names may come later,
//! from another machine or an import.

use throughline_store::event;
use throughline_store::id::{ItemId, MemoryId};
use throughline_store::{item, memory};

use super::Observation;
use crate::{Caller, Engine, Result};

impl Engine {
    /// A sentence for each record that an observation names and that is not there.
    pub fn unknown_names(&self, caller: &Caller, observation: &Observation) -> Result<Vec<String>> {
        self.store.read(|conn| {
            let mut unknown = vec![];
            if let Some(id) = &observation.item_id
                && item::by_id(conn, &caller.project, &ItemId::from(id.clone()))?.is_none()
            {
                unknown.push(format!("there is no item {id}; `throughline task list` shows them"));
            }
            if let Some(id) = &observation.triggered_by
                && event::by_id(conn, &caller.project, id)?.is_none()
            {
                unknown.push(format!("there is no event {id}; `throughline log tail --json` shows ids"));
            }
            if let Some(id) = &observation.informs
                && memory::by_id(conn, &caller.project, &MemoryId::from(id.clone()))?.is_none()
            {
                unknown.push(format!("there is no memory {id}; `throughline memory list` shows them"));
            }
            Ok(unknown)
        })
    }
}
