//! The process: it starts without a trace, answers several at once, and goes when its client goes.

use std::fs;
use std::net::TcpListener;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{Client, STATELESS};
use crate::fixture::{Home, command, on_both};

on_both!(
    many_calls_at_once_are_all_answered,
    jobs_are_worked_off_after_a_call,
    jobs_are_worked_off_for_a_client_that_calls_nothing,
);

#[test]
fn starting_and_listing_leaves_no_trace() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    client.result("server/discover", &json!({}));
    for list in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
        client.result(list, &json!({}));
    }
    let template = json!({ "type": "ref/resource", "uri": "throughline://memory/{id}" });
    client.result(
        "completion/complete",
        &json!({ "ref": template, "argument": { "name": "id", "value": "" } }),
    );
    client.fault("resources/read", &json!({ "uri": "throughline://memory/0" }));
    client.fault("prompts/get", &json!({ "name": "sing" }));
    assert_eq!(client.leave(), 0);
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0);
}

#[test]
fn a_server_goes_with_its_stdin() {
    let home = Home::sqlite();
    assert_eq!(Client::of(&home).leave(), 0, "before anything was asked");
    let mut client = Client::of(&home);
    client.remember("so that a database is open");
    assert_eq!(client.leave(), 0, "after a call");
    assert_eq!(Client::initialized(&home, "2025-11-25").leave(), 0);
}

/// A database server that takes connections and says nothing.
fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://nobody@{}/none", listener.local_addr().unwrap());
    (listener, url)
}

#[test]
fn a_server_goes_in_the_middle_of_a_call() {
    let (listener, url) = silent();
    let home = Home::sqlite();
    let mut client = Client::started(home.call(&["mcp", "--database", &url]), STATELESS);
    client.ask("tools/call", &json!({ "name": "search", "arguments": { "query": "x" } }));
    let _connected = listener.accept().unwrap();
    assert_eq!(client.leave(), 0);
}

#[test]
fn a_call_that_takes_long_keeps_nobody_waiting() {
    let (listener, url) = silent();
    let home = Home::sqlite();
    let mut client = Client::started(home.call(&["mcp", "--database", &url]), STATELESS);
    let call = json!({ "name": "search", "arguments": { "query": "x" } });
    let slow = client.ask("tools/call", &call);
    let connected = listener.accept().unwrap();
    assert!(!client.tools().is_empty(), "answered while the call waits");
    drop((connected, listener));
    let answer = client.heard();
    assert_eq!(answer["id"], slow);
    assert_eq!(answer["result"]["isError"], true, "{answer:#}");
}

#[cfg(unix)]
#[test]
fn a_server_goes_on_a_signal() {
    for signal in ["-TERM", "-INT"] {
        let home = Home::sqlite();
        let mut client = Client::of(&home);
        client.remember("so that it is at work");
        assert!(command("kill").args([signal, &client.pid().to_string()]).status().unwrap().success());
        assert_eq!(client.ended_within(Duration::from_secs(1)), 0, "{signal}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_has_no_children() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    client.remember("so that it is at work");
    for task in fs::read_dir(format!("/proc/{}/task", client.pid())).unwrap() {
        let children = fs::read_to_string(task.unwrap().path().join("children")).unwrap();
        assert_eq!(children, "");
    }
}

#[test]
fn what_was_asked_before_stdin_closed_is_answered() {
    let home = Home::sqlite();
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "sh", "version": "1" } });
    let call = json!({ "name": "remember", "arguments": { "content": "from a pipe" } });
    let requests = [("initialize", hello), ("tools/call", call), ("tools/list", json!({}))];
    let lines: Vec<String> = (1..)
        .zip(&requests)
        .map(|(id, (method, params))| {
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
        })
        .collect();
    let answers = home.call(&["mcp"]).input(lines.join("\n") + "\n").ok();
    let mut ids: Vec<i64> = answers
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).unwrap()["id"].as_i64().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(home.json(&["memory", "list"])["total"], 1);
}

fn many_calls_at_once_are_all_answered(home: &Home) {
    const CALLS: u64 = 32;
    let mut client = Client::of(home);
    for n in 0..CALLS {
        let content = format!("statement number {n}");
        client.ask("tools/call", &json!({ "name": "remember", "arguments": { "content": content } }));
    }
    let mut answered: Vec<u64> = (0..CALLS)
        .map(|_| {
            let answer = client.heard();
            assert_eq!(answer["result"]["isError"], false, "{answer:#}");
            answer["id"].as_u64().unwrap()
        })
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, (1..=CALLS).collect::<Vec<_>>());
    assert_eq!(home.json(&["memory", "list"])["total"], CALLS);
    home.check();
}

fn jobs_are_worked_off_after_a_call(home: &Home) {
    // Long ago: the session that opened then is due to be closed.
    home.batch(&[json!({
        "kind": "user_message", "session": "old", "client": "codex", "content": "hello", "at": crate::fixture::at("10:00:00"),
    })]);
    assert_eq!(home.json(&["session", "status", "old"])["state"], "idle");
    let mut client = Client::of(home);
    client.tools();
    assert_eq!(home.json(&["session", "status", "old"])["state"], "idle", "nothing is done before a call");
    // The job runs beside the calls; each of these gives it another moment.
    let closed = (0..1000).any(|_| {
        let status = client.tool("session_status", &json!({ "session_id": "old" }));
        status["state"].as_str().unwrap().starts_with("ended")
    });
    assert!(closed, "the idle session was not closed by the server");
    home.check();
}

fn jobs_are_worked_off_for_a_client_that_calls_nothing(home: &Home) {
    home.batch(&[json!({
        "kind": "user_message", "session": "old", "client": "codex", "content": "hello", "at": crate::fixture::at("10:00:00"),
    })]);
    let mut client = Client::initialized(home, "2025-11-25");
    let closed = (0..1000).any(|_| {
        client.tools();
        home.json(&["session", "status", "old"])["state"].as_str().unwrap().starts_with("ended")
    });
    assert!(closed, "the idle session was not closed by the server");
    assert_eq!(client.leave(), 0);
    home.check();
}

#[test]
fn a_database_that_cannot_be_opened_is_an_error_of_the_call_and_not_of_the_server() {
    let home = Home::sqlite();
    let file = home.write(
        "data/throughline.db",
        "this is a text and no database, and longer than a header of one ".repeat(99),
    );
    let mut client = Client::of(&home);
    let refused = client.refusal("search", &json!({ "query": "x" }));
    assert!(refused.contains("throughline.db"), "{refused}");
    assert_eq!(client.fault("resources/list", &json!({})).0, -32603);
    fs::remove_file(file).unwrap();
    client.remember("the next call tries again");
    assert_eq!(client.tool("search", &json!({ "query": "next call", "kinds": ["memory"] }))["total"], 1);
}

#[test]
fn settings_that_are_wrong_are_said_before_anything_is_served() {
    let home = Home::sqlite();
    let refused = home.call(&["mcp"]).env("THROUGHLINE_ACTOR", "nobody").run().refuses();
    assert!(refused.contains("user:NAME or agent:NAME"), "{refused}");
}

#[test]
fn stdout_belongs_to_the_protocol_whatever_is_logged() {
    let home = Home::sqlite();
    home.write("work/shop/.throughline.toml", "[unknown]\nthing = 1\n");
    let call = home.call(&["mcp"]).env("THROUGHLINE_LOG", "trace");
    let mut client = Client::started(call, STATELESS);
    client.remember("the client reads every line of stdout as a message");
    assert_eq!(client.leave(), 0);
}
