//! The statements about single items: what is written comes back, numbers are given out once, projects are apart.

use super::fixture::{full_item, item, item_id, project_id, query, read, write};
use crate::id::ItemId;
use crate::item::{self, Below, Context, Item, Priority, Reference, Status, Type, Validation};
use crate::time::Timestamp;
use crate::{Error, Store};

fn an_item_with_every_field_comes_back_whole(store: &Store) {
    assert_comes_back(store, &full_item(1));
}

fn an_item_with_only_what_it_must_have_comes_back_whole(store: &Store) {
    assert_comes_back(store, &item(1));
}

fn texts_and_numbers_at_their_limits_come_back(store: &Store) {
    let odd = "漢字 👩‍👩‍👧 \u{202e}'\"?1 $1\\\r\n\u{7f}";
    let odd = Item {
        id: ItemId::from("TASK-99999999".to_owned()),
        number: i64::MAX,
        document: i64::MAX,
        title: "'; drop table item --".into(),
        description: odd.repeat(30_000),
        references: (0..2000)
            .map(|n| Reference { url: format!("{odd}{n}"), title: Some(String::new()) })
            .collect(),
        evidence: vec![odd.repeat(100), String::new(), "[\"not a list\"]".into()],
        blocked_reason: vec!["null".into(); 1000],
        summary: Some(String::new()),
        validation: Some(Validation { valid: true, report: None }),
        extra: Some(String::new()),
        source_key: Some(odd.into()),
        due_date: Some(String::new()),
        created_at: Timestamp(i64::MIN),
        updated_at: Timestamp(i64::MAX),
        status_at: Timestamp(0),
        below: Below { children: i64::MAX, grandchildren: 0, great_grandchildren: i64::MAX },
        ..item(1)
    };
    assert_comes_back(store, &odd);
}

fn every_type_status_priority_and_context_comes_back(store: &Store) {
    let priorities = Priority::ALL.iter().map(|it| Some(*it)).chain([None]).cycle();
    let contexts = Context::ALL.iter().map(|it| Some(*it)).chain([None]).cycle();
    let varied: Vec<Item> = (1..=30)
        .zip(Type::ALL.iter().cycle().zip(Status::ALL.iter().cycle().skip(1)))
        .zip(priorities.zip(contexts))
        .map(|((n, (&item_type, &status)), (priority, context))| Item {
            item_type,
            status,
            priority,
            context,
            ..item(n)
        })
        .collect();
    insert(store, &varied);
    assert_eq!(read(store, |conn| item::after(conn, &project_id("p"), 0, 99)), varied);
    assert_eq!(read(store, |conn| item::after_document(conn, &project_id("p"), 0, 99)), varied);
}

fn pages_go_on_where_they_ended(store: &Store) {
    // Documents the other way round than numbers, so that one is not taken for the other.
    let items: Vec<Item> = (1..=7).map(|n| Item { document: 100 - n, ..item(n) }).collect();
    insert(store, &items);
    let p = project_id("p");
    let (mut by_number, mut by_document) = (vec![], vec![]);
    let (mut number, mut document) = (0, 0);
    while by_number.len() < 7 {
        let page = read(store, |conn| item::after(conn, &p, number, 3));
        number = page.last().unwrap().number;
        by_number.extend(page);
        let page = read(store, |conn| item::after_document(conn, &p, document, 3));
        document = page.last().unwrap().document;
        by_document.extend(page);
    }
    assert_eq!(by_number, items);
    assert_eq!(by_document, items.iter().rev().cloned().collect::<Vec<_>>());
    assert_eq!(read(store, |conn| item::after(conn, &p, 7, 3)), []);
    assert_eq!(read(store, |conn| item::after_document(conn, &p, 99, 3)), []);
}

fn an_unknown_item_is_nothing(store: &Store) {
    insert(store, &[Item { source_key: Some("k".into()), ..item(1) }]);
    for (project, id, key) in [("p", 2, "K"), ("q", 1, "k")] {
        let project = project_id(project);
        assert_eq!(read(store, |conn| item::by_id(conn, &project, &item_id(id))), None);
        assert_eq!(read(store, |conn| item::by_source_key(conn, &project, key)), None);
        assert_eq!(read(store, |conn| item::by_ids(conn, &project, [item_id(id)].iter())), []);
        assert_eq!(read(store, |conn| item::of_documents(conn, &project, &[id])), []);
    }
    assert_eq!(read(store, |conn| item::by_ids(conn, &project_id("p"), [].iter())), []);
    assert_eq!(read(store, |conn| item::of_documents(conn, &project_id("p"), &[])), []);
}

fn many_items_are_found_by_their_ids_and_documents(store: &Store) {
    let items: Vec<Item> = (1..=100).map(|n| Item { document: n + 1000, ..item(n) }).collect();
    insert(store, &items);
    let p = project_id("p");
    let sorted = |mut found: Vec<Item>| {
        found.sort_by_key(|item| item.number);
        found
    };
    // Two of them are not there.
    let ids: Vec<ItemId> = (-1..=100).map(item_id).collect();
    assert_eq!(sorted(read(store, |conn| item::by_ids(conn, &p, ids.iter()))), items);
    let documents: Vec<i64> = (999..=1101).collect();
    assert_eq!(sorted(read(store, |conn| item::of_documents(conn, &p, &documents))), items);
    let count = |since| read(store, |conn| item::count_documents(conn, &p, &documents, since));
    assert_eq!((count(None), count(Some(Timestamp(500))), count(Some(Timestamp(5000)))), (100, 51, 0));
    assert_eq!(read(store, |conn| item::count_documents(conn, &project_id("q"), &documents, None)), 0);
}

fn an_update_changes_everything_but_what_stays(store: &Store) {
    insert(store, &[item(1), item(2)]);
    write(store, |tx| item::insert(tx, &project_id("q"), &item(1)));
    let changed = Item { document: 70, ..full_item(1) };
    write(store, |tx| item::update(tx, &project_id("p"), &changed));
    let kept = Item {
        item_type: Type::Task,
        created_at: item(1).created_at,
        source_key: None,
        below: Below::default(),
        ..changed
    };
    assert_eq!(by_id(store, "p", 1), Some(kept));
    write(store, |tx| item::update(tx, &project_id("p"), &item(1)));
    assert_eq!(by_id(store, "p", 1), Some(item(1)));
    assert_eq!(by_id(store, "p", 2), Some(item(2)));
    assert_eq!(by_id(store, "q", 1), Some(item(1)));
}

fn a_deleted_item_is_gone_from_its_project_alone(store: &Store) {
    insert(store, &[item(1), item(2)]);
    write(store, |tx| item::insert(tx, &project_id("q"), &item(1)));
    for _ in 0..2 {
        write(store, |tx| item::delete(tx, &project_id("p"), &item_id(1)));
    }
    assert_eq!(read(store, |conn| item::after(conn, &project_id("p"), 0, 9)), [item(2)]);
    assert_eq!(by_id(store, "q", 1), Some(item(1)));
}

fn what_is_taken_conflicts(store: &Store) {
    insert(store, &[full_item(1)]);
    let free = Item { source_key: None, ..full_item(2) };
    for taken in [
        Item { number: 1, ..free.clone() },
        Item { id: item_id(1), ..free.clone() },
        Item { document: 1, ..free.clone() },
        Item { source_key: full_item(1).source_key, ..free.clone() },
    ] {
        let second = store.write(|tx| item::insert(tx, &project_id("p"), &taken));
        assert!(matches!(second, Err(Error::Conflict { .. })), "{second:?} for {taken:?}");
    }
    insert(store, &[free]);
    write(store, |tx| item::insert(tx, &project_id("q"), &full_item(1)));
}

fn numbers_are_given_out_once(store: &Store) {
    let p = project_id("p");
    let take =
        |project: &str, name: &str| write(store, |tx| item::take_number(tx, &project_id(project), name));
    assert_eq!([take("p", "TASK"), take("p", "TASK"), take("p", "EPIC"), take("q", "TASK")], [1, 2, 1, 1]);
    insert(store, &[item(2)]);
    write(store, |tx| item::delete(tx, &p, &item_id(2)));
    assert_eq!(take("p", "TASK"), 3, "not that of the item that is gone");
    for (noted, next) in [(10, 11), (4, 12), (12, 13)] {
        write(store, |tx| item::note_number(tx, &p, "TASK", noted));
        assert_eq!(take("p", "TASK"), next, "after {noted}");
    }
    let last =
        |project: &str, name: &str| read(store, |conn| item::last_number(conn, &project_id(project), name));
    assert_eq!([last("p", "TASK"), last("p", "EPIC"), last("q", "TASK"), last("q", "task")], [13, 1, 1, 0]);
}

fn numbers_are_given_out_once_to_parallel_writers(store: &Store) {
    write(store, |tx| crate::project::insert(tx, &super::fixture::project("p")));
    let p = project_id("p");
    let taken: Vec<i64> = std::thread::scope(|scope| {
        let take = || {
            let one = |_| {
                write(store, |tx| {
                    crate::project::lock(tx, &p)?;
                    item::take_number(tx, &p, "TASK")
                })
            };
            (0..25).map(one).collect::<Vec<i64>>()
        };
        let takers: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
        takers.into_iter().flat_map(|taker| taker.join().unwrap()).collect()
    });
    let mut sorted = taken;
    sorted.sort_unstable();
    assert_eq!(sorted, (1..=100).collect::<Vec<i64>>());
}

fn a_list_that_is_none_is_reported(store: &Store) {
    for column in ["sources", "evidence", "blocked_reason", "validation"] {
        insert(store, &[item(1)]);
        write(store, |tx| tx.execute(&format!("update item set {column} = '{{'"), &[]));
        let found = store.read(|conn| item::by_id(conn, &project_id("p"), &item_id(1)));
        assert!(matches!(found, Err(Error::Corrupt(_))), "{column}: {found:?}");
        write(store, |tx| item::delete(tx, &project_id("p"), &item_id(1)));
    }
    assert_eq!(query(store, "select number from item").len(), 0);
}

fn assert_comes_back(store: &Store, item: &Item) {
    let p = project_id("p");
    insert(store, std::slice::from_ref(item));
    let found = [
        read(store, |conn| item::by_ids(conn, &p, std::iter::once(&item.id))),
        read(store, |conn| item::of_documents(conn, &p, &[item.document])),
        read(store, |conn| item::after(conn, &p, 0, 9)),
        read(store, |conn| item::after_document(conn, &p, 0, 9)),
        read(store, |conn| item::list(conn, &p, &item::Filter::default(), 9)),
    ];
    for found in found {
        assert_eq!(found, std::slice::from_ref(item));
    }
    assert_eq!(read(store, |conn| item::by_id(conn, &p, &item.id)).as_ref(), Some(item));
    if let Some(key) = &item.source_key {
        assert_eq!(read(store, |conn| item::by_source_key(conn, &p, key)).as_ref(), Some(item));
    }
}

pub(super) fn insert(store: &Store, items: &[Item]) {
    write(store, |tx| items.iter().try_for_each(|it| item::insert(tx, &project_id("p"), it)));
}

fn by_id(store: &Store, project: &str, n: i64) -> Option<Item> {
    read(store, |conn| item::by_id(conn, &project_id(project), &item_id(n)))
}

super::contract![
    an_item_with_every_field_comes_back_whole,
    an_item_with_only_what_it_must_have_comes_back_whole,
    texts_and_numbers_at_their_limits_come_back,
    every_type_status_priority_and_context_comes_back,
    pages_go_on_where_they_ended,
    an_unknown_item_is_nothing,
    many_items_are_found_by_their_ids_and_documents,
    an_update_changes_everything_but_what_stays,
    a_deleted_item_is_gone_from_its_project_alone,
    what_is_taken_conflicts,
    numbers_are_given_out_once,
    a_list_that_is_none_is_reported;
    parallel: numbers_are_given_out_once_to_parallel_writers,
];
