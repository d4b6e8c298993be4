//! Items from elsewhere: all or none, in any order, and again without doubling.

use serde_json::json;
use throughline_store::item::{Priority, Status, Type};
use throughline_store::time::Timestamp;

use super::{Patch, all, assert_counts_are_true, during, entry, ids, since, texts, titled, update};
use crate::Result;
use crate::backlog::{Imported, NewItem, Outcome, Says, Source};
use crate::testing::{Fixture, refused};

fn source(key: &str, item: NewItem) -> Source {
    let item = NewItem { source_key: Some(format!("test:{key}")), ..item };
    Source { key: key.into(), place: format!("a.json, item {key}"), item, says: Says::WhatItNames }
}

fn child(key: &str, parent: &str) -> Source {
    source(key, NewItem { parent: Some(parent.into()), ..NewItem::of(format!("item {key}")) })
}

fn waiting(key: &str, on: &[&str], blocks: &[&str]) -> Source {
    source(
        key,
        NewItem { depends_on: texts(on), blocks: texts(blocks), ..NewItem::of(format!("item {key}")) },
    )
}

fn import(fixture: &Fixture, sources: Vec<Source>) -> Result<Imported> {
    fixture.engine.import_items(&fixture.caller, sources, &during())
}

fn outcomes(imported: &Imported) -> Vec<(&str, &str, Outcome)> {
    imported.items.iter().map(|(key, id, outcome)| (key.as_str(), id.as_str(), *outcome)).collect()
}

#[test]
fn parents_come_before_their_children_whatever_the_file_says() {
    let fixture = Fixture::new();
    let imported =
        import(&fixture, vec![child("c", "b"), child("b", "a"), source("a", NewItem::of("item a"))]).unwrap();
    assert_eq!(
        outcomes(&imported),
        [
            ("a", "TASK-0001", Outcome::Created),
            ("b", "TASK-0002", Outcome::Created),
            ("c", "TASK-0003", Outcome::Created),
        ]
    );
    assert_eq!(entry(&fixture, "TASK-0003").item.parent.unwrap().as_str(), "TASK-0002");
    assert_counts_are_true(&fixture);
}

#[test]
fn again_doubles_nothing() {
    let fixture = Fixture::new();
    let file = || {
        vec![
            child("b", "a"),
            source("a", NewItem { priority: Some(Priority::High), ..NewItem::of("item a") }),
            waiting("c", &["d"], &["a"]),
            waiting("d", &[], &["b"]),
        ]
    };
    import(&fixture, file()).unwrap();
    let before = (all(&fixture), fixture.log());
    let again = import(&fixture, file()).unwrap();
    assert!(again.items.iter().all(|(.., outcome)| *outcome == Outcome::Unchanged), "{again:?}");
    assert_eq!((all(&fixture), fixture.log()), before);
}

#[test]
fn what_changed_in_the_file_changes_here() {
    let fixture = Fixture::new();
    import(&fixture, vec![source("a", NewItem::of("item a")), source("b", NewItem::of("item b"))]).unwrap();
    let renamed = source("a", NewItem { extra: Some(json!({ "labels": ["x"] })), ..NewItem::of("renamed") });
    let imported = import(&fixture, vec![renamed, waiting("b", &["a"], &[])]).unwrap();
    assert_eq!(
        outcomes(&imported),
        [("a", "TASK-0001", Outcome::Updated), ("b", "TASK-0002", Outcome::Updated)]
    );
    let item = entry(&fixture, "TASK-0001").item;
    assert_eq!((item.title.as_str(), item.extra.as_deref()), ("renamed", Some(r#"{"labels":["x"]}"#)));
    assert_eq!(ids(&entry(&fixture, "TASK-0002").depends_on), ["TASK-0001"]);
}

#[test]
fn what_a_file_knows_nothing_of_stays() {
    let fixture = Fixture::new();
    let file = |says| vec![Source { says, ..source("a", NewItem::of("item a")) }];
    import(&fixture, file(Says::WhatItNames)).unwrap();
    let worked = Patch {
        status: Some(Status::InProgress),
        evidence: Some(texts(&["log"])),
        due_date: crate::backlog::Set::To("2026-12-24".into()),
        ..Patch::default()
    };
    let before = update(&fixture, "TASK-0001", worked).unwrap();
    import(&fixture, file(Says::WhatItNames)).unwrap();
    assert_eq!(entry(&fixture, "TASK-0001"), before, "open elsewhere, worked on here");
    let closed = NewItem { status: Status::Done, ..NewItem::of("item a") };
    import(&fixture, vec![source("a", closed)]).unwrap();
    assert_eq!(entry(&fixture, "TASK-0001").item.status, Status::Done);
    import(&fixture, file(Says::WhatItNames)).unwrap();
    assert_eq!(entry(&fixture, "TASK-0001").item.status, Status::Open, "opened again elsewhere");
    import(&fixture, file(Says::Everything)).unwrap();
    let item = entry(&fixture, "TASK-0001").item;
    assert_eq!((item.evidence.len(), item.due_date), (0, None));
}

#[test]
fn ids_and_times_of_the_file_are_kept() {
    let fixture = Fixture::new();
    let given = NewItem {
        id: Some("epic-0042".into()),
        item_type: Type::Epic,
        status: Status::Done,
        created_at: Some(Timestamp(1)),
        updated_at: Some(Timestamp(3)),
        status_at: Some(Timestamp(2)),
        ..NewItem::of("given")
    };
    import(&fixture, vec![source("x", given.clone())]).unwrap();
    let item = entry(&fixture, "EPIC-0042").item;
    assert_eq!(
        (item.created_at, item.status_at, item.updated_at),
        (Timestamp(1), Timestamp(2), Timestamp(3))
    );
    let next = NewItem { item_type: Type::Epic, ..NewItem::of("next") };
    assert_eq!(super::add(&fixture, next).item.id.as_str(), "EPIC-0043");
    let imported =
        import(&fixture, vec![source("another key", NewItem { source_key: None, ..given })]).unwrap();
    assert_eq!(imported.items[0].2, Outcome::Unchanged, "the same id is the same item");
    let wrong = ["EPIC-42", "EPIC-00042", "TASK-0001", "EPIC-0000", "EPIC-9999999999", "EPIC-", "EPIC-٤٤٤٤"];
    for id in wrong {
        let new = NewItem { id: Some(id.into()), item_type: Type::Epic, ..NewItem::of("x") };
        let said = refused(import(&fixture, vec![source("y", new)]));
        assert!(said.contains("a.json, item y") && said.contains("EPIC-0001"), "{id}: {said}");
    }
}

#[test]
fn names_stand_for_what_is_in_the_file_in_the_project_or_came_earlier() {
    let fixture = Fixture::new();
    titled(&fixture, "own");
    import(&fixture, vec![source("early", NewItem::of("early"))]).unwrap();
    let before = fixture.log().len();
    import(
        &fixture,
        vec![waiting("late", &["task-0001", "test:early", "new"], &[]), source("new", NewItem::of("new"))],
    )
    .unwrap();
    assert_eq!(ids(&entry(&fixture, "TASK-0003").depends_on), ["TASK-0001", "TASK-0002", "TASK-0004"]);
    let created = since(&fixture, before);
    assert_eq!(created.len(), 2, "one event for each");
    assert!(
        created[0]
            .parts
            .as_deref()
            .unwrap()
            .contains(r#""depends_on":["TASK-0001","TASK-0002","TASK-0004"]"#)
    );
}

#[test]
fn one_wrong_item_and_nothing_is_imported() {
    let fixture = Fixture::new();
    let good = || source("good", NewItem::of("good"));
    let refuse = |sources: Vec<Source>| refused(import(&fixture, sources));
    let said = [
        refuse(vec![good(), source("bad", NewItem::of(" "))]),
        refuse(vec![good(), child("bad", "nobody")]),
        refuse(vec![good(), waiting("bad", &["nobody"], &[])]),
        refuse(vec![good(), good()]),
        refuse(vec![good(), child("a", "b"), child("b", "c"), child("c", "b")]),
        refuse(vec![good(), child("a", "a")]),
        refuse(vec![good(), waiting("a", &["b"], &[]), waiting("b", &["a"], &[])]),
        refuse(vec![good(), waiting("a", &["b"], &["b"]), waiting("b", &[], &[])]),
        refuse(vec![good(), waiting("a", &["a"], &[])]),
    ];
    insta::assert_snapshot!(said.join("\n"), @r#"
    invalid: a.json, item bad: an item needs a title; say in a few words what is to be done
    not found: a.json, item bad: "nobody" is neither among what is imported nor in the backlog; import it as well, or leave it out
    not found: a.json, item bad: "nobody" is neither among what is imported nor in the backlog; import it as well, or leave it out
    invalid: a.json, item good: "good" is there twice; keep one of them
    invalid: a.json, item b: the items are below each other in a cycle, b → c → b; change one parent
    invalid: a.json, item a: the items are below each other in a cycle, a → a; change one parent
    invalid: a.json, item b: TASK-0003 cannot depend on TASK-0002: that would be a cycle, TASK-0003 → TASK-0002 → TASK-0003; remove one of these first
    invalid: a.json, item a: TASK-0003 cannot depend on TASK-0002: that would be a cycle, TASK-0003 → TASK-0002 → TASK-0003; remove one of these first
    invalid: a.json, item a: TASK-0002 cannot depend on itself: TASK-0002 → TASK-0002; name another item
    "#);
    assert_eq!((all(&fixture), fixture.log().len()), (vec![], 0));
}

#[test]
fn a_tree_may_be_turned_over() {
    let fixture = Fixture::new();
    import(&fixture, vec![child("b", "a"), child("c", "b"), source("a", NewItem::of("item a"))]).unwrap();
    let turned = vec![
        child("a", "b"),
        child("b", "c"),
        Source { says: Says::Everything, ..source("c", NewItem::of("item c")) },
    ];
    import(&fixture, turned).unwrap();
    assert_counts_are_true(&fixture);
    assert_eq!(entry(&fixture, "TASK-0003").item.below.grandchildren, 1, "c is above all");
}

#[test]
fn a_source_that_two_items_claim_is_one_item() {
    let fixture = Fixture::new();
    import(&fixture, vec![source("a", NewItem::of("a"))]).unwrap();
    let other = NewItem { id: Some("TASK-0099".into()), ..NewItem::of("a again") };
    let imported = import(&fixture, vec![source("a", other)]).unwrap();
    assert_eq!(outcomes(&imported), [("a", "TASK-0001", Outcome::Updated)]);
    assert_eq!(all(&fixture).len(), 1);
}
