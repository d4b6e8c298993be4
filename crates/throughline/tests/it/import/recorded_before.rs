//! A session that hooks have recorded in part, then imported: each event is there once.

use serde_json::json;

use super::{Claude, imports, transcript};
use crate::fixture::Home;
use crate::hook::{claude, hook, patient, payloads, recorded, valid, well};

#[test]
fn prompts_that_the_client_made_are_recorded_once_and_are_nobodys_word() {
    let home = patient();
    for source in ["system", "loop_wakeup", "schedule_wakeup", "poll_event"] {
        let made = json!({ "prompt": "we never use npm", "prompt_id": source, "source": source });
        well("claude-code", claude(&home, "UserPromptSubmit", &made));
    }
    let before = Claude::of(&home, "s1").made("system", "we never use npm");
    before.asks("p2", "thanks").keep(&home);
    imports(&home, "claude-code");
    let note = "system_event | prompt | a prompt that the client made";
    assert_eq!(recorded(&home), [note, note, note, note, "user_message | - | thanks"]);
}

#[test]
fn what_hooks_of_claude_code_recorded_is_there_once() {
    let home = patient();
    let write = json!({
        "tool_name": "Write", "tool_use_id": "t2", "tool_input": {"file_path": "b.rs", "content": "x"},
        "tool_response": {"type": "create"},
    });
    well("claude-code", claude(&home, "UserPromptSubmit", &json!({ "prompt": "second", "prompt_id": "p2" })));
    well("claude-code", claude(&home, "PostToolUse", &write));
    well(
        "claude-code",
        claude(&home, "Stop", &json!({ "last_assistant_message": "Done.", "prompt_id": "p2" })),
    );
    let before = Claude::of(&home, "s1").asks("p1", "first").writes("t1", "a.rs").answers("Done.");
    before.asks("p2", "second").writes("t2", "b.rs").answers("Done.").keep(&home);
    assert_eq!(imports(&home, "claude-code"), (3, 3));
    assert_eq!(
        recorded(&home),
        [
            "user_message | - | second",
            "write | b.rs | wrote b.rs (1 lines)",
            "model_message | - | Done.",
            "user_message | - | first",
            "write | a.rs | wrote a.rs (1 lines)",
            "model_message | - | Done.",
        ]
    );
    let session = &home.json(&["session", "list"])["sessions"][0];
    assert_eq!(session["state"], "open", "the hooks were at work a moment ago");
    home.check();
}

/// The events that Codex told, and the rollout that it wrote meanwhile.
#[test]
fn what_hooks_of_codex_recorded_is_there_once() {
    let home = patient();
    for payload in payloads(&home, "codex").iter().filter(|payload| !payload.name.contains("agent-turn")) {
        valid("codex", &hook(&home, "codex", payload).run());
    }
    let before = recorded(&home);
    home.write("user/.codex/sessions/2026/11/15/rollout-a.jsonl", transcript(&home, "codex"));
    imports(&home, "codex");
    let after = recorded(&home);
    // No hook was told of the command that failed.
    let added = [
        "tool_call | ls /nonexist | ls /nonexist (failed)",
        "tool_result | ls /nonexist | ls: cannot access '/nonexist': No such file or directory",
    ];
    assert_eq!(after[before.len()..], added);
}

/// Its hooks name nothing, so that only what happened when can tell.
#[test]
fn what_hooks_of_gemini_recorded_is_there_once() {
    let home = patient();
    let shop = home.work("shop").canonicalize().unwrap();
    let told = |event: &str, more: serde_json::Value| {
        let mut json = json!({ "session_id": "g1", "cwd": shop, "hook_event_name": event, "timestamp": "2026-11-15T00:54:18.034Z" });
        json.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        well("gemini-cli", home.call(&["hook", "gemini-cli"]).input(json.to_string()))
    };
    told("BeforeAgent", json!({ "prompt": "read it" }));
    let input = json!({ "file_path": shop.join("a.txt") });
    told(
        "AfterTool",
        json!({ "tool_name": "read_file", "tool_input": input, "tool_response": { "llmContent": "hi" } }),
    );
    told("AfterAgent", json!({ "prompt_response": "I look.\nIt says hi." }));
    let before = recorded(&home);
    let now = home.events()[0]["at"].clone();
    let response = json!([{ "functionResponse": { "response": { "output": "hi" } } }]);
    let call = json!({ "id": "c1", "name": "read_file", "args": input, "result": response, "status": "success", "timestamp": now });
    let lines = [
        json!({ "sessionId": "g1", "kind": "main" }),
        json!({ "id": "m1", "timestamp": now, "type": "user", "content": [{ "text": "read it" }] }),
        json!({ "id": "m2", "timestamp": now, "type": "gemini", "content": "I look.", "toolCalls": [call] }),
        json!({ "id": "m3", "timestamp": now, "type": "gemini", "content": "It says hi." }),
        json!({ "id": "m4", "timestamp": now, "type": "user", "content": [{ "text": "and b?" }] }),
    ];
    home.write("user/.gemini/tmp/shop/.project_root", shop.to_str().unwrap());
    home.write("user/.gemini/tmp/shop/chats/session-a.jsonl", crate::fixture::jsonl(&lines));
    assert_eq!(imports(&home, "gemini"), (1, 4));
    assert_eq!(imports(&home, "gemini"), (0, 5));
    assert_eq!(recorded(&home), [&before[..], &["user_message | - | and b?".to_owned()]].concat());
}

#[test]
fn nothing_to_import_is_no_failure() {
    let home = Home::sqlite();
    for source in ["claude-code", "codex", "gemini", "opencode", "agents-md", "claude-memory"] {
        assert_eq!(imports(&home, source), (0, 0));
    }
}
