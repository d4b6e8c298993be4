//! MCP with a handshake over HTTP, as 2025-06-18 and 2025-11-25 have it: a session from `initialize` to DELETE.

use std::io::{BufRead as _, BufReader};

use serde_json::{Value as Json, json};

use super::http::{Answer, Served};
use crate::fixture::Home;

#[test]
fn a_session_lives_from_initialize_to_delete() {
    let served = Served::fixtures(&Home::sqlite());
    for version in ["2025-06-18", "2025-11-25"] {
        let answer = initialize(&served, version);
        let result = &answer.message()["result"];
        assert_eq!((answer.status, &result["protocolVersion"]), (200, &json!(version)));
        assert_eq!(result["resultType"], Json::Null, "that is of a later revision");
        let session = format!("Mcp-Session-Id: {}", answer.header("mcp-session-id").unwrap());
        let version = format!("MCP-Protocol-Version: {version}");
        let headers = [session.as_str(), &version];
        assert_eq!(send(&served, &headers, "notifications/initialized").status, 202);
        let tools = ask(&served, &headers, "tools/list", json!({}));
        assert!(tools.message()["result"]["tools"].as_array().unwrap().len() > 20);
        assert_eq!(ask(&served, &headers, "ping", json!({})).message()["result"], json!({}));
        let host = served.host();
        let ended = served.request("DELETE /mcp", &[host.as_str(), &session, &version], "");
        assert_eq!((ended.status, ended.body.as_str()), (204, ""));
        assert_eq!(ask(&served, &headers, "tools/list", json!({})).status, 404);
    }
}

#[test]
fn a_version_that_nobody_knows_is_answered_with_one_that_is_known() {
    let served = Served::fixtures(&Home::sqlite());
    assert_eq!(initialize(&served, "2020-01-01").message()["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn a_request_without_its_session_is_refused() {
    let served = Served::fixtures(&Home::sqlite());
    let version = "MCP-Protocol-Version: 2025-11-25";
    assert_eq!(ask(&served, &[version], "tools/list", json!({})).status, 400);
    assert_eq!(ask(&served, &[version, "Mcp-Session-Id: another"], "tools/list", json!({})).status, 404);
    let mismatch =
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": handshake("2025-06-18")});
    assert_eq!(served.post(&[version], &mismatch).refusal(), (400, -32600));
}

/// A client may begin one for each of its requests, and end none.
#[test]
fn of_more_than_a_thousand_sessions_the_one_that_was_used_longest_ago_is_gone() {
    let served = Served::fixtures(&Home::sqlite());
    let begin =
        || format!("Mcp-Session-Id: {}", initialize(&served, "2025-11-25").header("mcp-session-id").unwrap());
    let ping = |session: &str| {
        ask(&served, &[session, "MCP-Protocol-Version: 2025-11-25"], "ping", json!({})).status
    };
    let (used, silent) = (begin(), begin());
    assert_eq!(ping(&used), 200);
    let others: Vec<String> = (0..998).map(|_| begin()).collect();
    assert_eq!((ping(&silent), ping(&used)), (200, 200));
    let last = begin();
    assert_eq!((ping(&others[0]), ping(&others[1]), ping(&used), ping(&last)), (404, 200, 200, 200));
}

#[test]
fn what_the_server_says_by_itself_comes_on_the_get_stream() {
    let served = Served::fixtures(&Home::sqlite());
    let answer = initialize(&served, "2025-11-25");
    let session = format!("Mcp-Session-Id: {}", answer.header("mcp-session-id").unwrap());
    let headers = [session.as_str(), "MCP-Protocol-Version: 2025-11-25"];
    send(&served, &headers, "notifications/initialized");
    let host = served.host();
    let wanted = [&[host.as_str(), "Accept: text/event-stream"], headers.as_slice()].concat();
    let stream = BufReader::new(served.open("GET /mcp", &wanted, ""));
    let mut lines = stream.lines().map(Result::unwrap);
    assert!(lines.next().unwrap().contains("200 OK"));
    assert!(
        lines.by_ref().take_while(|line| !line.is_empty()).any(|line| line.contains("text/event-stream"))
    );
    let trigger = json!({"name": "test_trigger_tool_change", "arguments": {}});
    let called = ask(&served, &headers, "tools/call", trigger);
    let told = |text: &str| text.contains("notifications/tools/list_changed");
    assert!(told(&called.body) || lines.any(|line| told(&line)), "{called:?}");
}

pub(super) fn initialize(served: &Served, version: &str) -> Answer {
    ask(served, &[], "initialize", handshake(version))
}

fn handshake(version: &str) -> Json {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

pub(super) fn ask(served: &Served, headers: &[&str], method: &str, params: Json) -> Answer {
    served.post(headers, &json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
}

fn send(served: &Served, headers: &[&str], method: &str) -> Answer {
    served.post(headers, &json!({"jsonrpc": "2.0", "method": method}))
}
