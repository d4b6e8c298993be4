//! MCP 2026-07-28 over HTTP: each request stands alone, and its headers say what its body says.

use serde_json::{Value as Json, json};

use super::http::{Answer, Served};
use crate::fixture::Home;

const VERSION: &str = "MCP-Protocol-Version: 2026-07-28";

#[test]
fn discover_says_what_the_server_can_do() {
    let served = Served::fixtures(&Home::sqlite());
    let answer = ask(&served, "server/discover", json!({}), &[]);
    let result = &answer.message()["result"];
    assert_eq!((answer.status, answer.header("mcp-session-id")), (200, None));
    assert_eq!(
        (&result["resultType"], &result["capabilities"]["tools"]),
        (&json!("complete"), &json!({"listChanged": true}))
    );
    let versions = result["supportedVersions"].as_array().unwrap();
    assert!(["2026-07-28", "2025-11-25", "2025-06-18"].iter().all(|known| versions.contains(&json!(known))));
}

#[test]
fn a_call_needs_nothing_before_it() {
    let served = Served::fixtures(&Home::sqlite());
    let call = json!({"name": "test_simple_text", "arguments": {}});
    let answer = ask(&served, "tools/call", call, &["Mcp-Name: test_simple_text"]);
    let message = answer.message();
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    assert_eq!((&message["id"], &message["result"]["resultType"]), (&json!(7), &json!("complete")));
}

#[test]
fn headers_must_say_what_the_body_says() {
    let served = Served::fixtures(&Home::sqlite());
    let call = request("tools/call", json!({"name": "test_simple_text", "arguments": {}}), "2026-07-28");
    let refusal = |headers: &[&str]| served.post(headers, &call).refusal();
    let (method, name) = ("Mcp-Method: tools/call", "Mcp-Name: test_simple_text");
    assert_eq!(refusal(&[VERSION, method, name]), (200, 0));
    for wrong in [
        [VERSION, "Mcp-Method: tools/list", name].as_slice(),
        &[VERSION, method, "Mcp-Name: another"],
        &[VERSION, method],
        &[VERSION, name],
        &["MCP-Protocol-Version: 2025-11-25", method, name],
        &[method, name],
    ] {
        assert_eq!(refusal(wrong), (400, -32020), "{wrong:?}");
    }
}

#[test]
fn what_is_unknown_or_missing_has_its_own_error() {
    let served = Served::fixtures(&Home::sqlite());
    assert_eq!(ask(&served, "unknown/method", json!({}), &[]).refusal(), (404, -32601));
    assert_eq!(ask(&served, "ping", json!({}), &[]).refusal(), (404, -32601));
    let version = ["MCP-Protocol-Version: 2099-01-01", "Mcp-Method: tools/list"];
    assert_eq!(
        served.post(&version, &request("tools/list", json!({}), "2099-01-01")).refusal(),
        (400, -32022)
    );
    let call = json!({"name": "test_missing_capability", "arguments": {}});
    let answer = ask(&served, "tools/call", call, &["Mcp-Name: test_missing_capability"]);
    assert_eq!(answer.refusal(), (400, -32021));
    assert_eq!(answer.message()["error"]["data"], json!({"requiredCapabilities": {"sampling": {}}}));
    let bare = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {}});
    assert_eq!(served.post(&[VERSION, "Mcp-Method: tools/list"], &bare).refusal(), (400, -32602));
    let missing = json!({"uri": "test://nothing"});
    assert_eq!(ask(&served, "resources/read", missing, &["Mcp-Name: test://nothing"]).refusal().1, -32602);
}

#[test]
fn notifications_are_taken_and_not_answered() {
    let served = Served::fixtures(&Home::sqlite());
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    let answer = served.post(&[VERSION, "Mcp-Method: notifications/cancelled"], &cancelled);
    assert_eq!((answer.status, answer.body.as_str()), (202, ""));
}

#[test]
fn what_is_no_message_is_refused() {
    let served = Served::fixtures(&Home::sqlite());
    let host = served.host();
    let status = |headers: &[&str], body: &str| {
        served.request("POST /mcp", &[&[host.as_str()], headers].concat(), body).status
    };
    let (accept, json) = (super::http::ACCEPT, "Content-Type: application/json");
    let broken = served.request("POST /mcp", &[&host, accept, json], "{");
    assert_eq!((broken.refusal(), &broken.message()["id"]), ((400, -32700), &Json::Null));
    assert_eq!(status(&[accept, "Content-Type: text/plain"], "{}"), 415);
    assert_eq!(status(&["Accept: text/html", json], "{}"), 406);
    assert_eq!(served.request("PUT /mcp", &[&host], "").status, 405);
    assert_eq!(served.get("/api/health", &[&host]).status, 200, "it goes on");
}

pub(super) fn ask(served: &Served, method: &str, params: Json, headers: &[&str]) -> Answer {
    let named = format!("Mcp-Method: {method}");
    served.post(&[&[VERSION, &named], headers].concat(), &request(method, params, "2026-07-28"))
}

pub(super) fn request(method: &str, mut params: Json, version: &str) -> Json {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(version);
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({"name": "test", "version": "1"});
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}
