//! Whose name the events bear, and in which session they are.

use serde_json::{Value as Json, json};

use super::{Client, Era, STATELESS};
use crate::fixture::{Call, Home, on_both};

on_both!(
    claude_code_is_known_by_its_environment,
    codex_is_known_by_its_requests,
    a_client_without_a_session_has_one_for_each_run,
);

/// Remembers something and gives its event and its session.
fn recorded(home: &Home, client: &mut Client, meta: &Json) -> (Json, Json) {
    let call = json!({ "name": "remember", "arguments": { "content": "noted" }, "_meta": meta });
    super::answered(&client.result("tools/call", &call));
    let event = home.events().pop().unwrap();
    let session = home.json(&["session", "status", event["session_id"].as_str().unwrap()]);
    (event, session)
}

fn names(event: &Json, session: &Json) -> [String; 3] {
    [&event["actor"], &session["client"], &session["client_session"]]
        .map(|name| name.as_str().unwrap().to_owned())
}

fn claude_code_is_known_by_its_environment(home: &Home) {
    let call = home.call(&["mcp"]).env("CLAUDE_CODE_SESSION_ID", "cc-1");
    let (event, session) = recorded(home, &mut Client::started(call, STATELESS), &json!({}));
    assert_eq!(names(&event, &session), ["agent:claude-code", "claude-code", "cc-1"]);
    assert_eq!(session["user"], "tester", "the person it works for");
    assert!(session["workspace"].as_str().unwrap().ends_with("work/shop"));
}

fn codex_is_known_by_its_requests(home: &Home) {
    let mut client = Client::initialized(home, "2025-06-18");
    for (turn, expected) in [
        (json!({ "session_id": "c-1", "thread_id": "t-1", "turn_id": "9" }), "c-1"),
        (json!("{\"session_id\": \"c-2\"}"), "c-2"),
        (json!({ "thread_id": "t-3" }), "t-3"),
    ] {
        let meta = json!({ "x-codex-turn-metadata": turn });
        let (event, session) = recorded(home, &mut client, &meta);
        assert_eq!(names(&event, &session), ["agent:codex", "codex", expected]);
    }
}

fn a_client_without_a_session_has_one_for_each_run(home: &Home) {
    let run = || {
        let mut client = Client::introduced(home.call(&["mcp"]), "2025-11-25", "opencode");
        let (event, session) = recorded(home, &mut client, &json!({}));
        let (later, same) = recorded(home, &mut client, &json!({}));
        assert_eq!(event["session_id"], later["session_id"]);
        assert_eq!(session["client_session"], same["client_session"]);
        names(&event, &session)
    };
    let (first, second) = (run(), run());
    assert_eq!(first[..2], ["agent:opencode", "opencode"]);
    assert_ne!(first[2], second[2], "each process is a run of its own");
    assert!(!first[2].contains("tester"), "it is not the person's own session: {first:?}");
}

fn as_named(call: Call, name: &'static str) -> Client {
    Client::introduced(call, "2025-11-25", name)
}

#[test]
fn clients_have_the_name_of_their_hooks() {
    let cases = [
        ("claude-code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("gemini-cli-mcp-client", "gemini-cli"),
        ("cursor-vscode", "cursor"),
        ("Visual Studio Code - Insiders", "vscode"),
        ("opencode", "opencode"),
        ("My Own Agent!", "my-own-agent"),
        ("", "mcp"),
        ("漢字", "漢字"),
    ];
    for (own, expected) in cases {
        let home = Home::sqlite();
        let mut client = as_named(home.call(&["mcp"]), own);
        let (event, session) = recorded(&home, &mut client, &json!({}));
        assert_eq!(names(&event, &session)[..2], [format!("agent:{expected}"), expected.to_owned()]);
    }
}

#[test]
fn an_inherited_environment_is_not_the_clients_own() {
    let home = Home::sqlite();
    let call = home.call(&["mcp"]).env("CLAUDE_CODE_SESSION_ID", "cc-1").env("GEMINI_SESSION_ID", "g-1");
    let (event, session) = recorded(&home, &mut as_named(call, "gemini-cli-mcp-client"), &json!({}));
    assert_eq!(names(&event, &session), ["agent:gemini-cli", "gemini-cli", "g-1"]);
    let call = home.call(&["mcp"]).env("CLAUDE_CODE_SESSION_ID", "cc-1");
    let (_, session) = recorded(&home, &mut as_named(call, "opencode"), &json!({}));
    assert_ne!(session["client_session"], "cc-1");
}

#[test]
fn a_client_that_does_not_say_its_name_is_who_the_environment_says() {
    let home = Home::sqlite();
    let unnamed = Era::Stateless { client: None };
    let call = home.call(&["mcp"]).env("CLAUDE_CODE_SESSION_ID", "cc-1");
    let (event, session) = recorded(&home, &mut Client::started(call, unnamed.clone()), &json!({}));
    assert_eq!(names(&event, &session), ["agent:claude-code", "claude-code", "cc-1"]);
    let (event, session) = recorded(&home, &mut Client::started(home.call(&["mcp"]), unnamed), &json!({}));
    assert_eq!(names(&event, &session)[..2], ["agent:mcp", "mcp"]);
}

#[test]
fn vs_code_names_the_conversation_in_its_requests() {
    let home = Home::sqlite();
    let mut client = as_named(home.call(&["mcp"]), "Visual Studio Code");
    let (event, session) = recorded(&home, &mut client, &json!({ "vscode.conversationId": "v-1" }));
    assert_eq!(names(&event, &session), ["agent:vscode", "vscode", "v-1"]);
}

#[test]
fn a_named_actor_wins() {
    let home = Home::sqlite();
    let call = home.call(&["mcp"]).env("THROUGHLINE_ACTOR", "agent:night-shift");
    let (event, session) = recorded(&home, &mut Client::started(call, STATELESS), &json!({}));
    assert_eq!(names(&event, &session)[..2], ["agent:night-shift", "claude-code"]);
    let call = home.call(&["mcp", "--actor", "user:anna"]).env("THROUGHLINE_ACTOR", "agent:night-shift");
    let (event, _) = recorded(&home, &mut Client::started(call, STATELESS), &json!({}));
    assert_eq!(event["actor"], "user:anna");
}

#[test]
fn what_cannot_be_a_session_is_not_taken_for_one() {
    let home = Home::sqlite();
    let mut client = Client::initialized(&home, "2025-06-18");
    let odd = [json!(7), json!(""), json!("a\nb"), json!("x".repeat(201)), json!({ "session_id": null })];
    let sessions = odd.map(|session_id| {
        let meta = json!({ "x-codex-turn-metadata": { "session_id": session_id } });
        recorded(&home, &mut client, &meta).1["id"].clone()
    });
    assert!(sessions.iter().all(|session| *session == sessions[0]), "{sessions:?}");
}

#[test]
fn every_change_bears_the_name_and_the_session() {
    let home = Home::sqlite();
    let call = home.call(&["mcp"]).env("CLAUDE_CODE_SESSION_ID", "cc-1");
    let mut client = Client::started(call, STATELESS);
    let id = client.remember("to be changed");
    client.tool("feedback", &json!({ "ids": [id], "outcome": "outdated" }));
    client.tool("session_state", &json!({ "patch": { "current_task": "t" } }));
    client.tool("forget", &json!({ "ids": [id] }));
    let events = home.events();
    assert_eq!(events.len(), 4);
    for event in &events {
        assert_eq!(event["actor"], "agent:claude-code", "{event:#}");
        assert_eq!(event["session_id"], events[0]["session_id"], "{event:#}");
    }
}
