//! What the product does, by verb. Synchronous; knows no protocol and no terminal.

pub mod capture;
pub mod clock;
pub mod ids;
pub mod log;
pub mod project;
pub mod session;
pub mod settings;
pub mod work;

mod error;
#[cfg(test)]
mod testing;

pub use error::{Error, Result};
pub use throughline_store as store;

use throughline_store::actor::Actor;
use throughline_store::id::ProjectId;
use throughline_store::project as project_record;
use throughline_store::time::Timestamp;
use throughline_store::{Connection, Store};

use clock::Clock;
use ids::Ids;
use settings::Settings;

/// The handles that every verb works with; each verb's folder adds what it can do.
#[derive(Debug)]
pub struct Engine {
    store: Store,
    clock: Clock,
    ids: Ids,
    settings: Settings,
}

/// On whose behalf, and in which project, something is asked. Comes with each request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub project: ProjectId,
    pub actor: Actor,
}

impl Engine {
    pub fn new(store: Store, clock: Clock, ids: Ids, settings: Settings) -> Engine {
        Engine { store, clock, ids, settings }
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// One transaction of a project's one writer at a time.
    pub(crate) fn write<T>(
        &self,
        caller: &Caller,
        body: impl Fn(&mut dyn Connection) -> Result<T>,
    ) -> Result<T> {
        self.store.write(|tx| {
            project_record::lock(tx, &caller.project)?;
            body(tx)
        })
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}
