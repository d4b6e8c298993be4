//! Hooks as the clients run them: one process for each event, its JSON on stdin, an answer on stdout.

mod fuzz;
mod once;
mod opencode;
mod places;
mod told;
mod tour;
mod trouble;

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::fixture::{Call, Home, Ran};

pub(crate) const CLIENTS: [&str; 10] = [
    "claude-code",
    "codex",
    "gemini-cli",
    "opencode",
    "cursor",
    "vscode",
    "copilot-cli",
    "windsurf",
    "cline",
    "goose",
];

/// An event as the client wrote it.
pub(crate) struct Payload {
    pub(crate) name: String,
    pub(crate) json: Json,
}

/// Every event of the client that is known, in the order of a session, with its folders in this home.
pub(crate) fn payloads(home: &Home, client: &str) -> Vec<Payload> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/hooks/{client}.jsonl"));
    let shop = home.work("shop").display().to_string();
    let here = |line: &str| line.replace("/home/dev/shop", &shop).replace("\"/repo", &format!("\"{shop}"));
    let read = |line: &str| {
        let line: Json = serde_json::from_str(&here(line)).unwrap();
        Payload { name: line["name"].as_str().unwrap().to_owned(), json: line["payload"].clone() }
    };
    fs::read_to_string(path).unwrap().lines().map(read).collect()
}

/// A home whose hooks may take as long as they need: a test machine may be busy.
pub(crate) fn patient() -> Home {
    let home = Home::sqlite();
    be_patient(&home);
    home
}

pub(crate) fn be_patient(home: &Home) {
    home.write("data/config.toml", "[hooks]\ndeadline_ms = 60000\ninject_deadline_ms = 60000\n");
}

/// A hook as the client would call it.
pub(crate) fn hook(home: &Home, client: &str, payload: &Payload) -> Call {
    let json = payload.json.to_string();
    match client {
        "codex" if payload.name.starts_with("notify") => home.call(&["hook", client, &json]),
        "copilot-cli" | "opencode" => home.call(&["hook", client, &payload.name]).input(json),
        _ => home.call(&["hook", client]).input(json),
    }
}

/// One event of Claude Code with what every event has.
pub(crate) fn claude(home: &Home, event: &str, more: &Json) -> Call {
    home.call(&["hook", "claude-code"]).input(claude_json(home, event, more).to_string())
}

pub(crate) fn claude_json(home: &Home, event: &str, more: &Json) -> Json {
    let mut json = json!({ "session_id": "s1", "cwd": home.work("shop"), "hook_event_name": event });
    json.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json
}

/// The answer was given, was in the client's format, and was no objection.
#[track_caller]
pub(crate) fn valid(client: &str, ran: &Ran) -> Json {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    if client == "windsurf" {
        assert_eq!(ran.stdout, "");
        return Json::Null;
    }
    let answer: Json = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {:?}", ran.stdout));
    let fields = answer.as_object().unwrap();
    let known: &[&str] = match client {
        "cline" => &["cancel", "contextModification", "errorMessage"],
        "cursor" => &["additional_context", "continue", "hookSpecificOutput", "suppressOutput"],
        "opencode" => &["context"],
        _ => &["hookSpecificOutput", "suppressOutput"],
    };
    assert!(fields.keys().all(|key| known.contains(&key.as_str())), "{answer}");
    assert!(client != "cline" || answer["cancel"] == false, "{answer}");
    assert!(fields.get("continue").is_none_or(|goes_on| goes_on == true), "{answer}");
    answer
}

/// Runs it, and it was well.
#[track_caller]
pub(crate) fn well(client: &str, call: Call) -> Json {
    let ran = call.run();
    assert_eq!(ran.stderr, "", "{ran:?}");
    valid(client, &ran)
}

/// How many events wait to be recorded.
pub(crate) fn waiting(home: &Home) -> usize {
    let Ok(entries) = fs::read_dir(home.data().join("hooks")) else { return 0 };
    entries.filter(|entry| entry.as_ref().unwrap().path().extension().unwrap() == "json").count()
}

/// The problems that hooks noted.
pub(crate) fn failures(home: &Home) -> Vec<String> {
    let text = fs::read_to_string(home.data().join("hooks/failures.jsonl")).unwrap_or_default();
    let problem =
        |line: &str| serde_json::from_str::<Json>(line).unwrap()["problem"].as_str().unwrap().to_owned();
    text.lines().map(problem).collect()
}

/// What was recorded: kind, target and summary of each event, without the summaries of sessions and what models were
/// told.
pub(crate) fn recorded(home: &Home) -> Vec<String> {
    let events = home.events();
    let events = events
        .iter()
        .filter(|event| event["target"] != "session_summary" && event["actor"] != "agent:throughline");
    events
        .map(|event| {
            let text = |name: &str| event[name].as_str().unwrap_or("-").to_owned();
            format!("{} | {} | {}", text("kind"), text("target"), text("summary"))
        })
        .collect()
}
