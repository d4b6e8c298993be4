//! Lists of items: what a filter finds, in which order, page by page.

use super::fixture::{item, item_id, project_id, read, write};
use super::item::insert;
use crate::Store;
use crate::item::{self, Cursor, Filter, Item, Status, Type};
use crate::time::Timestamp;

fn what_changed_last_comes_first(store: &Store) {
    let at = |n, at| Item { updated_at: Timestamp(at), ..item(n) };
    insert(store, &[at(1, 50), at(2, 70), at(3, 50), at(4, -60)]);
    assert_eq!(numbers(store, &Filter::default()), [2, 3, 1, 4]);
}

fn conditions_hold_together(store: &Store) {
    let of = |n, status, item_type, parent: i64| Item {
        status,
        item_type,
        parent: (parent > 0).then(|| item_id(parent)),
        ..item(n)
    };
    insert(
        store,
        &[
            of(1, Status::Open, Type::Epic, 0),
            of(2, Status::Done, Type::Task, 1),
            of(3, Status::Open, Type::Task, 1),
            of(4, Status::Blocked, Type::Task, 3),
            of(5, Status::Cancelled, Type::Folder, 1),
            of(6, Status::InProgress, Type::Task, 1),
        ],
    );
    let all = Filter::default;
    let open_or_done = || vec![Status::Open, Status::Done];
    for (filter, found) in [
        (Filter { statuses: vec![Status::Open], ..all() }, vec![3, 1]),
        (Filter { statuses: open_or_done(), ..all() }, vec![3, 2, 1]),
        (Filter { statuses: Status::ALL.to_vec(), ..all() }, vec![6, 5, 4, 3, 2, 1]),
        (Filter { item_type: Some(Type::Task), ..all() }, vec![6, 4, 3, 2]),
        (Filter { item_type: Some(Type::Milestone), ..all() }, vec![]),
        (Filter { parent: Some(item_id(1)), ..all() }, vec![6, 5, 3, 2]),
        (Filter { parent: Some(item_id(2)), ..all() }, vec![]),
        (Filter { since: Some(Timestamp(40)), ..all() }, vec![6, 5, 4]),
        (
            Filter {
                statuses: open_or_done(),
                item_type: Some(Type::Task),
                parent: Some(item_id(1)),
                since: Some(Timestamp(30)),
                ..all()
            },
            vec![3],
        ),
    ] {
        assert_eq!(numbers(store, &filter), found, "{filter:?}");
    }
}

fn pages_are_complete_and_repeat_nothing(store: &Store) {
    // Many changed in the same moment, as an import makes them.
    let items: Vec<Item> =
        (1..=50).map(|n| Item { updated_at: Timestamp(n / 20), document: 51 - n, ..item(n) }).collect();
    insert(store, &items);
    let whole = numbers(store, &Filter::default());
    assert_eq!(whole.len(), 50);
    for size in [1, 7, 49, 50, 51] {
        let mut found = vec![];
        let mut filter = Filter::default();
        loop {
            let page = read(store, |conn| item::list(conn, &project_id("p"), &filter, size));
            let Some(last) = page.last() else { break };
            filter.after = Some(Cursor { updated_at: last.updated_at, number: last.number });
            found.extend(page.iter().map(|item| item.number));
            assert_eq!(count(store, &filter), 50, "a count is of all, wherever the page begins");
        }
        assert_eq!(found, whole, "in pages of {size}");
    }
}

fn a_cursor_goes_on_though_its_item_is_gone(store: &Store) {
    insert(store, &[item(1), item(2), item(3)]);
    let after = Some(Cursor { updated_at: item(2).updated_at, number: 2 });
    write(store, |tx| item::delete(tx, &project_id("p"), &item_id(2)));
    let rest =
        read(store, |conn| item::list(conn, &project_id("p"), &Filter { after, ..Filter::default() }, 9));
    assert_eq!(rest, [item(1)]);
}

fn another_project_is_another_list(store: &Store) {
    insert(store, &[item(1), item(2)]);
    write(store, |tx| item::insert(tx, &project_id("q"), &item(3)));
    assert_eq!(numbers(store, &Filter::default()), [2, 1]);
    assert_eq!(read(store, |conn| item::list(conn, &project_id("q"), &Filter::default(), 9)), [item(3)]);
    assert_eq!(read(store, |conn| item::count(conn, &project_id("nobody"), &Filter::default())), 0);
    assert_eq!(read(store, |conn| item::list(conn, &project_id("p"), &Filter::default(), 0)), []);
}

/// What the filter finds, and that a count finds as many.
fn numbers(store: &Store, filter: &Filter) -> Vec<i64> {
    let found = read(store, |conn| item::list(conn, &project_id("p"), filter, i64::MAX));
    assert_eq!(count(store, filter), found.len() as i64);
    found.iter().map(|item| item.number).collect()
}

fn count(store: &Store, filter: &Filter) -> i64 {
    read(store, |conn| item::count(conn, &project_id("p"), filter))
}

super::contract![
    what_changed_last_comes_first,
    conditions_hold_together,
    pages_are_complete_and_repeat_nothing,
    a_cursor_goes_on_though_its_item_is_gone,
    another_project_is_another_list,
];
