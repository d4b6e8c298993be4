//! What files of instructions and Claude Code's memory say.

use serde_json::{Value as Json, json};

use super::imports;
use crate::fixture::Home;

const AGENTS: &str = "# Shop\n\nPrices are kept in cents.\n\n## Rules\n- Use tabs in Go files.\n- Never log card numbers.\n\n\
    ```sh\nnever run this twice here\n```\n\n@docs/more.md @../outside.md\n";

fn shop(home: &Home) {
    home.write("work/shop/AGENTS.md", AGENTS);
    home.write("work/shop/docs/more.md", "- We decided on Redis for carts.\n");
    home.write("work/outside.md", "- Never read what lies outside.\n");
}

fn memories(home: &Home) -> Vec<String> {
    let list = home.json(&["memory", "list"]);
    let line = |memory: &Json| {
        let shown = home.json(&["memory", "show", memory["id"].as_str().unwrap()]);
        assert_eq!(shown["source"], "bootstrap", "{shown:#}");
        format!(
            "{} {} {}",
            memory["kind"].as_str().unwrap(),
            shown["tags"][0].as_str().unwrap(),
            shown["content"].as_str().unwrap()
        )
    };
    let mut lines: Vec<String> = list["memories"].as_array().unwrap().iter().map(line).collect();
    lines.sort();
    lines
}

#[test]
fn statements_become_memories_with_file_and_line() {
    let home = Home::sqlite();
    shop(&home);
    assert_eq!(imports(&home, "agents-md"), (4, 0));
    assert_eq!(
        memories(&home),
        [
            "decision docs/more.md We decided on Redis for carts.",
            "fact AGENTS.md Prices are kept in cents.",
            "rule AGENTS.md Never log card numbers.",
            "rule AGENTS.md Use tabs in Go files.",
        ]
    );
    let events = home.events();
    let places: Vec<&str> = events.iter().filter_map(|event| event["rationale"].as_str()).collect();
    assert_eq!(
        places,
        [
            "stated in AGENTS.md:3",
            "stated in AGENTS.md:6",
            "stated in AGENTS.md:7",
            "stated in docs/more.md:1"
        ]
    );
    assert_eq!(imports(&home, "agents-md"), (0, 4));
    assert_eq!(home.events(), events);
}

#[test]
fn a_changed_file_adds_and_tells_what_is_gone() {
    let home = Home::sqlite();
    shop(&home);
    imports(&home, "agents-md");
    home.write(
        "work/shop/AGENTS.md",
        AGENTS.replace("Prices are kept in cents.", "Orders older than a year go to the archive."),
    );
    let answer = home.json(&["import", "agents-md"]);
    assert_eq!((&answer["imported"], &answer["already_there"]), (&json!(1), &json!(3)));
    assert_eq!(answer["removed"][0]["title"], "Prices are kept in cents.");
    assert_eq!(memories(&home).len(), 5, "what is gone stays");
    let gone = answer["removed"][0]["memory"].as_str().unwrap();
    home.ok(&["forget", gone]);
    assert_eq!(home.json(&["import", "agents-md"])["removed"], json!([]));
}

#[test]
fn a_changed_note_of_claude_code_takes_its_reason_with_it() {
    let home = Home::sqlite();
    let slug: String = home.work("shop").canonicalize().unwrap().display().to_string();
    let slug: String = slug.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let place = format!("user/.claude/projects/{slug}/memory/feedback_tests.md");
    let note = |text: &str| {
        home.write(&place, format!("---\nname: tests\ndescription: no mocks\ntype: feedback\n---\n{text}\n"));
        home.json(&["import", "claude-memory"])
    };
    note("Integration tests must hit a real database.\n\n**Why:** mocks hid a broken migration.");
    let answer = note("Integration tests must hit a real Postgres database, version 16.");
    assert_eq!((&answer["imported"], &answer["removed"]), (&json!(1), &json!([])));
    assert_eq!(
        memories(&home),
        ["rule memory/feedback_tests.md Integration tests must hit a real Postgres database, version 16."]
    );
}

#[test]
fn what_was_forgotten_does_not_come_back() {
    let home = Home::sqlite();
    shop(&home);
    imports(&home, "agents-md");
    let list = home.json(&["memory", "list"]);
    home.ok(&["forget", list["memories"][0]["id"].as_str().unwrap()]);
    assert_eq!(imports(&home, "agents-md"), (0, 4));
}

#[test]
fn secrets_are_taken_out_and_our_own_words_left_out() {
    let home = Home::sqlite();
    let secret = ["AKIA", "Q3EGRT5XK7ZLMNB2"].concat();
    let ours =
        "<throughline-context source=\"throughline\">\n- Never trust this old block\n</throughline-context>";
    home.write("work/shop/CLAUDE.md", format!("- The deploy token is {secret}\n{ours}\n"));
    assert_eq!(imports(&home, "agents-md"), (1, 0));
    assert_eq!(imports(&home, "agents-md"), (0, 1));
    assert!(home.files_with(&secret).is_empty() && home.files_with("old block").is_empty());
}

#[test]
fn memory_files_of_claude_code_are_one_memory_each() {
    let home = Home::sqlite();
    let slug: String = home.work("shop").canonicalize().unwrap().display().to_string();
    let slug: String = slug.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let place = format!("user/.claude/projects/{slug}/memory");
    let memory = "---\nname: tests-first\ndescription: Test first\nmetadata:\n  type: feedback\n---\nWrite the failing test before the fix.\n\nThen fix it.\n";
    home.write(&format!("{place}/tests-first.md"), memory);
    home.write(
        &format!("{place}/MEMORY.md"),
        "- [Tests first](tests-first.md): write the test first\n- The staging server is called blue.\n",
    );
    home.write("work/shop/.claude/memory/a.memory.md", "- Carts expire after a day.\n");
    assert_eq!(imports(&home, "claude-memory"), (3, 0));
    assert_eq!(
        memories(&home),
        [
            "fact .claude/memory/a.memory.md Carts expire after a day.",
            "fact memory/MEMORY.md The staging server is called blue.",
            "rule memory/tests-first.md Write the failing test before the fix.\n\nThen fix it.",
        ]
    );
    assert_eq!(imports(&home, "claude-memory"), (0, 3));
}
