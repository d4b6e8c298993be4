//! A server with nothing but the fixtures that the official conformance suite asks for; it knows no database.
//!
//! It goes through the same HTTP door as the product's own server, so what the suite says about it is said about
//! the door. `fixtures.json` holds what is fixed; the other files hold what answers in steps.

mod fixtures;
mod input;
mod subscriptions;
mod tools;

use std::sync::Mutex;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;

use fixtures::{Fixtures, read};
use subscriptions::Changes;
use tools::Severity;

/// What all sessions share.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    fixtures: &'static Fixtures,
    changes: Changes,
}

impl Shared {
    pub(crate) fn new() -> Shared {
        Shared { fixtures: Fixtures::get(), changes: Changes::default() }
    }

    /// The server of one session, or of one request that belongs to none.
    pub(crate) fn server(&self) -> Server {
        Server { shared: self.clone(), least: Mutex::default() }
    }
}

#[derive(Debug)]
pub(crate) struct Server {
    shared: Shared,
    /// What a session asked to be told about with `logging/setLevel`.
    least: Mutex<Severity>,
}

impl Server {
    fn fixtures(&self) -> &'static Fixtures {
        self.shared.fixtures
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities: ServerCapabilities = read(&json!({
            "completions": {}, "logging": {}, "prompts": {"listChanged": true},
            "resources": {"subscribe": true, "listChanged": true}, "tools": {"listChanged": true},
        }));
        let name = Implementation::new("throughline-conformance", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(name)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.fixtures().tools.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.fixtures().tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request, &context).await
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(self.fixtures().prompts.clone()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let given = input::Given {
            responses: request.input_responses,
            state: request.request_state,
            capabilities: context.client_capabilities().unwrap_or_default(),
        };
        if let Some(wanted) = input::wanted(self.fixtures(), &request.name, &given)? {
            return Ok(wanted.into());
        }
        self.fixtures().prompt(&request.name, &request.arguments.unwrap_or_default()).map(Into::into)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(self.fixtures().resources.clone()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(self.fixtures().templates.clone()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.fixtures().resource(&request.uri).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(read(&json!({"resultType": "complete", "completion": {"values": [request.argument.value]}})))
    }

    #[expect(deprecated, reason = "the revisions before 2026-07-28 have it")]
    async fn set_level(
        &self,
        request: rmcp::model::SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        *self.least.lock().expect("nobody panics while holding it") = Severity::of(request.level);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.shared.changes.tell(&context).await;
        Ok(())
    }

    /// The resource never changes, so there is nothing to remember.
    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.fixtures().resource(&request.uri).map(drop)
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.fixtures().resource(&request.uri).map(drop)
    }
}
