//! Changing items: what is given replaces, null clears, what is not said stays.

use throughline_store::item::{Context, Item, Priority, Reference, Status, Validation};

use super::{add, all, below, during, entry, ids, moved, texts, titled, update};
use crate::backlog::{NewItem, Patch, Set};
use crate::testing::{Fixture, minutes, refused};

/// An item of which everything is said.
fn full(fixture: &Fixture) -> Item {
    let (parent, first) = (titled(fixture, "parent"), titled(fixture, "first"));
    let new = NewItem {
        description: "d".into(),
        status: Status::Blocked,
        parent: Some(parent),
        references: vec![Reference { url: "u".into(), title: None }],
        depends_on: vec![first],
        evidence: texts(&["e"]),
        blocked_reason: texts(&["r"]),
        priority: Some(Priority::Low),
        due_date: Some("2026-12-24".into()),
        context: Some(Context::Isolated),
        summary: Some("s".into()),
        validation: Some(Validation { valid: true, report: None }),
        ..NewItem::of("full")
    };
    add(fixture, new).item
}

#[test]
fn what_is_not_said_stays() {
    let fixture = Fixture::new();
    let before = full(&fixture);
    fixture.time.advance(minutes(1));
    let after =
        update(&fixture, "TASK-0003", Patch { title: Some("renamed".into()), ..Patch::default() }).unwrap();
    let expected = Item {
        title: "renamed".into(),
        updated_at: fixture.time.now(),
        document: after.item.document,
        ..before.clone()
    };
    assert_eq!((&after.item, ids(&after.depends_on)), (&expected, vec!["TASK-0002"]));
    assert_ne!(after.item.document, before.document, "it is found by other words");
}

#[test]
fn clearing_clears_and_lists_replace() {
    let fixture = Fixture::new();
    let before = full(&fixture);
    let cleared = Patch {
        description: Some(String::new()),
        parent: Set::Clear,
        references: Some(vec![]),
        depends_on: Some(vec![]),
        evidence: Some(vec![]),
        blocked_reason: Some(vec![]),
        priority: Set::Clear,
        due_date: Set::Clear,
        context: Set::Clear,
        summary: Set::Clear,
        validation: Set::Clear,
        ..Patch::default()
    };
    let after = update(&fixture, "TASK-0003", cleared).unwrap();
    let expected = Item {
        description: String::new(),
        parent: None,
        references: vec![],
        evidence: vec![],
        blocked_reason: vec![],
        priority: None,
        due_date: None,
        context: None,
        summary: None,
        validation: None,
        document: after.item.document,
        ..before
    };
    assert_eq!((&after.item, after.depends_on.len()), (&expected, 0));
    assert_eq!(entry(&fixture, "TASK-0001").item.below.children, 0);
    let replaced = Patch {
        evidence: Some(texts(&["x", "y"])),
        add_evidence: texts(&["y", "z"]),
        depends_on: Some(texts(&["TASK-0001", "task-0002"])),
        ..Patch::default()
    };
    let after = update(&fixture, "TASK-0003", replaced).unwrap();
    assert_eq!(after.item.evidence, ["x", "y", "z"]);
    assert_eq!(ids(&after.depends_on), ["TASK-0001", "TASK-0002"]);
}

#[test]
fn nothing_changed_is_no_event_and_no_new_time() {
    let fixture = Fixture::new();
    let before = full(&fixture);
    let events = fixture.log().len();
    fixture.time.advance(minutes(1));
    let same = Patch {
        title: Some(" full ".into()),
        description: Some("d".into()),
        status: Some(Status::Blocked),
        parent: Set::To("task-0001".into()),
        depends_on: Some(texts(&["TASK-0002", "TASK-0002"])),
        blocks: Some(vec![]),
        evidence: Some(texts(&["e"])),
        add_evidence: texts(&["e"]),
        priority: Set::To(Priority::Low),
        due_date: Set::To("2026-12-24".into()),
        ..Patch::default()
    };
    for patch in [same, Patch::default()] {
        assert_eq!(update(&fixture, "TASK-0003", patch).unwrap().item, before);
    }
    assert_eq!(fixture.log().len(), events);
}

#[test]
fn a_status_knows_since_when() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "a");
    let created = fixture.time.now();
    fixture.time.advance(minutes(1));
    let started = Patch { status: Some(Status::InProgress), ..Patch::default() };
    assert_eq!(update(&fixture, &id, started).unwrap().item.status_at, fixture.time.now());
    let at = fixture.time.now();
    fixture.time.advance(minutes(1));
    let item =
        update(&fixture, &id, Patch { description: Some("x".into()), ..Patch::default() }).unwrap().item;
    assert_eq!((item.created_at, item.status_at, item.updated_at), (created, at, fixture.time.now()));
}

#[test]
fn blocked_until_unblocked() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "a");
    let block = |why: &str| fixture.engine.block_item(&fixture.caller, &id, why, &during());
    assert_eq!(block("no key").unwrap().item.blocked_reason, ["no key"]);
    let item = block("no server").unwrap().item;
    assert_eq!((item.status, item.blocked_reason), (Status::Blocked, texts(&["no key", "no server"])));
    assert_eq!(block("no key").unwrap().item.blocked_reason, ["no key", "no server"], "said before");
    let item = fixture.engine.unblock_item(&fixture.caller, &id, &during()).unwrap().item;
    assert_eq!((item.status, item.blocked_reason.len()), (Status::Open, 0));
    let again = refused(fixture.engine.unblock_item(&fixture.caller, &id, &during()));
    insta::assert_snapshot!([again, refused(block("  "))].join("\n"), @"
    invalid: TASK-0001 is open, not blocked; `throughline task update` changes other states
    invalid: say why the item is blocked, so that whoever comes next knows what to wait for
    ");
}

#[test]
fn the_same_reason_with_a_secret_is_one_reason() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "a");
    let why = format!("the token {} is refused", crate::testing::SECRET);
    for _ in 0..2 {
        fixture.engine.block_item(&fixture.caller, &id, &why, &during()).unwrap();
    }
    assert_eq!(entry(&fixture, &id).item.blocked_reason.len(), 1);
    assert_eq!(fixture.log().len(), 2, "created and blocked");
}

#[test]
fn a_finished_item_says_what_was_done() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "a");
    fixture.engine.block_item(&fixture.caller, &id, "wait", &during()).unwrap();
    let validation = Validation { valid: true, report: Some("12 of 12".into()) };
    let said = (Some("did it".to_owned()), Some(validation.clone()), texts(&["log.txt"]));
    let item = fixture.engine.complete_item(&fixture.caller, &id, said, &during()).unwrap().item;
    assert_eq!((item.status, item.summary.as_deref()), (Status::Done, Some("did it")));
    assert_eq!(
        (item.validation, item.evidence, item.blocked_reason.len()),
        (Some(validation), texts(&["log.txt"]), 0)
    );
    let again = fixture.engine.complete_item(&fixture.caller, &id, (None, None, vec![]), &during());
    insta::assert_snapshot!(refused(again), @"invalid: TASK-0001 is done already; `throughline task update TASK-0001 --status open` opens it again");
}

#[test]
fn a_verdict_ends_with_being_done() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "a");
    let validation = Some(Validation { valid: true, report: None });
    let said = (Some("did it".to_owned()), validation, vec![]);
    fixture.engine.complete_item(&fixture.caller, &id, said, &during()).unwrap();
    let reopened =
        update(&fixture, &id, Patch { status: Some(Status::Open), ..Patch::default() }).unwrap().item;
    assert_eq!((reopened.summary, reopened.validation), (None, None), "another end has another summary");
}

#[test]
fn what_would_be_wrong_changes_nothing() {
    let fixture = Fixture::new();
    let parent = titled(&fixture, "parent");
    let child = below(&fixture, &parent, "child");
    let before = (all(&fixture), fixture.log());
    let refuse = |patch: Patch| refused(update(&fixture, &child, patch));
    let said = [
        refuse(Patch { title: Some(String::new()), ..Patch::default() }),
        refuse(Patch { due_date: Set::To("soon".into()), ..Patch::default() }),
        refuse(Patch { parent: Set::To("TASK-0009".into()), title: Some("x".into()), ..Patch::default() }),
        refuse(Patch { blocks: Some(texts(&["TASK-0001", "TASK-0042"])), ..Patch::default() }),
        refused(moved(&fixture, "TASK-0077", &parent)),
    ];
    insta::assert_snapshot!(said.join("\n"), @r#"
    invalid: an item needs a title; say in a few words what is to be done
    invalid: "soon" is no date; write 2026-11-15 or 2026-11-15T09:30:00Z
    not found: there is no item "TASK-0009"; near it: TASK-0002, TASK-0001
    not found: there is no item "TASK-0042"; near it: TASK-0002, TASK-0001
    not found: there is no item "TASK-0077"; near it: TASK-0002, TASK-0001
    "#);
    assert_eq!((all(&fixture), fixture.log()), before);
}
