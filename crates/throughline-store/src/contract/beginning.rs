//! Ids found by their beginning.

use super::fixture::{event, insert_events, memory, project_id, read, session, write};
use super::memory::insert;
use crate::Store;
use crate::beginning::{self, Named};
use crate::event::{Filter, Purge};
use crate::id::MemoryId;
use crate::memory::{Memory, Status};
use crate::session::{self, Session};
use crate::time::Timestamp;

fn ids(store: &Store, named: Named, prefix: &str, limit: i64) -> Vec<String> {
    read(store, |conn| beginning::ids(conn, &project_id("p"), named, prefix, limit))
}

fn memories_in_use_are_found_newest_first(store: &Store) {
    let named = |n, id: &str| Memory { id: MemoryId::from(id.to_owned()), ..memory(n) };
    let forgotten = Memory { status: Status::Forgotten, ..named(4, "ab4") };
    insert(store, &[named(1, "ab1"), named(2, "a%2"), named(3, "ab3"), forgotten]);
    assert_eq!(ids(store, Named::Memory, "ab", 9), ["ab3", "ab1"]);
    assert_eq!(ids(store, Named::Memory, "", 2), ["ab3", "a%2"]);
    assert_eq!(ids(store, Named::Memory, "a%", 9), ["a%2"]);
    assert_eq!(ids(store, Named::Memory, "AB", 9), [""; 0]);
}

fn sessions_are_found_by_their_newest_activity(store: &Store) {
    let at = |id: &str, at| Session { last_event_at: Timestamp(at), ..session(id) };
    for session in [at("x-1", 10), at("x-2", 30), at("y-3", 20)] {
        write(store, |tx| session::insert(tx, &project_id("p"), &session));
    }
    write(store, |tx| session::insert(tx, &project_id("q"), &at("x-4", 40)));
    assert_eq!(ids(store, Named::Session, "x", 9), ["x-2", "x-1"]);
    assert_eq!(ids(store, Named::Session, "", 2), ["x-2", "y-3"]);
}

fn events_that_were_purged_are_not_found(store: &Store) {
    insert_events(store, &[event(1), event(2), event(3)]);
    let purge = Purge { at: Timestamp(1), by: super::fixture::actor("user:a"), reason: "r".to_owned() };
    let second = Filter { ids: vec![event(2).id], ..Filter::default() };
    write(store, |tx| crate::event::purge(tx, &project_id("p"), &second, &purge));
    let expected: Vec<String> = [event(3), event(1)].iter().map(|event| event.id.to_string()).collect();
    assert_eq!(ids(store, Named::Event, "", 9), expected);
    assert_eq!(ids(store, Named::Event, expected[0].as_str(), 9), expected[..1]);
}

super::contract![
    memories_in_use_are_found_newest_first,
    sessions_are_found_by_their_newest_activity,
    events_that_were_purged_are_not_found,
];
