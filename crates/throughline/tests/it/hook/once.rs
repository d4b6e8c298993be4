//! What is told twice is recorded once and answered once; what could not be recorded is recorded later, once.

use std::fs;

use serde_json::{Value as Json, json};

use super::{
    be_patient, claude, claude_json, failures, hook, patient, payloads, recorded, valid, waiting, well,
};
use crate::fixture::{Home, at, on_both, texts};
use crate::processes::at_once;

const PROMPT: &str = "why does the build fail?";

on_both!(two_registrations_of_one_hook_record_once);

fn two_registrations_of_one_hook_record_once(home: &Home) {
    be_patient(home);
    let write = json!({
        "tool_name": "Write", "tool_use_id": "toolu_1", "tool_input": {"file_path": "a.rs", "content": "x"},
        "tool_response": {"type": "create"},
    });
    let prompt = json!({ "prompt": PROMPT, "prompt_id": "p1" });
    let stop = json!({ "last_assistant_message": "Done.", "prompt_id": "p1" });
    let starts = json!({ "source": "startup" });
    let events =
        [("SessionStart", &starts), ("UserPromptSubmit", &prompt), ("PostToolUse", &write), ("Stop", &stop)];
    for (event, more) in events {
        at_once(4, |_| well("claude-code", claude(home, event, more)));
    }
    assert_eq!(
        recorded(home),
        [
            "system_event | session start | session starts (startup)".to_owned(),
            format!("user_message | - | {PROMPT}"),
            "write | a.rs | wrote a.rs (1 lines)".to_owned(),
            "model_message | - | Done.".to_owned(),
        ]
    );
}

#[test]
fn a_batch_of_tools_and_the_tools_alone_record_once() {
    let home = patient();
    let read = |id: &str, path: &str| json!({"tool_name": "Read", "tool_use_id": id, "tool_input": {"file_path": path}, "tool_response": "1\tx"});
    well("claude-code", claude(&home, "PostToolUse", &read("toolu_1", "a.rs")));
    let both = json!({ "tool_calls": [read("toolu_1", "a.rs"), read("toolu_2", "b.rs")] });
    well("claude-code", claude(&home, "PostToolBatch", &both));
    assert_eq!(recorded(&home), ["read | a.rs | read a.rs (3 bytes)", "read | b.rs | read b.rs (3 bytes)"]);
}

/// VS Code runs the hooks of Claude Code as well as its own.
#[test]
fn two_clients_that_read_one_configuration_record_once_under_the_real_name() {
    let home = patient();
    for payload in payloads(&home, "vscode") {
        let json = payload.json.to_string();
        at_once(2, |n| {
            let client = ["claude-code", "vscode"][n];
            well("vscode", home.call(&["hook", client]).input(json.clone()))
        });
    }
    let alone = patient();
    for payload in payloads(&alone, "vscode") {
        well("vscode", hook(&alone, "vscode", &payload));
    }
    assert_eq!(recorded(&home), recorded(&alone));
    let sessions = home.json(&["session", "list"]);
    for client in texts(sessions["sessions"].as_array().unwrap(), "client") {
        assert_eq!(client, "vscode");
    }
}

/// Its own notification and its hooks tell the same turn.
#[test]
fn codex_with_hooks_and_notify_records_a_turn_once() {
    let home = patient();
    let told = |name: &str| {
        let all = payloads(&home, "codex");
        let payload = all.iter().find(|payload| payload.name == name).unwrap();
        well("codex", hook(&home, "codex", payload));
    };
    told("notify.agent-turn-complete");
    assert_eq!(recorded(&home), ["user_message | - | MAIN_PROMPT hello", "model_message | - | Final."]);
    let actors: Vec<Json> = home.events().iter().map(|event| event["actor"].clone()).collect();
    assert_eq!(actors, [json!("user:tester"), json!("agent:codex")]);
    told("UserPromptSubmit");
    told("Stop");
    assert_eq!(recorded(&home).len(), 2);
}

#[test]
fn what_is_heard_while_the_database_is_locked_is_recorded_later_once() {
    let home = Home::sqlite();
    home.ok(&["log", "append", "--kind", "read"]);
    home.write("data/config.toml", "[hooks]\ndeadline_ms = 100\ninject_deadline_ms = 100\n");
    let other = rusqlite::Connection::open(home.data().join("throughline.db")).unwrap();
    other.execute_batch("begin immediate").unwrap();
    let bash = |id: &str| json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": format!("run {id}")}, "tool_response": {"stdout": ""}});
    for id in ["first", "second"] {
        let ran = claude(&home, "PostToolUse", &bash(id)).run();
        assert_eq!(valid("claude-code", &ran), json!({}));
        assert_eq!(ran.stderr, "throughline hook: not done after 100 ms\n");
    }
    assert_eq!((waiting(&home), failures(&home).len()), (2, 2));
    let doctor = home.ok(&["doctor"]);
    let said = "warning  hooks        2 failures in the last day, the last: claude-code PostToolUse: not done after 100 ms; 2 events wait to be recorded by the next hook";
    assert!(doctor.contains(said), "{doctor}");

    other.execute_batch("rollback").unwrap();
    home.write("data/config.toml", "[hooks]\ndeadline_ms = 60000\n");
    at_once(4, |_| well("claude-code", claude(&home, "PostToolUse", &bash("third"))));
    assert_eq!(waiting(&home), 0);
    assert_eq!(
        recorded(&home)[1..],
        [
            "tool_call | run first | run first",
            "tool_call | run second | run second",
            "tool_call | run third | run third"
        ]
    );
    let events = home.events();
    assert!(events[1]["at"].as_str() < events[2]["at"].as_str(), "each keeps its own time");
    home.check();
}

#[test]
fn what_waits_and_can_never_be_recorded_is_given_up_and_said() {
    let home = patient();
    home.write("data/hooks/0a.json", "{ not json");
    home.write("data/hooks/0b.json", json!({"folder": home.work("shop"), "project": null, "person": "nobody", "agent": "?", "observations": []}).to_string());
    let ran = claude(&home, "SessionEnd", &json!({ "reason": "other" })).run();
    assert_eq!(valid("claude-code", &ran), json!({}));
    assert_eq!((waiting(&home), failures(&home).len()), (0, 2), "{:?}", failures(&home));
    assert_eq!(recorded(&home), ["system_event | session end | session ends (other)"]);
}

#[test]
fn secrets_are_taken_out_before_anything_waits() {
    let home = Home::sqlite();
    fs::create_dir(home.data().join("throughline.db")).unwrap();
    let secret = ["ghp", "_", "0123456789abcdefghijABCDEFGHIJ012345"].concat();
    let said = json!({ "prompt": format!("use {secret} to push"), "prompt_id": "p" });
    valid("claude-code", &claude(&home, "UserPromptSubmit", &said).run());
    assert_eq!(waiting(&home), 1);
    assert_eq!(home.files_with(&secret), [""; 0].map(std::path::PathBuf::from));
    assert_eq!(home.files_with("to push").len(), 1);
}

#[test]
fn a_database_that_stays_away_does_not_fill_the_disk() {
    let home = Home::sqlite();
    fs::create_dir(home.data().join("throughline.db")).unwrap();
    for n in 0..5000 {
        home.write(&format!("data/hooks/{n:04}.json"), "{}");
    }
    valid("claude-code", &claude(&home, "SessionEnd", &json!({})).run());
    assert_eq!(waiting(&home), 5000);
    assert!(failures(&home)[1].contains("5000 events already wait"), "{:?}", failures(&home));
}

/// What is put before the model is not taken for what somebody said, in whichever way it comes back.
#[test]
fn what_we_put_before_the_model_is_never_recorded() {
    let home = patient();
    home.ok(&["remember", "--kind", "rule", "Deploys go through the XYZZY pipeline"]);
    let answer = well("claude-code", claude(&home, "SessionStart", &json!({ "source": "startup" })));
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.starts_with("<throughline-context "), "{context}");
    assert!(context.ends_with("</throughline-context>") && context.contains("XYZZY"), "{context}");

    let before = home.events().len();
    let echoed = json!({ "prompt": format!("{context}\n\nplease go on"), "prompt_id": "p" });
    well("claude-code", claude(&home, "UserPromptSubmit", &echoed));
    let gemini = json!({
        "session_id": "g", "cwd": home.work("shop"), "hook_event_name": "BeforeAgent",
        "timestamp": at("10:00:00"), "prompt": format!("<hook_context>{context}</hook_context>\n\nand you"),
    });
    well("gemini-cli", home.call(&["hook", "gemini-cli"]).input(gemini.to_string()));
    let said = json!({ "last_assistant_message": format!("I was told {context}"), "prompt_id": "p" });
    well("claude-code", claude(&home, "Stop", &said));
    well("claude-code", claude(&home, "UserPromptSubmit", &json!({ "prompt": context, "prompt_id": "q" })));
    let events: Vec<Json> = home.events().split_off(before);
    let heard: Vec<Json> = events.into_iter().filter(|event| event["actor"] != "agent:throughline").collect();
    assert_eq!(texts(&heard, "content"), ["please go on", "and you", "I was told"]);
}

/// Two registrations would otherwise both put the same text before the model.
#[test]
fn what_is_heard_twice_is_answered_once() {
    let home = patient();
    home.ok(&["remember", "--kind", "rule", "Deploys go through the pipeline"]);
    let starts =
        claude_json(&home, "SessionStart", &json!({ "source": "startup", "timestamp": at("10:00:00") }));
    let starts = |client| well("vscode", home.call(&["hook", client]).input(starts.to_string()));
    assert!(starts("claude-code")["hookSpecificOutput"]["additionalContext"].is_string());
    assert_eq!(starts("vscode"), json!({}));
}
