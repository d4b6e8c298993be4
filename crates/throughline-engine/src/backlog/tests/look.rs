//! Looking at items: pages, counts, and what is said about an id that is not there.

use throughline_store::item::{self, Filter, Status, Type};

use super::{Patch, add, below, depending, ids, titled, update};
use crate::backlog::{NewItem, Query};
use crate::testing::{Fixture, minutes, refused};

#[test]
fn pages_are_complete_and_count_all() {
    let fixture = Fixture::new();
    for n in 0..23 {
        titled(&fixture, "x");
        if n % 5 == 0 {
            fixture.time.advance(minutes(1));
        }
    }
    let mut query = Query::default();
    let mut found = vec![];
    loop {
        let page = fixture.engine.items(&fixture.caller, &query, 5).unwrap();
        assert_eq!(page.total, 23);
        found.extend(page.items.iter().map(|item| item.number));
        match page.next {
            Some(next) => query.filter.after = Some(next),
            None => break,
        }
    }
    assert_eq!(found, (1..=23).rev().collect::<Vec<i64>>());
}

#[test]
fn a_page_that_holds_all_has_no_next() {
    let fixture = Fixture::new();
    let parent = titled(&fixture, "a");
    below(&fixture, &parent, "b");
    for (limit, next) in [(0, false), (1, true), (2, false), (3, false)] {
        let page = fixture.engine.items(&fixture.caller, &Query::default(), limit).unwrap();
        assert_eq!((page.items.len(), page.next.is_some(), page.total), (limit.min(2), next, 2));
    }
}

#[test]
fn what_changed_last_comes_first() {
    let fixture = Fixture::new();
    let (first, _) = (titled(&fixture, "a"), titled(&fixture, "b"));
    fixture.time.advance(minutes(1));
    update(&fixture, &first, Patch { status: Some(Status::InProgress), ..Patch::default() }).unwrap();
    let listed = |statuses: Vec<Status>| {
        let query = Query { filter: Filter { statuses, ..Filter::default() }, text: None };
        let page = fixture.engine.items(&fixture.caller, &query, 9).unwrap();
        page.items.iter().map(|item| item.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(listed(vec![]), ["TASK-0001", "TASK-0002"]);
    assert_eq!(listed(vec![Status::Open]), ["TASK-0002"]);
    assert_eq!(listed(vec![Status::Done, Status::Cancelled]), [""; 0]);
}

#[test]
fn an_id_that_is_not_there_is_answered_with_those_near_it() {
    let fixture = Fixture::new();
    let look = |id: &str| refused(fixture.engine.item(&fixture.caller, id));
    let empty = look("TASK-0001");
    for _ in 0..5 {
        titled(&fixture, "x");
    }
    let names = [
        "TASK-3",
        "3",
        "epic-0004",
        "TASK-0007",
        "TASK-0900",
        "",
        "nonsense",
        "TASK-9223372036854775807",
        "TASK-99999999999999999999",
        "ß漢字",
    ];
    let said: Vec<String> = std::iter::once(empty).chain(names.map(look)).collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    not found: there is no item "TASK-0001"; the backlog has no items yet; create one first, with `throughline task create TITLE` or backlog_create
    not found: there is no item "TASK-3"; near it: TASK-0003, TASK-0002, TASK-0004
    not found: there is no item "3"; near it: TASK-0003, TASK-0002, TASK-0004
    not found: there is no item "epic-0004"; near it: TASK-0004, TASK-0003, TASK-0005
    not found: there is no item "TASK-0007"; near it: TASK-0005
    not found: there is no item "TASK-0900"; near it: TASK-0005, TASK-0004, TASK-0003
    not found: there is no item ""; near it: TASK-0005, TASK-0004, TASK-0003
    not found: there is no item "nonsense"; near it: TASK-0005, TASK-0004, TASK-0003
    not found: there is no item "TASK-9223372036854775807"; near it: TASK-0005, TASK-0004, TASK-0003
    not found: there is no item "TASK-99999999999999999999"; near it: TASK-0005, TASK-0004, TASK-0003
    not found: there is no item "ß漢字"; near it: TASK-0005, TASK-0004, TASK-0003
    "#);
}

#[test]
fn the_whole_backlog_comes_in_the_order_of_ids() {
    let fixture = Fixture::new();
    let epic = add(&fixture, NewItem { item_type: Type::Epic, ..NewItem::of("epic") });
    fixture.write(|tx| item::note_number(tx, &fixture.caller.project, "TASK", 9998));
    let tasks = [titled(&fixture, "a"), titled(&fixture, "b")];
    depending(&fixture, &tasks[1], &[&tasks[0], epic.item.id.as_str()]).unwrap();
    let every = fixture.engine.every_item(&fixture.caller).unwrap();
    let told: Vec<_> = every
        .iter()
        .map(|entry| (entry.item.id.as_str(), ids(&entry.depends_on), ids(&entry.blocks)))
        .collect();
    assert_eq!(
        told,
        [
            ("TASK-9999", vec![], vec!["TASK-10000"]),
            ("TASK-10000", vec!["TASK-9999", "EPIC-0001"], vec![]),
            ("EPIC-0001", vec![], vec!["TASK-10000"]),
        ]
    );
}
