//! The statements about kept answers.

use super::fixture::{project_id, read, write};
use crate::Store;
use crate::model_answer as record;
use crate::time::Timestamp;

fn an_answer_is_found_by_its_key_in_its_project(store: &Store) {
    keep(store, "p", "k", "über 港", 1);
    keep(store, "q", "k", "other", 1);
    assert_eq!(find(store, "p", "k").as_deref(), Some("über 港"));
    assert_eq!((find(store, "p", "l"), find(store, "r", "k")), (None, None));
    keep(store, "p", "k", "again", 2);
    assert_eq!(find(store, "p", "k").as_deref(), Some("again"));
    assert_eq!(write(store, |tx| record::purge(tx, &project_id("p"))), 1);
    assert_eq!((find(store, "p", "k"), find(store, "q", "k").as_deref()), (None, Some("other")));
}

fn what_was_not_used_for_longest_gives_way(store: &Store) {
    for (n, key) in ["a", "b", "c"].into_iter().enumerate() {
        keep(store, "p", key, key, n as i64);
    }
    keep(store, "q", "old", "old", 0);
    write(store, |tx| record::note_used(tx, &project_id("p"), "a", Timestamp(9)));
    keep(store, "p", "d", "d", 10);
    let left: Vec<&str> =
        ["a", "b", "c", "d"].into_iter().filter(|key| find(store, "p", key).is_some()).collect();
    assert_eq!(left, ["a", "c", "d"]);
    assert_eq!(read(store, |conn| record::count(conn, &project_id("p"))), 3);
    assert!(find(store, "q", "old").is_some());
}

fn keep(store: &Store, project: &str, key: &str, answer: &str, at: i64) {
    write(store, |tx| record::keep(tx, &project_id(project), (key, answer), Timestamp(at), 3));
}

fn find(store: &Store, project: &str, key: &str) -> Option<String> {
    read(store, |conn| record::find(conn, &project_id(project), key))
}

super::contract![an_answer_is_found_by_its_key_in_its_project, what_was_not_used_for_longest_gives_way];
