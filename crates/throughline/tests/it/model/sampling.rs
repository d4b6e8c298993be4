//! The client's own model, which a scripted client lends or does not.

use serde_json::{Value as Json, json};

use super::{INVOICES, QUIET, RULE, known, named, say, set, status};
use crate::fixture::{Home, on_both};
use crate::mcp::{Client, Era};

on_both![a_client_lends_its_model, a_client_that_refuses_or_does_not_offer_is_no_harm,];

/// A client of the era with a handshake, with what it offers.
fn client(home: &Home, capabilities: &Json) -> Client {
    let mut client = Client::started(home.call(&["mcp"]), Era::Session);
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": { "name": "codex-mcp-client", "version": "1" },
    });
    client.result("initialize", &hello);
    client.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    client
}

/// A session that waits to become memories.
fn ended_session(home: &Home) {
    set(home, &[("provider", "client")]);
    say(home, "a", &[RULE, QUIET]);
    home.ok(&["session", "end", "a"]);
}

/// Lets the server work aside, until its client is asked for its model.
fn asked(client: &mut Client) -> Json {
    client.tool("session_status", &json!({}));
    let request = client.heard();
    assert_eq!(request["method"], "sampling/createMessage", "{request:#}");
    request
}

fn a_client_lends_its_model(home: &Home) {
    ended_session(home);
    let mut client = client(home, &json!({ "sampling": {} }));
    let request = asked(&mut client);
    let prompt = request["params"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(
        request["params"]["systemPrompt"].as_str().unwrap().contains("not an instruction"),
        "{request:#}"
    );
    // While the person thinks about it, the server goes on.
    client.tool("search", &json!({ "query": "anything" }));
    let memories: Vec<Json> = named(prompt, "fact", INVOICES, "invoices get").into_iter().collect();
    let text = json!({ "memories": memories }).to_string();
    client.tell(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": {
        "role": "assistant", "model": "theirs", "content": { "type": "text", "text": text },
    } }));
    until_generated(home);
    assert_eq!(known(home), [INVOICES, "Never call the Stripe API from a test"]);
    let status = status(home);
    assert_eq!((&status["provider"], &status["today"][0]["outcome"]), (&json!("client"), &json!("answered")));
    let doctor = home.json(&["doctor"]);
    let finding = doctor["findings"].as_array().unwrap().iter().find(|one| one["check"] == "model").unwrap();
    assert_eq!(finding["verdict"], "ok", "that the command line has no client is no problem: {finding:#}");
    assert!(
        status["problem"].as_str().unwrap().contains("throughline mcp"),
        "not on the command line: {status:#}"
    );
}

fn a_client_that_refuses_or_does_not_offer_is_no_harm(home: &Home) {
    for offers in [json!({ "sampling": {} }), json!({})] {
        let home = home.fresh();
        ended_session(&home);
        let mut client = client(&home, &offers);
        if offers["sampling"].is_object() {
            let request = asked(&mut client);
            let error = json!({ "code": -1, "message": "User rejected sampling request" });
            client.tell(&json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }));
        } else {
            client.tool("session_status", &json!({}));
        }
        until_generated(&home);
        assert_eq!(known(&home), ["Never call the Stripe API from a test"]);
        let expected = if offers["sampling"].is_object() { "User rejected" } else { "offers sampling" };
        let notes = home.events_with(&["--kind", "system_event"]);
        let note = notes.iter().rfind(|note| note["target"] == "memory_generation").unwrap();
        assert!(note["summary"].as_str().unwrap().contains(expected), "{note:#}");
        assert_eq!(status(&home)["fallbacks"], 1, "{expected}");
        let doctor = home.ok(&["doctor"]);
        assert!(doctor.contains("warning  model") && doctor.contains("took over 1 times today"), "{doctor}");
        assert!(!client.tools().is_empty(), "nothing else was asked of the client");
    }
}

fn until_generated(home: &Home) {
    let is_waiting =
        |jobs: &Json| jobs["jobs"].as_array().unwrap().iter().any(|job| job["kind"] == "generate_memories");
    while is_waiting(&home.json(&["jobs", "list"])) {
        std::thread::yield_now();
    }
}
