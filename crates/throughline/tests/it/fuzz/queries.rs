//! Questions of any shape: a search answers, and soon.

use serde_json::json;

use super::{bytes, rounds};
use crate::fixture::{Home, on_both};
use crate::mcp::Client;

const ROUNDS: usize = 150;

const QUERIES: [&str; 14] = [
    "how long does the cache live",
    "\"exact words\" AND (x OR y) NOT z*",
    "fn retry_with_backoff(limit: usize) -> Option<String>",
    "src/orders/cache.rs:42",
    "NEAR(a b, 3) col:value ^first -minus",
    "キャッシュの有効期限 是 多久",
    "e\u{301}e\u{301} ﬁ ǅ İ ß 𝔘𝔫𝔦",
    "' ; drop table memory; --",
    "%_%*?[a-z]{3}\\",
    "https://example.com/?q=1&b[]=2#frag",
    "a",
    "the of and to in",
    "TASK-0001 TASK-0001 TASK-0001",
    "\u{202e}\u{200b}\u{feff}",
];

on_both!(questions_with_chance_mixed_in_are_answered,);

fn questions_with_chance_mixed_in_are_answered(home: &Home) {
    for text in
        ["The cache lives for 5 minutes", "キャッシュは5分間有効です", "fn retry_with_backoff waits 2 s"]
    {
        home.ok(&["remember", text]);
    }
    home.ok(&["task", "create", "Make the cache live longer"]);
    let mut client = Client::of(home);
    rounds(ROUNDS, |chance| {
        let text = bytes(QUERIES[chance.below(QUERIES.len())].as_bytes().to_vec(), chance);
        let text = String::from_utf8_lossy(&text).repeat(if chance.below(20) == 0 { 200 } else { 1 });
        let tool = ["search", "memory_search", "backlog_list"][chance.below(3)];
        let arguments = json!({"query": text, "limit": 5});
        let answer = client.answer("tools/call", &json!({"name": tool, "arguments": arguments}));
        let said = &answer["result"]["content"][0]["text"];
        assert!(said.is_string(), "{tool} {text:?}: {answer:#}");
        let is_ours = ["panicked", "internal", "syntax error", "no such column"];
        let failed = answer["result"]["isError"] == true;
        assert!(!failed || !is_ours.iter().any(|word| said.to_string().contains(word)), "{text:?}: {said}");
    });
    drop(client);
    home.check();
}
