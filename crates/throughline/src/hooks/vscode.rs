//! VS Code and Copilot CLI: Claude Code's shape, and one in camel case that leaves out what the event is called.

use serde_json::{Map, Value as Json};

use super::claude_code::{head, what};
use super::event::{Head, Said, Seen};
use super::{Heard, Moment, field, said};

pub(super) fn hear(said: &Said<'_>) -> Result<Option<Heard>, String> {
    let snake = snake_case(said.payload);
    let said = Said { payload: &snake, ..*said };
    let event = called(&said);
    let stamp = said.payload.get("timestamp").map(ToString::to_string);
    let head = Head { event, stamp, ..in_agent(&said) };
    let (moment, seen) = match event {
        "errorOccurred" => (Moment::Other, error(said.payload)),
        event => what(event, said.payload),
    };
    said.heard(head, moment, seen)
}

/// Copilot CLI names its sub-agents and gives them no id.
fn in_agent<'a>(said: &Said<'a>) -> Head<'a> {
    let head = head(said);
    match field::text(said.payload, &["agent_name"]) {
        Some(name) if head.parent.is_none() => Head {
            session: format!("{}/{}", head.session, said::line(name)),
            parent: Some(head.session.clone()),
            role: Some(said::line(name)),
            ..head
        },
        _ => head,
    }
}

/// The event under its name in Claude Code: as the client wrote it, as it was registered, else by what it holds.
fn called<'a>(said: &Said<'a>) -> &'a str {
    let payload = said.payload;
    let has = |name: &str| payload.get(name).is_some();
    let told = field::text(payload, &["hook_event_name"]).or(said.event);
    match told {
        Some("sessionStart") => "SessionStart",
        Some("sessionEnd") => "SessionEnd",
        Some("userPromptSubmitted") => "UserPromptSubmit",
        Some("preToolUse") => "PreToolUse",
        Some("postToolUse") => "PostToolUse",
        Some("postToolUseFailure") => "PostToolUseFailure",
        Some("preCompact") => "PreCompact",
        Some("agentStop") => "Stop",
        Some("subagentStart") => "SubagentStart",
        Some("subagentStop") => "SubagentStop",
        Some(other) => other,
        None if has("error_context") => "errorOccurred",
        None if has("tool_result") => "PostToolUse",
        None if has("tool_name") && has("error") => "PostToolUseFailure",
        None if has("tool_name") => "PreToolUse",
        None if has("agent_name") && has("stop_reason") => "SubagentStop",
        None if has("agent_name") => "SubagentStart",
        None if has("stop_reason") => "Stop",
        None if has("source") => "SessionStart",
        None if has("reason") => "SessionEnd",
        None if has("trigger") => "PreCompact",
        None if has("prompt") => "UserPromptSubmit",
        None => "",
    }
}

fn error(payload: &Json) -> Vec<Seen> {
    let error = payload.get("error").unwrap_or(&Json::Null);
    let text = field::text(error, &["message"]).map(said::error);
    text.map(|text| Seen { content: Some(text), ..Seen::note("error", "the client met an error".to_owned()) })
        .into_iter()
        .collect()
}

/// The top level under the names of the other shape.
fn snake_case(payload: &Json) -> Json {
    let Some(fields) = payload.as_object() else { return payload.clone() };
    let renamed = |name: &str| match name {
        "toolArgs" => "tool_input".to_owned(),
        name => name.chars().fold(String::new(), |mut snake, c| {
            if c.is_ascii_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.push(c.to_ascii_lowercase());
            snake
        }),
    };
    Json::Object(fields.iter().map(|(name, value)| (renamed(name), value.clone())).collect::<Map<_, _>>())
}
