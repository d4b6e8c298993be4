//! Cline: one object per event, named after it, around a task.

use serde_json::{Value as Json, json};

use super::claude_code;
use super::event::{Head, Said, Seen};
use super::tool::{self, Outcome, Use};
use super::{Heard, Moment, field, said};

pub(super) fn hear(said: &Said<'_>) -> Result<Option<Heard>, String> {
    let payload = said.payload;
    let event = field::text(payload, &["hookName"]).or(said.event).unwrap_or_default();
    let model = payload.get("model").and_then(|model| field::text(model, &["slug"]));
    let head = Head {
        event,
        session: field::text(payload, &["taskId"]).unwrap_or_default().to_owned(),
        folder: field::texts(payload, "workspaceRoots").into_iter().next().map(Into::into),
        stamp: payload.get("timestamp").map(ToString::to_string),
        about: model.map(|model| ("model", said::line(model))).into_iter().collect(),
        ..Head::default()
    };
    let mut name = event.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    let (moment, seen) = what(event, payload.get(&name).unwrap_or(&Json::Null));
    said.heard(head, moment, seen)
}

fn what(event: &str, told: &Json) -> (Moment, Vec<Seen>) {
    let tool = field::text(told, &["toolName"]).unwrap_or("tool");
    let input = told.get("parameters").unwrap_or(&Json::Null);
    match event {
        "TaskStart" => claude_code::started("startup"),
        "TaskResume" => claude_code::started("resume"),
        "TaskComplete" => claude_code::ended("complete"),
        "TaskCancel" => claude_code::ended("cancel"),
        "TaskError" => claude_code::ended("error"),
        "SessionShutdown" => claude_code::ended("shutdown"),
        "UserPromptSubmit" => claude_code::prompt(field::text(told, &["prompt"]).unwrap_or_default()),
        "PreToolUse" => (Moment::BeforeTool(tool::target(tool, input)), vec![]),
        "PostToolUse" => after_tool(tool, input, told),
        "PreCompact" => claude_code::what("PreCompact", told),
        _ => (Moment::Other, vec![]),
    }
}

fn after_tool(name: &str, input: &Json, told: &Json) -> (Moment, Vec<Seen>) {
    let failed = told.get("success").and_then(Json::as_bool) == Some(false);
    let error = || field::text(told, &["result"]).unwrap_or("failed").to_owned();
    let outcome = if failed { Outcome::Failed(error()) } else { Outcome::Done(told.get("result")) };
    let moment = if failed { Moment::ToolFailed } else { Moment::AfterTool };
    let duration_ms = field::number(told, &["executionTimeMs"]);
    (moment, tool::seen(&Use { name, input, id: None, outcome, duration_ms }))
}

pub(super) fn answer(context: Option<&str>) -> String {
    json!({ "cancel": false, "contextModification": context.unwrap_or_default(), "errorMessage": "" })
        .to_string()
}
