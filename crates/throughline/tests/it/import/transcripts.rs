//! Transcripts as they come: growing, broken, of other projects, with what was put into them.

use serde_json::json;

use super::{Claude, imports};
use crate::fixture::{Home, at, on_both, texts};
use crate::hook::recorded;

on_both!(importing_again_adds_what_is_new);

fn importing_again_adds_what_is_new(home: &Home) {
    let short = Claude::of(home, "s1").asks("p1", "why does it fail?").writes("t1", "a.rs").answers("Fixed.");
    short.keep(home);
    assert_eq!(imports(home, "claude-code"), (3, 0));
    assert_eq!(imports(home, "claude-code"), (0, 3));
    let long = short.answers("Fixed.").asks("p2", "and now?").answers("Fixed.");
    long.keep(home);
    let foreseen = home.json(&["import", "claude-code", "--dry-run"]);
    assert_eq!((&foreseen["imported"], &foreseen["already_there"]), (&json!(3), &json!(3)));
    assert_eq!(imports(home, "claude-code"), (3, 3));
    assert_eq!(
        recorded(home),
        [
            "user_message | - | why does it fail?",
            "write | a.rs | wrote a.rs (1 lines)",
            "model_message | - | Fixed.",
            "model_message | - | Fixed.",
            "user_message | - | and now?",
            "model_message | - | Fixed.",
        ]
    );
    home.check();
}

#[test]
fn a_session_ends_when_its_last_event_was() {
    let home = Home::sqlite();
    Claude::of(&home, "s1").asks("p1", "why does it fail?").answers("Fixed.").keep(&home);
    imports(&home, "claude-code");
    let session = &home.json(&["session", "list"])["sessions"][0];
    let minute = |clock: &str| at(clock).replace('Z', ".000000Z");
    assert_eq!(session["started_at"], json!(minute("10:00:00")));
    assert_eq!(session["last_event_at"], json!(minute("10:01:00")));
    assert_eq!(session["ended_at"], json!(minute("10:01:00")));
    assert_eq!(texts(&home.events(), "at"), [minute("10:00:00"), minute("10:01:00"), minute("10:01:00")]);
}

#[test]
fn a_long_silence_does_not_cut_a_session() {
    let home = Home::sqlite();
    let text = Claude::of(&home, "s1").asks("p1", "one").asks("p2", "two").text();
    home.write("user/.claude/projects/-shop/s1.jsonl", text.replace("10:01:00", "19:01:00"));
    imports(&home, "claude-code");
    let summaries = home.events_with(&["--kind", "system_event"]);
    assert_eq!(summaries.len(), 1, "{summaries:#?}");
}

#[test]
fn what_was_put_into_a_prompt_is_left_out() {
    let home = Home::sqlite();
    let ours = "<throughline-context source=\"throughline\">\nuse tokio\n</throughline-context>";
    Claude::of(&home, "s1")
        .asks("p1", &format!("{ours}\n\nwhy does it fail?"))
        .asks("p2", ours)
        .asks("p3", "<command-name>/compact</command-name>")
        .asks("p4", "<local-command-stdout>Compacted</local-command-stdout>")
        .asks("p5", "[Request interrupted by user]")
        .meta("Caveat: the messages below")
        .answers(&format!("Because of this.\n{ours}"))
        .keep(&home);
    imports(&home, "claude-code");
    assert_eq!(
        recorded(&home),
        ["user_message | - | why does it fail?", "model_message | - | Because of this."]
    );
    assert!(home.files_with("use tokio").is_empty());
}

#[test]
fn lines_that_cannot_be_read_are_told_and_no_more() {
    let home = Home::sqlite();
    let text = Claude::of(&home, "s1").asks("p1", "one").asks("p2", "two").text();
    let lines: Vec<&str> = text.lines().collect();
    let long = format!("{{\"type\":\"user\",\"x\":\"{}\"}}", "y".repeat(17 << 20));
    let broken = format!("{}\nnot json\n\n[1]\n{long}\n{}\n{{\"type\":\"user\",\"unfin", lines[0], lines[1]);
    let file = home.write("user/.claude/projects/-shop/s1.jsonl", broken);
    let answer = home.json(&["import", "claude-code"]);
    assert_eq!((&answer["imported"], &answer["unreadable"]), (&json!(2), &json!(3)));
    let problems = answer["problems"].as_array().unwrap();
    let told: Vec<_> = problems
        .iter()
        .map(|problem| (problem["line"].as_i64().unwrap(), problem["what"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [(2, "expected ident (column 2)"), (4, "no JSON object"), (5, "longer than 16777216 bytes")]
    );
    assert!(problems.iter().all(|problem| problem["file"] == file.to_str().unwrap()));
    assert_eq!(recorded(&home), ["user_message | - | one", "user_message | - | two"]);
}

#[test]
fn sessions_of_other_projects_are_left_out_unless_asked_for() {
    let home = Home::sqlite();
    let (shop, other) = (home.work("shop"), home.work("other"));
    Claude::of(&home, "s1").within(&shop).asks("p1", "about the shop").keep(&home);
    Claude::of(&home, "s2").within(&other).asks("p1", "about the other").keep(&home);
    let answer = home.json(&["import", "claude-code"]);
    assert_eq!((&answer["imported"], &answer["left_out"]), (&json!(1), &json!(1)));
    assert_eq!(recorded(&home), ["user_message | - | about the shop"]);
    let answer = home.json(&["import", "claude-code", "--all"]);
    assert_eq!((&answer["imported"], &answer["left_out"]), (&json!(1), &json!(0)));
    let there = home.call(&["log", "tail"]).within(&other).json();
    assert_eq!(there["events"][0]["summary"], "about the other");
    assert_eq!(recorded(&home), ["user_message | - | about the shop"]);
}

#[test]
fn a_transcript_that_is_named_is_about_this_project() {
    let home = Home::sqlite();
    let text = Claude::of(&home, "s1").asks("p1", "made elsewhere").writes("t1", "/srv/shop/src/a.rs").text();
    let here = home.work("shop").canonicalize().unwrap();
    let file = home.write("old.jsonl", text.replace(here.to_str().unwrap(), "/srv/shop"));
    home.ok(&["import", "claude-code", file.to_str().unwrap()]);
    assert_eq!(
        recorded(&home),
        ["user_message | - | made elsewhere", "write | src/a.rs | wrote src/a.rs (1 lines)"]
    );
}
