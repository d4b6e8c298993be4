//! What agents hold, kept and handed on, through the program and its tools.

use serde_json::{Value as Json, json};

use crate::fixture::{Home, on_both};
use crate::mcp::Client;
use crate::processes::{Chance, kill_after};

fn answer(home: &Home, args: &[&str]) -> Json {
    serde_json::from_str(&home.ok(&[args, &["--json"]].concat())).unwrap()
}

fn a_working_set_through_the_command_line(home: &Home) {
    let saved = answer(home, &["set", "save", "TASK", "sell apples", "--agent", "a"]);
    assert_eq!((&saved["tier"], &saved["action"]), (&json!("HOT"), &json!("created")));
    answer(home, &["set", "save", "CODE", "fn main() {}", "--agent", "a"]);
    answer(home, &["set", "save", "NOTE", "rains", "--importance", "0.1", "--agent", "a"]);
    let hot = answer(home, &["set", "load", "--agent", "a"]);
    assert_eq!(hot["items"][0]["content"], "sell apples");
    assert_eq!(hot["items"].as_array().unwrap().len(), 1);
    assert_eq!(answer(home, &["set", "load", "--agent", "b"])["items"], json!([]));
    answer(home, &["set", "save", "TASK", "sell pears", "--agent", "a"]);
    let diff = answer(home, &["set", "diff", "--agent", "a"]);
    assert_eq!(
        (diff["added"][0]["content"].as_str(), diff["unchanged"].as_i64()),
        (Some("sell pears"), Some(1))
    );
    let flashed = answer(home, &["set", "flash", "--agent", "a"]);
    assert_eq!((&flashed["items_archived"], &flashed["hot_items_retained"]), (&json!(1), &json!(2)));
    let stats = answer(home, &["set", "stats", "--agent", "a"]);
    let counts = ["total_items", "hot_count", "warm_count", "cold_count", "archived_count"];
    assert_eq!(counts.map(|name| stats[name].as_i64().unwrap()), [3, 2, 1, 0, 1]);

    let checkpoint = flashed["checkpoint_id"].as_str().unwrap();
    answer(home, &["set", "delete", saved["item_id"].as_str().unwrap(), "--agent", "a"]);
    let changes = answer(home, &["checkpoint", "diff", checkpoint]);
    assert_eq!(changes["removed"].as_array().unwrap().len(), 2, "{changes:#}");
    let restored = answer(home, &["checkpoint", "restore", checkpoint]);
    assert_eq!(restored["entries"], 4);
    assert_eq!(answer(home, &["set", "stats", "--agent", "a"])["total_items"], 4);
    let listed = answer(home, &["checkpoint", "list"]);
    let reasons: Vec<&str> =
        listed["checkpoints"].as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["restore", "flash"]);
    let shown = answer(home, &["checkpoint", "show", checkpoint]);
    assert_eq!(shown["working_set"].as_array().unwrap().len(), 4);
}

fn a_handoff_goes_from_hand_to_hand_once(home: &Home) {
    home.ok(&[
        "log",
        "append",
        "--kind",
        "decision",
        "--session",
        "s",
        "--chatmode",
        "architect",
        "--content",
        "Prices are in cents",
    ]);
    let given = answer(
        home,
        &["handoff", "give", "builder", "--session", "s", "--context", r#"{"notes":["careful"]}"#],
    );
    assert_eq!(
        (&given["handoff"]["from"], &given["handoff"]["to"]),
        (&json!("architect"), &json!("builder"))
    );
    assert_eq!(given["handoff"]["context"]["key_decisions"], json!(["Prices are in cents"]));
    let oriented = home.ok(&["orient"]);
    assert!(
        oriented.contains("Handoffs that wait") && oriented.contains("architect to builder"),
        "{oriented}"
    );
    assert_eq!(answer(home, &["handoff", "take", "reviewer"])["action"], "none");
    let taken = answer(home, &["handoff", "take", "builder"]);
    assert_eq!(taken["handoff"]["context"]["notes"], json!(["careful"]));
    assert_eq!(answer(home, &["handoff", "take", "builder"])["action"], "none");
    assert_eq!(answer(home, &["handoff", "list"])["total"], 0);
    assert_eq!(answer(home, &["handoff", "list", "--all"])["total"], 1);
}

fn a_session_is_compacted_when_asked(home: &Home) {
    for n in 0..14 {
        let text = format!("Request {n}: {}", "look at the shop ".repeat(40));
        home.ok(&["log", "append", "--kind", "user_message", "--session", "s", "--content", &text]);
    }
    home.ok(&["log", "append", "--kind", "decision", "--session", "s", "--content", "Prices are in cents"]);
    let done = answer(home, &["session", "compact", "s"]);
    assert_eq!((&done["compacted"], &done["from"], &done["to"]), (&json!(true), &json!(1), &json!(4)));
    assert!(done["tokens_after"].as_i64() < done["tokens_before"].as_i64(), "{done:#}");
    let status = answer(home, &["session", "status", "s"]);
    assert_eq!(
        (&status["compaction"]["summaries"], &status["compaction"]["replaced_to"]),
        (&json!(1), &json!(4))
    );
    assert_eq!(status["compaction"]["turns_since"], 10);
    assert_eq!(answer(home, &["session", "compact", "s"])["compacted"], false);
    let held = answer(home, &["session", "show", "s", "--held"]);
    assert_eq!((&held["events"][0]["target"], &held["shown"]), (&json!("compaction_summary"), &json!(12)));
    assert_eq!(held["events"][1]["sequence"], 5);
}

/// What an agent holds, and what is kept of it: all that a flash save changes.
fn standing(home: &Home) -> Json {
    let stats = answer(home, &["set", "stats", "--agent", "a"]);
    let kept = answer(home, &["checkpoint", "list"]);
    json!([stats["cold_count"], stats["archived_count"], stats["total_items"], kept["total"]])
}

fn a_killed_flash_save_leaves_the_old_state_or_the_new(home: &Home) {
    const COLD: usize = 30;
    let mut chance = Chance(17);
    let flash = || home.call(&["set", "flash", "--agent", "a"]).spawn();
    let mut undisturbed = flash();
    let moments = (1..).find(|_| undisturbed.try_wait().unwrap().is_some()).unwrap();
    let mut client = Client::started(home.call(&["mcp", "--tools", "set"]), crate::mcp::STATELESS);
    for round in 0..10 {
        for n in 0..COLD {
            let content = format!("round {round} holds {n}");
            let entry =
                json!({ "item_type": "NOTE", "content": content, "importance_score": 0.1, "agent_id": "a" });
            assert_eq!(client.tool("context_save", &entry)["tier"], "COLD");
        }
        let before = standing(home);
        kill_after(flash(), chance.below(moments + moments / 10));
        let after = standing(home);
        let count = |state: &Json, n: usize| state[n].as_i64().unwrap();
        let cold = count(&before, 0);
        let new = json!([0, count(&before, 1) + cold, count(&before, 2) - cold, count(&before, 3) + 1]);
        assert!(after == before || after == new, "{before} became {after}, neither as it was nor {new}");
    }
    home.check();
}

on_both![
    a_killed_flash_save_leaves_the_old_state_or_the_new,
    a_working_set_through_the_command_line,
    a_handoff_goes_from_hand_to_hand_once,
    a_session_is_compacted_when_asked,
];

#[test]
fn agents_hold_and_hand_on_through_their_tools() {
    let home = Home::sqlite();
    let mut client = Client::started(home.call(&["mcp", "--tools", "set,sessions"]), crate::mcp::STATELESS);
    let saved = client.tool("context_save", &json!({ "item_type": "TASK", "content": "sell apples" }));
    assert_eq!(saved["tier"], "HOT");
    let other = json!({ "item_type": "ERROR", "content": "E0382", "agent_id": "another" });
    client.tool("context_save", &other);
    let loaded = client.tool("context_load", &json!({}));
    assert_eq!(loaded["items"].as_array().unwrap().len(), 1);
    assert_eq!(loaded["items"][0]["content"], "sell apples");
    assert_eq!(client.tool("context_diff", &json!({}))["unchanged"], 1);
    let known =
        json!({ "known": { loaded["items"][0]["id"].as_str().unwrap(): loaded["items"][0]["hash"] } });
    assert_eq!(client.tool("context_diff", &known)["unchanged"], 1);
    let kept = client.tool("checkpoint", &json!({ "action": "save", "id": "before lunch" }));
    assert_eq!((&kept["action"], &kept["checkpoint"]["entries"]), (&json!("saved"), &json!(1)));
    let moved = client.tool("context_tiers", &json!({ "delete": [saved["item_id"]] }));
    assert_eq!((&moved["deleted"][0], &moved["stats"]["total_items"]), (&saved["item_id"], &json!(0)));
    let restored = client.tool("checkpoint", &json!({ "action": "restore", "id": kept["checkpoint"]["id"] }));
    assert_eq!(restored["entries"], 1);
    assert_eq!(client.tool("checkpoint", &json!({ "action": "list" }))["total"], 2);
    let flashed = client.tool("flash_save", &json!({}));
    assert_eq!((&flashed["hot_items_retained"], &flashed["items_archived"]), (&json!(1), &json!(0)));
    assert_eq!(client.tool("context_stats", &json!({}))["hot_count"], 1);
    client.tool("handoff", &json!({ "action": "give", "to": "reviewer", "context": { "notes": "look" } }));
    let taken = client.tool("handoff", &json!({ "action": "take", "as": "reviewer" }));
    assert_eq!(taken["handoff"]["context"]["notes"], "look");
    assert_eq!(client.tool("handoff", &json!({ "action": "take", "as": "reviewer" }))["action"], "none");
}
