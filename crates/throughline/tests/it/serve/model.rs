//! The interface where a model was chosen: what is asked for now waits for it, and everything else does not.

use serde_json::{Value as Json, json};

use super::http::Served;
use crate::fixture::{Home, on_both};
use crate::mcp::{Client, STATELESS};
use crate::model::loopback::{Loopback, Reply, Wire};
use crate::model::summary::{STORY, long_session, telling};
use crate::model::{call, choose};

on_both![
    a_compaction_that_is_asked_for_is_told_by_the_model,
    a_job_that_runs_when_the_server_stops_is_anybodys_at_once,
    a_job_that_runs_when_the_client_leaves_is_anybodys_at_once,
];

fn a_compaction_that_is_asked_for_is_told_by_the_model(home: &Home) {
    let (go_on, told) = std::sync::mpsc::channel::<()>();
    let told = std::sync::Mutex::new(told);
    let thinking = move |prompt: &str| {
        told.lock().unwrap().recv().unwrap();
        telling(STORY)(prompt)
    };
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought, Reply::Page], thinking);
    choose(home, &server);
    long_session(home, "s", 20);
    let served = Served::run(call(home, &["serve", "--listen", "127.0.0.1:0", "--json"]));
    let answer = std::thread::scope(|scope| {
        let asking = scope.spawn(|| served.ask("POST /api/sessions/s/compact", Some(&json!({}))));
        wait_until_asked(&server);
        // Nobody else waits for the model, not even who writes.
        let event = json!({ "session": "other", "kind": "user_message", "content": "meanwhile" });
        assert!(served.ask("POST /api/events", Some(&event)).status < 300);
        go_on.send(()).unwrap();
        asking.join().unwrap()
    });
    let done = answer.message();
    assert_eq!((&done["compacted"], &done["written_by"]), (&json!(true), &json!("model")), "{done:#}");
    long_session(home, "s", 8);
    let done = served.ask("POST /api/sessions/s/compact", Some(&json!({}))).message();
    assert_eq!(done["written_by"], "built_in", "{done:#}");
    assert!(done["without"].as_str().unwrap().contains("instead of JSON"), "{done:#}");
    home.check();
}

fn a_job_that_runs_when_the_server_stops_is_anybodys_at_once(home: &Home) {
    let server = with_a_session_to_read(home);
    let served = Served::run(call(home, &["serve", "--listen", "127.0.0.1:0", "--json"]));
    wait_until_asked(&server);
    assert_eq!(generate_job(home), json!(["running", 1]));
    served.signal("TERM");
    assert_eq!(served.ended().0, Some(0));
    assert_eq!(generate_job(home), json!(["ready", 0]));
}

fn a_job_that_runs_when_the_client_leaves_is_anybodys_at_once(home: &Home) {
    let server = with_a_session_to_read(home);
    let mut client = Client::started(call(home, &["mcp"]), STATELESS);
    client.tool("session_status", &json!({}));
    wait_until_asked(&server);
    assert_eq!(client.leave(), 0);
    assert_eq!(generate_job(home), json!(["ready", 0]));
}

/// A session that has been silent for long, and a model that never answers what is asked about it.
fn with_a_session_to_read(home: &Home) -> Loopback {
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Hang], telling(STORY));
    choose(home, &server);
    let said = "as far as i know invoices get their numbers from the ledger team's sequence";
    let said = ["log", "append", "--kind", "user_message", "--content", said, "--session", "s", "--at", "2h"];
    home.ok(&said);
    server
}

fn wait_until_asked(server: &Loopback) {
    while server.asked().is_empty() {
        std::thread::yield_now();
    }
}

/// How it stands with it, and how often it was begun.
fn generate_job(home: &Home) -> Json {
    let jobs = home.json(&["jobs", "list"])["jobs"].clone();
    let found = jobs.as_array().unwrap().iter().find(|job| job["kind"] == "generate_memories");
    found.map_or(Json::Null, |job| json!([job["state"], job["attempts"]]))
}
