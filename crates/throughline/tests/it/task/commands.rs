//! Each command: what it changes, what it says, what the log has of it.

use serde_json::json;

use super::{create, listed, show};
use crate::fixture::{Home, on_both, shows};

on_both!(
    an_item_from_its_creation_to_its_end,
    fields_are_given_and_cleared,
    lists_are_narrowed_and_paged,
    what_is_deleted_is_gone_and_the_rest_moves_up,
    items_are_found_and_expanded,
    every_change_is_one_event,
    a_session_is_named,
);

fn an_item_from_its_creation_to_its_end(home: &Home) {
    let said = [
        home.ok(&["task", "create", "Release one", "--type", "epic", "-d", "All for the first release"]),
        home.ok(&[
            "task",
            "create",
            "Round the cents",
            "--parent",
            "epic-0001",
            "--priority",
            "1",
            "--due",
            "2026-12-24",
            "--reference",
            "https://example.org/?a=1=The spec",
            "--reference",
            "EPIC-0001",
        ]),
        home.ok(&[
            "task",
            "create",
            "Write the docs",
            "--parent",
            "EPIC-0001",
            "--depends-on",
            "TASK-0001",
            "--no-context",
        ]),
        home.ok(&["task", "block", "TASK-0002", "--reason", "waits for the rounding"]),
        home.ok(&["task", "update", "TASK-0001", "--status", "in-progress", "--add-evidence", "it compiles"]),
        home.ok(&["task", "list"]),
        home.ok(&["task", "show", "TASK-0002", "epic-0001"]),
        home.ok(&[
            "task",
            "complete",
            "TASK-0001",
            "--summary",
            "rounds half to even",
            "--evidence",
            "12 of 12 pass",
            "--valid",
            "--report",
            "all green",
        ]),
        home.ok(&["task", "unblock", "TASK-0002"]),
        home.ok(&["task", "show", "TASK-0001"]),
    ];
    shows!(home, said.join(""), @"
    created EPIC-0001: Release one (open)
    created TASK-0001: Round the cents (open)
    created TASK-0002: Write the docs (open)
    blocked TASK-0002: Write the docs (blocked)
    updated TASK-0001: Round the cents (in_progress)
     ID         STATUS       PRIORITY  TITLE            BELOW      HAS  CHANGED (UTC)
     TASK-0001  in_progress  high      Round the cents  EPIC-0001       TIME
     TASK-0002  blocked                Write the docs   EPIC-0001       TIME
     EPIC-0001  open                   Release one                 2    TIME
    3 of 3 items
    TASK-0002  Write the docs
    status      blocked since TIME
    type        task
    below       EPIC-0001
    context     none: isolated work
    depends on  TASK-0001
    blocked by  waits for the rounding
    created     TIME, changed TIME

    EPIC-0001  Release one
    status      open since TIME
    type        epic
    has         2 below it
    created     TIME, changed TIME

    All for the first release
    completed TASK-0001: Round the cents (done)
    unblocked TASK-0002: Write the docs (open)
    TASK-0001  Round the cents
    status      done since TIME
    type        task
    below       EPIC-0001
    priority    high
    due         2026-12-24
    blocks      TASK-0002
    see         https://example.org/?a=1 (The spec)
    see         EPIC-0001
    evidence    it compiles
    evidence    12 of 12 pass
    done        rounds half to even
    checked     valid: all green
    created     TIME, changed TIME
    ");
    home.check();
}

fn fields_are_given_and_cleared(home: &Home) {
    create(home, &["parent"]);
    create(home, &["first"]);
    create(home, &["last"]);
    let id = create(
        home,
        &[
            "a",
            "--parent",
            "TASK-0001",
            "--depends-on",
            "TASK-0002",
            "--blocks",
            "TASK-0003",
            "--priority",
            "low",
            "--due",
            "2026-12-24T10:00:00+02:00",
            "--no-context",
            "--reference",
            "u=t",
            "-d",
            "text",
        ],
    );
    let item = show(home, &id);
    assert_eq!((&item["depends_on"], &item["blocks"]), (&json!(["TASK-0002"]), &json!(["TASK-0003"])));
    assert_eq!(
        (&item["due_date"], &item["requires_context"]),
        (&json!("2026-12-24T08:00:00Z"), &json!(false))
    );
    assert_eq!(item["references"], json!([{ "url": "u", "title": "t" }]));
    let changed = home
        .call(&[
            "task",
            "update",
            &id,
            "--description",
            "-",
            "--context",
            "required",
            "--evidence",
            "x",
            "--evidence",
            "y",
            "--depends-on",
            "TASK-0002,TASK-0001",
        ])
        .input("from\nstdin")
        .json();
    assert_eq!((&changed["description"], &changed["evidence"]), (&json!("from\nstdin"), &json!(["x", "y"])));
    assert_eq!(changed["depends_on"], json!(["TASK-0002", "TASK-0001"]));
    let cleared = home.json(&[
        "task",
        "update",
        &id,
        "--clear",
        "description,parent,references,depends-on,blocks,evidence,priority,due,context",
    ]);
    for field in [
        "description",
        "parent_id",
        "references",
        "depends_on",
        "blocks",
        "evidence",
        "priority",
        "due_date",
        "requires_context",
    ] {
        assert_eq!(cleared.get(field), None, "{field}: {cleared:#}");
    }
    assert_eq!((&cleared["title"], &cleared["status"]), (&json!("a"), &json!("open")));
    assert_eq!(show(home, "TASK-0001").get("children"), None);
}

fn lists_are_narrowed_and_paged(home: &Home) {
    let epic = create(home, &["zebra epic", "--type", "epic"]);
    for n in 0..7 {
        create(home, &[&format!("zebra {n}"), "--parent", &epic]);
    }
    home.ok(&["task", "update", "TASK-0003", "--status", "done"]);
    home.ok(&["task", "update", "TASK-0005", "--status", "cancelled"]);
    assert_eq!(listed(home, &["--status", "done,cancelled"]), ["TASK-0005", "TASK-0003"]);
    assert_eq!(listed(home, &["--status", "done", "--status", "cancelled", "-n", "1"]), ["TASK-0005"]);
    assert_eq!(listed(home, &["--type", "epic"]), [epic.as_str()]);
    assert_eq!(listed(home, &["--parent", "epic-0001", "--status", "todo"]).len(), 5);
    assert_eq!(listed(home, &["--query", "zebra 6"])[0], "TASK-0007");
    let whole = listed(home, &[]);
    assert_eq!(whole.len(), 8);
    let mut found: Vec<String> = vec![];
    let mut cursor: Option<String> = None;
    loop {
        let next: Vec<&str> = cursor.iter().flat_map(|cursor| ["--cursor", cursor]).collect();
        let page = home.json(&[&["task", "list", "-n", "3"], next.as_slice()].concat());
        assert_eq!(page["total"], 8);
        found.extend(
            page["tasks"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap().to_owned()),
        );
        let Some(next) = page["cursor"].as_str() else { break };
        cursor = Some(next.to_owned());
    }
    assert_eq!(found, whole);
    assert_eq!(home.call(&["task", "list"]).within(&home.work("other")).ok(), "no items\n");
}

fn what_is_deleted_is_gone_and_the_rest_moves_up(home: &Home) {
    let top = create(home, &["top"]);
    let middle = create(home, &["middle", "--parent", &top]);
    create(home, &["low", "--parent", &middle]);
    create(home, &["waits", "--depends-on", &middle]);
    shows!(home, home.ok(&["task", "delete", &middle]), @"deleted TASK-0002: middle; moved up: TASK-0003; no longer waiting for it: TASK-0004");
    assert_eq!(show(home, "TASK-0003")["parent_id"], "TASK-0001");
    assert_eq!(show(home, "TASK-0004").get("depends_on"), None);
    shows!(home, home.fails(&["task", "delete", "TASK-0001", "TASK-0099"]), @r#"error: there is no item "TASK-0099"; near it: TASK-0004, TASK-0003, TASK-0001"#);
    assert_eq!(show(home, "TASK-0001")["child_count"], 1, "still there");
    assert_eq!(create(home, &["next"]), "TASK-0005");
    let deleted = home.json(&["task", "delete", "TASK-0001", "TASK-0003"]);
    assert_eq!(deleted["deleted"][0]["moved"], json!(["TASK-0003"]));
    home.check();
}

fn items_are_found_and_expanded(home: &Home) {
    create(home, &["Round the cents", "-d", "Half to even, as banks do"]);
    create(home, &["Paint the shed"]);
    let hits = home.json(&["search", "rounding cents", "--kind", "task"]);
    assert_eq!((&hits["hits"][0]["id"], &hits["total"]), (&json!("TASK-0001"), &json!(1)));
    shows!(home, home.ok(&["expand", "TASK-0001", "task-0002", "throughline://item/TASK-0001"]), @"
    TASK-0001  Round the cents
    status      open since TIME
    type        task
    created     TIME, changed TIME

    Half to even, as banks do

    TASK-0002  Paint the shed
    status      open since TIME
    type        task
    created     TIME, changed TIME

    TASK-0001  Round the cents
    status      open since TIME
    type        task
    created     TIME, changed TIME

    Half to even, as banks do
    ");
    home.ok(&["task", "update", "TASK-0001", "--title", "Truncate"]);
    assert_eq!(home.json(&["search", "cents", "--kind", "task"])["total"], 0);
    home.ok(&["task", "delete", "TASK-0001"]);
    assert_eq!(home.json(&["search", "banks half", "--kind", "task"])["total"], 0);
}

fn every_change_is_one_event(home: &Home) {
    create(home, &["a"]);
    home.ok(&["task", "update", "TASK-0001", "--status", "in_progress", "--add-evidence", "log"]);
    home.ok(&["task", "update", "TASK-0001", "--status", "in_progress"]);
    home.ok(&["task", "block", "TASK-0001", "--reason", "no key", "--actor", "agent:claude"]);
    home.ok(&["task", "complete", "TASK-0001"]);
    home.ok(&["task", "delete", "TASK-0001"]);
    let told: Vec<String> = home
        .events_with(&["--item", "TASK-0001"])
        .iter()
        .map(|event| {
            format!(
                "{} {}: {}",
                event["actor"].as_str().unwrap(),
                event["kind"].as_str().unwrap(),
                event["summary"].as_str().unwrap()
            )
        })
        .collect();
    shows!(home, told.join("\n"), @"
    user:tester item_created: created TASK-0001: a
    user:tester item_updated: TASK-0001: status → in_progress, added evidence
    agent:claude item_updated: TASK-0001: status → blocked, blocked: no key
    user:tester task_completed: completed TASK-0001: a
    user:tester item_deleted: deleted TASK-0001: a
    ");
}

fn a_session_is_named(home: &Home) {
    home.ok(&[
        "log",
        "append",
        "--kind",
        "user_message",
        "--content",
        "x",
        "--session",
        "s-1",
        "--client",
        "claude-code",
    ]);
    create(home, &["a", "--session", "s-1", "--client", "claude-code"]);
    let events = home.events();
    assert_eq!(events[0]["session_id"], events[1]["session_id"]);
}
