//! The tree of items, and what happened to them.

use super::fixture::{event, insert_events, item, item_id, project_id, read, session_id, write};
use super::item::insert;
use crate::Store;
use crate::event::{self, Event};
use crate::id::ItemId;
use crate::item::{self, Below, Item, Status};
use crate::time::Timestamp;

fn counts_below_are_added_to(store: &Store) {
    insert(store, &[item(1), item(2)]);
    write(store, |tx| item::insert(tx, &project_id("q"), &item(1)));
    let add = |children, grandchildren, great_grandchildren| {
        let more = Below { children, grandchildren, great_grandchildren };
        write(store, |tx| item::add_below(tx, &project_id("p"), &item_id(1), more));
    };
    add(1, 20, 300);
    add(2, -10, 0);
    let below = Below { children: 3, grandchildren: 10, great_grandchildren: 300 };
    let found = |project: &str, n| read(store, |conn| item::by_id(conn, &project_id(project), &item_id(n)));
    assert_eq!(found("p", 1), Some(Item { below, ..item(1) }));
    assert_eq!((found("p", 2), found("q", 1)), (Some(item(2)), Some(item(1))));
}

fn the_chain_above_is_the_nearest_first(store: &Store) {
    insert(store, &[item(1), child(2, 1), child(3, 2), child(4, 3), child(5, 99)]);
    let above = |n, parent, steps| chain(store, "p", (n, parent), steps);
    assert_eq!(above(4, Some(3), 9), [3, 2, 1]);
    assert_eq!(above(4, Some(3), 2), [3, 2]);
    assert_eq!(above(4, Some(3), 0), [0; 0]);
    assert_eq!(above(1, None, 9), [0; 0]);
    assert_eq!(above(5, Some(99), 9), [0; 0], "a parent that is not there");
    assert_eq!(chain(store, "q", (4, Some(3)), 9), [0; 0]);
}

fn the_chain_above_ends_in_a_cycle(store: &Store) {
    insert(store, &[child(1, 3), child(2, 1), child(3, 2), child(4, 3), child(5, 5)]);
    assert_eq!(chain(store, "p", (1, Some(3)), 99), [3, 2]);
    assert_eq!(chain(store, "p", (4, Some(3)), 99), [3, 2, 1]);
    assert_eq!(chain(store, "p", (5, Some(5)), 99), [0; 0]);
}

fn children_come_by_what_is_being_done_with_them(store: &Store) {
    let of = |n, parent, status| Item { status, ..child(n, parent) };
    insert(
        store,
        &[
            item(1),
            of(2, 1, Status::Cancelled),
            of(3, 1, Status::Done),
            of(4, 1, Status::Open),
            of(5, 1, Status::Blocked),
            of(6, 1, Status::InProgress),
            of(7, 1, Status::Open),
            of(8, 1, Status::InProgress),
            of(9, 2, Status::Open),
        ],
    );
    write(store, |tx| item::insert(tx, &project_id("q"), &child(10, 1)));
    let children =
        |limit| numbers(&read(store, |conn| item::children(conn, &project_id("p"), &item_id(1), limit)));
    assert_eq!(children(99), [6, 8, 5, 4, 7, 3, 2]);
    assert_eq!(children(4), [6, 8, 5, 4]);
    assert_eq!((children(0), children(1)), (vec![], vec![6]));
    let of_all = |ids: &[i64]| {
        let ids: Vec<ItemId> = ids.iter().map(|n| item_id(*n)).collect();
        numbers(&read(store, |conn| item::children_of(conn, &project_id("p"), ids.iter())))
    };
    assert_eq!(of_all(&[2, 1, 77]), [6, 8, 5, 4, 7, 9, 3, 2]);
    assert_eq!(of_all(&[3]), [0; 0]);
    assert_eq!(of_all(&[]), [0; 0]);
}

fn children_of_many_parents_are_all_there(store: &Store) {
    let items: Vec<Item> = (1..=200).map(|n| child(n, n % 70 + 1000)).collect();
    insert(store, &items);
    let parents: Vec<ItemId> = (1000..1070).map(item_id).collect();
    let found = read(store, |conn| item::children_of(conn, &project_id("p"), parents.iter()));
    assert_eq!(found, items);
}

fn the_children_that_changed_last(store: &Store) {
    let at = |n, at| Item { updated_at: Timestamp(at), ..child(n, 1) };
    insert(store, &[item(1), at(2, 50), at(3, 70), at(4, 50), child(5, 2)]);
    let changed = |parent, limit| {
        read(store, |conn| item::recently_changed(conn, &project_id("p"), &item_id(parent), limit))
    };
    assert_eq!(changed(1, 9), [item_id(3), item_id(4), item_id(2)]);
    assert_eq!(changed(1, 1), [item_id(3)]);
    assert_eq!(changed(5, 9), []);
}

fn a_child_is_unfinished_until_it_is_done_or_cancelled(store: &Store) {
    insert(store, &[item(1), child(2, 1), Item { status: Status::Done, ..child(3, 1) }, child(4, 3)]);
    let unfinished = |project: &str, n| {
        read(store, |conn| item::has_unfinished_child(conn, &project_id(project), &item_id(n)))
    };
    for status in Status::ALL {
        write(store, |tx| item::update(tx, &project_id("p"), &Item { status: *status, ..child(2, 1) }));
        assert_eq!(unfinished("p", 1), !status.is_finished(), "{status}");
    }
    assert!(!unfinished("p", 2) && !unfinished("p", 99) && !unfinished("q", 1));
}

fn what_happened_to_items_comes_by_time(store: &Store) {
    let about = |n, item: &str, at| Event {
        item_id: Some(item.into()),
        at: Timestamp(at),
        kind: event::Kind::ItemUpdated,
        ..event(n)
    };
    let private = Event { kind: event::Kind::ModelMessage, ..about(6, "TASK-0001", 90) };
    let other = Event { session_id: session_id("t"), sequence: 1, ..about(5, "TASK-0001", 5) };
    let events = [
        about(1, "TASK-0001", 30),
        about(2, "TASK-0002", 20),
        about(3, "TASK-0001", 30),
        event(4),
        other,
        private,
    ];
    insert_events(store, &events);
    insert(store, &[item(1), item(2), item(3)]);
    let p = project_id("p");
    let positions = |events: &[Event]| events.iter().map(|event| event.position).collect::<Vec<_>>();
    let of_item = |n, limit| positions(&read(store, |conn| event::of_item(conn, &p, &item_id(n), limit)));
    assert_eq!((of_item(1, 9), of_item(1, 2), of_item(3, 9)), (vec![3, 1, 5], vec![3, 1], vec![]));
    let ids: Vec<ItemId> = (1..=4).map(item_id).collect();
    let mut last = read(store, |conn| event::last_of_items(conn, &p, ids.iter()));
    last.sort();
    assert_eq!(last, [(item_id(1), Timestamp(30)), (item_id(2), Timestamp(20))]);
    let mut in_session = positions(&read(store, |conn| {
        event::of_items_in_session(conn, &p, &session_id("s"), [item_id(1), item_id(3)].iter())
    }));
    in_session.sort_unstable();
    assert_eq!(in_session, [1, 3]);
    let q = project_id("q");
    assert_eq!(read(store, |conn| event::of_item(conn, &q, &item_id(1), 9)), []);
    assert_eq!(read(store, |conn| event::last_of_items(conn, &q, ids.iter())), []);
}

fn the_newest_event_is_that_of_the_last_position(store: &Store) {
    let newest = |project: &str| read(store, |conn| event::newest(conn, &project_id(project)));
    assert_eq!(newest("p"), None);
    write(store, |tx| super::fixture::insert_log(tx, &[("s", 3)]));
    assert_eq!(newest("p").map(|event| event.position), Some(3));
    assert_eq!(newest("q"), None);
}

fn child(n: i64, parent: i64) -> Item {
    Item { parent: Some(item_id(parent)), ..item(n) }
}

fn numbers(items: &[Item]) -> Vec<i64> {
    items.iter().map(|item| item.number).collect()
}

fn chain(store: &Store, project: &str, (n, parent): (i64, Option<i64>), steps: usize) -> Vec<i64> {
    let (id, parent) = (item_id(n), parent.map(item_id));
    numbers(&read(store, |conn| item::above(conn, &project_id(project), (&id, parent.as_ref()), steps)))
}

super::contract![
    counts_below_are_added_to,
    the_chain_above_is_the_nearest_first,
    the_chain_above_ends_in_a_cycle,
    children_come_by_what_is_being_done_with_them,
    children_of_many_parents_are_all_there,
    the_children_that_changed_last,
    a_child_is_unfinished_until_it_is_done_or_cancelled,
    what_happened_to_items_comes_by_time,
    the_newest_event_is_that_of_the_last_position,
];
