//! Commits as events.

use serde_json::json;

use super::imports;
use crate::fixture::{Home, git, repository, texts};
use crate::hook::{claude, patient, well};

fn committed(home: &Home, subject: &str) {
    git(&home.work("shop"), &["commit", "-q", "--allow-empty", "-m", subject, "-m", "Because it was time."]);
}

#[test]
fn commits_are_events_of_their_authors_once() {
    let home = Home::sqlite();
    repository(&home.work("shop"));
    committed(&home, "second");
    assert_eq!(imports(&home, "git"), (2, 0));
    committed(&home, "third");
    assert_eq!(imports(&home, "git"), (1, 2));
    assert_eq!(imports(&home, "git"), (0, 3));
    let events = home.events_with(&["--kind", "tool_call"]);
    assert_eq!(texts(&events, "actor"), ["user:t", "user:t", "user:t"]);
    assert_eq!(texts(&events, "target"), ["git commit", "git commit", "git commit"]);
    let subjects = texts(&events, "summary").into_iter().map(|summary| summary.rsplit(": ").next().unwrap());
    assert_eq!(subjects.collect::<Vec<_>>(), ["first", "second", "third"]);
    assert_eq!(texts(&events, "content"), ["", "Because it was time.", "Because it was time."]);
    assert_eq!(events[0]["parts"]["sha"].as_str().unwrap().len(), 40);
    home.check();
}

#[test]
fn the_newest_and_those_since_then() {
    let home = Home::sqlite();
    repository(&home.work("shop"));
    committed(&home, "second");
    assert_eq!(home.json(&["import", "git", "--since", "2100-01-01"])["commits"], 0);
    assert_eq!(home.json(&["import", "git", "--limit", "1"])["imported"], 1);
    assert!(home.events()[0]["summary"].as_str().unwrap().ends_with(": second"));
    assert_eq!(home.json(&["import", "git", "--since", "1h", "--dry-run"])["imported"], 1);
}

#[test]
fn a_commit_that_a_hook_noticed_is_there_once() {
    let home = patient();
    let shop = home.work("shop");
    repository(&shop);
    let head = std::fs::read_to_string(shop.join(".git/refs/heads/main")).unwrap();
    let printed = format!("[main (root-commit) {}] first\n", &head[..7]);
    let commit = json!({
        "tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "git commit -m first"},
        "tool_response": {"stdout": printed},
    });
    well("claude-code", claude(&home, "PostToolUse", &commit));
    assert_eq!(imports(&home, "git"), (0, 1));
}

#[test]
fn a_folder_without_a_repository_says_so() {
    let home = Home::sqlite();
    assert!(home.fails(&["import", "git"]).contains("is in no git repository"));
}
