//! Lines that are not as they should be: each is answered or passed over, and the next one is heard.

use serde_json::json;

use super::Client;
use crate::fixture::Home;

#[test]
fn what_is_not_json_is_passed_over() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    let before = client.tools();
    for line in [&b"{\"broken"[..], b"", b"   ", b"hello", b"\xff\xfe\x00", b"{}}", b"\x1b[2J"] {
        client.write(line);
    }
    // Bytes that are no request may be answered without an id; nothing else may come before the next answer.
    let id = client.ask("tools/list", &json!({}));
    let answer = std::iter::repeat_with(|| client.heard())
        .find(|message| message.get("id").is_some_and(|id| !id.is_null()))
        .unwrap();
    assert_eq!(answer["id"], id);
    assert_eq!(answer["result"]["tools"], json!(before));
}

#[test]
fn json_that_is_no_message_is_refused() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    client.tools();
    for line in ["[1, 2]", "42", "{\"jsonrpc\": \"2.0\"}"] {
        client.write(line.as_bytes());
        let answer = client.heard();
        assert_eq!(answer["error"]["code"], -32600, "{line}: {answer:#}");
    }
    assert!(!client.tools().is_empty());
}

#[test]
fn a_long_line_is_a_request_like_any_other() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    let long = "word ".repeat(1_000_000);
    let refused = client.refusal("remember", &json!({ "content": long }));
    assert!(refused.contains("the limit is 65536"), "{refused}");
    let refused = client.refusal("search", &json!({ "query": long }));
    assert!(refused.contains("the limit is 65536"), "{refused}");
}

#[test]
fn a_line_without_an_end_is_dropped_before_it_fills_the_memory() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    client.tools();
    client.write(
        format!("{{\"jsonrpc\": \"2.0\", \"id\": 7, \"pad\": \"{}\"}}", "x".repeat(20 << 20)).as_bytes(),
    );
    assert!(!client.tools().is_empty(), "the line was dropped and nothing else");
}
