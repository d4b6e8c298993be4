//! Both protocol eras on the same server: without a handshake, and after `initialize`.

use serde_json::json;

use super::{Client, Era, STATELESS};
use crate::fixture::Home;

#[test]
fn a_server_says_what_it_is_without_a_handshake() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    let found = client.result("server/discover", &json!({}));
    assert_eq!(found["resultType"], "complete");
    assert_eq!(
        found["capabilities"],
        json!({ "tools": {}, "resources": {}, "prompts": {}, "completions": {} }),
        "nothing is announced that would not come: no listChanged"
    );
    let versions: Vec<&str> =
        found["supportedVersions"].as_array().unwrap().iter().filter_map(|v| v.as_str()).collect();
    for version in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        assert!(versions.contains(&version), "{versions:?}");
    }
    let server = &found["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(server, &json!({ "name": "throughline", "version": env!("CARGO_PKG_VERSION") }));
    assert!(found["ttlMs"].is_u64() && found["cacheScope"].is_string(), "{found:#}");
}

#[test]
fn instructions_are_short_and_their_first_sentence_stands_alone() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    let found = client.result("server/discover", &json!({}));
    let instructions = found["instructions"].as_str().unwrap();
    assert!(instructions.len() <= 1024, "{} bytes", instructions.len());
    let first = instructions.split(". ").next().unwrap().to_lowercase();
    for word in ["memory", "remember", "recall", "past decisions", "backlog", "tasks", "context"] {
        assert!(first.contains(word), "{word} is not in {first:?}");
    }
}

#[test]
fn older_clients_are_answered_in_their_own_version() {
    for version in ["2025-06-18", "2025-11-25"] {
        let home = Home::sqlite();
        let mut client = Client::started(home.call(&["mcp"]), Era::Session);
        let hello = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": "codex-mcp-client", "version": "1" },
        });
        let answer = client.result("initialize", &hello);
        assert_eq!(answer["protocolVersion"], version);
        assert_eq!(
            answer["serverInfo"],
            json!({ "name": "throughline", "version": env!("CARGO_PKG_VERSION") })
        );
        assert!(answer["instructions"].as_str().unwrap().starts_with("Memory of this project"));
        client.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assert_eq!(client.result("ping", &json!({})), json!({}));
        assert_eq!(client.leave(), 0);
    }
}

#[test]
fn an_unknown_version_is_answered_with_the_newest_that_has_a_handshake() {
    let home = Home::sqlite();
    let mut client = Client::started(home.call(&["mcp"]), Era::Session);
    let hello = json!({ "protocolVersion": "2099-01-01", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
    assert_eq!(client.result("initialize", &hello)["protocolVersion"], "2025-11-25");
    let listed = client.result("tools/list", &json!({}));
    assert_eq!(listed.get("ttlMs"), None, "what follows is in the version that was agreed on");
}

#[test]
fn only_stateless_results_say_what_they_are_and_how_long_they_hold() {
    let home = Home::sqlite();
    let mut stateless = Client::of(&home);
    let mut session = Client::initialized(&home, "2025-11-25");
    for list in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
        let (modern, older) = (stateless.result(list, &json!({})), session.result(list, &json!({})));
        assert_eq!(modern["resultType"], "complete", "{list}");
        assert!(modern["ttlMs"].is_u64() && modern["cacheScope"].is_string(), "{list}: {modern:#}");
        for field in ["resultType", "ttlMs", "cacheScope"] {
            assert_eq!(older.get(field), None, "{list}");
        }
    }
    let call = json!({ "name": "search", "arguments": { "query": "x" } });
    assert_eq!(stateless.result("tools/call", &call)["resultType"], "complete");
    assert_eq!(session.result("tools/call", &call).get("resultType"), None);
}

#[test]
fn a_request_without_what_its_era_demands_is_refused() {
    let home = Home::sqlite();
    let mut client = Client::started(home.call(&["mcp"]), Era::Session);
    let (code, why) = client.fault("tools/list", &json!({}));
    assert_eq!(code, -32602);
    assert!(why.contains("_meta"), "{why}");
    client.era = STATELESS;
    assert!(!client.tools().is_empty(), "the next request is as good as the first");
}

#[test]
fn an_unsupported_version_in_a_request_is_refused_with_the_supported_ones() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    client.era = Era::Session;
    let meta = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2099-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
    } });
    let answer = client.answer("tools/list", &meta);
    assert_eq!(answer["error"]["code"], -32022, "{answer:#}");
    assert!(answer["error"]["data"].to_string().contains("2026-07-28"), "{answer:#}");
}

#[test]
fn what_does_not_exist_is_a_fault_of_the_protocol() {
    let home = Home::sqlite();
    for mut client in [Client::of(&home), Client::initialized(&home, "2025-06-18")] {
        let nothing = json!({ "name": "sing", "arguments": {} });
        assert_eq!(
            client.fault("tools/call", &nothing),
            (-32602, "unknown tool: sing; tools/list shows those there are".to_owned())
        );
        assert_eq!(client.fault("songs/list", &json!({})).0, -32601);
        assert_eq!(client.fault("subscriptions/listen", &json!({ "notifications": {} })).0, -32601);
        let (code, why) = client.fault("tools/call", &json!({ "name": "search", "arguments": "query" }));
        assert_eq!(code, -32602);
        assert!(why.contains("tools/call"), "{why}");
    }
}

#[test]
fn a_client_may_probe_and_take_the_probe_back_before_it_begins() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    client.tell(&cancelled);
    client.result("server/discover", &json!({}));
    client.tell(&cancelled);
    assert!(!client.tools().is_empty());
    assert_eq!(client.leave(), 0);
}

#[test]
fn a_client_may_go_back_to_the_handshake_after_probing() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    client.result("server/discover", &json!({}));
    client.era = Era::Session;
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
    assert_eq!(client.result("initialize", &hello)["protocolVersion"], "2025-11-25");
    assert!(!client.tools().is_empty());
}
