//! Every event that was captured from every client: what is recorded of it, and what the client is answered.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::Value as Json;

use super::{hook, patient, payloads, valid};
use crate::fixture::Home;

macro_rules! tours {
    ($($test:ident: $client:literal),* $(,)?) => { $(
        #[test]
        fn $test() {
            insta::assert_snapshot!(stringify!($test), tour($client));
        }
    )* };
}

tours! {
    claude_code: "claude-code",
    codex: "codex",
    gemini_cli: "gemini-cli",
    opencode: "opencode",
    cursor: "cursor",
    vscode: "vscode",
    copilot_cli: "copilot-cli",
    windsurf: "windsurf",
    cline: "cline",
    goose: "goose",
}

/// Each event with its answer, and below it what it added to the log.
fn tour(client: &str) -> String {
    let home = patient();
    let mut text = String::new();
    let mut position = 0;
    for payload in payloads(&home, client) {
        let ran = hook(&home, client, &payload).run();
        assert_eq!(ran.stderr, "", "{}", payload.name);
        valid(client, &ran);
        let _ = writeln!(text, "{} {}", payload.name, shortened(&ran.stdout));
        let events = home.events_with(&["--after", &position.to_string()]);
        let sessions = sessions(&home);
        for event in &events {
            let _ = writeln!(text, "    {}", line(event, &sessions));
            position = event["position"].as_i64().unwrap();
        }
    }
    home.check();
    let _ = writeln!(text, "\nsessions");
    let names = sessions(&home);
    let listed = home.json(&["session", "list"]);
    for session in listed["sessions"].as_array().unwrap() {
        let name = |field: &str| session[field].as_str().unwrap_or("-").to_owned();
        let parent = session["parent"].as_str().map_or("", |id| sessions_name(&names, id));
        let _ = writeln!(
            text,
            "    {} {} {} by {}, parent {parent:?}, {}",
            name("client"),
            name("client_session"),
            name("chatmode"),
            name("user"),
            name("state"),
        );
    }
    uncounted(&home.plain(&text))
}

/// Ids are told as well, and each has as many tokens as it happens to have.
fn uncounted(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) =
        ["gave ", "\"tokens\":"].iter().filter_map(|name| Some(rest.find(name)? + name.len())).min()
    {
        let digits = rest[at..].chars().take_while(char::is_ascii_digit).count();
        plain.push_str(&rest[..at]);
        plain.push_str(if digits > 0 { "N" } else { "" });
        rest = &rest[at + digits..];
    }
    plain + rest
}

fn line(event: &Json, sessions: &HashMap<String, String>) -> String {
    let text = |name: &str| event[name].as_str().unwrap_or("-").to_owned();
    let session = sessions_name(sessions, event["session_id"].as_str().unwrap()).to_owned();
    let mut line =
        format!("{} {} {} | {} | {}", session, text("actor"), text("kind"), text("target"), text("summary"));
    for (name, value) in [("content", &event["content"]), ("parts", &event["parts"])] {
        if !value.is_null() {
            let _ = write!(line, " | {name} {}", shortened(&value.to_string()));
        }
    }
    line
}

/// The client's own names of the sessions, by our ids.
fn sessions(home: &Home) -> HashMap<String, String> {
    let listed = home.json(&["session", "list"]);
    let name = |session: &Json| {
        let text = |field: &str| session[field].as_str().unwrap().to_owned();
        // A sub-agent's has its own after the parent's.
        let name = text("client_session");
        let parts: Vec<&str> = name.split('/').map(|part| part.get(..8).unwrap_or(part)).collect();
        (text("id"), parts.join("/"))
    };
    listed["sessions"].as_array().unwrap().iter().map(name).collect()
}

fn sessions_name<'a>(sessions: &'a HashMap<String, String>, id: &str) -> &'a str {
    sessions.get(id).map_or("?", String::as_str)
}

fn shortened(text: &str) -> String {
    let text = text.trim_end();
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Copilot CLI leaves out what its events are called; what they hold says it as well.
#[test]
fn events_without_a_name_are_known_by_what_they_hold() {
    let (named, unnamed) = (patient(), patient());
    for payload in payloads(&named, "copilot-cli") {
        valid("copilot-cli", &hook(&named, "copilot-cli", &payload).run());
    }
    for payload in payloads(&unnamed, "copilot-cli") {
        valid("copilot-cli", &unnamed.call(&["hook", "copilot-cli"]).input(payload.json.to_string()).run());
    }
    assert_eq!(super::recorded(&unnamed), super::recorded(&named));
}
