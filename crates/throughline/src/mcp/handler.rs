//! What the protocol asks for, request by request.

use anyhow::{Error, Result};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
    CompletionInfo, CustomRequest, CustomResult, ErrorCode, ErrorData, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::json;
use throughline_engine::span::TARGET;
use tracing::Instrument as _;
use tracing::field::Empty;

use super::{Server, completion, instructions, prompts, resources, tool};
use crate::wire::error::{is_callers, message};

/// What a server can do does not change while it runs.
const LISTS_STAY_FRESH_MS: u64 = 3_600_000;
/// Requests whose parameters the library reads; it takes one with wrong parameters for an unknown request.
const KNOWN_REQUESTS: [&str; 6] = [
    "initialize",
    "tools/call",
    "resources/read",
    "prompts/get",
    "completion/complete",
    "subscriptions/listen",
];

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_prompts()
            .enable_resources()
            .enable_tools()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("throughline", env!("CARGO_PKG_VERSION")))
            .with_instructions(instructions::TEXT)
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {
        // It lends its model with its first call.
        if !self.borrows_model() {
            self.work_aside();
        }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let (ttl_ms, cache_scope) = lasting(&context);
        Ok(ListToolsResult { ttl_ms, cache_scope, ..ListToolsResult::with_all_items(self.tools().to_vec()) })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.tool(&request.name)?;
        let arguments = request.arguments.unwrap_or_default();
        let span = tracing::info_span!(
            target: TARGET,
            "tool",
            otel.name = format!("tools/call {}", tool.name),
            otel.kind = "server",
            mcp.method.name = "tools/call",
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = tool.name,
            "error.type" = Empty,
        );
        let called = self.call(self.who(&context), move |call| (tool.run)(call, arguments));
        let outcome = called.instrument(span.clone()).await;
        if outcome.is_err() {
            span.record("error.type", "tool_error");
        }
        self.lend_model(&context);
        self.work_aside();
        Ok(tool::result(outcome).into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let listed =
            self.look(self.who(&context), move |call| resources::list(call, cursor.as_deref())).await;
        Ok(listed.map_err(|error| fault(&error))?.unwrap_or_default())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let (ttl_ms, cache_scope) = lasting(&context);
        Ok(ListResourceTemplatesResult {
            ttl_ms,
            cache_scope,
            ..ListResourceTemplatesResult::with_all_items(resources::templates())
        })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        let found = self.look(self.who(&context), move |call| resources::read(call, &uri)).await;
        match found {
            Ok(Some(contents)) => Ok(ReadResourceResult::new(vec![contents]).into()),
            Ok(None) => Err(unknown_resource("nothing is recorded here yet".to_owned(), &request.uri)),
            // Later eras have another code for it, which the library puts in.
            Err(error) if is_callers(&error) => Err(unknown_resource(message(&error), &request.uri)),
            Err(error) => Err(fault(&error)),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let (ttl_ms, cache_scope) = lasting(&context);
        Ok(ListPromptsResult { ttl_ms, cache_scope, ..ListPromptsResult::with_all_items(prompts::list()) })
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let asked = prompts::asked_for(&request.name, &arguments).map_err(|error| fault(&error))?;
        let prompt = self.call(self.who(&context), move |call| prompts::get(call, asked, &arguments)).await;
        Ok(prompt.map_err(|error| fault(&error))?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let Some(named) = completion::asked_for(&request) else { return Ok(CompleteResult::default()) };
        let beginning = request.argument.value;
        let ids = self.look(self.who(&context), move |call| completion::ids(call, named, &beginning)).await;
        let ids: Option<CompletionInfo> = ids.map_err(|error| fault(&error))?;
        Ok(ids.map(CompleteResult::new).unwrap_or_default())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if KNOWN_REQUESTS.contains(&request.method.as_str()) {
            let form = match request.method.as_str() {
                "tools/call" => r#"; write {"name": "search", "arguments": {"query": "..."}}"#,
                _ => "",
            };
            let why = format!("the parameters of {} are not as the protocol has them{form}", request.method);
            return Err(ErrorData::invalid_params(why, None));
        }
        let why = format!("there is no method {}; the tools are called with tools/call", request.method);
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None))
    }
}

/// How long a list holds and for whom, which the era without `initialize` wants to know.
fn lasting(context: &RequestContext<RoleServer>) -> (Option<u64>, Option<CacheScope>) {
    match context.protocol_version() {
        Some(version) if version.as_str() >= ProtocolVersion::V_2026_07_28.as_str() => {
            (Some(LISTS_STAY_FRESH_MS), Some(CacheScope::Public))
        }
        _ => (None, None),
    }
}

fn unknown_resource(why: String, uri: &str) -> ErrorData {
    ErrorData::resource_not_found(why, Some(json!({ "uri": uri })))
}

/// An error outside of tools, where only the protocol's own errors can say it.
fn fault(error: &Error) -> ErrorData {
    match is_callers(error) {
        true => ErrorData::invalid_params(message(error), None),
        false => ErrorData::internal_error(message(error), None),
    }
}
