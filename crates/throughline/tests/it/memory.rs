//! Memories from outside: what is remembered is kept as said, without secrets, and what was forgotten stays so.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, Ran, kept_or_refused, on_both, shows};

on_both!(
    a_statement_is_remembered,
    every_flag_of_remember_is_kept,
    a_statement_is_read_from_stdin,
    words_without_quotes_are_one_statement,
    unusual_characters_are_kept_or_refused_alike,
    tags_are_a_list,
    an_expiry_is_a_time_or_a_length_of_time,
    a_share_beyond_its_bounds_is_refused,
    a_statement_that_is_empty_or_too_long_is_refused,
    a_secret_is_taken_out_of_a_statement,
    the_same_statement_again_is_surer,
    a_forgotten_memory_is_found_no_more,
    what_is_forgotten_together_is_all_or_none,
    a_memory_takes_the_place_of_another,
    a_state_key_has_one_present_value,
    what_a_tool_said_waits_until_somebody_else_says_it,
    feedback_moves_the_confidence,
    a_misleading_memory_goes_to_review,
);

pub(crate) fn remember(home: &Home, args: &[&str]) -> String {
    id(&home.json(&[&["remember"], args].concat()))
}

pub(crate) fn id(answer: &Json) -> String {
    answer["id"].as_str().unwrap_or_else(|| panic!("no id: {answer}")).to_owned()
}

/// The ids that a command lists, in its order.
pub(crate) fn ids(home: &Home, args: &[&str]) -> Vec<String> {
    let answer = home.json(args);
    let list = answer["hits"].as_array().or(answer["memories"].as_array()).unwrap();
    list.iter().map(id).collect()
}

fn show(home: &Home, id: &str) -> Json {
    home.json(&["memory", "show", id])
}

fn problem(ran: &Ran) -> (i32, Json) {
    let answer: Json = serde_json::from_str(&ran.stdout).unwrap();
    (ran.code, answer["error"]["kind"].clone())
}

fn a_statement_is_remembered(home: &Home) {
    let text = home.ok(&["remember", "Deployments wait for the migration job"]);
    shows!(home, text, @"created ID1: Deployments wait for the migration job");
    let answer = home.json(&["remember", "The cache is warmed at six", "--kind", "rule"]);
    shows!(home, answer.to_string(), @r#"{"id":"ID1","action":"created","title":"The cache is warmed at six","kind":"rule","scope":"app","confidence":0.9}"#);
    shows!(home, home.ok(&["memory", "list"]), @r"
    ID                    KIND  SCOPE  STATUS  CREATED (UTC)        TITLE
    ID1  rule  app    active  TIME  The cache is warmed at six
    ID2  fact  app    active  TIME  Deployments wait for the migration job
    ");
    home.check();
}

fn every_flag_of_remember_is_kept(home: &Home) {
    let old = remember(home, &["The port is 8080"]);
    let id = remember(
        home,
        &[
            "The port is 9090",
            "--title",
            "Port of the service",
            "--kind",
            "decision",
            "--scope",
            "user",
            "--tag",
            "network",
            "--tag",
            "service",
            "--importance",
            "0.9",
            "--confidence",
            "0.75",
            "--source",
            "implicit",
            "--state-key",
            "service.port",
            "--supersedes",
            &old,
            "--expires",
            "2099-01-01",
            "--occurred-at",
            "2026-01-15T10:00:00Z",
            "--session",
            "chat-1",
            "--client",
            "editor",
        ],
    );
    let shown = show(home, &id);
    shows!(home, format!("{shown:#}"), @r#"
    {
      "id": "ID1",
      "kind": "decision",
      "scope": "user",
      "status": "active",
      "title": "Port of the service",
      "content": "The port is 9090",
      "tags": [
        "network",
        "service"
      ],
      "importance": 0.9,
      "confidence": 0.75,
      "source": "implicit",
      "actor": "user:tester",
      "state_key": "service.port",
      "supersedes": "ID2",
      "created_at": "TIME",
      "occurred_at": "2026-01-15T10:00:00.000000Z",
      "expires_at": "TIME",
      "use_count": 0,
      "lineage": [
        {
          "event_id": "ID3",
          "session_id": "ID4"
        }
      ],
      "decay": "half as sure 365 days after it was made or last confirmed"
    }
    "#);
    let session = shown["lineage"][0]["session_id"].as_str().unwrap();
    let sessions = home.json(&["session", "list"]);
    let named = sessions["sessions"].as_array().unwrap().iter().find(|s| s["id"] == session).unwrap();
    assert_eq!((&named["client"], &named["client_session"]), (&json!("editor"), &json!("chat-1")));
}

fn a_statement_is_read_from_stdin(home: &Home) {
    let answer = home.call(&["remember", "-"]).input("First line.\nSecond – line.\n\n").json();
    assert_eq!(show(home, &id(&answer))["content"], "First line.\nSecond – line.");
    assert_eq!(answer["title"], "First line. Second – line.");
    let error = home.call(&["remember", "-"]).input(*b"\xff\xfe").run().fails();
    shows!(home, error, @"error: standard input is not valid UTF-8 (at byte 1); convert it to UTF-8 first");
    let error = home.call(&["remember", "-"]).run().fails();
    shows!(home, error, @"error: there is nothing to remember: the content is empty; write what shall last");
}

fn words_without_quotes_are_one_statement(home: &Home) {
    let id = remember(home, &["never", "deploy", "on", "friday"]);
    assert_eq!(show(home, &id)["content"], "never deploy on friday");
}

fn unusual_characters_are_kept_or_refused_alike(home: &Home) {
    for text in
        ["a\u{0}b", "\u{0}", "\u{fffe}", "\u{202e}right to left", "\u{1f468}\u{200d}\u{1f469}", "e\u{301}"]
    {
        kept_or_refused(&home.call(&["remember", "-", "--json"]).input(text).run());
    }
    let title = home.call(&["remember", "x", "--title", "\u{1}", "--json"]).run();
    kept_or_refused(&title);
    home.json(&["memory", "list", "--all"]);
    home.check();
}

fn tags_are_a_list(home: &Home) {
    let id = remember(home, &["Tagged", "--tag", "b, a", "--tags", "c,b"]);
    assert_eq!(show(home, &id)["tags"], json!(["a", "b", "c"]));
    shows!(home, home.fails(&["remember", "x", "--tag", "a,,b"]), @r#"error: the tag "" must have 1 to 100 bytes and no line breaks or control characters"#);
    let many: Vec<String> = (0..33).map(|n| format!("tag{n}")).collect();
    shows!(home, home.fails(&["remember", "x", "--tag", &many.join(",")]), @"error: the memory has 33 tags and the limit is 32; keep the ones you would search by");
    assert_eq!(home.json(&["memory", "list"])["total"], 1);
}

fn an_expiry_is_a_time_or_a_length_of_time(home: &Home) {
    let id = remember(home, &["The freeze holds", "--expires", "2h"]);
    let shown = show(home, &id);
    let hour = |field: &str| shown[field].as_str().unwrap()[11..13].parse::<i32>().unwrap();
    assert_eq!((hour("expires_at") - hour("created_at")).rem_euclid(24), 2, "{shown:#}");
    assert_eq!(shown["status"], "active");
    shows!(home, home.fails(&["remember", "x", "--expires", "2020-01-01"]), @"error: the memory would have expired already; name a later time");
    let error = home.call(&["remember", "x", "--expires", "soon"]).run().refuses();
    shows!(home, error, @r#"
    error: invalid value 'soon' for '--expires <TIME>': "soon" is not a time to come; write 2026-11-15T03:31:18Z, 2026-11-15, or in how long: 30m, 2h, 3d

    For more information, try '--help'.
    "#);
}

fn a_share_beyond_its_bounds_is_refused(home: &Home) {
    for share in ["--importance=1.5", "--confidence=-0.1", "--importance=NaN"] {
        let said = home.call(&["remember", "x", share]).run().refuses();
        assert!(said.contains("write a number between 0 and 1"), "{share}: {said}");
    }
    let error = home.call(&["remember", "x", "--importance", "high"]).run().refuses();
    shows!(home, error, @r"
    error: invalid value 'high' for '--importance <SHARE>': write a number between 0 and 1

    For more information, try '--help'.
    ");
    assert_eq!(home.json(&["memory", "list", "--all"])["total"], 0);
}

fn a_statement_that_is_empty_or_too_long_is_refused(home: &Home) {
    shows!(home, home.fails(&["remember", " \n\t"]), @"error: there is nothing to remember: the content is empty; write what shall last");
    let ran = home.call(&["remember", "-", "--json"]).input("x".repeat(70_000)).run();
    assert_eq!(problem(&ran), (1, json!("invalid")));
    let error = home.call(&["remember", "-"]).input("x".repeat(65 * 1024)).run().fails();
    shows!(home, error, @"error: the memory's content has 66560 bytes and the limit is 65536; remember the statement and name the file that has the rest");
    let error = home.call(&["remember", "x", "--title", &"t".repeat(501)]).run().fails();
    assert!(error.contains("title"), "{error}");
    home.call(&["remember", "-"]).input("word ".repeat(13_000)).ok();
    assert_eq!(home.json(&["memory", "list", "--all"])["total"], 1);
}

fn a_secret_is_taken_out_of_a_statement(home: &Home) {
    let secret = ["ghp", "_", "a8Fh2kLm9QwErTy5uIoP1zXcVbNm3sDf6gHj"].concat();
    let text =
        home.ok(&["remember", &format!("CI pushes with {secret}"), "--title", &format!("key {secret}")]);
    shows!(home, text, @"created ID1: key [redacted:github-token], 2 secrets taken out");
    for field in ["--tag", "--state-key"] {
        let error = home.fails(&["remember", "x", field, &secret]);
        assert!(!error.contains(&secret), "{error}");
    }
    let id = &ids(home, &["memory", "list"])[0];
    home.ok(&["feedback", id, "--outcome", "helpful", "--note", &secret]);
    home.ok(&["forget", id, "--reason", &secret]);
    assert_eq!(home.files_with(&secret), Vec::<PathBuf>::new());
    assert!(!home.ok(&["log", "export"]).contains(&secret));
    assert!(!home.ok(&["memory", "list", "--all", "--json"]).contains(&secret));
}

fn the_same_statement_again_is_surer(home: &Home) {
    let first = home.json(&["remember", "Builds need Rust 1.90"]);
    let again = home.json(&["remember", "builds  need rust 1.90."]);
    assert_eq!((&again["id"], &again["action"]), (&first["id"], &json!("corroborated")));
    assert!(again["confidence"].as_f64() > first["confidence"].as_f64());
    shows!(home, home.ok(&["remember", "Builds need Rust 1.90"]), @"corroborated ID1: Builds need Rust 1.90 (confidence 0.951)");
    assert_eq!(home.json(&["memory", "list", "--all"])["total"], 1);
    assert_eq!(show(home, &id(&first))["lineage"].as_array().unwrap().len(), 3);
}

fn a_forgotten_memory_is_found_no_more(home: &Home) {
    let id = remember(home, &["The zanzibar gateway retries twice", "--tag", "gateway"]);
    remember(home, &["The gateway speaks HTTP/2"]);
    assert_eq!(ids(home, &["search", "zanzibar gateway"])[0], id);
    shows!(home, home.ok(&["forget", &id, "--reason", "no longer so"]), @"forgotten: ID1 The zanzibar gateway retries twice");
    for command in [
        &["search", "zanzibar gateway retries"][..],
        &["search", "zanzibar", "--limit", "100"],
        &["search", "zanzibar", "--kind", "event"],
        &["memory", "search", "zanzibar gateway retries"],
        &["memory", "search", "retries", "--tag", "gateway"],
        &["memory", "list"],
        &["memory", "list", "--tag", "gateway"],
    ] {
        let text = home.ok(command);
        assert!(!text.contains("zanzibar") && !text.contains(&id), "{command:?}: {text}");
    }
    let ran = home.call(&["expand", &id]).run();
    assert_eq!((ran.code, ran.stdout.contains("zanzibar")), (1, false), "{ran:?}");
    let answer = home.json(&["forget", &id]);
    assert_eq!(answer["forgotten"][0]["already"], true);
    shows!(home, home.ok(&["forget", &id]), @"was forgotten already: ID1 The zanzibar gateway retries twice");
    let shown = show(home, &id);
    assert_eq!((&shown["status"], &shown["end_reason"]), (&json!("forgotten"), &json!("no longer so")));
    // Said again, it is a memory of its own.
    let again = home.json(&["remember", "The zanzibar gateway retries twice"]);
    assert_eq!(again["action"], "created");
    assert_eq!(ids(home, &["search", "zanzibar"]).first(), again["id"].as_str().map(str::to_owned).as_ref());
    home.check();
}

fn what_is_forgotten_together_is_all_or_none(home: &Home) {
    let one = remember(home, &["first of two"]);
    let error = home.fails(&["forget", &one, "nobody"]);
    shows!(home, error, @r#"error: there is no memory "nobody"; `throughline memory list` and `throughline search` show their ids"#);
    assert_eq!(show(home, &one)["status"], "active");
    let two = remember(home, &["second of two"]);
    home.ok(&["forget", &one, &two]);
    assert_eq!(home.json(&["memory", "list"])["total"], 0);
    assert_eq!(home.json(&["memory", "list", "--all"])["total"], 2);
}

fn a_memory_takes_the_place_of_another(home: &Home) {
    let old = remember(home, &["Tests run on Node 18"]);
    let answer = home.json(&["remember", "Tests run on Node 22", "--supersedes", &old]);
    assert_eq!((&answer["action"], &answer["superseded"]), (&json!("superseded"), &json!([old])));
    assert_eq!(ids(home, &["search", "which node do tests run on"]), [id(&answer)]);
    let shown = show(home, &old);
    assert_eq!((&shown["status"], &shown["superseded_by"]), (&json!("superseded"), &answer["id"]));
    shows!(home, home.fails(&["remember", "Node 24", "--supersedes", &old]), @"error: memory ID1 was superseded by ID2 already; supersede that one");
    shows!(home, home.fails(&["feedback", &old, "--outcome", "helpful"]), @"error: memory ID1 is superseded; feedback is for memories that are in use, which `throughline memory list` shows");
    home.ok(&["forget", &id(&answer)]);
    shows!(home, home.fails(&["remember", "Node 24", "--supersedes", &id(&answer)]), @"error: memory ID1 was forgotten; remember the new statement without --supersedes");
    assert_eq!(ids(home, &["search", "node"]), [""; 0], "the older value does not come back");
}

fn a_state_key_has_one_present_value(home: &Home) {
    remember(home, &["The release branch is 1.4", "--state-key", "release.branch"]);
    let text = home.ok(&["remember", "The release branch is 1.5", "--state-key", "release.branch"]);
    shows!(home, text, @"created ID1: The release branch is 1.5 (in place of ID2)");
    let other =
        remember(home, &["My release branch is 2.0", "--state-key", "release.branch", "--scope", "user"]);
    let listed = home.json(&["memory", "list", "--state-key", "release.branch"]);
    assert_eq!(listed["total"], 2, "one in each scope: {listed:#}");
    assert_eq!(listed["memories"][0]["id"], other.as_str());
    assert_eq!(home.json(&["memory", "list", "--state-key", "release.branch", "--all"])["total"], 3);
    let hits = home.ok(&["search", "release branch"]);
    assert!(hits.contains("1.5") && !hits.contains("1.4"), "{hits}");
    shows!(home, home.fails(&["remember", "x", "--state-key", " "]), @"error: the state key must have 1 to 200 bytes and no line breaks or control characters");
}

fn what_a_tool_said_waits_until_somebody_else_says_it(home: &Home) {
    let text = home.ok(&["remember", "The quokka endpoint is public", "--source", "tool_output"]);
    shows!(home, text, @"quarantined ID1: The quokka endpoint is public (not found before somebody approves it with `throughline memory approve` or says the same)");
    assert_eq!(home.json(&["search", "quokka"])["total"], 0);
    assert_eq!(home.json(&["memory", "list"])["total"], 0);
    let id = ids(home, &["memory", "list", "--all"]).remove(0);
    assert_eq!(home.call(&["expand", &id]).run().code, 1);
    let answer = home.json(&["remember", "The quokka endpoint is public"]);
    assert_eq!((&answer["action"], &answer["id"]), (&json!("corroborated"), &json!(id)));
    assert_eq!(ids(home, &["search", "quokka"]), [id]);
}

fn feedback_moves_the_confidence(home: &Home) {
    let id = remember(home, &["Linting takes a minute"]);
    shows!(home, home.ok(&["feedback", &id, "--outcome", "helpful", "--note", "saved a run"]), @"ID1 Linting takes a minute: confidence 0.9 → 0.93");
    let answer = home.json(&["memory", "feedback", &id, "--outcome", "not_helpful"]);
    shows!(home, answer.to_string(), @r#"{"memories":[{"id":"ID1","title":"Linting takes a minute","status":"active","confidence_before":0.93,"confidence":0.837}]}"#);
    let shown = show(home, &id);
    assert_eq!(
        (&shown["use_count"], &shown["confidence"]),
        (&json!(1), &answer["memories"][0]["confidence"])
    );
    shows!(home, home.fails(&["feedback", "nobody", "--outcome", "helpful"]), @r#"error: there is no memory "nobody"; `throughline memory list` and `throughline search` show their ids"#);
    let notes = home.events_with(&["--kind", "system_event"]);
    assert_eq!(notes[1]["parts"]["reason"], "saved a run");
}

fn a_misleading_memory_goes_to_review(home: &Home) {
    let id = remember(home, &["The wombat queue is durable"]);
    home.ok(&["feedback", &id, "--outcome", "outdated"]);
    shows!(home, home.ok(&["feedback", &id, "--outcome", "misleading"]), @"ID1 The wombat queue is durable: confidence 0.45 → 0.18, not found before somebody approves it with `throughline memory approve` or says the same");
    assert_eq!(show(home, &id)["status"], "quarantined");
    assert_eq!(home.json(&["search", "wombat queue"])["total"], 0);
    home.ok(&["remember", "The wombat queue is durable"]);
    assert_eq!(ids(home, &["search", "wombat queue"]), [id]);
}

#[test]
fn a_statement_much_too_long_gets_advice_that_helps() {
    let home = Home::sqlite();
    let error = home.call(&["remember", "-"]).input("x".repeat(2 << 20)).run().fails();
    assert!(error.contains("65536") && !error.contains("log.max_content_bytes"), "{error}");
}

#[test]
fn what_the_same_statement_adds_is_kept_or_said_to_be_dropped() {
    let home = Home::sqlite();
    let id = remember(&home, &["The staging cluster is called otter"]);
    let flags = ["--tag", "cluster", "--importance", "1", "--title", "Staging", "--expires", "3d"];
    let again = remember(&home, &[&["The staging cluster is called otter"], &flags[..]].concat());
    assert_eq!(show(&home, &id)["superseded_by"], again.as_str());
    let shown = show(&home, &again);
    assert_eq!((&shown["tags"], &shown["importance"]), (&json!(["cluster"]), &json!(1.0)), "{shown:#}");
}

#[test]
fn a_confirmed_statement_takes_the_place_of_the_present_value() {
    let home = Home::sqlite();
    remember(&home, &["The region is Frankfurt", "--state-key", "region"]);
    remember(&home, &["The region is Dublin", "--state-key", "region", "--source", "tool_output"]);
    remember(&home, &["The region is Dublin", "--state-key", "region"]);
    let present = home.json(&["memory", "list", "--state-key", "region"]);
    assert_eq!(present["total"], 1, "{present:#}");
    assert_eq!(present["memories"][0]["content"], "The region is Dublin");
}
