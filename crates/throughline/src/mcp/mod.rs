//! The MCP server: brings each request to the engine and back. Knows no transport.
//!
//! Nothing is opened or written before a request needs it: clients start servers only to ask what they can do. The
//! engine is synchronous, so its calls run on threads of their own (`places`).

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

use anyhow::{Result, anyhow};
use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonObject, Tool as Described};
use rmcp::service::RequestContext;
use serde_json::Value as Json;
use throughline_engine::Engine;
use throughline_engine::store::actor::{Actor, ActorKind};
use tokio::sync::Semaphore;

pub(crate) use toolset::Toolset;
pub(crate) use who::Surroundings;

use call::Call;
use tool::Tool;
use who::Who;

use crate::door::Door;
use crate::places::Places;

/// One server; clones share everything.
#[derive(Clone)]
pub(crate) struct Server {
    places: Places,
    sets: Arc<[Toolset]>,
    surroundings: Arc<Surroundings>,
    /// The one place for background jobs.
    aside: Arc<Semaphore>,
    listed: Arc<OnceLock<Vec<Described>>>,
}

impl Server {
    pub(crate) fn new(places: Places, sets: &[Toolset]) -> Server {
        Server {
            places,
            sets: sets.into(),
            surroundings: Arc::new(Surroundings::unknown()),
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
                Some(set) => format!(
                    "the tool {name} is in the set {set}, which is not switched on; add {set} to the server's --tools"
                ),
                None => format!("unknown tool: {name}; tools/list shows those there are"),
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
        self.places.run(move |door| run(&Call { engine: door.engine()?, door, who: &who })).await
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
        self.places.run(look).await
    }

    fn who(&self, context: &RequestContext<RoleServer>) -> Who {
        Who::of(context, &self.surroundings, self.places.door().config.named_actor.as_ref())
    }
}

/// One call of a tool by a client in a session of its own, without a server and a transport between.
pub(crate) fn call_tool(
    door: &Door,
    (client, session): (&str, &str),
    name: &str,
    arguments: JsonObject,
) -> Result<Json> {
    let tool = toolset::tools_of(&Toolset::ALL).find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| anyhow!("unknown tool: {name}"))?;
    let actor = Actor { kind: ActorKind::Agent, name: client.to_owned() };
    let who = Who { actor, client: client.to_owned(), session: session.to_owned() };
    (tool.run)(&Call { engine: door.engine()?, door, who: &who }, arguments)
}
