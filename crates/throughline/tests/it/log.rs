//! The log from outside: what is appended comes back whole, in order and once; what is purged is gone.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, at, jsonl, kept_or_refused, on_both, shows, texts};

on_both!(
    every_kind_is_recorded_with_the_role_that_follows_from_it,
    every_field_comes_back,
    an_event_needs_only_a_kind,
    a_line_of_a_batch_sets_the_same_fields,
    the_same_key_twice_is_one_event,
    the_same_key_twice_in_one_batch_is_one_event,
    a_batch_is_recorded_whole_or_not_at_all,
    a_batch_names_the_line_of_a_field_that_cannot_be_kept,
    a_stream_keeps_what_it_has_acknowledged,
    content_comes_from_stdin_or_a_file,
    an_actor_has_a_session_of_its_own,
    the_same_session_name_of_two_clients_is_two_sessions,
    long_content_comes_back,
    text_of_every_script_comes_back,
    a_nul_character_is_shown_and_not_lost,
    a_nul_character_in_a_reference_is_treated_alike,
    a_summary_is_always_there,
    positions_and_sequences_have_no_gap,
    times_far_away_are_kept,
    tail_finds_a_session_by_any_of_its_names,
    tail_filters_by_item_kind_actor_and_position,
    tail_filters_by_time,
    an_absurd_length_of_time_is_no_reason_to_crash,
    tail_says_how_many_there_are,
    tail_is_a_table_for_people,
    tail_follows_new_events,
    tail_never_sends_control_characters_to_a_terminal,
    purged_content_is_gone_and_a_tombstone_stays,
    a_purge_reaches_the_summaries_that_quote_it,
    a_purge_can_be_tried_first,
    a_purge_needs_a_selection,
    a_purge_of_what_is_not_there_erases_nothing,
    a_purge_of_a_session_leaves_the_others,
);

fn every_kind_is_recorded_with_the_role_that_follows_from_it(home: &Home) {
    let kinds = [
        ("user_message", "user"),
        ("model_message", "assistant"),
        ("tool_call", "assistant"),
        ("tool_result", "tool"),
        ("read", "assistant"),
        ("write", "assistant"),
        ("search", "assistant"),
        ("decision", "assistant"),
        ("validation_gate", "system"),
        ("memory_recall", "system"),
        ("item_created", "assistant"),
        ("item_updated", "assistant"),
        ("item_deleted", "assistant"),
        ("resource_written", "assistant"),
        ("task_completed", "assistant"),
        ("handoff", "assistant"),
        ("checkpoint", "system"),
        ("system_event", "system"),
    ];
    for (kind, _) in kinds {
        home.ok(&["--actor", "agent:a", "log", "append", "--session", "s", "--content", "x", "--kind", kind]);
    }
    let found: Vec<(String, String)> = home
        .events()
        .iter()
        .map(|e| (e["kind"].as_str().unwrap().to_owned(), e["role"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(found, kinds.map(|(kind, role)| (kind.to_owned(), role.to_owned())));
    home.ok(&["log", "append", "--kind", "read", "--target", "a.rs"]);
    home.ok(&["log", "append", "--kind", "read", "--target", "a.rs", "--role", "tool"]);
    assert_eq!(texts(&home.events_with(&["--by", "user:tester"]), "role"), ["user", "tool"]);
}

fn every_field_comes_back(home: &Home) {
    let recorded = home.json(&[
        "--actor",
        "agent:claude",
        "log",
        "append",
        "--kind",
        "tool_call",
        "--session",
        "s-1",
        "--client",
        "claude-code",
        "--content",
        "cargo test\n--all",
        "--summary",
        "the tests",
        "--target",
        "cargo test",
        "--parts",
        r#"{"b":[1,2.5,null,true],"a":{"ü":"x"}}"#,
        "--item",
        "T-7",
        "--triggered-by",
        "earlier",
        "--informs",
        "m-3",
        "--rationale",
        "to be sure",
        "--key",
        "k-1",
        "--role",
        "system",
        "--at",
        &at("10:00:00.123456"),
        "--chatmode",
        "engineer",
        "--workflow",
        "ship",
        "--skill",
        "testing",
    ]);
    assert_eq!(
        home.plain_json(&recorded),
        json!({"id": "ID1", "session_id": "ID2", "sequence": 1, "position": 1, "outcome": "appended", "redactions": 0})
    );
    let tail = home.json(&["log", "tail"]);
    assert_eq!(
        home.plain_json(&tail),
        json!({"events": [{
            "position": 1, "id": "ID1", "session_id": "ID2", "sequence": 1, "at": at("10:00:00.123456"),
            "actor": "agent:claude", "kind": "tool_call", "role": "system", "target": "cargo test",
            "summary": "the tests", "content": "cargo test\n--all",
            "parts": {"b": [1, 2.5, null, true], "a": {"ü": "x"}}, "item_id": "T-7", "triggered_by": "earlier",
            "informs": "m-3", "rationale": "to be sure", "client_key": "k-1",
            "tokens": tail["events"][0]["tokens"], "redactions": 0,
        }], "shown": 1, "total": 1})
    );
    assert!(tail["events"][0]["tokens"].as_i64().unwrap() > 0);
    assert_eq!(tail["events"][0]["id"], recorded["id"]);
    let parts = tail["events"][0]["parts"].to_string();
    assert!(parts.starts_with(r#"{"b""#), "the order of keys is kept: {parts}");
    let session = home.json(&["session", "list"])["sessions"][0].clone();
    assert_eq!(
        home.plain_json(&session),
        json!({
            "id": "ID1", "client": "claude-code", "client_session": "s-1", "chatmode": "engineer", "user": "claude",
            "workflow": "ship", "skill": "testing", "workspace": "[TMP]/work/shop",
            "started_at": at("10:00:00.123456"), "last_event_at": at("10:00:00.123456"), "events": 1,
            "scratchpad": {}, "scratchpad_version": 0, "state": "idle",
        })
    );
}

fn an_event_needs_only_a_kind(home: &Home) {
    let text = home.ok(&["log", "append", "--kind", "checkpoint"]);
    assert_eq!(home.plain(&text), "appended ID1 (session ID2, sequence 1, position 1)\n");
    let event = &home.events()[0];
    assert_eq!(
        home.plain_json(event),
        json!({
            "position": 1, "id": "ID1", "session_id": "ID2", "sequence": 1, "at": "TIME", "actor": "user:tester",
            "kind": "checkpoint", "role": "system", "summary": "checkpoint", "tokens": event["tokens"],
            "redactions": 0,
        })
    );
}

fn a_line_of_a_batch_sets_the_same_fields(home: &Home) {
    let answer = home.batch(&[
        json!({
            "kind": "decision", "session": "s", "client": "c", "at": at("10:00:00"), "role": "user", "target": "t",
            "summary": "su", "content": "co", "parts": {"p": 1}, "item_id": "i", "triggered_by": "tb",
            "informs": "m", "rationale": "ra", "key": "k", "chatmode": "architect", "workflow": "w", "skill": "sk",
            "metadata": {"model": "m-1"},
        }),
        json!({"kind": "read", "session": "s", "client": "c", "at": at("10:00:01")}),
    ]);
    let recorded = |id: &str, n: u32| json!({"id": id, "session_id": "ID2", "sequence": n, "position": n, "outcome": "appended", "redactions": 0});
    assert_eq!(
        home.plain_json(&answer),
        json!({"appended": 2, "already_there": 0, "events": [recorded("ID1", 1), recorded("ID3", 2)]})
    );
    let event = &home.events()[0];
    assert_eq!(
        home.plain_json(event),
        json!({
            "position": 1, "id": "ID1", "session_id": "ID2", "sequence": 1, "at": at("10:00:00.000000"),
            "actor": "user:tester", "kind": "decision", "role": "user", "target": "t", "summary": "su",
            "content": "co", "parts": {"p": 1}, "item_id": "i", "triggered_by": "tb", "informs": "m",
            "rationale": "ra", "client_key": "k", "tokens": event["tokens"], "redactions": 0,
        })
    );
    let session = home.json(&["session", "status"]);
    assert_eq!(session["metadata"], json!({"model": "m-1"}));
    assert_eq!((&session["chatmode"], &session["workflow"]), (&json!("architect"), &json!("w")));
}

fn the_same_key_twice_is_one_event(home: &Home) {
    let append = ["log", "append", "--kind", "read", "--session", "s", "--key", "k", "--content"];
    let first = home.json(&[&append[..], &["one"]].concat());
    let second = home.json(&[&append[..], &["two"]].concat());
    assert_eq!(first["outcome"], "appended");
    assert_eq!(second["outcome"], "already_there");
    assert_eq!(second["id"], first["id"]);
    let text = home.ok(&[&append[..], &["three"]].concat());
    assert!(text.starts_with("was there already: "), "{text}");
    assert_eq!(texts(&home.events(), "content"), ["one"]);
}

fn the_same_key_twice_in_one_batch_is_one_event(home: &Home) {
    home.batch(&[json!({"kind": "read", "session": "s", "key": "old", "content": "old"})]);
    let answer = home.batch(&[
        json!({"kind": "read", "session": "s", "content": "a"}),
        json!({"kind": "read", "session": "s", "key": "k", "content": "b"}),
        json!({"kind": "read", "session": "s", "key": "old", "content": "c"}),
        json!({"kind": "read", "session": "s", "key": "k", "content": "d"}),
        json!({"kind": "read", "session": "s", "content": "e"}),
    ]);
    assert_eq!((&answer["appended"], &answer["already_there"]), (&json!(3), &json!(2)));
    let events = answer["events"].as_array().unwrap();
    assert_eq!(
        texts(events, "outcome"),
        ["appended", "appended", "already_there", "already_there", "appended"]
    );
    assert_eq!(events[1]["id"], events[3]["id"]);
    assert_eq!(texts(&home.events(), "content"), ["old", "a", "b", "e"]);
    home.check();
}

fn a_batch_is_recorded_whole_or_not_at_all(home: &Home) {
    home.batch(&[json!({"kind": "read", "content": "before"})]);
    let lines = "{\"kind\":\"read\"}\n\n{\"kind\":\"reed\"}\n{\"kind\":\"read\"}\n";
    let error = home.call(&["log", "append", "--batch", "-"]).input(lines).run().fails();
    assert!(error.contains("line 3") && error.contains("reed"), "{error}");
    for line in
        ["{\"kind\":\"read\",\"knid\":1}", "{}", "[]", "{\"kind\":\"read\",\"client\":\"c\"}", "nonsense"]
    {
        let lines = format!("{{\"kind\":\"read\"}}\n{line}\n");
        let error = home.call(&["log", "append", "--batch", "-"]).input(lines).run().fails();
        assert!(error.contains("line 2"), "{line}: {error}");
    }
    assert_eq!(texts(&home.events(), "content"), ["before"]);
    home.check();
}

fn a_batch_names_the_line_of_a_field_that_cannot_be_kept(home: &Home) {
    let long = "x".repeat(5000);
    for field in ["target", "item_id", "key", "session"] {
        let lines = jsonl(&[json!({"kind": "read"}), json!({"kind": "read", field: long})]);
        let error = home.call(&["log", "append", "--batch", "-"]).input(lines).run().fails();
        assert!(error.contains("line 2"), "{}", error.replace(&long, "…"));
    }
    assert_eq!(home.json(&["log", "tail"])["total"], 0);
}

fn a_stream_keeps_what_it_has_acknowledged(home: &Home) {
    let mut child = home.call(&["log", "append", "--stream", "-", "--json"]).spawn();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for n in 1..=3 {
        writeln!(input, "{}", json!({"kind": "read", "session": "s", "content": n.to_string()})).unwrap();
        let answer: Json = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!((&answer["sequence"], &answer["outcome"]), (&json!(n), &json!("appended")));
        assert_eq!(home.events().len(), n, "durable before it is acknowledged");
    }
    writeln!(input, "{{\"kind\":\"reed\"}}").unwrap();
    drop(input);
    let last: Vec<String> = answers.map(Result::unwrap).collect();
    let error: Json = serde_json::from_str(&last.join("\n")).unwrap();
    assert!(error["error"]["message"].as_str().unwrap().starts_with("standard input, line 4"), "{error}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(texts(&home.events(), "content"), ["1", "2", "3"]);
    home.check();
}

fn content_comes_from_stdin_or_a_file(home: &Home) {
    let file = home.write("note.txt", "from a file\n");
    home.call(&["log", "append", "--kind", "read", "--content", "-"]).input("from stdin\n").ok();
    home.ok(&["log", "append", "--kind", "read", "--content-file", file.to_str().unwrap()]);
    home.ok(&["log", "append", "--kind", "read", "--content", "--not-a-flag"]);
    let lines = home.write("lines.jsonl", jsonl(&[json!({"kind": "read", "content": "from a batch"})]));
    home.ok(&["log", "append", "--batch", lines.to_str().unwrap()]);
    assert_eq!(
        texts(&home.events(), "content"),
        ["from stdin\n", "from a file\n", "--not-a-flag", "from a batch"]
    );
}

fn an_actor_has_a_session_of_its_own(home: &Home) {
    home.ok(&["log", "append", "--kind", "read"]);
    home.call(&["log", "append", "--kind", "read"]).env("THROUGHLINE_ACTOR", "agent:a").ok();
    home.ok(&["--actor", "agent:a", "log", "append", "--kind", "write"]);
    home.call(&["--actor", "agent:b", "log", "append", "--kind", "read"])
        .env("THROUGHLINE_ACTOR", "agent:a")
        .ok();
    let sessions = home.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
    let mut found: Vec<(&str, &str, i64)> = sessions
        .iter()
        .map(|s| {
            (
                s["client"].as_str().unwrap(),
                s["client_session"].as_str().unwrap(),
                s["events"].as_i64().unwrap(),
            )
        })
        .collect();
    found.sort_unstable();
    assert_eq!(found, [("cli", "agent:a", 2), ("cli", "agent:b", 1), ("cli", "user:tester", 1)]);
}

fn the_same_session_name_of_two_clients_is_two_sessions(home: &Home) {
    for client in ["claude-code", "codex", "claude-code"] {
        home.ok(&["log", "append", "--kind", "read", "--session", "1", "--client", client]);
    }
    let sequences: Vec<i64> = home.events().iter().map(|e| e["sequence"].as_i64().unwrap()).collect();
    assert_eq!(sequences, [1, 1, 2]);
    assert_eq!(home.json(&["session", "list"])["total"], 2);
}

fn long_content_comes_back(home: &Home) {
    let long: String = (0..40_000).map(|n| format!("line {n} of a long text\n")).collect();
    home.call(&["log", "append", "--kind", "read", "--content", "-"]).input(long.clone()).ok();
    home.batch(&[json!({"kind": "read", "content": "x".repeat(16384), "parts": {"p": long}})]);
    let events = home.events();
    assert_eq!(events[0]["content"], long.as_str());
    assert_eq!(events[0]["summary"], "line 0 of a long text");
    assert_eq!(events[1]["content"], "x".repeat(16384).as_str());
    assert_eq!(events[1]["parts"], json!({"p": long}));
}

const SCRIPTS: [&str; 7] = [
    "日本語のテキスト、漢字",
    "한국어 문장",
    "🧵 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "שלום עולם \u{202e}override\u{202c}",
    "مرحبا بالعالم",
    "e\u{301} \u{fb01} \u{feff}mark \u{1}\u{7f}\u{85}\u{2028} \u{10ffff}",
    "tab\there \\ \" ' % _ ; -- ?1 $1 :a {}",
];

fn text_of_every_script_comes_back(home: &Home) {
    let lines = SCRIPTS.map(|text| {
        json!({"kind": "read", "session": "s", "content": text, "target": text, "rationale": text, "parts": {text: text}})
    });
    home.batch(&lines);
    for (event, text) in home.events().iter().zip(SCRIPTS) {
        for field in ["content", "target", "rationale"] {
            assert_eq!(event[field], text, "{field}");
        }
        assert_eq!(event["parts"], json!({text: text}));
    }
    for text in &SCRIPTS[..5] {
        home.batch(&[json!({"kind": "read", "session": "t", "item_id": text, "informs": text, "key": text, "triggered_by": text})]);
        let events = home.events_with(&["--item", text]);
        assert_eq!(texts(&events, "client_key"), [*text]);
        assert_eq!((&events[0]["informs"], &events[0]["triggered_by"]), (&json!(text), &json!(text)));
    }
    for text in &SCRIPTS[..5] {
        home.ok(&["log", "append", "--kind", "read", "--session", text, "--content", text]);
        assert_eq!(home.events_with(&["--session", text]).len(), 1, "{text}");
    }
}

fn a_nul_character_is_shown_and_not_lost(home: &Home) {
    let text = "a\0b";
    home.batch(&[json!({
        "kind": "read", "session": "s", "content": text, "target": text, "summary": text, "rationale": text,
        "parts": {"p": text}, "metadata": {"m": text},
    })]);
    let event = &home.events()[0];
    for field in ["content", "target", "summary", "rationale"] {
        assert_eq!(event[field], "a␀b", "{field}");
    }
    assert_eq!(event["parts"]["p"].as_str().unwrap().chars().count(), 3);
    home.call(&["log", "append", "--kind", "read", "--content", "-"]).input("x\0y").ok();
    assert_eq!(home.events()[1]["content"], "x␀y");
}

fn a_nul_character_in_a_reference_is_treated_alike(home: &Home) {
    for field in ["item_id", "informs", "triggered_by", "key", "workflow", "skill"] {
        let line = jsonl(&[json!({"kind": "read", "session": field, field: "a\u{0}b"})]);
        kept_or_refused(&home.call(&["log", "append", "--batch", "-", "--json"]).input(line).run());
    }
    home.check();
}

fn a_summary_is_always_there(home: &Home) {
    let long = "w".repeat(500);
    home.batch(&[
        json!({"kind": "read"}),
        json!({"kind": "read", "target": "a.rs"}),
        json!({"kind": "read", "content": "\n  \n first words \n second"}),
        json!({"kind": "read", "content": " \n\t\n", "target": "b.rs"}),
        json!({"kind": "read", "content": "text", "summary": "given"}),
        json!({"kind": "read", "content": "text", "summary": "  "}),
        json!({"kind": "read", "content": long}),
    ]);
    let cut = format!("{}…", "w".repeat(159));
    let wanted = ["read", "read a.rs", "first words", "read b.rs", "given", "text", &cut];
    assert_eq!(texts(&home.events(), "summary"), wanted);
}

fn positions_and_sequences_have_no_gap(home: &Home) {
    for n in 0..4 {
        let lines: Vec<Json> =
            (0..5).map(|i| json!({"kind": "read", "session": format!("s{}", (n + i) % 3)})).collect();
        home.batch(&lines);
        home.call(&["log", "append", "--batch", "-"]).input("{\"kind\":\"read\"}\n{}\n").run().fails();
        home.ok(&["log", "append", "--kind", "read", "--session", "s1"]);
    }
    let events = home.events();
    let numbers = |events: &[Json], field: &str| -> Vec<i64> {
        events.iter().map(|event| event[field].as_i64().unwrap()).collect()
    };
    assert_eq!(numbers(&events, "position"), (1..=24).collect::<Vec<_>>());
    for session in ["s0", "s1", "s2"] {
        let of_session = numbers(&home.events_with(&["--session", session]), "sequence");
        assert_eq!(of_session, (1..=of_session.len() as i64).collect::<Vec<_>>(), "{session}");
    }
    home.check();
}

fn times_far_away_are_kept(home: &Home) {
    let times = [
        "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999Z",
        "9999-12-30T00:00:00Z",
        "2026-01-15",
        "-100000000000005",
        "253402207200000001",
    ];
    for (n, time) in times.iter().enumerate() {
        home.ok(&["log", "append", "--kind", "read", "--session", &n.to_string(), &format!("--at={time}")]);
    }
    let events = home.events();
    let found = texts(&events, "at");
    assert_eq!(found[0], "0001-01-01T00:00:00.000000Z");
    assert_eq!(found[1], "1969-12-31T23:59:59.999999Z");
    assert_eq!(found[2], "9999-12-30T00:00:00.000000Z");
    assert_eq!(found[3], "2026-01-15T00:00:00.000000Z");
    assert_eq!(found[4], "1966-10-31T14:13:19.999995Z");
    home.ok(&["log", "tail"]);
    home.ok(&["session", "list"]);
    home.ok(&["jobs", "list"]);
}

fn three_sessions(home: &Home) {
    home.batch(&[
        json!({"kind": "user_message", "session": "alpha-1", "client": "c", "content": "a1", "at": at("09:00:00"), "item_id": "T-1"}),
        json!({"kind": "tool_call", "session": "alpha-2", "client": "c", "content": "a2", "at": at("10:00:00"), "item_id": "T-2"}),
        json!({"kind": "read", "session": "beta", "client": "d", "content": "b1", "at": at("11:00:00"), "item_id": "T-1"}),
    ]);
    let more = jsonl(&[
        json!({"kind": "write", "session": "beta", "client": "d", "content": "b2", "at": at("11:30:00")}),
    ]);
    home.call(&["--actor", "agent:x", "log", "append", "--batch", "-"]).input(more).ok();
}

fn found(home: &Home, filter: &[&str]) -> Vec<String> {
    texts(&home.events_with(filter), "content").into_iter().map(str::to_owned).collect()
}

fn tail_finds_a_session_by_any_of_its_names(home: &Home) {
    three_sessions(home);
    let sessions = home.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
    let beta =
        sessions.iter().find(|s| s["client_session"] == "beta").unwrap()["id"].as_str().unwrap().to_owned();
    assert_eq!(found(home, &["--session", "alpha-1"]), ["a1"]);
    assert_eq!(found(home, &["--session", "be"]), ["b1", "b2"]);
    assert_eq!(found(home, &["--session", &beta]), ["b1", "b2"]);
    assert_eq!(found(home, &["--session", &beta[..beta.len() - 1]]), ["b1", "b2"]);
    let error = home.fails(&["log", "tail", "--session", "alpha"]);
    shows!(home, error, @r#"error: several sessions begin with "alpha"; give more of the id"#);
    let error = home.fails(&["log", "tail", "--session", "gamma"]);
    shows!(home, error, @r#"error: there is no session "gamma" in this project; `throughline session list` shows those there are"#);
}

fn tail_filters_by_item_kind_actor_and_position(home: &Home) {
    three_sessions(home);
    assert_eq!(found(home, &["--item", "T-1"]), ["a1", "b1"]);
    assert_eq!(found(home, &["--kind", "read", "--kind", "tool_call"]), ["a2", "b1"]);
    assert_eq!(found(home, &["--by", "agent:x"]), ["b2"]);
    assert_eq!(found(home, &["--by", "user:tester", "--item", "T-1", "--kind", "read"]), ["b1"]);
    assert_eq!(found(home, &["--after", "1", "--before", "4"]), ["a2", "b1"]);
    assert_eq!(found(home, &["--item", "T-9"]), [""; 0]);
    assert_eq!(home.ok(&["log", "tail", "--item", "T-9"]), "no events\n");
    assert_eq!(home.json(&["log", "tail", "--item", "T-9"]), json!({"events": [], "shown": 0, "total": 0}));
}

fn tail_filters_by_time(home: &Home) {
    three_sessions(home);
    assert_eq!(found(home, &["--since", &at("10:00:00"), "--until", &at("11:00:00")]), ["a2"]);
    assert_eq!(found(home, &["--since", "2026-01-15T12:00:00+01:00"]), ["b1", "b2"]);
    assert_eq!(found(home, &["--since", "2026-01-15", "--until", "2026-01-16"]).len(), 4);
    home.ok(&["log", "append", "--kind", "read", "--session", "now", "--content", "now"]);
    home.ok(&["log", "append", "--kind", "read", "--session", "then", "--content", "then", "--at", "3h"]);
    assert_eq!(found(home, &["--since", "2h"]), ["now"]);
    assert_eq!(found(home, &["--since", "1d", "--until", "90m"]), ["then"]);
    let error = home.call(&["log", "tail", "--since", "yesterday"]).run().refuses();
    shows!(home, error, @r#"
    error: invalid value 'yesterday' for '--since <TIME>': "yesterday" is not a time; write 2026-11-15T03:31:18Z, 2026-11-15, or how long ago: 30m, 2h, 3d

    For more information, try '--help'.
    "#);
}

fn an_absurd_length_of_time_is_no_reason_to_crash(home: &Home) {
    for since in ["9223372036854775807d", "400000000000000000d", "999999999999999999h"] {
        let ran = home.call(&["log", "tail", "--since", since]).run();
        assert!([0, 2].contains(&ran.code), "{ran:?}");
    }
}

fn tail_says_how_many_there_are(home: &Home) {
    let lines: Vec<Json> = (0..30).map(|n| json!({"kind": "read", "content": n.to_string()})).collect();
    home.batch(&lines);
    let answer = home.json(&["log", "tail"]);
    assert_eq!((&answer["shown"], &answer["total"]), (&json!(20), &json!(30)));
    assert_eq!(answer["events"][0]["content"], "10");
    let answer = home.json(&["log", "tail", "-n", "2", "--before", "6"]);
    assert_eq!((&answer["shown"], &answer["total"]), (&json!(2), &json!(5)));
    assert_eq!(texts(answer["events"].as_array().unwrap(), "content"), ["3", "4"]);
    assert!(home.ok(&["log", "tail", "-n", "3"]).ends_with("3 of 30 events\n"));
}

fn tail_is_a_table_for_people(home: &Home) {
    three_sessions(home);
    home.ok(&[
        "log",
        "append",
        "--kind",
        "tool_result",
        "--target",
        "cargo test",
        "--content",
        "2 failed",
        "--session",
        "beta",
        "--at",
        &at("11:40:00"),
    ]);
    shows!(home, home.ok(&["log", "tail"]), @r"
     POSITION  TIME (UTC)           SESSION         SEQ  ACTOR        KIND          WHAT
     1         2026-01-15 09:00:00  ID  1    user:tester  user_message  a1
     2         2026-01-15 10:00:00  ID  1    user:tester  tool_call     a2
     3         2026-01-15 11:00:00  ID  1    user:tester  read          b1
     4         2026-01-15 11:30:00  ID  2    agent:x      write         b2
     5         2026-01-15 11:40:00  ID  3    user:tester  tool_result   cargo test: 2 failed
    5 of 5 events
    ");
}

fn tail_follows_new_events(home: &Home) {
    home.ok(&["log", "append", "--kind", "read", "--content", "first"]);
    let mut child = home.call(&["log", "tail", "--follow", "--json"]).spawn();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next =
        || serde_json::from_str::<Json>(&lines.next().unwrap().unwrap()).unwrap()["content"].clone();
    assert_eq!(next(), "first");
    for content in ["second", "third"] {
        home.ok(&["log", "append", "--kind", "read", "--content", content]);
        assert_eq!(next(), content);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn tail_never_sends_control_characters_to_a_terminal(home: &Home) {
    home.batch(&[
        json!({"kind": "read", "session": "s", "target": "a\nb\u{7}", "content": "\u{1b}[2Jgone\u{9b}31m"}),
    ]);
    for command in [&["log", "tail"][..], &["session", "show"]] {
        let shown = home.ok(command);
        let is_bad = |c: &char| c.is_control() && *c != '\n';
        assert_eq!(shown.chars().filter(is_bad).collect::<Vec<_>>(), [], "{shown:?}");
    }
}

fn purged_content_is_gone_and_a_tombstone_stays(home: &Home) {
    let word = "xylophone";
    let mut line = json!({"kind": "read", "session": "s", "at": at("10:00:00")});
    for field in ["content", "target", "summary", "rationale"] {
        line[field] = json!(format!("{field} {word}"));
    }
    line["parts"] = json!({"p": word});
    let recorded = home
        .batch(&[line, json!({"kind": "write", "session": "s", "content": "stays", "at": at("10:00:01")})]);
    let id = recorded["events"][0]["id"].as_str().unwrap();
    let answer = home.json(&["--actor", "user:maria", "log", "purge", id, "--reason", "asked to"]);
    assert_eq!(answer, json!({"purged": 1, "matching": 1, "checkpoints": 0}));
    let events = home.events();
    assert_eq!(
        home.plain_json(&events[0]),
        json!({
            "position": 1, "id": "ID1", "session_id": "ID2", "sequence": 1, "at": at("10:00:00.000000"),
            "actor": "user:tester", "kind": "read", "role": "user", "summary": "[purged]", "tokens": 0,
            "redactions": 0, "purged": {"at": "TIME", "by": "user:maria", "reason": "asked to"},
        })
    );
    assert_eq!(events[1]["content"], "stays");
    let note = &events[2];
    assert_eq!((note["actor"].as_str(), note["target"].as_str()), (Some("user:maria"), Some("purge")));
    assert_eq!(note["summary"], "purged 1 events: asked to");
    assert_eq!(note["parts"], json!({"count": 1, "reason": "asked to"}));
    for command in
        [&["log", "tail"][..], &["log", "export"], &["session", "show", "s"], &["session", "status", "s"]]
    {
        assert!(!home.ok(command).contains(word), "{command:?}");
    }
    assert_eq!(home.files_with(word), Vec::<PathBuf>::new());
    assert_eq!(
        home.json(&["log", "purge", id, "--reason", "again"]),
        json!({"purged": 0, "matching": 1, "checkpoints": 0})
    );
    assert_eq!(home.events().len(), 3);
    home.check();
}

/// Ending a session writes down what was asked last; who purges the question means that too.
fn a_purge_reaches_the_summaries_that_quote_it(home: &Home) {
    let word = "xylophone";
    let recorded =
        home.json(&["log", "append", "--kind", "user_message", "--session", "s", "--content", word]);
    home.ok(&["session", "end", "s"]);
    home.ok(&["log", "purge", recorded["id"].as_str().unwrap(), "--reason", "asked to"]);
    let exported = home.ok(&["log", "export"]);
    assert!(!exported.contains(word), "{exported}");
}

#[test]
fn purged_content_is_in_no_byte_of_the_database() {
    let home = Home::sqlite();
    let words = ["xylophone-plain", "xylophone-target", "xylophone-why", "xylophone-part"];
    home.batch(&[
        json!({
            "kind": "read", "session": "s", "content": words[0].repeat(300), "target": words[1],
            "rationale": words[2], "parts": {"p": words[3]},
        }),
        json!({"kind": "write", "session": "s", "content": "a word that stays"}),
    ]);
    assert!(words.iter().all(|word| !home.files_with(word).is_empty()), "they were on the disk");
    home.ok(&["log", "purge", "--kind", "read", "--reason", "privacy"]);
    for word in words {
        assert_eq!(home.files_with(word), Vec::<PathBuf>::new(), "{word}");
    }
    assert!(!home.files_with("a word that stays").is_empty());
}

fn a_purge_can_be_tried_first(home: &Home) {
    three_sessions(home);
    let before = home.ok(&["log", "export"]);
    let answer = home.json(&["log", "purge", "--item", "T-1", "--reason", "r", "--dry-run"]);
    assert_eq!(answer, json!({"would_purge": 2}));
    assert_eq!(
        home.ok(&["log", "purge", "--item", "T-1", "--reason", "r", "--dry-run"]),
        "would purge 2 events, and the checkpoints of their sessions, which quote them\n"
    );
    assert_eq!(home.ok(&["log", "export"]), before);
}

fn a_purge_needs_a_selection(home: &Home) {
    three_sessions(home);
    let before = home.ok(&["log", "export"]);
    let error = home.call(&["log", "purge", "--reason", "r"]).run().refuses();
    shows!(home, error, @"error: say which events to purge: by id, or with --session, --item, --kind, --by, --since …");
    let error = home.call(&["log", "purge", "--kind", "read"]).run().refuses();
    assert!(error.contains("--reason"), "{error}");
    assert_eq!(home.ok(&["log", "export"]), before);
}

fn a_purge_of_what_is_not_there_erases_nothing(home: &Home) {
    let event = home.json(&["log", "append", "--kind", "read", "--content", "stays"]);
    let memory = home.json(&["remember", "Deploys happen on Fridays"]);
    let before = home.ok(&["log", "export"]);
    let purge =
        |id: &str| home.fails(&["log", "purge", "--reason", "privacy", event["id"].as_str().unwrap(), id]);
    shows!(home, purge("nobody"), @"error: there is no event nobody; `throughline log tail --json` shows ids. Nothing was purged");
    let said = purge(memory["id"].as_str().unwrap());
    assert!(said.contains(" is a memory, not an event; `throughline memory show "), "{said}");
    assert_eq!(home.ok(&["log", "export"]), before);
}

fn a_purge_of_a_session_leaves_the_others(home: &Home) {
    three_sessions(home);
    let text = home.ok(&["log", "purge", "--session", "beta", "--reason", "r"]);
    assert_eq!(
        text,
        "purged 2 of 2 matching events and 0 checkpoints of their sessions; backups that were made before still hold them\n"
    );
    let events = home.events();
    let kept: Vec<&str> = texts(&events, "content").into_iter().filter(|text| !text.is_empty()).collect();
    assert_eq!(kept, ["a1", "a2"]);
}
