//! Sessions from outside: they open, close and resume by themselves; their state and history can be relied on.

use std::collections::{HashMap, HashSet, VecDeque};

use proptest::prelude::{Just, Strategy, any, prop};
use proptest::prop_oneof;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::{Value as Json, json};

use crate::fixture::{Home, at, jsonl, kept_or_refused, on_both, shows, texts};

on_both!(
    a_session_opens_with_its_first_event,
    another_role_ends_the_session_and_returning_resumes_it,
    the_session_just_entered_is_the_newest,
    roles_change_within_a_batch,
    roles_change_within_a_batch_however_the_session_is_named,
    a_session_ends_and_resumes_on_request,
    a_silent_hour_ends_the_session_in_between,
    a_silent_hour_within_a_batch_ends_the_session_in_between,
    a_worker_closes_an_idle_session,
    a_resumed_session_will_be_closed_when_idle_again,
    the_list_shows_states_roles_and_counts,
    a_patch_merges_into_the_scratchpad,
    a_patch_with_unusual_keys_is_kept,
    a_stale_patch_names_the_newer_version_and_loses_nothing,
    parallel_patches_all_survive,
    the_scratchpad_keeps_its_known_keys_in_shape,
    history_is_cut_by_turns_and_tokens,
    history_never_shows_a_result_without_its_call,
    status_says_how_a_session_stands,
    show_is_for_people,
    a_role_brings_its_settings,
    a_workflow_brings_its_settings,
    bad_front_matter_is_reported_and_ignored,
    a_session_is_named_in_every_command,
    nothing_is_shown_of_a_project_without_sessions,
);

fn append(home: &Home, session: &str, chatmode: &str, clock: &str) -> Json {
    home.json(&[
        "log",
        "append",
        "--kind",
        "user_message",
        "--session",
        session,
        "--chatmode",
        chatmode,
        "--at",
        &at(clock),
        "--content",
        clock,
    ])
}

fn summaries(home: &Home) -> Vec<Json> {
    home.events().into_iter().filter(|event| event["target"] == "session_summary").collect()
}

fn a_session_opens_with_its_first_event(home: &Home) {
    crate::fixture::repository(&home.work("shop"));
    let recorded = home.json(&[
        "log",
        "append",
        "--kind",
        "user_message",
        "--session",
        "s",
        "--client",
        "codex",
        "--at",
        &at("10:00:00"),
        "--content",
        "hello",
    ]);
    let sessions = home.json(&["session", "list"]);
    assert_eq!(sessions["sessions"][0]["id"], recorded["session_id"]);
    assert_eq!(
        home.plain_json(&sessions),
        json!({"sessions": [{
            "id": "ID1", "client": "codex", "client_session": "s", "chatmode": "default", "user": "tester",
            "git_branch": "main", "workspace": "[TMP]/work/shop", "started_at": at("10:00:00.000000"),
            "last_event_at": at("10:00:00.000000"), "events": 1, "scratchpad": {}, "scratchpad_version": 0,
            "state": "idle",
        }], "shown": 1, "total": 1})
    );
}

fn another_role_ends_the_session_and_returning_resumes_it(home: &Home) {
    let first = append(home, "s", "architect", "10:00:00");
    let second = append(home, "s", "engineer", "10:01:00");
    assert_ne!(first["session_id"], second["session_id"]);
    let ended = home.json(&["session", "status", first["session_id"].as_str().unwrap()]);
    assert_eq!(
        (&ended["state"], &ended["end_reason"]),
        (&json!("ended (role_change)"), &json!("role_change"))
    );
    assert_eq!(ended["ended_at"], at("10:01:00.000000").as_str());
    let back = append(home, "s", "architect", "10:02:00");
    assert_eq!(back["session_id"], first["session_id"]);
    assert_eq!(back["sequence"], 3, "after its event and its summary");
    let open = home.json(&["session", "list", "--open"]);
    assert_eq!((&open["total"], &open["sessions"][0]["chatmode"]), (&json!(1), &json!("architect")));
    let summary = &summaries(home)[0];
    assert_eq!(summary["session_id"], first["session_id"]);
    assert_eq!(summary["summary"], "session ended (role_change): 1 events, last asked \"10:00:00\"");
    let other = append(home, "t", "engineer", "10:03:00");
    assert_eq!(other["sequence"], 1);
    assert_eq!(home.json(&["session", "list", "--open"])["total"], 2, "another run is not concerned");
    home.check();
}

/// Without a name a command means the session one is in, not the one that was just left.
fn the_session_just_entered_is_the_newest(home: &Home) {
    append(home, "s", "architect", "10:00:00");
    let entered = append(home, "s", "engineer", "10:01:00")["session_id"].clone();
    assert_eq!(home.json(&["session", "status"])["id"], entered);
    let back = append(home, "s", "architect", "10:02:00")["session_id"].clone();
    assert_eq!(home.json(&["session", "status"])["id"], back);
}

fn roles_change_within_a_batch(home: &Home) {
    let line = |mode: &str, clock: &str| json!({"kind": "read", "session": "s", "chatmode": mode, "at": at(clock), "content": clock});
    home.batch(&[line("a", "10:00:00"), line("b", "10:01:00"), line("b", "10:02:00"), line("a", "10:03:00")]);
    let events = home.events();
    let wanted = ["10:00:00", "", "10:01:00", "10:02:00", "", "10:03:00"];
    let found: Vec<&str> = events
        .iter()
        .map(|e| if e["target"] == "session_summary" { "" } else { e["content"].as_str().unwrap() })
        .collect();
    assert_eq!(found, wanted);
    assert_eq!(home.json(&["session", "list", "--open"])["sessions"][0]["chatmode"], "a");
    home.check();
}

fn roles_change_within_a_batch_however_the_session_is_named(home: &Home) {
    let answer = home.batch(&[
        json!({"kind": "read", "session": "s", "client": "cli", "chatmode": "a", "at": at("10:00:00")}),
        json!({"kind": "read", "session": "s", "chatmode": "b", "at": at("10:01:00")}),
        json!({"kind": "read", "session": "s", "client": "cli", "chatmode": "a", "at": at("10:02:00")}),
    ]);
    assert_eq!(answer["appended"], 3);
    home.check();
}

fn a_session_ends_and_resumes_on_request(home: &Home) {
    let id = append(home, "s", "default", "10:00:00")["session_id"].clone();
    let ended = home.json(&["session", "end"]);
    assert_eq!(
        home.plain_json(&ended),
        json!({
            "id": "ID1", "client": "cli", "client_session": "s", "chatmode": "default", "user": "tester",
            "workspace": "[TMP]/work/shop", "started_at": at("10:00:00.000000"), "last_event_at": "TIME",
            "ended_at": "TIME", "end_reason": "request", "events": 2, "scratchpad": {}, "scratchpad_version": 0,
        })
    );
    assert_eq!(home.json(&["session", "end"]), ended, "ending twice changes nothing");
    let resumed = home.json(&["session", "resume", "s"]);
    assert_eq!((&resumed["id"], &resumed["events"], &resumed["ended_at"]), (&id, &json!(3), &Json::Null));
    assert_eq!(home.json(&["session", "resume", "s"]), resumed, "resuming twice changes nothing");
    assert_eq!(home.plain(&home.ok(&["session", "end", "s"])), "session ID1 has ended\n");
    assert_eq!(home.plain(&home.ok(&["session", "resume", "s"])), "session ID1 goes on\n");
    home.ok(&["session", "end", "s"]);
    let next = home.json(&["log", "append", "--kind", "read", "--session", "s"]);
    assert_eq!((&next["session_id"], &next["sequence"]), (&id, &json!(7)), "an event resumes it as well");
    assert_eq!(home.json(&["session", "list", "--open"])["total"], 1);
    home.check();
}

fn a_silent_hour_ends_the_session_in_between(home: &Home) {
    append(home, "s", "default", "10:00:00");
    append(home, "s", "default", "10:59:59");
    append(home, "s", "default", "12:30:00");
    let events = home.events();
    assert_eq!(texts(&events, "kind"), ["user_message", "user_message", "system_event", "user_message"]);
    assert_eq!(events[2]["summary"], "session ended (idle): 2 events, last asked \"10:59:59\"");
    assert_eq!(events[2]["at"], at("10:59:59.000000").as_str(), "silence is not part of a session");
    assert_eq!(home.json(&["session", "status"])["state"], "idle");
    home.check();
}

fn a_silent_hour_within_a_batch_ends_the_session_in_between(home: &Home) {
    home.batch(&[
        json!({"kind": "user_message", "session": "s", "content": "a", "at": at("10:00:00")}),
        json!({"kind": "user_message", "session": "s", "content": "b", "at": at("12:30:00")}),
    ]);
    assert_eq!(texts(&home.events(), "kind"), ["user_message", "system_event", "user_message"]);
    home.check();
}

fn a_worker_closes_an_idle_session(home: &Home) {
    home.ok(&[
        "log",
        "append",
        "--kind",
        "user_message",
        "--session",
        "old",
        "--content",
        "hello",
        "--at",
        "2h",
    ]);
    home.ok(&["log", "append", "--kind", "user_message", "--session", "young", "--content", "hello"]);
    assert_eq!(home.json(&["session", "status", "old"])["state"], "idle");
    let runs = home.json(&["jobs", "run"])["runs"].clone();
    assert_eq!(
        home.plain_json(&runs),
        json!([
            {"kind": "close_idle_session", "key": "ID1", "went_well": true, "outcome": "done"},
            {"kind": "generate_memories", "key": "ID1", "went_well": true, "outcome": "done"},
        ])
    );
    assert_eq!(home.json(&["session", "status", "old"])["state"], "ended (idle)");
    assert_eq!(home.json(&["session", "status", "young"])["state"], "open");
    let summary = &summaries(home)[0];
    assert_eq!(summary["actor"], "user:tester", "the session's own, not the worker's");
    assert_eq!(summary["content"], "1 events in role default\nlast request: hello");
    home.check();
}

fn a_resumed_session_will_be_closed_when_idle_again(home: &Home) {
    let id =
        home.json(&["log", "append", "--kind", "read", "--session", "s", "--at", "3h"])["session_id"].clone();
    home.ok(&["jobs", "run"]);
    home.ok(&["session", "resume", "s"]);
    let jobs = home.json(&["jobs", "list"])["jobs"].clone();
    assert_eq!(jobs[0]["key"], id, "somebody must close it again: {jobs}");
}

fn the_list_shows_states_roles_and_counts(home: &Home) {
    append(home, "s", "architect", "10:00:00");
    append(home, "s", "engineer", "10:01:00");
    append(home, "t", "engineer", "10:02:00");
    shows!(home, home.ok(&["session", "list"]), @r"
     ID                    CLIENT  CLIENT'S ID  ROLE       STATE                EVENTS  LAST EVENT (UTC)
     ID1  cli     t            engineer   idle                 1       2026-01-15 10:02:00
     ID2  cli     s            engineer   idle                 1       2026-01-15 10:01:00
     ID3  cli     s            architect  ended (role_change)  2       2026-01-15 10:01:00
    3 of 3 sessions
    ");
    let engineers = home.json(&["session", "list", "--chatmode", "engineer", "-n", "1"]);
    assert_eq!((&engineers["shown"], &engineers["total"]), (&json!(1), &json!(2)));
    assert_eq!(engineers["sessions"][0]["client_session"], "t", "the newest activity first");
    assert_eq!(home.ok(&["session", "list", "--chatmode", "nobody"]), "no sessions\n");
}

fn a_patch_merges_into_the_scratchpad(home: &Home) {
    append(home, "s", "default", "10:00:00");
    assert_eq!(
        home.plain_json(&home.json(&["session", "state"])),
        json!({"session_id": "ID1", "version": 0, "state": {}})
    );
    let patch = r#"{"current_task":"T-1","files_in_progress":["a.rs"],"free":{"x":1,"y":2}}"#;
    home.ok(&["session", "state", "--patch", patch]);
    let patch = r#"{"current_task":null,"files_in_progress":["b.rs","c.rs"],"free":{"x":null,"z":[3]},"blockers":[]}"#;
    let state =
        home.call(&["session", "state", "s", "--patch", "-", "--if-version", "1"]).input(patch).json();
    let wanted = json!({"files_in_progress": ["b.rs", "c.rs"], "free": {"y": 2, "z": [3]}, "blockers": []});
    assert_eq!(state["state"], wanted);
    assert_eq!(state["version"], 2);
    assert_eq!(home.json(&["session", "state"]), state);
    let notes: Vec<Json> = home.events().into_iter().filter(|e| e["target"] == "scratchpad").collect();
    assert_eq!(texts(&notes, "summary")[0], "scratchpad: current_task, files_in_progress, free");
    assert_eq!(notes[1]["parts"]["version"], 2);
    shows!(home, home.ok(&["session", "state"]), @r#"
    session ID1, version 2
    {
      "files_in_progress": [
        "b.rs",
        "c.rs"
      ],
      "free": {
        "y": 2,
        "z": [
          3
        ]
      },
      "blockers": []
    }
    "#);
}

fn a_patch_with_unusual_keys_is_kept(home: &Home) {
    append(home, "s", "default", "10:00:00");
    for key in ["日本", "🧵", "a\nb", ""] {
        let state = home.json(&["session", "state", "--patch", &json!({key: 1}).to_string()]);
        assert_eq!(state["state"][key], 1, "{key:?}");
    }
    kept_or_refused(
        &home.call(&["session", "state", "--patch", &json!({"a\u{0}b": 1}).to_string(), "--json"]).run(),
    );
    home.check();
}

fn a_stale_patch_names_the_newer_version_and_loses_nothing(home: &Home) {
    append(home, "s", "default", "10:00:00");
    home.ok(&["session", "state", "--patch", r#"{"a":1}"#]);
    home.ok(&["session", "state", "--patch", r#"{"b":2}"#, "--if-version", "1"]);
    let before = home.json(&["session", "state"]);
    let error = home.fails(&["session", "state", "--patch", r#"{"a":9}"#, "--if-version", "1"]);
    shows!(home, error, @"error: the scratchpad is at version 2 and not 1 any more; nothing was changed; read it and try again with version 2");
    let ran = home.call(&["session", "state", "--patch", r#"{"a":9}"#, "--if-version", "7", "--json"]).run();
    let problem: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &problem["error"]["kind"]), (1, &json!("conflict")));
    assert_eq!(home.json(&["session", "state"]), before);
}

fn parallel_patches_all_survive(home: &Home) {
    append(home, "s", "default", "10:00:00");
    let children: Vec<_> = (0..8)
        .map(|n| {
            home.call(&["session", "state", "--patch", &json!({format!("key{n}"): n}).to_string()]).spawn()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let state = home.json(&["session", "state"]);
    assert_eq!(state["version"], 8);
    for n in 0..8 {
        assert_eq!(state["state"][format!("key{n}")], n);
    }
    home.check();
}

fn the_scratchpad_keeps_its_known_keys_in_shape(home: &Home) {
    append(home, "s", "default", "10:00:00");
    let wrong = [r#"{"blockers":"one"}"#, r#"{"current_task":["a"]}"#];
    let errors: Vec<String> =
        wrong.iter().map(|patch| home.fails(&["session", "state", "--patch", patch])).collect();
    shows!(home, errors.concat(), @r#"
    error: "blockers" in the scratchpad must be a list
    error: "current_task" in the scratchpad must be a text
    "#);
    let no_objects = ["{a:1}", "[1]", "\"text\"", "null"];
    let refused = |patch: &&str| home.call(&["session", "state", "--patch", patch]).run().refuses();
    shows!(home, no_objects.iter().map(refused).collect::<String>(), @r#"
    error: the patch is no JSON object: key must be a string at line 1 column 2; write for instance '{"current_task": "TASK-0001"}'
    error: the patch is no JSON object: invalid type: sequence, expected a map at line 1 column 0; write for instance '{"current_task": "TASK-0001"}'
    error: the patch is no JSON object: invalid type: string "text", expected a map at line 1 column 6; write for instance '{"current_task": "TASK-0001"}'
    error: the patch is no JSON object: invalid type: null, expected a map at line 1 column 4; write for instance '{"current_task": "TASK-0001"}'
    "#);
    let large = json!({"notes": "n".repeat(300 * 1024)}).to_string();
    let error = home.call(&["session", "state", "--patch", "-"]).input(large).run().fails();
    shows!(home, error, @"error: the scratchpad would be larger than 262144 bytes; keep long texts in files and name them here");
    let error =
        home.call(&["session", "state", "--patch", "-"]).input(vec![b' '; 2 * 1024 * 1024]).run().fails();
    shows!(home, error, @"error: standard input has more than 1048576 bytes; give a shorter text with a reference to the file");
    assert_eq!(home.json(&["session", "state"])["version"], 0);
}

fn history_is_cut_by_turns_and_tokens(home: &Home) {
    let lines: Vec<Json> = (0..5)
        .flat_map(|n| {
            [
                json!({"kind": "user_message", "session": "s", "content": format!("q{n}")}),
                json!({"kind": "tool_call", "session": "s", "content": format!("c{n}"), "target": "t"}),
                json!({"kind": "tool_result", "session": "s", "content": format!("r{n}"), "target": "t"}),
                json!({"kind": "model_message", "session": "s", "content": format!("a{n} {}", "word ".repeat(50))}),
            ]
        })
        .collect();
    home.batch(&lines);
    let shown = |args: &[&str]| home.json(&[&["session", "show", "s"], args].concat());
    let two = shown(&["--turns", "2"]);
    assert_eq!(texts(two["events"].as_array().unwrap(), "summary")[..3], ["q3", "c3", "r3"]);
    assert_eq!((&two["shown"], &two["omitted"]), (&json!(8), &json!(12)));
    let all = shown(&[]);
    assert_eq!((&all["shown"], &all["omitted"]), (&json!(20), &json!(0)));
    let tokens: i64 = all["events"].as_array().unwrap().iter().map(|e| e["tokens"].as_i64().unwrap()).sum();
    assert_eq!(all["tokens"], tokens);
    let last = all["events"][19]["tokens"].as_i64().unwrap();
    let small = shown(&["--max-tokens", &(last + 1).to_string()]);
    assert!(small["tokens"].as_i64().unwrap() <= last + 1);
    let kinds = texts(small["events"].as_array().unwrap(), "kind");
    assert!(!kinds.contains(&"tool_result"), "its call did not fit: {kinds:?}");
    assert_eq!(kinds.last(), Some(&"model_message"), "the newest is kept");
}

/// What is generated: who speaks, which tool, and whether a result names its call.
#[derive(Debug, Clone)]
enum Step {
    Say,
    Call(u8),
    Answer { tool: u8, by_name: bool },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        Just(Step::Say),
        (0..2u8).prop_map(Step::Call),
        (0..2u8, any::<bool>()).prop_map(|(tool, by_name)| Step::Answer { tool, by_name }),
    ];
    prop::collection::vec(step, 1..24)
}

fn history_never_shows_a_result_without_its_call(home: &Home) {
    let session = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(Config { cases: 24, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&(steps(), 1..6usize, 1..20u64), |(steps, turns, tokens)| {
        session.set(session.get() + 1);
        check_history(home, &format!("run-{}", session.get()), &steps, turns, tokens)
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
}

/// Imports the steps as a session, so that results can name their calls, and looks at what is shown of it.
fn check_history(
    home: &Home,
    session: &str,
    steps: &[Step],
    turns: usize,
    tokens: u64,
) -> Result<(), TestCaseError> {
    let mut open: HashMap<u8, VecDeque<String>> = HashMap::new();
    let mut lines = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        let id = format!("{session}-{n}");
        let mut line = json!({
            "position": 1, "id": id, "session_id": session, "sequence": 1, "at": at("10:00:00"), "actor": "agent:x",
            "kind": "user_message", "role": "user", "summary": "", "tokens": 1,
        });
        match step {
            Step::Say => {}
            Step::Call(tool) => {
                (line["kind"], line["target"]) = (json!("tool_call"), json!(tool.to_string()));
                open.entry(*tool).or_default().push_back(id);
            }
            Step::Answer { tool, by_name } => {
                (line["kind"], line["target"]) = (json!("tool_result"), json!(tool.to_string()));
                let answered = open.entry(*tool).or_default().pop_front();
                if let Some(call) = answered.filter(|_| *by_name) {
                    line["triggered_by"] = json!(call);
                }
            }
        }
        lines.push(line);
    }
    home.call(&["log", "import", "-"]).input(jsonl(&lines)).ok();
    for args in [["--turns", &turns.to_string()], ["--max-tokens", &tokens.to_string()]] {
        let answer = home.json(&[&["session", "show", session], &args[..]].concat());
        // Only a cut can separate the two; a result that never had a call is shown as it was recorded.
        if answer["omitted"] != 0 {
            every_result_has_its_call(answer["events"].as_array().unwrap())?;
        }
    }
    Ok(())
}

/// A result that names its call comes after it; one that does not comes after some call of the same target that
/// nobody else has answered.
fn every_result_has_its_call(events: &[Json]) -> Result<(), TestCaseError> {
    let named: HashSet<&str> = texts(events, "triggered_by").into_iter().collect();
    let mut calls: HashSet<&str> = HashSet::new();
    let mut unanswered: HashMap<&str, usize> = HashMap::new();
    for event in events {
        let (id, target) = (event["id"].as_str().unwrap(), event["target"].as_str().unwrap_or_default());
        match (event["kind"].as_str().unwrap(), event["triggered_by"].as_str()) {
            ("tool_call", _) => {
                calls.insert(id);
                *unanswered.entry(target).or_default() += usize::from(!named.contains(id));
            }
            ("tool_result", Some(call)) => {
                proptest::prop_assert!(calls.contains(call), "{id} is shown without {call}");
            }
            ("tool_result", None) => {
                let left = unanswered.entry(target).or_default();
                proptest::prop_assert!(*left > 0, "{id} is shown without a call");
                *left -= 1;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Two calls of one tool run at once and only the second is in the window: the first result is not its answer.
#[test]
fn a_result_is_not_shown_with_another_call_than_its_own() {
    let home = Home::sqlite();
    let line =
        |kind: &str, content: &str| json!({"kind": kind, "session": "s", "target": "t", "content": content});
    home.batch(&[
        line("tool_call", "first call"),
        json!({"kind": "user_message", "session": "s", "content": "meanwhile"}),
        line("tool_call", "second call"),
        line("tool_result", "first result"),
        line("tool_result", "second result"),
    ]);
    let shown = home.json(&["session", "show", "s", "--turns", "1"]);
    let shown = texts(shown["events"].as_array().unwrap(), "content").join(", ");
    assert_eq!(shown, "meanwhile, second call, second result");
}

/// Whose call is not shown has no place, though another call of the same tool is there.
#[test]
fn a_result_goes_with_the_call_that_it_names() {
    let home = Home::sqlite();
    let line = |id: &str, kind: &str| {
        json!({
            "position": 1, "id": id, "session_id": "s", "sequence": 1, "at": at("10:00:00"), "actor": "agent:x",
            "kind": kind, "role": "tool", "target": "t", "summary": id, "tokens": 1,
        })
    };
    let mut result = line("result", "tool_result");
    result["triggered_by"] = json!("call-1");
    let lines =
        [line("call-1", "tool_call"), line("meanwhile", "user_message"), line("call-2", "tool_call"), result];
    home.call(&["log", "import", "-"]).input(jsonl(&lines)).ok();
    let shown = home.json(&["session", "show", "s", "--turns", "1"]);
    assert_eq!(texts(shown["events"].as_array().unwrap(), "id"), ["meanwhile", "call-2"]);
}

fn status_says_how_a_session_stands(home: &Home) {
    home.batch(&[
        json!({"kind": "user_message", "session": "s", "client": "c", "content": "Please fix it", "at": at("10:00:00"), "chatmode": "engineer", "metadata": {"model": "m"}}),
        json!({"kind": "memory_recall", "session": "s", "client": "c", "content": "three memories", "at": at("10:00:05")}),
        json!({"kind": "write", "session": "s", "client": "c", "target": "a.rs", "content": "fn a() {}", "at": at("10:42:07")}),
    ]);
    home.ok(&["session", "end", "s"]);
    home.ok(&["session", "state", "s", "--patch", r#"{"current_task":"T-1"}"#]);
    let status = home.json(&["session", "status", "s"]);
    assert_eq!(
        home.plain_json(&status),
        json!({
            "id": "ID1", "client": "c", "client_session": "s", "chatmode": "engineer", "user": "tester",
            "workspace": "[TMP]/work/shop", "metadata": {"model": "m"}, "started_at": at("10:00:00.000000"),
            "last_event_at": "TIME", "ended_at": "TIME", "end_reason": "request", "events": 5,
            "scratchpad": {"current_task": "T-1"}, "scratchpad_version": 1, "state": "ended (request)",
            "duration_seconds": status["duration_seconds"], "tokens": status["tokens"],
            "events_by_kind": {"memory_recall": 1, "system_event": 2, "user_message": 1, "write": 1},
            "memories_recalled": 1,
            "injections": {"count": 0, "tokens": 0, "memories": 0, "newest": []},
            "compaction": {
                "summaries": 0, "replaced_to": null, "events_since": 5, "turns_since": 1,
                "tokens_since": status["tokens"], "tokens_held": status["tokens"],
                "turns_limit": 30, "tokens_limit": 80_000, "due": null,
            },
        })
    );
    let idle = Home::sqlite();
    idle.batch(&[
        json!({"kind": "user_message", "session": "s", "content": "Please fix it", "at": at("10:00:00")}),
        json!({"kind": "write", "session": "s", "target": "a.rs", "content": "fn a() {}", "at": at("10:42:07")}),
    ]);
    shows!(idle, idle.ok(&["session", "status"]), @r"
    session     ID1 (cli s)
    state       idle
    role        default
    started     2026-01-15 10:00:00 for 42m 7s
    events      2 (1 user_message, 1 write)
    tokens      about 7
    recalled    0 memories
    injected    0 times, 0 tokens, 0 memories
    compaction  0 summaries, 2 events since (1 of 30 turns, 7 of 80000 tokens)
    scratchpad  version 0: {}
    ");
}

fn show_is_for_people(home: &Home) {
    home.batch(&[
        json!({"kind": "user_message", "session": "s", "client": "c", "content": "Please fix it", "at": at("10:00:00")}),
        json!({"kind": "tool_call", "session": "s", "client": "c", "target": "cargo test", "content": "cargo test", "at": at("10:00:05")}),
        json!({"kind": "tool_result", "session": "s", "client": "c", "target": "cargo test", "content": "2 failed\nmore", "at": at("10:00:09")}),
        json!({"kind": "user_message", "session": "s", "client": "c", "content": "And now?", "at": at("10:10:00")}),
    ]);
    shows!(home, home.ok(&["session", "show"]), @r"
    session ID1 (c s, role default)
     SEQ  TIME (UTC)           ACTOR        KIND          WHAT
     1    2026-01-15 10:00:00  user:tester  user_message  Please fix it
     2    2026-01-15 10:00:05  user:tester  tool_call     cargo test
     3    2026-01-15 10:00:09  user:tester  tool_result   cargo test: 2 failed
     4    2026-01-15 10:10:00  user:tester  user_message  And now?
    4 events, about 12 tokens
    ");
    shows!(home, home.ok(&["session", "show", "--turns", "1"]), @r"
    session ID1 (c s, role default)
    … 3 events not shown (--turns, --max-tokens)
     SEQ  TIME (UTC)           ACTOR        KIND          WHAT
     4    2026-01-15 10:10:00  user:tester  user_message  And now?
    1 events, about 3 tokens
    ");
    let json = home.json(&["session", "show", "--turns", "1"]);
    assert_eq!(
        json.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["session", "events", "tokens", "shown", "omitted"]
    );
}

fn a_role_brings_its_settings(home: &Home) {
    home.write(
        "work/shop/.throughline.toml",
        "[roles.architect]\nstatic_files = [\"docs/a.md\"]\nscopes = [\"user\", \"app\"]\ntool_sets = [\"core\"]\nmax_tokens = 1500\n\n[roles.tester]\n",
    );
    append(home, "s", "architect", "10:00:00");
    let role = home.json(&["session", "status"])["role"].clone();
    assert_eq!(
        role,
        json!({"static_files": ["docs/a.md"], "scopes": ["user", "app"], "tool_sets": ["core"], "max_tokens": 1500})
    );
    append(home, "t", "tester", "10:01:00");
    let role = home.json(&["session", "status", "t"])["role"].clone();
    assert_eq!(role, json!({"static_files": [], "scopes": [], "tool_sets": [], "max_tokens": null}));
    append(home, "u", "nobody", "10:02:00");
    assert_eq!(home.json(&["session", "status", "u"]).get("role"), None);
}

const WORKFLOW: &str = "---\ntitle: Ship\nsession:\n  compaction:\n    strategy: sliding_window\n    checkpoint_on: [validation_gate, session_end]\nmemory:\n  generation:\n    trigger: session_end\n    extract_topics: [decisions]\n  retrieval:\n    scopes: [app]\n---\n# Steps\n";

fn a_workflow_brings_its_settings(home: &Home) {
    home.write("work/shop/.throughline/workflows/ship.prompt.md", WORKFLOW);
    home.ok(&["log", "append", "--kind", "read", "--session", "s", "--workflow", "ship"]);
    assert_eq!(
        home.plain_json(&home.json(&["session", "status"])["workflow_settings"]),
        json!({
            "file": "[TMP]/work/shop/.throughline/workflows/ship.prompt.md",
            "settings": {
                "title": "Ship",
                "session": {"compaction": {"strategy": "sliding_window", "checkpoint_on": ["validation_gate", "session_end"]}},
                "memory": {
                    "generation": {"trigger": ["session_end"], "extract_topics": ["decisions"]},
                    "retrieval": {"scopes": ["app"]},
                },
            },
        })
    );
    let text = home.ok(&["session", "status"]);
    assert!(
        home.plain(&text)
            .contains("workflow    ship from [TMP]/work/shop/.throughline/workflows/ship.prompt.md"),
        "{text}"
    );
    home.ok(&["log", "append", "--kind", "read", "--session", "t", "--workflow", "../../secrets"]);
    assert_eq!(
        home.json(&["session", "status", "t"])["workflow_settings"],
        json!({"missing": true, "looked_in": [".throughline/workflows", ".claude/workflows"]})
    );
}

fn bad_front_matter_is_reported_and_ignored(home: &Home) {
    home.write(
        "work/shop/.throughline/workflows/ship.md",
        "---\ntitle: a\nsession:\n  compaction:\n    strategy: magic\n---\n",
    );
    home.ok(&["log", "append", "--kind", "read", "--session", "s", "--workflow", "ship"]);
    let status = home.json(&["session", "status"]);
    let ignored = status["workflow_settings"]["ignored"].as_str().unwrap();
    assert!(ignored.starts_with("line 5: "), "{ignored}");
    let text = home.ok(&["session", "status"]);
    assert!(text.contains("ship.md is ignored: line 5: "), "{text}");
    let doctor = home.json(&["doctor"]);
    assert_eq!(doctor["healthy"], true, "never fatal");
    let finding = doctor["findings"].as_array().unwrap().iter().find(|f| f["check"] == "workflow").unwrap();
    assert_eq!(finding["verdict"], "warning");
    assert!(finding["detail"].as_str().unwrap().contains("ship.md is ignored: line 5: "), "{finding}");
}

fn a_session_is_named_in_every_command(home: &Home) {
    let id = append(home, "first", "default", "10:00:00")["session_id"].as_str().unwrap().to_owned();
    append(home, "second", "default", "11:00:00");
    for name in ["first", "fir", id.as_str()] {
        assert_eq!(home.json(&["session", "show", name])["session"]["id"], id.as_str());
        assert_eq!(home.json(&["session", "status", name])["id"], id.as_str());
        assert_eq!(home.json(&["session", "state", name])["session_id"], id.as_str());
    }
    home.ok(&["log", "append", "--kind", "read", "--session", &id, "--at", &at("10:30:00")]);
    assert_eq!(home.json(&["session", "status", "first"])["events"], 2, "our id finds the same session");
    for command in ["show", "status", "state", "end", "resume"] {
        let error = home.fails(&["session", command, "third"]);
        assert_eq!(
            error,
            "error: there is no session \"third\" in this project; `throughline session list` shows those there are\n"
        );
    }
}

fn nothing_is_shown_of_a_project_without_sessions(home: &Home) {
    assert_eq!(home.ok(&["session", "list"]), "no sessions\n");
    for command in ["show", "status", "state", "end", "resume"] {
        let error = home.fails(&["session", command]);
        assert_eq!(
            error,
            "error: this project has no sessions yet; record one with `throughline log append`\n"
        );
    }
}
