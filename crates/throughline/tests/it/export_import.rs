//! The log carried elsewhere and back: nothing is lost, changed, doubled or half-done.

use std::fs;

use proptest::prelude::{Strategy, any, prop};
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};

use crate::fixture::{Home, at, jsonl, kept_or_refused, on_both, texts};

on_both!(
    a_log_comes_back_byte_for_byte,
    a_log_moves_from_sqlite_and_back,
    importing_twice_changes_nothing,
    importing_into_another_log_keeps_both,
    the_same_clients_session_goes_on,
    the_same_key_is_not_imported_twice,
    an_event_without_its_session_is_taken_in,
    a_part_of_the_log_can_be_exported,
    an_export_to_a_file_appears_whole,
    any_log_comes_back_byte_for_byte,
    numbers_come_back_as_they_were,
    an_import_is_held_to_the_length_of_names,
    a_nul_character_in_an_import_is_treated_alike,
    a_wrong_line_is_refused_with_its_number,
    an_empty_log_is_an_empty_export,
);

/// Several sessions and roles, an ended one, scratchpads, metadata, long content, a purge.
fn rich_log(home: &Home) {
    let long = "a long line that compresses well\n".repeat(2000);
    home.batch(&[
        json!({"kind": "user_message", "session": "one", "client": "claude-code", "content": "Fix the 🛒", "at": at("10:00:00"), "chatmode": "architect", "workflow": "ship", "skill": "x", "metadata": {"z": 1, "a": [null, 2.5]}}),
        json!({"kind": "tool_call", "session": "one", "client": "claude-code", "target": "cargo test", "content": "cargo test", "parts": {"b": 1, "a": {"c": []}}, "at": at("10:00:01.5"), "key": "k1", "item_id": "T-1", "informs": "m", "rationale": "why"}),
        json!({"kind": "tool_result", "session": "one", "client": "claude-code", "target": "cargo test", "content": long, "parts": {"p": long}, "at": at("10:00:02"), "triggered_by": "x"}),
        json!({"kind": "user_message", "session": "two", "client": "codex", "content": "secret words", "at": at("10:00:03")}),
        json!({"kind": "write", "session": "one", "client": "claude-code", "target": "a.rs", "content": "fn a() {}\r\n", "at": at("10:05:00"), "chatmode": "engineer"}),
        json!({"kind": "read", "session": "two", "client": "codex", "content": "after a pause", "at": at("14:00:00")}),
    ]);
    home.ok(&["session", "state", "one", "--patch", r#"{"current_task":"T-1","z":{"y":[1,2.5]},"a":null}"#]);
    home.ok(&["--actor", "agent:x", "log", "append", "--kind", "checkpoint"]);
    home.ok(&["session", "end", "two"]);
    home.ok(&["log", "purge", "--session", "two", "--kind", "user_message", "--reason", "asked to"]);
    home.ok(&["session", "state", "two", "--patch", r#"{"after":"the end"}"#]);
}

fn export(home: &Home) -> String {
    home.ok(&["log", "export"])
}

fn import(home: &Home, log: &str) -> Json {
    home.call(&["log", "import", "-"]).input(log).json()
}

#[track_caller]
fn same(left: &str, right: &str) {
    for (number, (left, right)) in left.lines().zip(right.lines()).enumerate() {
        assert_eq!(left, right, "line {}", number + 1);
    }
    assert_eq!(left, right);
}

fn a_log_comes_back_byte_for_byte(home: &Home) {
    rich_log(home);
    let log = export(home);
    let count = log.lines().count();
    let other = home.fresh();
    assert_eq!(import(&other, &log), json!({"imported": count, "already_there": 0}));
    same(&export(&other), &log);
    other.check();
    let sessions = |home: &Home| home.json(&["session", "list"])["sessions"].clone();
    assert_eq!(sessions(&other), sessions(home));
}

fn a_log_moves_from_sqlite_and_back(home: &Home) {
    let first = Home::sqlite();
    rich_log(&first);
    let log = export(&first);
    import(home, &log);
    same(&export(home), &log);
    let last = Home::sqlite();
    import(&last, &export(home));
    same(&export(&last), &log);
    home.check();
    last.check();
}

fn importing_twice_changes_nothing(home: &Home) {
    rich_log(home);
    let log = export(home);
    let count = log.lines().count();
    assert_eq!(import(home, &log), json!({"imported": 0, "already_there": count}));
    same(&export(home), &log);
    let other = home.fresh();
    import(&other, &log);
    assert_eq!(import(&other, &log), json!({"imported": 0, "already_there": count}));
    same(&export(&other), &log);
    let text = other.call(&["log", "import", "-"]).input(log).ok();
    assert_eq!(text, format!("imported 0 events, {count} were there already\n"));
}

fn importing_into_another_log_keeps_both(home: &Home) {
    rich_log(home);
    let other = home.fresh();
    other.batch(&[
        json!({"kind": "read", "session": "mine", "content": "mine 1", "at": at("09:00:00")}),
        json!({"kind": "read", "session": "mine", "content": "mine 2", "at": at("09:00:01")}),
    ]);
    let log = export(home);
    import(&other, &log);
    let events = other.events();
    assert_eq!(events.len(), 2 + log.lines().count());
    let mut contents = texts(&events, "content");
    assert_eq!(contents.drain(..2).collect::<Vec<_>>(), ["mine 1", "mine 2"]);
    assert_eq!(contents, texts(&home.events(), "content"));
    other.check();
    other.ok(&["log", "append", "--kind", "read", "--session", "mine", "--at", &at("09:00:02")]);
    other.check();
}

fn the_same_clients_session_goes_on(home: &Home) {
    let line = |content: &str| json!({"kind": "read", "session": "s", "client": "c", "content": content, "at": at("10:00:00")});
    home.batch(&[line("there")]);
    let log = export(home);
    let other = home.fresh();
    other.batch(&[line("here 1"), line("here 2")]);
    import(&other, &log);
    assert_eq!(other.json(&["session", "list"])["total"], 1);
    assert_eq!(texts(&other.events_with(&["--session", "s"]), "content"), ["here 1", "here 2", "there"]);
    other.check();
}

fn the_same_key_is_not_imported_twice(home: &Home) {
    let line = json!({"kind": "read", "session": "s", "key": "k", "content": "once"});
    home.batch(std::slice::from_ref(&line));
    let other = home.fresh();
    other.batch(&[line]);
    assert_eq!(import(&other, &export(home)), json!({"imported": 0, "already_there": 1}));
    other.check();
}

fn an_event_without_its_session_is_taken_in(home: &Home) {
    let mut line = bare("from-elsewhere");
    (line["position"], line["sequence"], line["session_id"]) = (json!(7), json!(3), json!("their-session"));
    assert_eq!(import(home, &jsonl(&[line])), json!({"imported": 1, "already_there": 0}));
    let session = home.json(&["session", "status", "their-session"]);
    assert_eq!((&session["client"], &session["state"]), (&json!("import"), &json!("ended (client)")));
    let event = &home.events()[0];
    assert_eq!(
        (&event["position"], &event["sequence"], &event["id"]),
        (&json!(1), &json!(1), &json!("from-elsewhere"))
    );
    home.check();
}

fn a_part_of_the_log_can_be_exported(home: &Home) {
    rich_log(home);
    let part = home.ok(&["log", "export", "--session", "two", "--kind", "read"]);
    let lines: Vec<Json> = part.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(texts(&lines, "content"), ["after a pause"]);
    assert_eq!(lines[0]["session"]["client_session"], "two");
    let other = home.fresh();
    import(&other, &part);
    other.check();
}

fn an_export_to_a_file_appears_whole(home: &Home) {
    rich_log(home);
    let log = export(home);
    let file = home.path().join("out/log.jsonl");
    let error = home.fails(&["log", "export", "--output", file.to_str().unwrap()]);
    assert!(error.contains("cannot write ") && error.contains("; make its folder first"), "{error}");
    fs::create_dir(home.path().join("out")).unwrap();
    let answer = home.json(&["log", "export", "-o", file.to_str().unwrap()]);
    assert_eq!(answer, json!({"events": log.lines().count(), "file": file}));
    assert_eq!(fs::read_to_string(&file).unwrap(), log);
    home.fails(&["log", "export", "--session", "nobody", "-o", file.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(&file).unwrap(), log, "a failed export leaves the old one");
    assert_eq!(fs::read_dir(home.path().join("out")).unwrap().count(), 1, "and nothing beside it");
    home.call(&["log", "export", "-o", "here.jsonl"]).ok();
    assert_eq!(fs::read_to_string(home.work("shop").join("here.jsonl")).unwrap(), log);
}

/// Text with everything that Unicode allows, control characters and all, and plain text in between.
fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>(), 0..24).prop_map(|chars| chars.into_iter().collect())
}

fn some_line() -> impl Strategy<Value = Json> {
    let kinds = prop::sample::select(vec![
        "user_message",
        "tool_call",
        "tool_result",
        "write",
        "decision",
        "system_event",
    ]);
    let optional = || prop::option::of(text());
    let fields = (kinds, 0..3u8, 0..3u8, -4_000_000_000_000_000..4_000_000_000_000_000i64);
    let texts = (optional(), optional(), optional(), optional());
    let parts = (prop::option::of((text(), any::<i64>(), any::<bool>())), prop::option::of(text()));
    (fields, texts, parts).prop_map(|((kind, session, mode, time), (target, summary, content, rationale), (parts, metadata))| {
        let parts = parts.map(|(key, number, flag)| json!({key: [number, flag, null, {"inner": {}}]}));
        json!({
            "kind": kind, "session": format!("s{session}"), "chatmode": format!("m{mode}"), "at": time.to_string(),
            "target": target, "summary": summary, "content": content, "rationale": rationale, "parts": parts,
            "metadata": metadata.map(|text| json!({"m": text})),
        })
    })
}

fn any_log_comes_back_byte_for_byte(home: &Home) {
    let mut runner = TestRunner::new(Config { cases: 16, failure_persistence: None, ..Config::default() });
    let project = std::cell::Cell::new(0);
    let outcome = runner.run(&prop::collection::vec(some_line(), 1..12), |lines| {
        project.set(project.get() + 1);
        let (from, to) = (format!("from{}", project.get()), format!("to{}", project.get()));
        home.call(&["--project", &from, "log", "append", "--batch", "-"]).input(jsonl(&lines)).ok();
        let log = home.ok(&["--project", &from, "log", "export"]);
        home.call(&["--project", &to, "log", "import", "-"]).input(log.clone()).ok();
        proptest::prop_assert_eq!(home.ok(&["--project", &to, "log", "export"]), log);
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
    home.check();
}

fn numbers_come_back_as_they_were(home: &Home) {
    let numbers = [
        0.1,
        1e-7,
        5e-324,
        f64::MAX,
        1.0 / 3.0,
        2.0f64.powi(53) + 2.0,
        123456.789e-30,
        6.02214076e23,
        8.41e21,
        9.5e-5,
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f64::from_bits(state)
    };
    let random: Vec<f64> = (0..400).map(|_| random()).filter(|number| number.is_finite()).collect();
    let all: Vec<f64> = numbers.into_iter().chain(random).collect();
    let text = json!(all).to_string();
    let line = format!("{{\"kind\":\"read\",\"session\":\"s\",\"parts\":{text},\"metadata\":{text}}}");
    home.call(&["log", "append", "--batch", "-"]).input(line).ok();
    let log = export(home);
    let other = home.fresh();
    import(&other, &log);
    assert!(log.contains(&format!("\"parts\":{text}")), "a number changed when it was recorded");
    assert!(export(&other) == log, "a number changed on the way");
}

/// A line of an export with the least that it needs.
fn bare(id: &str) -> Json {
    json!({
        "position": 1, "id": id, "session_id": "s", "sequence": 1, "at": at("10:00:00"), "actor": "agent:x",
        "kind": "read", "role": "assistant", "summary": "",
    })
}

/// Or one database would refuse what the other takes.
fn an_import_is_held_to_the_length_of_names(home: &Home) {
    for field in ["item_id", "client_key", "informs", "triggered_by"] {
        let mut line = bare(field);
        line[field] = json!("x".repeat(10_000));
        let ran = home.call(&["log", "import", "-"]).input(jsonl(&[bare("good"), line])).run();
        assert!(ran.code == 1 && ran.stderr.contains("line 2"), "{field}: {ran:?}");
    }
    assert_eq!(home.json(&["log", "tail"])["total"], 0);
}

fn a_nul_character_in_an_import_is_treated_alike(home: &Home) {
    for field in
        ["content", "target", "summary", "rationale", "item_id", "informs", "triggered_by", "client_key"]
    {
        let mut line = bare(field);
        line[field] = json!("a\u{0}b");
        kept_or_refused(&home.call(&["log", "import", "-", "--json"]).input(jsonl(&[line])).run());
    }
    home.check();
}

fn a_wrong_line_is_refused_with_its_number(home: &Home) {
    let good = bare("e");
    let wrong = [
        ("id", json!("")),
        ("session_id", json!("a\nb")),
        ("actor", json!("nobody")),
        ("kind", json!("reed")),
        ("role", json!("boss")),
        ("at", json!("noon")),
        ("unknown", json!(1)),
        ("session", json!({"id": "s"})),
    ];
    for (field, value) in wrong {
        let mut line = good.clone();
        line[field] = value;
        let lines = jsonl(&[good.clone(), line]);
        let error = home.call(&["log", "import", "-"]).input(lines).run().fails();
        assert!(error.contains("line 2"), "{field}: {error}");
    }
    assert_eq!(home.json(&["log", "tail"])["total"], 0);
    home.check();
}

fn an_empty_log_is_an_empty_export(home: &Home) {
    assert_eq!(export(home), "");
    assert_eq!(import(home, ""), json!({"imported": 0, "already_there": 0}));
    assert_eq!(import(home, "\n\n"), json!({"imported": 0, "already_there": 0}));
}
