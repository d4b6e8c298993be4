//! The way from sessions to memories, with the process killed at every point of it: the result is that of a process that
//! nobody kills.

use serde_json::{Value as Json, json};

use crate::fixture::{Home, at, on_both};
use crate::processes::kill_after;

on_both!(killed_at_any_point_the_memories_are_the_same);

/// So many points of a run, evenly spread from its beginning to beyond its end.
const POINTS: usize = 16;

/// What is said in a session: new, the same again, more exactly, the opposite, and the way out of a failure.
fn session(number: usize) -> Vec<Json> {
    let name = format!("s{number}");
    let event = |minute: usize, kind: &str, rest: Json| {
        let mut event = json!({
            "session": name, "client": "claude-code", "kind": kind,
            "at": at(&format!("{:02}:{:02}:00", number % 24, minute)),
        });
        event.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        event
    };
    let said = |minute: usize, text: String| event(minute, "user_message", json!({ "content": text }));
    let ran = |minute: usize, command: &str, error: Option<&str>| {
        let parts = json!({ "tool": "Bash", "ok": error.is_none() });
        let call = json!({ "target": command, "content": command, "parts": parts });
        let result = json!({ "target": command, "content": error.unwrap_or("ok"), "parts": parts });
        [event(minute, "tool_call", call), event(minute, "tool_result", result)]
    };
    let mut events = vec![
        said(0, format!("Remember that service{number} listens on port {}", 4000 + number)),
        said(1, format!("The gateway listens on port {}", 8000 + number / 3)),
        said(2, "We use pnpm in this repo, not npm".to_owned()),
        said(3, format!("Actually, the ledger runs on port {}, not 1", 5000 + number % 4)),
        said(4, "thanks, that looks great".to_owned()),
    ];
    events.extend(ran(5, "npm ci", Some("npm ERR! code ERESOLVE")));
    events.extend(ran(6, "npm ci", Some("npm ERR! code ERESOLVE")));
    events.extend(ran(7, "npm ci --legacy-peer-deps", None));
    events
}

fn record(home: &Home, number: usize) {
    home.batch(&session(number));
    home.ok(&["session", "end", &format!("s{number}")]);
}

/// Everything about the memories but what chance and the clock say.
fn remembered(home: &Home) -> Vec<Json> {
    let listed = home.json(&["memory", "list", "--all", "-n", "1000"]);
    let plain = |memory: &Json| {
        let shown = home.json(&["memory", "show", memory["id"].as_str().unwrap()]);
        json!([
            shown["content"],
            shown["kind"],
            shown["status"],
            shown["confidence"],
            shown["tags"],
            shown["state_key"],
            shown["lineage"].as_array().unwrap().len(),
            shown["superseded_by"].is_string(),
        ])
    };
    let mut memories: Vec<Json> = listed["memories"].as_array().unwrap().iter().map(plain).collect();
    memories.sort_by_key(Json::to_string);
    memories
}

/// The notes of what was read and what came of it, session by session.
fn ledger(home: &Home) -> Vec<Json> {
    let events = home.events_with(&["--kind", "system_event"]);
    let of_ledger = events.iter().filter(|event| event["target"] == "memory_generation");
    let mut notes: Vec<Json> = of_ledger
        .map(|event| json!([event["summary"], event["parts"]["created"], event["parts"]["corroborated"]]))
        .collect();
    notes.sort_by_key(Json::to_string);
    notes
}

fn killed_at_any_point_the_memories_are_the_same(home: &Home) {
    let spared = home.fresh();
    for one in [home, &spared] {
        // Who is killed so often is given up otherwise, and a dead worker's job waits for its lease.
        one.ok(&["config", "set", "jobs.max_attempts", "1000"]);
        one.ok(&["config", "set", "jobs.lease", "1ms"]);
    }
    let mut moments = 0;
    for number in 0..POINTS {
        record(&spared, number);
        let mut child = spared.call(&["jobs", "run"]).spawn();
        let polls = (1_usize..).find(|_| child.try_wait().unwrap().is_some()).unwrap();
        moments = moments.max(polls);
        assert!(child.wait().unwrap().success());
    }
    let mut unfinished = 0;
    for number in 0..POINTS {
        record(home, number);
        let point = (number * 7 % POINTS) * moments / (POINTS - 4);
        kill_after(home.call(&["jobs", "run"]).spawn(), point);
        let jobs = home.json(&["jobs", "list"]);
        unfinished += usize::from(
            jobs["jobs"].as_array().unwrap().iter().any(|job| job["kind"] == "generate_memories"),
        );
    }
    assert!(unfinished > 0, "no run was killed before its work was done");
    home.ok(&["jobs", "run"]);
    assert_eq!(remembered(home), remembered(&spared));
    assert_eq!(ledger(home), ledger(&spared));
    assert_eq!(ledger(home).len(), POINTS, "each session is read once");
    home.check();
}
