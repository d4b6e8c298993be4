//! Frames on a server's stdin: it goes on answering, whatever it was told.

use serde_json::{Value as Json, json};

use super::{bytes, json as changed, rounds};
use crate::fixture::Home;
use crate::mcp::Client;

const ROUNDS: usize = 250;

fn frames() -> Vec<Json> {
    let call = |id: u64, name: &str, arguments: Json| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments,
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}}}})
    };
    vec![
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
            "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {"uri": "throughline://items/TASK-0001"}}),
        json!({"jsonrpc": "2.0", "id": 4, "method": "prompts/get", "params": {"name": "start-task", "arguments": {"id": "TASK-0001"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2, "reason": "x"}}),
        call(5, "search", json!({"query": "green boats", "kinds": ["memory"], "limit": 5, "since": "2d"})),
        call(
            6,
            "remember",
            json!({"content": "Boats are green", "tags": ["a"], "importance": 0.5, "state_key": "k"}),
        ),
        call(
            7,
            "backlog_create",
            json!({"title": "Paint it", "parent_id": "EPIC-0001", "due_date": "2026-01-01"}),
        ),
        call(
            8,
            "backlog_update",
            json!({"id": "TASK-0001", "status": "done", "evidence": ["x"], "validation": {"valid": true}}),
        ),
        call(
            9,
            "backlog_context",
            json!({"task_id": "TASK-0001", "depth": 2, "max_tokens": 900, "limits": {"children": 3}}),
        ),
        call(
            10,
            "record_decision",
            json!({"subject": "s", "choice": "c", "rationale": "r", "alternatives_considered": ["a"], "confidence": 0.4}),
        ),
        call(
            11,
            "write_resource",
            json!({"uri": "throughline://resources/a.md", "operation": {"type": "create", "content": "x"}}),
        ),
        call(12, "session_state", json!({"patch": {"a": 1}, "if_version": 0})),
        call(13, "handoff", json!({"action": "give", "to": "tester", "context": {"a": 1}})),
        call(14, "expand", json!({"ids": ["TASK-0001"], "max_tokens": 100})),
    ]
}

#[test]
fn frames_with_chance_mixed_in_leave_the_server_answering() {
    let home = Home::sqlite();
    let mut client = Client::initialized(&home, "2025-06-18");
    let frames = frames();
    let mut round = 0_u64;
    rounds(ROUNDS, |chance| {
        let frame = frames[chance.below(frames.len())].clone();
        let line = match chance.below(3) {
            0 => bytes(frame.to_string().into_bytes(), chance),
            _ => changed(frame, chance),
        };
        let line: Vec<u8> = line.into_iter().filter(|byte| *byte != b'\n').collect();
        client.write(&line);
        round += 1;
        // A question of our own, whose answer comes behind whatever became of the frame.
        let id = json!(format!("own {round}"));
        client.tell(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"}));
        while client.heard()["id"] != id {}
    });
    drop(client);
    home.check();
}
