//! Cursor: events in camel case around a conversation; some tools are told twice, once as a tool and once as what it did.

use serde_json::{Value as Json, json};
use throughline_engine::capture::Then;
use throughline_engine::store::event::Kind;

use super::claude_code;
use super::event::{Head, Said, Seen};
use super::tool::{self, Outcome, Use};
use super::{Heard, Moment, Start, field, said};

pub(super) fn hear(said: &Said<'_>) -> Result<Option<Heard>, String> {
    let payload = said.payload;
    let head = head(said);
    let (moment, seen) = what(head.event, payload);
    // The specific events have no id of the tool, so neither has the general one: then both have the same key.
    let seen = seen.into_iter().map(|seen| Seen { id: None, ..seen }).collect();
    said.heard(head, moment, seen)
}

fn head<'a>(said: &Said<'a>) -> Head<'a> {
    let payload = said.payload;
    let session = field::text(payload, &["conversation_id", "session_id"]).unwrap_or_default();
    let subagent = field::text(payload, &["subagent_id"]);
    let root = field::texts(payload, "workspace_roots").into_iter().next();
    Head {
        event: field::text(payload, &["hook_event_name"]).or(said.event).unwrap_or_default(),
        session: subagent.map_or_else(|| session.to_owned(), |id| format!("{session}/{id}")),
        parent: subagent.map(|_| session.to_owned()),
        role: subagent.and(field::text(payload, &["subagent_type"])).map(said::line),
        folder: root.or_else(|| field::text(payload, &["cwd"])).map(Into::into),
        branch: field::text(payload, &["git_branch"]).map(said::line),
        about: field::text(payload, &["model"])
            .map(|model| ("model", said::line(model)))
            .into_iter()
            .collect(),
        ..Head::default()
    }
}

fn what(event: &str, payload: &Json) -> (Moment, Vec<Seen>) {
    let text = |names: &[&str]| field::text(payload, names);
    let nothing = |moment| (moment, vec![]);
    match event {
        "sessionStart" => claude_code::started("startup"),
        "sessionEnd" => claude_code::ended(text(&["reason"]).unwrap_or("other")),
        "beforeSubmitPrompt" => claude_code::prompt(text(&["prompt"]).unwrap_or_default()),
        "afterAgentResponse" => {
            let message = text(&["text"]).and_then(said::message);
            let seen = message.map(|text| Seen::message(Kind::ModelMessage, text));
            (Moment::Other, seen.into_iter().collect())
        }
        "preToolUse" | "beforeShellExecution" | "beforeMCPExecution" | "beforeReadFile" => {
            nothing(Moment::BeforeTool(used(event, payload, &parsed(payload), Outcome::Done(None)).0))
        }
        "postToolUse" | "afterShellExecution" | "afterMCPExecution" | "afterFileEdit" => {
            let returned = returned(payload);
            after(event, payload, Outcome::of_response(tool_name(event, payload), returned.as_ref()))
        }
        "postToolUseFailure" => {
            after(event, payload, Outcome::Failed(text(&["error_message"]).unwrap_or("failed").to_owned()))
        }
        "subagentStart" => {
            let task = text(&["task"]).map_or_else(String::new, |task| format!(": {}", said::line(task)));
            (Moment::SubagentStart, vec![Seen::note("session start", format!("sub-agent starts{task}"))])
        }
        "subagentStop" => (Moment::SubagentStop, subagent_stop(payload)),
        "preCompact" => claude_code::what("PreCompact", payload),
        "stop" => nothing(Moment::Stop),
        // As Claude Code would call it, when its hooks are run.
        event => claude_code::what(event, payload),
    }
}

fn after(event: &str, payload: &Json, outcome: Outcome<'_>) -> (Moment, Vec<Seen>) {
    let moment = if matches!(outcome, Outcome::Failed(_)) { Moment::ToolFailed } else { Moment::AfterTool };
    let input = parsed(payload);
    (moment, used(event, payload, &input, outcome).1)
}

fn used(event: &str, payload: &Json, input: &Json, outcome: Outcome<'_>) -> (Option<String>, Vec<Seen>) {
    let name = tool_name(event, payload);
    let input = if event.ends_with("MCPExecution") || event.contains("ToolUse") { input } else { payload };
    let duration_ms = field::number(payload, &["duration", "duration_ms"]);
    let used = Use { name, input, id: None, outcome, duration_ms };
    (tool::target(name, input), tool::seen(&used))
}

fn tool_name<'a>(event: &str, payload: &'a Json) -> &'a str {
    match event {
        "beforeShellExecution" | "afterShellExecution" => "Shell",
        "beforeReadFile" => "Read",
        "afterFileEdit" => "Edit",
        _ => field::text(payload, &["tool_name"]).unwrap_or("tool"),
    }
}

/// Some inputs are the text of an object.
fn parsed(payload: &Json) -> Json {
    object(payload.get("tool_input")).unwrap_or(Json::Null)
}

fn returned(payload: &Json) -> Option<Json> {
    object(["tool_output", "output", "result_json"].iter().find_map(|name| payload.get(*name)))
}

fn object(value: Option<&Json>) -> Option<Json> {
    let value = value?;
    let parsed = value.as_str().and_then(|text| serde_json::from_str(text).ok());
    Some(parsed.filter(Json::is_object).unwrap_or_else(|| value.clone()))
}

fn subagent_stop(payload: &Json) -> Vec<Seen> {
    let summary = field::text(payload, &["summary"]).and_then(said::message);
    let note = Seen::note("session end", "the sub-agent has finished".to_owned());
    let told = summary.map(|text| Seen::message(Kind::ModelMessage, text));
    told.into_iter().chain([Seen { then: Then::Ends, ..note }]).collect()
}

pub(super) fn answer(heard: Option<&Heard>, context: Option<&str>) -> String {
    let starts = heard.is_some_and(|heard| heard.moment == Moment::SessionStart(Start::Startup));
    let is_claudes = heard.is_some_and(|heard| heard.event.starts_with(char::is_uppercase));
    match context {
        Some(_) if is_claudes => claude_code::answer(heard, context),
        Some(text) if starts => json!({ "additional_context": text }).to_string(),
        _ if heard.is_some_and(|heard| heard.event == "beforeSubmitPrompt") => {
            json!({ "continue": true }).to_string()
        }
        _ => "{}".to_owned(),
    }
}
