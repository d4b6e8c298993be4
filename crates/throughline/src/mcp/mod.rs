//! The MCP server: lists tools, and brings each request to the engine and back. Knows no transport.
//!
//! Nothing is opened or written before a request needs it: clients start servers only to ask what they can do. The
//! engine is synchronous, so its calls run on threads of their own, at most a few at a time.

mod call;
mod expand;
mod feedback;
mod forget;
mod instructions;
mod limit;
mod memory_search;
mod remember;
mod schema;
mod search;
mod session_state;
mod session_status;
pub(crate) mod stdio;
mod tool;
mod toolset;
mod who;

use std::sync::{Arc, OnceLock};

use anyhow::{Context as _, Result};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool as Described,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
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
    listed: Arc<OnceLock<Vec<Described>>>,
}

/// More at once would only wait for each other's locks.
const CALLS_AT_ONCE: usize = 4;
/// What a server can do does not change while it runs.
const LISTS_STAY_FRESH_MS: u64 = 3_600_000;

impl Server {
    pub(crate) fn new(door: Arc<Door>, sets: &[Toolset]) -> Server {
        Server {
            door,
            sets: sets.into(),
            surroundings: Arc::new(Surroundings::unknown()),
            places: Arc::new(Semaphore::new(CALLS_AT_ONCE)),
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

    /// Runs one call of the engine where it may block.
    async fn call<T: Send + 'static>(
        &self,
        who: Who,
        run: impl FnOnce(&Call<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let place = self.places.clone().acquire_owned().await.context("the server is closing")?;
        let door = self.door.clone();
        let called = tokio::task::spawn_blocking(move || {
            let _place = place;
            run(&Call { engine: door.engine()?, door: &door, who: &who })
        });
        called.await.context("the call broke off; this is a bug in Throughline")?
    }

    fn who(&self, context: &RequestContext<RoleServer>) -> Who {
        Who::of(context, &self.surroundings, self.door.config.named_actor.as_ref())
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("throughline", env!("CARGO_PKG_VERSION")))
            .with_instructions(instructions::TEXT)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = ListToolsResult::with_all_items(self.tools().to_vec());
        Ok(if is_stateless(&context) {
            tools.with_ttl_ms(LISTS_STAY_FRESH_MS).with_cache_scope(CacheScope::Public)
        } else {
            tools
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.tool(&request.name)?;
        let arguments = request.arguments.unwrap_or_default();
        let outcome = self.call(self.who(&context), move |call| (tool.run)(call, arguments)).await;
        Ok(tool::result(outcome).into())
    }
}

/// Whether the request is of the era without `initialize`, whose lists say how long they hold.
fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}
