//! Secrets never reach the disk, whichever way they come in, and the event says how many were taken out.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, at, jsonl, on_both};

on_both!(
    secrets_are_taken_out_of_every_field_of_an_event,
    secrets_are_not_kept_in_references,
    secrets_are_taken_out_of_flags,
    secrets_are_taken_out_of_scratchpads,
    the_event_of_a_scratchpad_says_how_many_secrets_it_lost,
    secrets_are_taken_out_of_keys,
    secrets_are_taken_out_of_imports,
    secrets_are_taken_out_of_long_contents,
    secrets_are_taken_out_of_reasons,
    ordinary_text_is_left_alone,
);

/// Put together here, so that nobody who scans the source takes them for real.
fn secrets() -> Vec<String> {
    vec![
        ["ghp", "_", "a8Fh2kLm9QwErTy5uIoP1zXcVbNm3sDf6gHj"].concat(),
        ["AKIA", "Q3EGRT5XK7ZLMNB2"].concat(),
        ["sk-ant", "-api03-", &"Zx9Kq2Lm".repeat(11), "AAAAA", "-", "Qw7Er5", "AA"].concat(),
        ["xoxb", "-283746152839-1928374655647-", "Kd8sJf72hGq0LmNbV3xYzAwR"].concat(),
        ["glpat", "-", "x9K2mQ7vR4tY8wZ1pL5n"].concat(),
    ]
}

fn url_with_password() -> (String, String) {
    let password = ["hunter", "2-but-longer"].concat();
    (format!("postgres://maria:{password}@db.example.org/shop"), password)
}

#[track_caller]
fn kept_nowhere(home: &Home, secret: &str) {
    assert_eq!(home.files_with(secret), Vec::<PathBuf>::new());
    for command in [
        &["log", "export"][..],
        &["log", "tail"],
        &["session", "list", "--json"],
        &["session", "show", "--json"],
    ] {
        let said = home.ok(command);
        assert!(!said.contains(secret), "{command:?}: {said}");
    }
}

fn secrets_are_taken_out_of_every_field_of_an_event(home: &Home) {
    for (n, secret) in secrets().into_iter().enumerate() {
        for field in ["content", "summary", "target", "rationale", "parts"] {
            let text = format!("before {secret} after");
            let value = if field == "parts" { json!({"env": [text]}) } else { json!(text) };
            let answer = home.batch(&[json!({"kind": "read", "session": "s", field: value})]);
            assert_eq!(answer["events"][0]["redactions"], 1, "{field} of secret {n}");
            let event = home.events().pop().unwrap();
            assert_eq!(event["redactions"], 1);
            let kept = event[field].to_string();
            assert!(kept.contains("before ") && kept.contains(" after"), "the rest stays: {kept}");
        }
        kept_nowhere(home, &secret);
    }
    let (url, password) = url_with_password();
    home.batch(&[json!({"kind": "read", "content": format!("DATABASE_URL={url}\n")})]);
    kept_nowhere(home, &password);
    let secret = &secrets()[0];
    home.batch(&[json!({"kind": "read", "session": "opened", "metadata": {"token": secret}, "workflow": secret, "skill": secret})]);
    kept_nowhere(home, secret);
    home.check();
}

/// A name cannot be changed without naming something else: it may be refused instead.
fn secrets_are_not_kept_in_references(home: &Home) {
    let secret = &secrets()[0];
    home.ok(&["log", "append", "--kind", "read", "--session", "opened"]);
    for field in ["item_id", "informs", "triggered_by"] {
        let line = jsonl(&[json!({"kind": "read", "session": "opened", field: format!("x {secret}")})]);
        let ran = home.call(&["log", "append", "--batch", "-"]).input(line).run();
        assert!([0, 1].contains(&ran.code), "{ran:?}");
    }
    kept_nowhere(home, secret);
}

fn secrets_are_taken_out_of_flags(home: &Home) {
    let secret = &secrets()[0];
    let text = home.ok(&[
        "log",
        "append",
        "--kind",
        "tool_call",
        "--content",
        secret,
        "--target",
        secret,
        "--rationale",
        secret,
        "--summary",
        secret,
        "--parts",
        &json!({"p": secret}).to_string(),
    ]);
    assert!(text.ends_with(", 5 secrets taken out)\n"), "{text}");
    home.call(&["log", "append", "--kind", "read", "--content", "-"]).input(secret.as_str()).ok();
    let lines = jsonl(&[json!({"kind": "read", "content": secret})]);
    let answer = home.call(&["log", "append", "--stream", "-", "--json"]).input(lines).ok();
    assert_eq!(serde_json::from_str::<Json>(&answer).unwrap()["redactions"], 1);
    kept_nowhere(home, secret);
}

fn secrets_are_taken_out_of_scratchpads(home: &Home) {
    let secret = &secrets()[1];
    home.ok(&["log", "append", "--kind", "read", "--session", "s"]);
    home.ok(&[
        "session",
        "state",
        "--patch",
        &json!({"env": {"deep": [format!("key {secret}")]}}).to_string(),
    ]);
    kept_nowhere(home, secret);
    let state = home.ok(&["session", "state", "--json"]);
    assert!(!state.contains(secret.as_str()) && state.contains("key "), "{state}");
}

fn the_event_of_a_scratchpad_says_how_many_secrets_it_lost(home: &Home) {
    home.ok(&["log", "append", "--kind", "read", "--session", "s"]);
    home.ok(&["session", "state", "--patch", &json!({"env": secrets()[1]}).to_string()]);
    assert_eq!(home.events()[1]["redactions"], 1);
}

fn secrets_are_taken_out_of_keys(home: &Home) {
    let secret = &secrets()[1];
    home.batch(&[json!({"kind": "read", "session": "s", "parts": {secret.as_str(): 1}, "metadata": {secret.as_str(): 1}})]);
    home.ok(&["session", "state", "--patch", &json!({secret.as_str(): 1}).to_string()]);
    kept_nowhere(home, secret);
}

fn secrets_are_taken_out_of_imports(home: &Home) {
    let secret = &secrets()[2];
    let session = json!({
        "id": "s", "client": "c", "client_session": "cs", "chatmode": "default", "user": "maria", "workspace": secret,
        "metadata": {"m": secret}, "started_at": at("10:00:00"), "last_event_at": at("10:00:00"), "events": 1,
        "scratchpad": {"p": secret}, "scratchpad_version": 1,
    });
    let line = json!({
        "position": 1, "id": "e", "session_id": "s", "sequence": 1, "at": at("10:00:00"), "actor": "agent:x",
        "kind": "read", "role": "assistant", "summary": secret, "target": secret, "content": secret, "rationale": secret,
        "parts": {"p": secret}, "redactions": 2, "session": session,
    });
    home.call(&["log", "import", "-"]).input(jsonl(&[line])).ok();
    assert_eq!(home.events()[0]["redactions"], 7, "those from before and these");
    kept_nowhere(home, secret);
}

fn secrets_are_taken_out_of_long_contents(home: &Home) {
    let secret = &secrets()[0];
    let filler = "let total = cart.lines().map(|line| line.price).sum();\n".repeat(1000);
    let text = format!("{filler}token = \"{secret}\"\n{filler}");
    home.call(&["log", "append", "--kind", "read", "--content", "-"]).input(text.clone()).ok();
    let event = &home.events()[0];
    assert_eq!(event["redactions"], 1);
    let kept = event["content"].as_str().unwrap();
    assert!(!kept.contains(secret.as_str()));
    assert!(kept.starts_with(&filler) && kept.ends_with(&filler), "nothing else is changed");
}

fn secrets_are_taken_out_of_reasons(home: &Home) {
    let secret = &secrets()[3];
    home.ok(&["log", "append", "--kind", "read"]);
    home.ok(&["log", "purge", "--kind", "read", "--reason", &format!("it held {secret}")]);
    kept_nowhere(home, secret);
}

fn ordinary_text_is_left_alone(home: &Home) {
    let texts = [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "checksum = \"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"",
        "let token = lexer.next_token(); // password field is checked below",
        "see https://user.example.org/docs and postgres://db.example.org/shop",
    ];
    for text in texts {
        let recorded = home.json(&["log", "append", "--kind", "read", "--content", text]);
        assert_eq!(recorded["redactions"], 0, "{text}");
    }
    let kept: Vec<Json> = home.events().iter().map(|event| event["content"].clone()).collect();
    assert_eq!(kept, texts.map(Json::from));
}
