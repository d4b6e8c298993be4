//! The statements about resources.

use super::fixture::{project_id, read, write};
use crate::resource::{self, Resource};
use crate::time::Timestamp;
use crate::{Error, Store};

fn a_resource_comes_back_whole(store: &Store) {
    let odd = Resource {
        path: "über/漢字 'x'; --/%_.md".into(),
        title: String::new(),
        content: "👩‍👩‍👧 \u{202e}'\"?1 $1\\\r\n".repeat(50_000),
        created_at: Timestamp(i64::MIN),
        version: i64::MAX,
        document: i64::MAX,
        ..resource(2)
    };
    let empty = Resource { content: String::new(), ..resource(1) };
    for resource in [empty, odd] {
        put(store, "p", &resource);
        let p = project_id("p");
        let found = [
            read(store, |conn| resource::by_paths(conn, &p, std::iter::once(resource.path.as_str()))),
            read(store, |conn| resource::of_documents(conn, &p, &[resource.document])),
            read(store, |conn| resource::after_document(conn, &p, resource.document - 1, 9)),
        ];
        for found in found {
            assert_eq!(found, std::slice::from_ref(&resource));
        }
        assert_eq!(by_path(store, "p", &resource.path), Some(resource));
    }
}

fn writing_again_replaces_all_but_number_and_birth(store: &Store) {
    put(store, "p", &resource(1));
    put(store, "q", &resource(1));
    let again = Resource {
        number: 7,
        title: "another".into(),
        content: "other".into(),
        created_at: Timestamp(999),
        updated_at: Timestamp(1000),
        version: 2,
        document: 70,
        ..resource(1)
    };
    put(store, "p", &again);
    let kept = Resource { number: 1, created_at: resource(1).created_at, ..again };
    assert_eq!(by_path(store, "p", "notes/1.md"), Some(kept));
    assert_eq!(by_path(store, "q", "notes/1.md"), Some(resource(1)));
    assert_eq!(read(store, |conn| resource::count(conn, &project_id("p"))), 1);
    assert_eq!(read(store, |conn| resource::of_documents(conn, &project_id("p"), &[1])), []);
}

fn a_number_or_a_document_that_is_taken_conflicts(store: &Store) {
    put(store, "p", &resource(1));
    for taken in [Resource { number: 1, ..resource(2) }, Resource { document: 1, ..resource(2) }] {
        let second = store.write(|tx| resource::put(tx, &project_id("p"), &taken));
        assert!(matches!(second, Err(Error::Conflict { .. })), "{second:?} for {taken:?}");
    }
}

fn an_unknown_resource_is_nothing(store: &Store) {
    put(store, "p", &resource(1));
    for (project, path) in [("p", "notes/1"), ("p", "Notes/1.md"), ("p", ""), ("q", "notes/1.md")] {
        assert_eq!(by_path(store, project, path), None, "{project} {path:?}");
    }
    assert_eq!(read(store, |conn| resource::by_paths(conn, &project_id("p"), std::iter::empty())), []);
    assert_eq!(read(store, |conn| resource::newest(conn, &project_id("q"), None, 9)), []);
    assert_eq!(read(store, |conn| resource::count(conn, &project_id("q"))), 0);
}

fn what_was_written_last_comes_first(store: &Store) {
    for (n, at) in [(1, 50), (2, 70), (3, 50)] {
        put(store, "p", &Resource { updated_at: Timestamp(at), ..resource(n) });
    }
    let newest = |limit| {
        let found = read(store, |conn| resource::newest(conn, &project_id("p"), None, limit));
        found.iter().map(|resource| resource.number).collect::<Vec<_>>()
    };
    assert_eq!((newest(9), newest(2), newest(0)), (vec![2, 3, 1], vec![2, 3], vec![]));
}

fn many_are_found_by_paths_and_documents(store: &Store) {
    let all: Vec<Resource> = (1..=80).map(resource).collect();
    all.iter().for_each(|resource| put(store, "p", resource));
    let p = project_id("p");
    let paths: Vec<&str> = all.iter().map(|resource| resource.path.as_str()).chain(["none"]).collect();
    let mut found = read(store, |conn| resource::by_paths(conn, &p, paths.iter().copied()));
    found.sort_by_key(|resource| resource.number);
    assert_eq!(found, all);
    let documents: Vec<i64> = (0..=100).collect();
    let count = |since| read(store, |conn| resource::count_documents(conn, &p, &documents, since));
    assert_eq!((count(None), count(Some(Timestamp(410))), count(Some(Timestamp(5000)))), (80, 40, 0));
    assert_eq!(read(store, |conn| resource::after_document(conn, &p, 0, 30)), all[..30]);
    assert_eq!(read(store, |conn| resource::after_document(conn, &p, 30, 100)), all[30..]);
}

fn resource(n: i64) -> Resource {
    Resource {
        number: n,
        path: format!("notes/{n}.md"),
        title: format!("title {n}"),
        content: format!("content {n}"),
        created_at: Timestamp(n),
        updated_at: Timestamp(n * 10),
        version: 1,
        document: n,
    }
}

fn put(store: &Store, project: &str, resource: &Resource) {
    write(store, |tx| resource::put(tx, &project_id(project), resource));
}

fn by_path(store: &Store, project: &str, path: &str) -> Option<Resource> {
    read(store, |conn| resource::by_path(conn, &project_id(project), path))
}

super::contract![
    a_resource_comes_back_whole,
    writing_again_replaces_all_but_number_and_birth,
    a_number_or_a_document_that_is_taken_conflicts,
    an_unknown_resource_is_nothing,
    what_was_written_last_comes_first,
    many_are_found_by_paths_and_documents,
];
