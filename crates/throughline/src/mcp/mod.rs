//! The MCP server: brings each request to the engine and back. Knows no transport.
//!
//! Nothing is opened or written before a request needs it: clients start servers only to ask what they can do. The
//! engine is synchronous, so its calls run on threads of their own, at most a few at a time.

mod aside;
mod backlog_context;
mod backlog_create;
mod backlog_delete;
mod backlog_get;
mod backlog_list;
mod backlog_update;
mod call;
mod checkpoint;
mod code_search;
mod completion;
pub(crate) mod conformance;
mod context_diff;
mod context_load;
mod context_save;
mod context_stats;
mod context_tiers;
mod expand;
mod feedback;
mod flash_save;
mod forget;
mod handler;
mod handoff;
mod instructions;
mod limit;
mod memory_review;
mod memory_search;
mod orient;
mod patterns;
mod prompts;
mod reconstruct_session;
mod record_decision;
mod remember;
mod resources;
mod sampling;
mod schema;
mod search;
mod session_state;
mod session_status;
pub(crate) mod stdio;
mod tool;
mod toolset;
mod who;
mod write_resource;

use std::sync::{Arc, OnceLock};

use anyhow::{Context as _, Result};
use rmcp::RoleServer;
use rmcp::model::{ErrorData, Tool as Described};
use rmcp::service::RequestContext;
use throughline_engine::Engine;
use tokio::sync::Semaphore;

pub(crate) use toolset::Toolset;
pub(crate) use who::Surroundings;

use call::Call;
use tool::Tool;
use who::Who;

use crate::door::Door;

/// One server; clones share everything.
#[derive(Clone)]
pub(crate) struct Server {
    door: Arc<Door>,
    sets: Arc<[Toolset]>,
    surroundings: Arc<Surroundings>,
    /// Places for calls of the engine.
    places: Arc<Semaphore>,
    /// The one place for background jobs.
    aside: Arc<Semaphore>,
    listed: Arc<OnceLock<Vec<Described>>>,
}

/// More at once would only wait for each other's locks.
const CALLS_AT_ONCE: usize = 4;

impl Server {
    pub(crate) fn new(door: Arc<Door>, sets: &[Toolset]) -> Server {
        Server {
            door,
            sets: sets.into(),
            surroundings: Arc::new(Surroundings::unknown()),
            places: Arc::new(Semaphore::new(CALLS_AT_ONCE)),
            aside: Arc::new(Semaphore::new(1)),
            listed: Arc::default(),
        }
    }

    pub(crate) fn within(self, surroundings: Surroundings) -> Server {
        Server { surroundings: Arc::new(surroundings), ..self }
    }

    fn tools(&self) -> &[Described] {
        self.listed.get_or_init(|| toolset::tools_of(&self.sets).map(Tool::described).collect())
    }

    fn tool(&self, name: &str) -> Result<&'static Tool, ErrorData> {
        let known = toolset::tools_of(&self.sets).find(|tool| tool.name == name);
        known.ok_or_else(|| {
            let why = match toolset::set_of(name) {
                Some(set) => format!("the tool {name} is in the set {set}, which is not switched on"),
                None => format!("unknown tool: {name}"),
            };
            ErrorData::invalid_params(why, None)
        })
    }

    /// Runs one call of the engine where it may block; the database is opened for it.
    async fn call<T: Send + 'static>(
        &self,
        who: Who,
        run: impl FnOnce(&Call<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.run_blocking(move |door| run(&Call { engine: door.engine()?, door, who: &who })).await
    }

    /// The same for those who only look around: nothing where there is no database yet.
    async fn look<T: Send + 'static>(
        &self,
        who: Who,
        run: impl FnOnce(&Call<'_>) -> Result<T> + Send + 'static,
    ) -> Result<Option<T>> {
        let look = move |door: &Door| {
            let looked = |engine: &'static Engine| run(&Call { engine, door, who: &who });
            door.existing_engine()?.map(looked).transpose()
        };
        self.run_blocking(look).await
    }

    async fn run_blocking<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Door) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let place = self.places.clone().acquire_owned().await.context("the server is closing")?;
        let door = self.door.clone();
        let called = tokio::task::spawn_blocking(move || {
            let _place = place;
            run(&door)
        });
        called.await.context("the call broke off; this is a bug in Throughline")?
    }

    fn who(&self, context: &RequestContext<RoleServer>) -> Who {
        Who::of(context, &self.surroundings, self.door.config.named_actor.as_ref())
    }
}
