//! A model that helps, from outside: real requests to a server on loopback, a real program, a real client. Whatever it does,
//! nothing is lost and the built-in rules go on.

mod command;
mod failing;
mod limits;
pub(crate) mod loopback;
mod naming;
mod sampling;
mod settings;
pub(crate) mod summary;
mod wording;

use serde_json::{Value as Json, json};

use crate::fixture::{Call, Home};
use loopback::{Loopback, Wire};

pub(crate) const KEY: &str = "sk-never-to-be-seen";
/// What a rule finds.
const RULE: &str = "Remember: never call the Stripe API from a test";
/// What no rule finds.
const QUIET: &str = "as far as i know invoices get their numbers from the ledger team's sequence";

/// Chooses the server for this person.
pub(crate) fn choose(home: &Home, server: &Loopback) {
    let provider = match server.wire() {
        Wire::Anthropic => "anthropic",
        Wire::OpenAi => "openai",
    };
    set(
        home,
        &[("provider", provider), ("url", &server.url), ("name", "tiny"), ("api_key_env", "MODEL_KEY")],
    );
}

fn set(home: &Home, values: &[(&str, &str)]) {
    for (key, value) in values {
        home.ok(&["config", "set", &format!("model.{key}"), value]);
    }
}

/// A command of somebody who has the key.
pub(crate) fn call(home: &Home, args: &[&str]) -> Call {
    home.call(args).env("MODEL_KEY", KEY)
}

fn say(home: &Home, session: &str, lines: &[&str]) {
    let said = |line: &&str| json!({ "session": session, "client": "claude-code", "kind": "user_message", "content": line });
    home.batch(&lines.iter().map(said).collect::<Vec<_>>());
}

fn generate(home: &Home) -> Json {
    call(home, &["memory", "generate"]).json()
}

pub(crate) fn status(home: &Home) -> Json {
    call(home, &["model", "status"]).json()
}

/// The contents of all memories that can be found.
fn known(home: &Home) -> Vec<String> {
    let listed = home.json(&["memory", "list", "-n", "100"]);
    let mut known: Vec<String> = listed["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|memory| home.json(&["memory", "show", memory["id"].as_str().unwrap()]))
        .map(|memory| memory["content"].as_str().unwrap().to_owned())
        .collect();
    known.sort();
    known
}

/// The label of the event, and the line, in which a prompt shows these words.
fn shown(prompt: &str, words: &str) -> Option<(String, String)> {
    let log = prompt.split("\nThese are known already").next().unwrap();
    let mut label = String::new();
    for line in log.lines() {
        if let Some(rest) = line.strip_prefix('[') {
            label = rest.split(']').next().unwrap().to_owned();
        } else if line.contains(words) {
            return Some((label, line.trim().to_owned()));
        }
    }
    None
}

/// A memory that quotes the line with these words.
fn named(prompt: &str, topic: &str, statement: &str, words: &str) -> Option<Json> {
    let (event, line) = shown(prompt, words)?;
    Some(json!({ "topic": topic, "statement": statement, "quotes": [{ "event": event, "line": line }] }))
}

const INVOICES: &str = "Invoices get their numbers from the ledger team's sequence";

/// A model that finds out about the invoices, and is ready.
fn thoughtful(prompt: &str) -> Json {
    if prompt.contains("ready = true") {
        return json!({ "ready": true });
    }
    if prompt.starts_with("pair 1") {
        return json!({ "verdicts": [] });
    }
    json!({ "memories": named(prompt, "fact", INVOICES, "invoices get").into_iter().collect::<Vec<_>>() })
}
