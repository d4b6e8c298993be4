//! Claude Code, and the shape of events that others took over from it.

use serde_json::{Value as Json, json};
use throughline_engine::capture::Then;
use throughline_engine::store::event::Kind;

use super::event::{Head, Said, Seen};
use super::tool::{self, Outcome, Use};
use super::{Client, Heard, Moment, Start, field, said};

/// Prompts that the client makes itself begin so.
const NOT_BY_A_PERSON: [&str; 3] = ["<task-notification>", "<command-", "<local-command-"];

pub(super) fn hear(said: &Said<'_>) -> Result<Option<Heard>, String> {
    let payload = said.payload;
    let mut head = head(said);
    // Forks of the client itself, for compaction and its memory; nobody's sub-agent.
    if payload.get("agent_type").and_then(Json::as_str) == Some("") && payload.get("agent_id").is_some() {
        return said.heard(head, Moment::Other, vec![]);
    }
    head.stamp = match head.event {
        "UserPromptSubmit" | "Stop" | "SubagentStop" | "SessionEnd" => {
            field::text(payload, &["prompt_id", "turn_id"]).map(str::to_owned)
        }
        // A session has one beginning.
        "SessionStart" if matches!(field::text(payload, &["source"]), Some("startup" | "clear" | "fork")) => {
            Some("once".to_owned())
        }
        _ => None,
    };
    let (moment, seen) = what(head.event, payload);
    said.heard(head, moment, seen)
}

/// What the events of this shape say in the same way.
pub(super) fn head<'a>(said: &Said<'a>) -> Head<'a> {
    let payload = said.payload;
    let session = field::text(payload, &["session_id"]).unwrap_or_default();
    let agent = field::text(payload, &["agent_id"]);
    let about = [("model", "model"), ("transcript", "transcript_path")];
    Head {
        event: field::text(payload, &["hook_event_name"]).or(said.event).unwrap_or_default(),
        session: agent.map_or_else(|| session.to_owned(), |agent| format!("{session}/{agent}")),
        parent: agent.map(|_| session.to_owned()),
        role: field::text(payload, &["agent_type"]).map(said::line),
        folder: field::text(payload, &["cwd"]).map(Into::into),
        about: about
            .into_iter()
            .filter_map(|(name, key)| Some((name, field::text(payload, &[key])?.to_owned())))
            .collect(),
        ..Head::default()
    }
}

/// What an event of this shape is, and what is recorded of it.
pub(super) fn what(event: &str, payload: &Json) -> (Moment, Vec<Seen>) {
    let reason = |names: &[&str]| field::text(payload, names).unwrap_or("other");
    let nothing = |moment| (moment, vec![]);
    match event {
        "SessionStart" => started(reason(&["source"])),
        "UserPromptSubmit" => {
            let text = field::text(payload, &["prompt"]).unwrap_or_default();
            match field::text(payload, &["source"]) {
                Some(source) if is_of_client(source) => client_prompt(text),
                _ => prompt(text),
            }
        }
        "PreToolUse" => {
            let tool = field::text(payload, &["tool_name"]).unwrap_or_default();
            nothing(Moment::BeforeTool(tool::target(tool, payload.get("tool_input").unwrap_or(&Json::Null))))
        }
        "PostToolUse" => returned(payload, response(payload)),
        "PostToolUseFailure" => after_tool(payload, Outcome::Failed(reason(&["error"]).to_owned())),
        "PermissionDenied" => {
            after_tool(payload, Outcome::Failed(format!("denied: {}", reason(&["reason"]))))
        }
        "PostToolBatch" => batch(payload),
        "Stop" => (Moment::Stop, model_message(payload)),
        "StopFailure" => (Moment::Stop, vec![Seen::note("stop", format!("stopped: {}", reason(&["error"])))]),
        "SubagentStart" => {
            let role = said::line(reason(&["agent_type", "agent_name"]));
            (Moment::SubagentStart, vec![Seen::note("session start", format!("sub-agent {role} starts"))])
        }
        "SubagentStop" => (Moment::SubagentStop, subagent_stop(payload)),
        "PreCompact" => {
            let note = format!("the context is about to be compacted ({})", reason(&["trigger"]));
            (Moment::BeforeCompaction, vec![Seen::note("compaction", note)])
        }
        "PostCompact" => (Moment::AfterCompaction, compacted(payload)),
        "SessionEnd" => ended(reason(&["reason"])),
        "InstructionsLoaded" => (Moment::Other, instructions(payload)),
        "FileChanged" => (Moment::Other, file_changed(payload)),
        _ => nothing(Moment::Other),
    }
}

pub(super) fn started(source: &str) -> (Moment, Vec<Seen>) {
    let start = match source {
        "resume" => Start::Resume,
        "clear" => Start::Clear,
        "compact" => Start::Compact,
        "fork" => Start::Fork,
        _ => Start::Startup,
    };
    (
        Moment::SessionStart(start),
        vec![Seen::note("session start", format!("session starts ({})", said::line(source)))],
    )
}

pub(super) fn ended(reason: &str) -> (Moment, Vec<Seen>) {
    let note = Seen::note("session end", format!("session ends ({})", said::line(reason)));
    (Moment::SessionEnd, vec![Seen { then: Then::Ends, ..note }])
}

/// What a person said; what the client says in their name is nothing.
pub(crate) fn prompt(text: &str) -> (Moment, Vec<Seen>) {
    let message = said::message(text).filter(|text| !NOT_BY_A_PERSON.iter().any(|by| text.starts_with(by)));
    match message {
        None => (Moment::Other, vec![]),
        Some(text) => (Moment::Prompt(text.clone()), vec![Seen::message(Kind::UserMessage, text)]),
    }
}

/// Whether a prompt with this source was made by the client: nobody typed it.
pub(crate) fn is_of_client(source: &str) -> bool {
    matches!(source, "system" | "loop_wakeup" | "schedule_wakeup" | "poll_event")
}

/// A prompt that nobody typed: what it says is not what a person wants.
pub(crate) fn client_prompt(text: &str) -> (Moment, Vec<Seen>) {
    let Some(text) = said::message(text) else { return (Moment::Other, vec![]) };
    let note = Seen::note("prompt", "a prompt that the client made".to_owned());
    (Moment::Prompt(text.clone()), vec![Seen { content: Some(text), ..note }])
}

pub(super) fn model_message(payload: &Json) -> Vec<Seen> {
    let text = field::text(payload, &["last_assistant_message"]).and_then(said::message);
    text.map(|text| Seen::message(Kind::ModelMessage, text)).into_iter().collect()
}

/// A tool has returned something, which may be an error.
pub(super) fn returned(payload: &Json, response: Option<&Json>) -> (Moment, Vec<Seen>) {
    let tool = field::text(payload, &["tool_name"]).unwrap_or_default();
    after_tool(payload, Outcome::of_response(tool, response))
}

pub(super) fn response(payload: &Json) -> Option<&Json> {
    ["tool_response", "tool_result", "tool_output"].iter().find_map(|name| payload.get(*name))
}

fn after_tool(payload: &Json, outcome: Outcome<'_>) -> (Moment, Vec<Seen>) {
    let moment = match &outcome {
        Outcome::Done(_) => Moment::AfterTool,
        Outcome::Failed(_) => Moment::ToolFailed,
    };
    let used = Use {
        name: field::text(payload, &["tool_name"]).unwrap_or("tool"),
        input: payload.get("tool_input").unwrap_or(&Json::Null),
        id: field::text(payload, &["tool_use_id"]),
        outcome,
        duration_ms: field::number(payload, &["duration_ms", "duration"]),
    };
    (moment, tool::seen(&used))
}

/// Several tools at once, each under the key that it has alone.
fn batch(payload: &Json) -> (Moment, Vec<Seen>) {
    let calls = payload.get("tool_calls").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let one = |call: &Json| returned(call, call.get("tool_response")).1;
    (Moment::AfterTool, calls.iter().flat_map(one).collect())
}

fn subagent_stop(payload: &Json) -> Vec<Seen> {
    let mut seen = model_message(payload);
    let note = Seen::note("session end", "the sub-agent has finished".to_owned());
    seen.push(Seen { then: Then::Ends, ..note });
    seen
}

fn compacted(payload: &Json) -> Vec<Seen> {
    let note = Seen::note("compaction", "the context was compacted".to_owned());
    vec![Seen { content: field::text(payload, &["compact_summary"]).and_then(said::message), ..note }]
}

fn instructions(payload: &Json) -> Vec<Seen> {
    let Some(path) = field::text(payload, &["file_path"]) else { return vec![] };
    let why = field::text(payload, &["load_reason"]).unwrap_or("loaded");
    let summary = Some(format!("instructions loaded ({})", said::line(why)));
    vec![Seen { target: Some(said::line(path)), summary, ..Seen::of(Kind::Read) }]
}

fn file_changed(payload: &Json) -> Vec<Seen> {
    let Some(path) = field::text(payload, &["file_path"]) else { return vec![] };
    let what = field::text(payload, &["event"]).unwrap_or("change");
    vec![Seen::note(&said::line(path), format!("changed outside the session ({})", said::line(what)))]
}

/// The shape that every client with Claude Code's events reads.
pub(super) fn answer(heard: Option<&Heard>, context: Option<&str>) -> String {
    let (Some(heard), Some(text)) = (heard, context) else { return "{}".to_owned() };
    let output = json!({ "hookEventName": heard.event, "additionalContext": text });
    match heard.client {
        // It would show people what is meant for the model.
        Client::ClaudeCode => json!({ "hookSpecificOutput": output, "suppressOutput": true }).to_string(),
        _ => json!({ "hookSpecificOutput": output }).to_string(),
    }
}
