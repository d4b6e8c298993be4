//! What is refused, how, and that nothing comes of it.

use super::{create, listed};
use crate::fixture::{Home, kept_or_refused, on_both, shows};

on_both!(
    wrong_calls_are_refused,
    wrong_items_fail,
    odd_texts_are_kept_or_refused,
    an_error_is_json_when_asked
);

fn wrong_calls_are_refused(home: &Home) {
    let calls: [&[&str]; 15] = [
        &["task"],
        &["task", "create"],
        &["task", "create", " "],
        &["task", "create", "a", "--type", "story"],
        &["task", "create", "a", "--priority", "9"],
        &["task", "create", "a", "--reference", "=x"],
        &["task", "list", "--status", "someday"],
        &["task", "list", "--cursor", "x"],
        &["task", "list", "--limit", "0"],
        &["task", "update", "TASK-0001"],
        &["task", "update", "TASK-0001", "--title", " "],
        &["task", "block", "TASK-0001", "--reason", " "],
        &["task", "update", "TASK-0001", "--parent", "TASK-0002", "--clear", "parent"],
        &["task", "complete", "TASK-0001", "--valid", "--invalid"],
        &["task", "export"],
    ];
    for call in calls {
        let said = home.call(call).run().refuses();
        assert!(said.lines().next().is_some_and(|line| line.len() > 10), "{call:?}: {said}");
    }
    let said = [
        home.call(&["task", "list", "--status", "someday"]).run().refuses(),
        home.call(&["task", "create", "a", "--due", "soon"]).run().refuses(),
        home.call(&["task", "create", " "]).run().refuses(),
        home.call(&["task", "block", "TASK-0001", "--reason", " "]).run().refuses(),
        home.call(&["task", "update", "TASK-0001"]).run().refuses(),
        home.call(&["task", "update", "x", "--parent", "y", "--clear", "parent"]).run().refuses(),
        home.call(&["task", "export"]).run().refuses(),
    ];
    shows!(home, said.join(""), @r#"
    error: invalid value 'someday' for '--status <STATUS>': "someday" is not one of: open, in_progress, blocked, done, cancelled

    For more information, try '--help'.
    error: invalid value 'soon' for '--due <DATE>': "soon" is no date; write 2026-11-15 or 2026-11-15T09:30:00Z

    For more information, try '--help'.
    error: an item needs a title; say in a few words what is to be done
    error: say why the item is blocked, so that whoever comes next knows what to wait for
    error: nothing to change; see `throughline task update --help`
    error: parent cannot be given and cleared at once; choose one
    error: markdown is one file for each item; name a folder with --out
    "#);
}

fn wrong_items_fail(home: &Home) {
    let empty = home.fails(&["task", "show", "TASK-0001"]);
    create(home, &["a"]);
    create(home, &["b", "--parent", "TASK-0001", "--depends-on", "TASK-0001"]);
    let said = [
        home.fails(&["task", "show", "TASK-0001", "TASK-0009"]),
        home.fails(&["task", "create", "a", "--parent", "TASK-9"]),
        home.fails(&["task", "update", "TASK-0001", "--parent", "TASK-0002"]),
        home.fails(&["task", "update", "TASK-0001", "--depends-on", "TASK-0002"]),
        home.fails(&["task", "update", "TASK-0001", "--blocks", "TASK-0001"]),
        home.fails(&["task", "unblock", "TASK-0001"]),
        home.fails(&["task", "list", "--parent", "TASK-0044"]),
        home.fails(&["task", "delete", "nonsense"]),
    ];
    shows!(home, [empty, said.join("")].concat(), @r#"
    error: there is no item "TASK-0001"; the backlog has no items yet; create one first, with `throughline task create TITLE` or backlog_create
    error: there is no item "TASK-0009"; near it: TASK-0002, TASK-0001
    error: there is no item "TASK-9"; near it: TASK-0002, TASK-0001
    error: TASK-0001 cannot be below TASK-0002: that would be a cycle, TASK-0001 → TASK-0002 → TASK-0001; choose a parent that is not below it
    error: TASK-0001 cannot depend on TASK-0002: that would be a cycle, TASK-0001 → TASK-0002 → TASK-0001; remove one of these first
    error: TASK-0001 cannot depend on itself: TASK-0001 → TASK-0001; name another item
    error: TASK-0001 is open, not blocked; `throughline task update` changes other states
    error: there is no item "TASK-0044"; near it: TASK-0002, TASK-0001
    error: there is no item "nonsense"; near it: TASK-0002, TASK-0001
    "#);
    assert_eq!(listed(home, &[]), ["TASK-0002", "TASK-0001"]);
    assert_eq!(home.events().len(), 2);
}

fn odd_texts_are_kept_or_refused(home: &Home) {
    for text in
        ["a\0b", "\u{202e}right", "👩‍👩‍👧", "'; drop table item; --", "\u{fffe}", &"long ".repeat(200_000)]
    {
        let input =
            serde_json::json!([{ "number": 1, "title": "t", "body": text, "html_url": text }]).to_string();
        kept_or_refused(&home.call(&["task", "import", "-", "--json"]).input(input).run());
        kept_or_refused(&home.call(&["task", "create", "x", "-d", "-", "--json"]).input(text).run());
        kept_or_refused(
            &home.call(&["resource", "write", "a.md", "--content", "-", "--json"]).input(text).run(),
        );
    }
    home.check();
}

fn an_error_is_json_when_asked(home: &Home) {
    create(home, &["a"]);
    for (call, kind) in [
        (["task", "show", "TASK-0009", "--json"], "not_found"),
        (["task", "unblock", "TASK-0001", "--json"], "invalid"),
        (["task", "list", "--limit=0", "--json"], "usage"),
    ] {
        let ran = home.call(&call).run();
        let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(answer["error"]["kind"], kind, "{call:?}");
        assert_ne!(ran.code, 0);
    }
}
