//! Creating items: their ids, what follows from nothing said, what is refused.

use throughline_store::item::{Below, Context, Item, Priority, Reference, Status, Type};

use super::{add, all, below, during, entry, ids, texts, titled};
use crate::backlog::NewItem;
use crate::testing::{Fixture, SECRET, START, refused};

#[test]
fn an_item_of_a_title_is_an_open_task() {
    let fixture = Fixture::new();
    let created = add(&fixture, NewItem::of("  Round the\ncents "));
    let expected = Item {
        number: 1,
        id: "TASK-0001".to_owned().into(),
        item_type: Type::Task,
        title: "Round the cents".into(),
        description: String::new(),
        status: Status::Open,
        status_at: START,
        parent: None,
        priority: None,
        due_date: None,
        context: None,
        references: vec![],
        evidence: vec![],
        blocked_reason: vec![],
        summary: None,
        validation: None,
        extra: None,
        source_key: None,
        created_at: START,
        updated_at: START,
        document: 1,
        below: Below::default(),
    };
    assert_eq!((&created.item, created.depends_on.len(), created.blocks.len()), (&expected, 0, 0));
    assert_eq!(entry(&fixture, "task-0001"), created);
}

#[test]
fn everything_that_is_said_is_kept() {
    let fixture = Fixture::new();
    let (parent, first, waiting) = (titled(&fixture, "a"), titled(&fixture, "b"), titled(&fixture, "c"));
    let new = NewItem {
        description: "the whole\n\nstory".into(),
        item_type: Type::Epic,
        status: Status::InProgress,
        parent: Some(parent.to_lowercase()),
        references: vec![Reference { url: "https://example.org".into(), title: Some("spec".into()) }],
        depends_on: vec![first.clone(), first.clone()],
        blocks: vec![waiting.clone()],
        evidence: texts(&["seen"]),
        priority: Some(Priority::High),
        due_date: Some("2026-12-24T10:00:00+02:00".into()),
        context: Some(Context::Isolated),
        ..NewItem::of("whole")
    };
    let created = add(&fixture, new.clone());
    let item = &created.item;
    assert_eq!(item.id.as_str(), "EPIC-0001");
    assert_eq!(
        (&item.description, &item.references, &item.evidence),
        (&new.description, &new.references, &new.evidence)
    );
    assert_eq!((item.status, item.priority, item.context), (new.status, new.priority, new.context));
    assert_eq!(item.parent.as_ref().map(ToString::to_string), Some(parent.clone()));
    assert_eq!(item.due_date.as_deref(), Some("2026-12-24T08:00:00Z"), "in UTC");
    assert_eq!(
        (ids(&created.depends_on), ids(&created.blocks)),
        (vec![first.as_str()], vec![waiting.as_str()])
    );
    assert_eq!(ids(&entry(&fixture, &waiting).depends_on), ["EPIC-0001"]);
    assert_eq!(ids(&entry(&fixture, &first).blocks), ["EPIC-0001"]);
    assert_eq!(entry(&fixture, &parent).item.below.children, 1);
}

#[test]
fn each_type_counts_by_itself() {
    let fixture = Fixture::new();
    let of = |item_type| add(&fixture, NewItem { item_type, ..NewItem::of("x") }).item.id.to_string();
    let created: Vec<String> = Type::ALL.iter().chain(Type::ALL).map(|item_type| of(*item_type)).collect();
    assert_eq!(
        created,
        [
            "TASK-0001",
            "EPIC-0001",
            "MLST-0001",
            "FLDR-0001",
            "ARTF-0001",
            "TASK-0002",
            "EPIC-0002",
            "MLST-0002",
            "FLDR-0002",
            "ARTF-0002",
        ]
    );
    let numbers: Vec<i64> = all(&fixture).iter().map(|item| item.number).collect();
    assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
}

#[test]
fn ids_grow_beyond_four_digits() {
    let fixture = Fixture::new();
    let given = NewItem { id: Some("TASK-9999".into()), ..NewItem::of("the last of four") };
    fixture.write(|tx| throughline_store::item::note_number(tx, &fixture.caller.project, "TASK", 9998));
    assert_eq!(add(&fixture, NewItem { id: None, ..given }).item.id.as_str(), "TASK-9999");
    assert_eq!(titled(&fixture, "next"), "TASK-10000");
    assert_eq!(entry(&fixture, "TASK-10000").item.title, "next");
}

#[test]
fn an_id_is_not_given_out_again() {
    let fixture = Fixture::new();
    titled(&fixture, "first");
    let second = titled(&fixture, "second");
    fixture.engine.delete_item(&fixture.caller, &second, &during()).unwrap();
    assert_eq!(titled(&fixture, "third"), "TASK-0003");
    for id in ["TASK-0001", "TASK-0003"] {
        fixture.engine.delete_item(&fixture.caller, id, &during()).unwrap();
    }
    assert_eq!(titled(&fixture, "fourth"), "TASK-0004");
}

#[test]
fn what_cannot_be_an_item_is_refused_and_takes_no_number() {
    let fixture = Fixture::new();
    let refuse = |new: NewItem| refused(fixture.engine.create_item(&fixture.caller, new, &during()));
    let said = [
        refuse(NewItem::of(" \n ")),
        refuse(NewItem::of("x".repeat(1001))),
        refuse(NewItem { source_key: Some("x".repeat(1001)), ..NewItem::of("a") }),
        refuse(NewItem { due_date: Some("tomorrow".into()), ..NewItem::of("a") }),
        refuse(NewItem { due_date: Some("2026-13-01".into()), ..NewItem::of("a") }),
        refuse(NewItem { parent: Some("TASK-0001".into()), ..NewItem::of("a") }),
        refuse(NewItem { depends_on: texts(&["EPIC-0007"]), ..NewItem::of("a") }),
        refuse(NewItem { evidence: vec!["x".into(); 10_001], ..NewItem::of("a") }),
        refuse(NewItem { description: "x ".repeat(3 * 1024 * 1024), ..NewItem::of("a") }),
    ];
    insta::assert_snapshot!(said.join("\n"), @r#"
    invalid: an item needs a title; say in a few words what is to be done
    invalid: the title has 1001 bytes and the limit is 1000; put the rest into the description
    invalid: what the item is called elsewhere is longer than 1000 bytes; give it a shorter name there
    invalid: "tomorrow" is no date; write 2026-11-15 or 2026-11-15T09:30:00Z
    invalid: "2026-13-01" is no date; write 2026-11-15 or 2026-11-15T09:30:00Z
    not found: there is no item "TASK-0001"; the backlog has no items yet; create one first, with `throughline task create TITLE` or backlog_create
    not found: there is no item "EPIC-0007"; the backlog has no items yet; create one first, with `throughline task create TITLE` or backlog_create
    invalid: a list of the item has 10001 entries and the limit is 10000; keep them in a resource
    invalid: the item has 6291456 bytes of text and the limit is 4194304; keep long texts in a resource
    "#);
    assert_eq!((all(&fixture), fixture.log().len()), (vec![], 0));
    assert_eq!(titled(&fixture, "a"), "TASK-0001");
}

#[test]
fn a_long_text_is_kept_whole() {
    let fixture = Fixture::new();
    let description = "Größe 港 ".repeat(150_000);
    let new =
        NewItem {
            description: description.clone(), evidence: vec![String::new()], ..NewItem::of("漢字 👩‍👩‍👧")
        };
    let id = add(&fixture, new).item.id.to_string();
    let item = entry(&fixture, &id).item;
    assert_eq!((item.title.as_str(), item.evidence), ("漢字 👩‍👩‍👧", vec![String::new()]));
    assert!(item.description == description);
}

#[test]
fn secrets_are_taken_out_of_every_text() {
    let fixture = Fixture::new();
    let secret = |label: &str| format!("{label} {SECRET} end");
    let new = NewItem {
        description: secret("b"),
        references: vec![Reference { url: secret("c"), title: Some(secret("d")) }],
        evidence: vec![secret("e")],
        blocked_reason: vec![secret("f")],
        summary: Some(secret("g")),
        extra: Some(serde_json::json!({ "h": secret("h") })),
        source_key: Some(secret("i")),
        ..NewItem::of(secret("a"))
    };
    let id = add(&fixture, new).item.id.to_string();
    fixture.engine.block_item(&fixture.caller, &id, &secret("j"), &during()).unwrap();
    let kept = format!("{:?} {:?}", all(&fixture), fixture.log());
    assert!(!kept.contains(SECRET), "{kept}");
    assert!(kept.contains("[redacted"), "{kept}");
}

#[test]
fn projects_are_apart() {
    let fixture = Fixture::new();
    let other = fixture.engine.project(&crate::testing::plain("/work/other"), Some("other")).unwrap();
    let other = crate::Caller { project: other.id, ..fixture.caller.clone() };
    let parent = titled(&fixture, "here");
    let there = fixture.engine.create_item(&other, NewItem::of("there"), &during()).unwrap();
    assert_eq!(there.item.id.as_str(), "TASK-0001");
    below(&fixture, &parent, "child");
    let unknown = fixture.engine.item(&other, "TASK-0002");
    insta::assert_snapshot!(refused(unknown), @r#"not found: there is no item "TASK-0002"; near it: TASK-0001"#);
    assert_eq!(fixture.engine.item(&other, "TASK-0001").unwrap().item.below.children, 0);
}
