//! Each tool does what it says, and says what to do where it cannot.

use serde_json::{Value as Json, json};

use super::Client;
use crate::fixture::{Home, on_both};

on_both!(
    what_is_remembered_is_found_expanded_judged_and_forgotten,
    memories_are_searched_by_scope_category_and_tags,
    a_value_takes_the_place_of_the_value_before,
    events_are_found_beside_memories,
    a_scratchpad_opens_the_session_it_belongs_to,
    a_session_is_looked_at_by_its_id,
    nothing_is_found_where_nothing_is_recorded,
    wrong_arguments_are_answered_with_what_is_right,
    what_the_engine_refuses_is_said_to_the_agent,
    the_same_json_as_on_the_command_line,
);

fn what_is_remembered_is_found_expanded_judged_and_forgotten(home: &Home) {
    let mut client = Client::of(home);
    let kept = client.tool(
        "remember",
        &json!({ "content": "Deploys go out on Tuesdays", "kind": "rule", "tags": ["deploy"], "importance": 0.9 }),
    );
    assert_eq!(kept["action"], "created");
    assert_eq!((&kept["kind"], &kept["scope"]), (&json!("rule"), &json!("app")));
    let id = kept["id"].as_str().unwrap();
    let again = client.tool("remember", &json!({ "content": "deploys go out on tuesdays", "kind": "rule" }));
    assert_eq!((&again["action"], &again["id"]), (&json!("corroborated"), &json!(id)));

    let found = client.tool("search", &json!({ "query": "when do we deploy?" }));
    assert_eq!(found["total"], 1);
    let hit = &found["hits"][0];
    assert_eq!((&hit["id"], &hit["kind"]), (&json!(id), &json!("rule")));
    for part in ["title", "snippet", "score", "source", "age"] {
        assert!(hit.get(part).is_some(), "{part} is missing in {hit:#}");
    }
    assert_eq!(hit.get("content"), None, "a stub is short");
    let full = client.tool("search", &json!({ "query": "when do we deploy?", "detail": "full" }));
    assert_eq!(full["hits"][0]["content"], "Deploys go out on Tuesdays");

    let expanded = client.tool("expand", &json!({ "ids": [id] }));
    assert_eq!(expanded["entries"][0]["text"], "Deploys go out on Tuesdays");
    assert_eq!(expanded["entries"][0]["memory"]["actor"], "agent:claude-code");

    let judged =
        client.tool("feedback", &json!({ "ids": [id], "outcome": "helpful", "note": "saved a day" }));
    let (before, after) = (&judged["memories"][0]["confidence_before"], &judged["memories"][0]["confidence"]);
    assert!(before.as_f64() < after.as_f64(), "{judged:#}");

    let forgotten = client.tool("forget", &json!({ "ids": [id], "reason": "moved to Mondays" }));
    assert_eq!(forgotten["forgotten"][0]["id"], id);
    assert_eq!(
        client.tool("search", &json!({ "query": "when do we deploy?", "kinds": ["memory"] }))["total"],
        0
    );
    assert!(client.refusal("expand", &json!({ "ids": [id] })).contains("forgotten"));
    home.check();
}

fn memories_are_searched_by_scope_category_and_tags(home: &Home) {
    let mut client = Client::of(home);
    let rows = [
        ("The colour of buttons is blue", "fact", "app", "ui"),
        ("Anna likes the colour green", "preference", "user", "people"),
        ("This colour test is for now", "context", "session", "ui"),
    ];
    for (content, kind, scope, tag) in rows {
        client.tool("remember", &json!({ "content": content, "kind": kind, "scope": scope, "tags": [tag] }));
    }
    let mut found = |filter: Json| -> Vec<String> {
        let mut arguments = json!({ "query": "colour" });
        arguments.as_object_mut().unwrap().extend(filter.as_object().unwrap().clone());
        let answer = client.tool("memory_search", &arguments);
        let mut kinds: Vec<String> = answer["hits"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["kind"].as_str().unwrap().to_owned())
            .collect();
        kinds.sort_unstable();
        kinds
    };
    assert_eq!(found(json!({})), ["context", "fact", "preference"]);
    assert_eq!(found(json!({ "scope": "all" })), ["context", "fact", "preference"]);
    assert_eq!(found(json!({ "scope": "user" })), ["preference"]);
    assert_eq!(found(json!({ "category": "fact" })), ["fact"]);
    assert_eq!(found(json!({ "tags": ["ui"] })), ["context", "fact"]);
    assert_eq!(found(json!({ "tags": ["ui"], "scope": "session" })), ["context"]);
    assert_eq!(found(json!({ "limit": 1 })).len(), 1);
}

fn a_value_takes_the_place_of_the_value_before(home: &Home) {
    let mut client = Client::of(home);
    let said = |port| json!({ "content": format!("The server listens on port {port}"), "state_key": "port" });
    client.tool("remember", &said(8080));
    assert_eq!(client.tool("remember", &said(9090))["action"], "superseded");
    let found = client.tool("search", &json!({ "query": "server port", "kinds": ["memory"] }));
    assert_eq!(found["total"], 1);
    assert!(found["hits"][0]["snippet"].as_str().unwrap().contains("9090"));
    let old = client.remember("Builds take an hour");
    let kept = client.tool("remember", &json!({ "content": "Builds take a minute", "supersedes": old }));
    assert_eq!(kept["superseded"], json!([old]));
    let soon = client.tool("remember", &json!({ "content": "The freeze is on", "expires_at": "2d" }));
    let shown = home.json(&["memory", "show", soon["id"].as_str().unwrap()]);
    assert!(shown["expires_at"].is_string(), "{shown:#}");
}

fn events_are_found_beside_memories(home: &Home) {
    home.batch(&[
        json!({ "kind": "user_message", "session": "s-1", "client": "codex", "content": "The parser drops commas" }),
    ]);
    let mut client = Client::of(home);
    client.remember("Commas matter to the parser");
    let kinds = |client: &mut Client, arguments: &Json| -> Vec<String> {
        let found = client.tool("search", arguments);
        let hits = found["hits"].as_array().unwrap();
        hits.iter().map(|hit| hit["kind"].as_str().unwrap().to_owned()).collect()
    };
    let both = kinds(&mut client, &json!({ "query": "parser commas", "kinds": ["memory", "event"] }));
    assert!(both.contains(&"fact".to_owned()) && both.contains(&"user_message".to_owned()), "{both:?}");
    assert_eq!(kinds(&mut client, &json!({ "query": "parser commas", "kinds": ["memory"] })), ["fact"]);
    assert_eq!(
        kinds(&mut client, &json!({ "query": "parser commas", "since": "2999-01-01" })),
        [""; 0],
        "nothing is from the future"
    );
}

fn a_scratchpad_opens_the_session_it_belongs_to(home: &Home) {
    let mut client = Client::of(home);
    let patched =
        client.tool("session_state", &json!({ "patch": { "current_task": "T-1", "blockers": ["CI"] } }));
    assert_eq!(patched["version"], 1);
    assert_eq!(patched["state"], json!({ "current_task": "T-1", "blockers": ["CI"] }));
    let patched = client.tool("session_state", &json!({ "patch": { "blockers": null }, "if_version": 1 }));
    assert_eq!(patched["state"], json!({ "current_task": "T-1" }));
    assert_eq!(client.tool("session_state", &json!({})), patched);
    let refused = client.refusal("session_state", &json!({ "patch": { "a": 1 }, "if_version": 1 }));
    assert!(refused.contains("version 2"), "{refused}");

    let status = client.tool("session_status", &json!({}));
    assert_eq!(status["id"], patched["session_id"]);
    assert_eq!((&status["client"], &status["state"]), (&json!("claude-code"), &json!("open")));
    assert_eq!(status["scratchpad"], patched["state"]);
    let events = home.events();
    assert_eq!(events.len(), 2, "each change is an event, and a refused one is none");
    assert_eq!(events[0]["target"], "scratchpad");
    home.check();
}

fn a_session_is_looked_at_by_its_id(home: &Home) {
    home.batch(&[
        json!({ "kind": "user_message", "session": "theirs", "client": "cursor", "content": "hello" }),
    ]);
    let mut client = Client::of(home);
    let newest = client.tool("session_status", &json!({}));
    assert_eq!(newest["client_session"], "theirs", "the newest, while there is none of its own");
    client.remember("this opens one");
    assert_eq!(client.tool("session_status", &json!({}))["client"], "claude-code", "its own from then on");
    let theirs = newest["id"].as_str().unwrap();
    assert_eq!(client.tool("session_status", &json!({ "session_id": theirs }))["client"], "cursor");
    let patched =
        client.tool("session_state", &json!({ "session_id": "theirs", "patch": { "current_task": "x" } }));
    assert_eq!(patched["session_id"], theirs);
    assert_eq!(client.tool("session_state", &json!({ "session_id": theirs })), patched);
}

fn nothing_is_found_where_nothing_is_recorded(home: &Home) {
    let mut client = Client::of(home);
    assert_eq!(client.tool("search", &json!({ "query": "anything" }))["hits"], json!([]));
    assert_eq!(client.tool("memory_search", &json!({ "query": "anything" }))["total"], 0);
    assert!(client.refusal("session_status", &json!({})).contains("no sessions"));
    assert!(client.refusal("session_state", &json!({})).contains("no sessions"));
    assert!(client.refusal("forget", &json!({ "ids": ["0"] })).contains("there is no memory \"0\""));
    assert_eq!(home.json(&["project", "list"])["projects"], json!([]), "looking makes no project");
}

fn wrong_arguments_are_answered_with_what_is_right(home: &Home) {
    let mut client = Client::of(home);
    let cases = [
        ("search", json!({}), "missing field `query`"),
        ("search", json!({ "query": 7 }), "expected a string"),
        ("search", json!({ "query": "x", "limit": 0 }), "from 1 to 1000"),
        ("search", json!({ "query": "x", "limit": 1001 }), "from 1 to 1000"),
        ("search", json!({ "query": "x", "kinds": ["song"] }), "memory, decision, belief, event"),
        ("search", json!({ "query": "x", "since": "yesterday" }), "2026-11-15"),
        ("search", json!({ "query": "x", "detail": "long" }), "`concise` or `full`"),
        ("search", json!({ "query": "x", "tag": "y" }), "unknown field `tag`"),
        ("memory_search", json!({ "query": "x", "scope": "world" }), "`user`, `session`, `app`, `all`"),
        ("memory_search", json!({ "query": "x", "category": "song" }), "fact, preference, rule"),
        ("expand", json!({ "ids": "0" }), "ids: invalid type: string \"0\", expected a list"),
        ("expand", json!({ "ids": [], "max_tokens": -1 }), "-1"),
        ("remember", json!({ "content": "x", "kind": "song" }), "fact, preference, rule"),
        (
            "remember",
            json!({ "content": "x", "expires_at": "soon" }),
            "not a time to come; write 2026-11-15T03:31:18Z",
        ),
        ("forget", json!({}), "missing field `ids`"),
        (
            "feedback",
            json!({ "ids": ["0"], "outcome": "nice" }),
            "helpful, not_helpful, misleading, outdated",
        ),
        ("session_state", json!({ "patch": [1] }), "patch: invalid type: sequence, expected an object"),
        ("session_state", json!({ "if_version": 1 }), "goes with a patch"),
    ];
    for (tool, arguments, hint) in cases {
        let refused = client.refusal(tool, &arguments);
        assert!(refused.contains(hint), "{tool} {arguments}: {refused}");
    }
    assert_eq!(client.tool("search", &json!({ "query": "x", "limit": null, "kinds": null }))["total"], 0);
}

fn what_the_engine_refuses_is_said_to_the_agent(home: &Home) {
    let mut client = Client::of(home);
    let id = client.remember("Something to be forgotten");
    client.tool("forget", &json!({ "ids": [id] }));
    let cases = [
        ("remember", json!({ "content": "  " }), "the content is empty"),
        ("remember", json!({ "content": "x", "importance": 2 }), "between 0 and 1"),
        ("remember", json!({ "content": "x", "supersedes": "zzz" }), "there is no memory \"zzz\""),
        ("remember", json!({ "content": "x", "expires_at": "2001-01-01" }), "name a later time"),
        ("remember", json!({ "content": "x", "tags": [""] }), "1 to 100 bytes"),
        ("feedback", json!({ "ids": [id], "outcome": "helpful" }), "is forgotten"),
        ("feedback", json!({ "ids": [], "outcome": "helpful" }), "give at least one id"),
        (
            "record_decision",
            json!({ "subject": "Database", "choice": "SQLite", "rationale": " " }),
            "a decision needs a rationale; write why",
        ),
        ("forget", json!({ "ids": [id, "zzz"] }), "there is no memory \"zzz\""),
        ("expand", json!({ "ids": ["zzz"] }), "nothing has the id \"zzz\""),
        ("session_status", json!({ "session_id": "zzz" }), "there is no session \"zzz\""),
        ("session_state", json!({ "session_id": "zzz", "patch": {} }), "there is no session \"zzz\""),
        ("session_state", json!({ "patch": { "blockers": "CI" } }), "must be a list"),
    ];
    for (tool, arguments, hint) in cases {
        let refused = client.refusal(tool, &arguments);
        assert!(refused.contains(hint), "{tool} {arguments}: {refused}");
    }
    home.check();
}

fn the_same_json_as_on_the_command_line(home: &Home) {
    let mut client = Client::of(home);
    let id = client.remember("Both doors say the same");
    client.tool("session_state", &json!({ "patch": { "current_task": "doors" } }));
    let same = |shown: &Json, told: &Json| {
        // How old something is depends on the moment, and reading a memory in full counts as a use of it.
        let mut both = [shown.clone(), told.clone()];
        for answer in &mut both {
            for hit in answer["hits"].as_array_mut().into_iter().flatten() {
                hit["age"].take();
                hit["score"].take();
            }
            for entry in answer["entries"].as_array_mut().into_iter().flatten() {
                entry["memory"]["use_count"].take();
                entry["memory"]["last_used_at"].take();
            }
        }
        assert_eq!(both[0], both[1]);
    };
    let arguments = json!({ "query": "doors", "kinds": ["memory"] });
    same(&home.json(&["search", "doors", "--kind", "memory"]), &client.tool("search", &arguments));
    client.tool("expand", &json!({ "ids": [id] }));
    same(&home.json(&["expand", &id]), &client.tool("expand", &json!({ "ids": [id] })));
    same(&home.json(&["session", "state"]), &client.tool("session_state", &json!({})));
}
