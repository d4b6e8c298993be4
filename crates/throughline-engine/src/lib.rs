//! What the product does, by verb. Synchronous; knows no protocol and no terminal.

pub mod admit;
pub mod ask;
pub mod backlog;
pub mod capture;
pub mod carry;
pub mod clock;
pub mod compact;
pub mod follow;
pub mod graph;
pub mod hold;
pub mod hydrate;
pub mod ids;
pub mod index;
pub mod log;
pub mod mine;
pub mod orient;
pub mod overview;
pub mod project;
pub mod recall;
pub mod reconstruct;
pub mod remember;
pub mod repair;
pub mod session;
pub mod settings;
pub mod span;
pub mod turn;
pub mod unfinished;
pub mod work;

mod error;
mod shell;
#[cfg(test)]
mod testing;
mod words;

pub use error::{Error, Result};
pub use throughline_code as code;
pub use throughline_inference::{complete, embed, tokens};
pub use throughline_store as store;

use std::sync::OnceLock;

use throughline_inference::complete::{ClientModel, Provider};
use throughline_inference::embed::Model;
use throughline_store::actor::Actor;
use throughline_store::beginning::{self, Named};
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
    /// Opened when first asked for: a throw-away process must not pay for it.
    model: OnceLock<Model>,
    /// The model that questions go to, opened when first asked.
    provider: OnceLock<Provider>,
    /// The model of the client that uses this process.
    lent: OnceLock<ClientModel>,
    hydrations: hydrate::Cache,
    tally: recall::Tally,
    /// Whose vectors are known to be of this program's table, or asked for.
    seen: index::renew::Seen,
    sums: overview::Kept,
    leases: work::Leases,
}

/// On whose behalf, and in which project, something is asked. Comes with each request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub project: ProjectId,
    pub actor: Actor,
}

impl Engine {
    pub fn new(store: Store, clock: Clock, ids: Ids, settings: Settings) -> Engine {
        Engine {
            store,
            clock,
            ids,
            settings,
            model: OnceLock::new(),
            provider: OnceLock::new(),
            lent: OnceLock::new(),
            hydrations: hydrate::Cache::default(),
            tally: recall::Tally::default(),
            seen: index::renew::Seen::default(),
            sums: overview::Kept::default(),
            leases: work::Leases::default(),
        }
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The embedding model that was chosen beside the table inside the binary, if any.
    pub(crate) fn model(&self) -> Result<Option<&Model>> {
        let Some(choice) = &self.settings.embedding else { return Ok(None) };
        if let Some(model) = self.model.get() {
            return Ok(Some(model));
        }
        let model = Model::open(choice).map_err(|error| Error::Model(error.to_string()))?;
        Ok(Some(self.model.get_or_init(|| model)))
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

    /// The same, for what can be left out when others write.
    pub(crate) fn write_briefly<T>(
        &self,
        caller: &Caller,
        body: impl Fn(&mut dyn Connection) -> Result<T>,
    ) -> Result<T> {
        self.store.write_briefly(|tx| {
            project_record::lock(tx, &caller.project)?;
            body(tx)
        })
    }

    /// Ids that begin so, the newest first.
    pub fn ids_beginning(
        &self,
        caller: &Caller,
        named: Named,
        prefix: &str,
        limit: i64,
    ) -> Result<Vec<String>> {
        Ok(self.store.read(|conn| beginning::ids(conn, &caller.project, named, prefix, limit))?)
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}
