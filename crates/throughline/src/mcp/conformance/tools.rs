//! The tools that do more than give a fixed answer: log, report progress, ask the client, announce changes.

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, JsonObject,
    ProgressNotificationParam, ProtocolVersion, ServerNotification, ServerRequest,
};
use rmcp::service::{RequestContext, ServiceError};
use rmcp::{ErrorData, RoleServer};
use serde::Serialize;
use serde_json::{Value, json};

use super::fixtures::read;
use super::subscriptions::list_changed;
use super::{Server, input};

/// The suite wants to see messages arrive while the tool still works.
const STEP: Duration = Duration::from_millis(50);

/// How severe a log message is, the least first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Severity(usize);

impl Severity {
    const NAMES: [&str; 8] =
        ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

    /// From the protocol's own type, whose name the current revision has deprecated.
    pub(super) fn of(level: impl Serialize) -> Severity {
        let name = json!(level);
        Severity(Severity::NAMES.iter().position(|known| name == *known).unwrap_or_default())
    }
}

impl Server {
    pub(super) async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(answer) = self.fixtures().answers.get(&*request.name) {
            return Ok(answer.clone().into());
        }
        let capabilities = context.client_capabilities().unwrap_or_default();
        match &*request.name {
            "test_tool_with_logging" | "test_logging_tool" => self.log(context).await?,
            "test_tool_with_progress" => report_progress(context).await?,
            "test_missing_capability" => needs_sampling(&capabilities)?,
            "test_trigger_tool_change" => self.announce("tools", context).await?,
            "test_trigger_prompt_change" => self.announce("prompts", context).await?,
            name if self.fixtures().asks.contains_key(name) => {
                return self.ask(name, &request.arguments.unwrap_or_default(), context).await;
            }
            name if self.fixtures().inputs.contains_key(name) => {
                let given = input::Given {
                    responses: request.input_responses,
                    state: request.request_state,
                    capabilities,
                };
                return Ok(match input::wanted(self.fixtures(), name, &given)? {
                    Some(wanted) => wanted.into(),
                    None => text(format!("state-ok: {}", json!(given.responses))),
                });
            }
            name => return Err(ErrorData::invalid_params(format!("there is no tool {name}"), None)),
        }
        Ok(text(format!("{} is done", request.name)))
    }

    async fn log(&self, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        for (step, said) in
            ["Tool execution started", "Tool processing data", "Tool execution completed"].iter().enumerate()
        {
            if step > 0 {
                tokio::time::sleep(STEP).await;
            }
            if self.is_wanted(Severity::of("info"), context) {
                let message =
                    json!({"method": "notifications/message", "params": {"level": "info", "data": said}});
                notify(context, read(&message)).await?;
            }
        }
        Ok(())
    }

    /// A request that stands alone names the level itself, and without one wants none.
    fn is_wanted(&self, severity: Severity, context: &RequestContext<RoleServer>) -> bool {
        let least = if is_stateless(context) {
            context.meta.log_level().map(Severity::of)
        } else {
            Some(*self.least.lock().expect("nobody panics while holding it"))
        };
        least.is_some_and(|least| severity >= least)
    }

    async fn announce(&self, list: &str, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.shared.changes.announce(list_changed(list));
        if is_stateless(context) { Ok(()) } else { notify(context, list_changed(list)).await }
    }

    /// Asks the client in the middle of the call, as the revisions before 2026-07-28 allow.
    async fn ask(
        &self,
        name: &str,
        arguments: &JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut asked = self.fixtures().asks[name].clone();
        if let Some(message) = arguments.get("message") {
            asked["params"]["message"] = message.clone();
        }
        if let Some(prompt) = arguments.get("prompt") {
            asked["params"]["messages"][0]["content"]["text"] = prompt.clone();
        }
        let request: ServerRequest = serde_json::from_value(asked)
            .map_err(|why| ErrorData::invalid_params(format!("cannot ask that: {why}"), None))?;
        let answer: Value = json!(context.peer.send_request(request).await.map_err(failed)?);
        Ok(text(format!("The client answered: {answer}")))
    }
}

async fn report_progress(context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    for done in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, done).with_total(100.0);
            context.peer.notify_progress(progress).await.map_err(failed)?;
        }
        tokio::time::sleep(STEP).await;
    }
    Ok(())
}

fn needs_sampling(capabilities: &ClientCapabilities) -> Result<(), ErrorData> {
    if capabilities.sampling.is_some() {
        return Ok(());
    }
    Err(ErrorData::missing_required_client_capability(read(&json!({"sampling": {}}))))
}

fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

async fn notify(
    context: &RequestContext<RoleServer>,
    notification: ServerNotification,
) -> Result<(), ErrorData> {
    context.peer.send_notification(notification).await.map_err(failed)
}

fn failed(error: ServiceError) -> ErrorData {
    match error {
        ServiceError::McpError(error) => error,
        other => ErrorData::internal_error(other.to_string(), None),
    }
}

fn text(text: String) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}
