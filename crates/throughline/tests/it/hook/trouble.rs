//! Whatever is wrong, a hook answers in the client's format, in time, and exits 0; and `doctor` can say what it was.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{CLIENTS, claude, failures, hook, patient, payloads, recorded, valid, waiting, well};
use crate::fixture::Home;
use crate::wrong_input::{SmallDisk, unprivileged};

#[test]
fn broken_input_is_answered_for_every_client() {
    let home = patient();
    let deep = "[".repeat(100_000);
    let inputs: [&[u8]; 9] = [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\"text\"",
        b"{}",
        b"\xff\xfe{}",
        b"{\"session_id\": 7}",
        deep.as_bytes(),
    ];
    for client in CLIENTS {
        for input in inputs {
            let ran = home.call(&["hook", client]).input(input).run();
            let answer = valid(client, &ran);
            let is_empty = answer.is_null() || answer == json!({}) || client == "cline";
            assert!(is_empty, "{client}: {answer}");
        }
    }
    assert!(
        !home.data().join("throughline.db").exists(),
        "nothing to record is no reason to make a database"
    );
    let doctor = home.ok(&["doctor"]);
    assert!(doctor.contains("failures in the last day, the last: goose: the event is no JSON"), "{doctor}");
}

#[test]
fn wrong_calls_are_no_objection() {
    let home = patient();
    for args in [
        &["hook"][..],
        &["hook", "nobody"],
        &["hook", "codex", "a", "b"],
        &["--json", "hook", "codex", "--what"],
    ] {
        let ran = home.call(args).run();
        assert_eq!((ran.code, ran.stdout.as_str()), (0, "{}\n"), "{args:?} {}", ran.stderr);
    }
    assert_eq!(failures(&home).len(), 4);
    assert!(
        failures(&home)[1].contains("\"nobody\" is no client that is known here"),
        "{:?}",
        failures(&home)
    );
    assert!(home.ok(&["hook", "--help"]).starts_with("Take in one event"));
}

#[test]
fn events_and_fields_that_nobody_knows_are_let_be() {
    let home = patient();
    well("claude-code", claude(&home, "SomethingNew", &json!({ "what": ["ever"] })));
    let odd = json!({ "tool_name": 7, "tool_input": "text", "tool_response": [null], "tool_use_id": {}, "more": {} });
    well("claude-code", claude(&home, "PostToolUse", &odd));
    assert_eq!(recorded(&home), ["tool_call | tool | tool"]);
    assert_eq!(failures(&home), [""; 0]);
}

#[test]
fn an_event_without_a_session_is_noted() {
    let home = patient();
    let ran = home.call(&["hook", "claude-code"]).input(r#"{"hook_event_name": "Stop"}"#).run();
    assert_eq!(valid("claude-code", &ran), json!({}));
    assert_eq!(failures(&home), ["the event Stop names no session"]);
}

#[test]
fn a_damaged_database_is_answered_and_what_was_heard_waits() {
    let home = patient();
    home.write("data/throughline.db", "no database at all, but long enough to be taken for one".repeat(100));
    for client in CLIENTS {
        for payload in payloads(&home, client) {
            valid(client, &hook(&home, client, &payload).run());
        }
    }
    let waited = waiting(&home);
    assert!(waited > 80, "{waited}");
    fs::remove_file(home.data().join("throughline.db")).unwrap();
    well("claude-code", claude(&home, "SessionEnd", &json!({ "session_id": "last" })));
    assert_eq!(waiting(&home), 0);
    home.check();
    let healthy = patient();
    for client in CLIENTS {
        for payload in payloads(&healthy, client) {
            well(client, hook(&healthy, client, &payload));
        }
    }
    let mut later = recorded(&home);
    later.retain(|event| !event.ends_with("session ends (other)"));
    let mut at_once = recorded(&healthy);
    at_once.retain(|event| !event.ends_with("session ends (other)"));
    assert_eq!(later, at_once, "the same is recorded later, in the same order");
}

#[test]
fn a_home_that_cannot_be_used_is_answered() {
    let home = Home::sqlite();
    let start = || claude(&home, "SessionStart", &json!({ "source": "startup" }));
    let file = home.write("file", "");
    for wrong in [file.as_os_str(), "/proc/nowhere".as_ref(), "relative/\u{1}".as_ref()] {
        let ran = start().env("THROUGHLINE_HOME", wrong).run();
        assert_eq!(valid("claude-code", &ran), json!({}), "{wrong:?}");
    }
    let ran = start().without("HOME").without("THROUGHLINE_HOME").env("HOME", "").run();
    assert_eq!(valid("claude-code", &ran), json!({}));
    let ran = start().env("THROUGHLINE_DATABASE_URL", "postgres://127.0.0.1:1/none").run();
    assert_eq!(valid("claude-code", &ran), json!({}));
    home.write("data/config.toml", "[hooks\n");
    assert_eq!(valid("claude-code", &start().run()), json!({}));
    assert!(failures(&home).last().unwrap().contains("is not valid TOML"), "{:?}", failures(&home));
}

#[test]
fn a_read_only_home_is_answered() {
    let home = Home::sqlite();
    home.ok(&["log", "append", "--kind", "read"]);
    home.write("data/config.toml", "[hooks]\ndeadline_ms = 60000\ninject_deadline_ms = 60000\n");
    let event = json!({ "session_id": "s", "hook_event_name": "SessionEnd" });
    let ran = unprivileged(&home, &["hook", "claude-code"]).input(event.to_string()).run();
    fs::set_permissions(home.data(), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(valid("claude-code", &ran), json!({}));
    assert!(ran.stderr.contains("could not be noted"), "{}", ran.stderr);
}

#[test]
fn a_full_disk_is_answered() {
    let home = Home::sqlite();
    let disk = match SmallDisk::mount(&home.data()) {
        Ok(disk) => disk,
        Err(reason) => return println!("skipped: cannot mount a small disk: {reason}"),
    };
    home.write("data/config.toml", "[hooks]\ndeadline_ms = 60000\n");
    // Longer texts would be compressed.
    let said = "t".repeat(15 * 1024);
    let mut answered = 0;
    while failures(&home).is_empty() && answered < 500 {
        let prompt = json!({ "prompt": format!("{answered} {said}"), "prompt_id": answered.to_string() });
        let ran = claude(&home, "UserPromptSubmit", &prompt).run();
        assert_eq!(valid("claude-code", &ran), json!({}));
        answered += 1;
        if ran.stderr.contains("could not be noted") {
            break;
        }
    }
    assert!(answered > 5 && answered < 500, "{answered}");
    disk.grow();
    well("claude-code", claude(&home, "SessionEnd", &json!({})));
    home.check();
}

/// A client that never closes its end must not wait for a hook that waits for it.
#[test]
fn a_client_that_says_nothing_is_answered_in_time() {
    let home = Home::sqlite();
    let mut child = home.call(&["hook", "claude-code"]).spawn();
    child.stdin.as_mut().unwrap().write_all(b"{\"session_id\":").unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let stdin = child.stdin.take();
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    let output = receiver.recv_timeout(Duration::from_secs(30)).expect("the hook waits for ever");
    drop(stdin);
    assert_eq!((output.status.code(), output.stdout), (Some(0), b"{}\n".to_vec()));
    assert_eq!(failures(&home), ["not done after 1000 ms"]);
}

#[test]
fn hooks_can_be_switched_off() {
    let home = patient();
    let start = || claude(&home, "SessionStart", &json!({ "source": "startup" }));
    assert_eq!(well("claude-code", start().env("THROUGHLINE_HOOKS", "off")), json!({}));
    home.write("work/shop/.throughline.toml", "[hooks]\nenabled = false\n");
    assert_eq!(well("claude-code", start()), json!({}));
    assert!(!home.data().join("throughline.db").exists());
    assert!(
        home.ok(&["doctor"]).contains("hooks        switched off; no failures"),
        "{}",
        home.ok(&["doctor"])
    );
}

/// A model's own context is dear: what a client would cut, it does not get.
#[test]
fn what_is_put_before_the_model_stays_within_the_clients_limit() {
    let home = patient();
    for n in 0..40 {
        home.ok(&["remember", "--kind", "rule", &format!("Rule {n}: {}", "keep it short ".repeat(40))]);
    }
    let answer = well("claude-code", claude(&home, "SessionStart", &json!({ "source": "startup" })));
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "SessionStart");
    assert!((100..10_000).contains(&context.chars().count()), "{}", context.len());
    let codex = json!({ "session_id": "c", "cwd": home.work("shop"), "hook_event_name": "SessionStart", "source": "startup" });
    let answer = well("codex", home.call(&["hook", "codex"]).input(codex.to_string()));
    assert!(answer["hookSpecificOutput"]["additionalContext"].is_string(), "{answer}");
    let cursor = json!({ "conversation_id": "c", "hook_event_name": "sessionStart", "workspace_roots": [home.work("shop")] });
    let answer = well("cursor", home.call(&["hook", "cursor"]).input(cursor.to_string()));
    assert!(answer["additional_context"].is_string(), "{answer}");
    let cline = json!({ "hookName": "TaskStart", "taskId": "t", "workspaceRoots": [home.work("shop")], "timestamp": "1" });
    let answer = well("cline", home.call(&["hook", "cline"]).input(cline.to_string()));
    assert_ne!(answer["contextModification"], "");
    let created = json!({ "input": {"type": "session.created", "properties": {"sessionID": "o", "info": {"directory": home.work("shop")}}} });
    let answer = well("opencode", home.call(&["hook", "opencode"]).input(created.to_string()));
    assert!(answer["context"].is_string(), "{answer}");
}

/// The file of failures does not grow for ever.
#[test]
fn failures_are_kept_short() {
    let home = Home::sqlite();
    let line = json!({ "at": 0, "client": "codex", "event": null, "problem": "p".repeat(400) }).to_string();
    home.write("data/hooks/failures.jsonl", format!("{line}\n").repeat(400));
    home.call(&["hook", "codex"]).input("{").run();
    home.call(&["hook", "codex"]).input("{").run();
    let kept = fs::read_to_string(home.data().join("hooks/failures.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 2);
    let last: Json = serde_json::from_str(kept.lines().last().unwrap()).unwrap();
    assert_eq!(last["client"], "codex");
}
