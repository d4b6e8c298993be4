//! The statements about where events stand in the log.

use super::fixture::{
    actor, event, event_id, full_event, insert_events, project_id, read, session_id, write,
};
use crate::event::{self, Event, Filter, Kind, Place, Purge};
use crate::time::Timestamp;
use crate::{Store, params};

fn events_are_found_by_their_positions(store: &Store) {
    insert_log(store);
    let at = |project: &str, positions: &[i64]| -> Vec<Event> {
        let mut events = read(store, |conn| event::at_positions(conn, &project_id(project), positions));
        events.sort_by_key(|event| event.position);
        events
    };
    assert_eq!(at("p", &[3]), [full_event(3)], "whole");
    assert_eq!(at("p", &[7, 2, 0, 1]), [event(1), event(2)], "those that are there");
    assert_eq!(at("q", &[3])[0].id, event_id(30), "each project has its own");
    assert_eq!((at("p", &[]), at("r", &[1])), (vec![], vec![]));
}

fn places_say_where_events_stand(store: &Store) {
    insert_log(store);
    let places = |project: &str, positions: &[i64]| -> Vec<Place> {
        let mut places = read(store, |conn| event::places(conn, &project_id(project), positions));
        places.sort_by_key(|place| place.position);
        places
    };
    let fifth =
        Place { position: 5, session_id: session_id("t"), sequence: 2, kind: Kind::Read, at: Timestamp(50) };
    assert_eq!(places("p", &[5]), [fifth]);
    assert_eq!((places("p", &[]), places("p", &[0, 7]), places("r", &[3])), (vec![], vec![], vec![]));
}

fn more_events_than_one_statement_asks_for_are_found(store: &Store) {
    insert_events(store, &(1..=100).map(event).collect::<Vec<_>>());
    for count in [31, 32, 33, 64, 100] {
        let positions: Vec<i64> = (1..=count).collect();
        let events = read(store, |conn| event::at_positions(conn, &project_id("p"), &positions));
        let places = read(store, |conn| event::places(conn, &project_id("p"), &positions));
        let mut found: Vec<i64> = events.iter().map(|event| event.position).collect();
        found.sort_unstable();
        assert_eq!((found, places.len()), (positions, events.len()));
    }
}

fn places_between_two_sequences_are_those_of_the_session(store: &Store) {
    insert_log(store);
    let between = |project: &str, session: &str, first, last| -> Vec<i64> {
        let (project, session) = (project_id(project), session_id(session));
        let places = read(store, |conn| event::places_between(conn, &project, &session, (first, last)));
        assert!(places.iter().all(|place| place.session_id == session), "{places:?}");
        let mut positions: Vec<i64> = places.iter().map(|place| place.position).collect();
        positions.sort_unstable();
        positions
    };
    assert_eq!(between("p", "s", 2, 3), [2, 3], "both ends belong");
    assert_eq!(between("p", "s", i64::MIN, i64::MAX), [1, 2, 3]);
    assert_eq!(between("p", "t", 0, 2), [4, 5]);
    assert_eq!(between("p", "t", 2, 1), [0; 0]);
    assert_eq!(between("p", "u", 1, 9), [0; 0]);
    assert_eq!(between("r", "s", 1, 9), [0; 0]);
}

fn a_session_opens_with_the_first_that_a_person_said_in_it(store: &Store) {
    let at = |n, sequence, session: &str, kind| Event {
        sequence,
        session_id: session_id(session),
        kind,
        ..event(n)
    };
    insert_events(
        store,
        &[
            at(1, 1, "s", Kind::SystemEvent),
            at(2, 2, "s", Kind::UserMessage),
            at(3, 3, "s", Kind::UserMessage),
            at(4, 1, "t", Kind::ModelMessage),
            at(5, 101, "t", Kind::UserMessage),
        ],
    );
    let opening = |session: &str| {
        let opening = read(store, |conn| event::opening(conn, &project_id("p"), &session_id(session)));
        opening.map(|place| place.position)
    };
    assert_eq!(opening("s"), Some(2));
    assert_eq!(opening("t"), None, "nobody said anything at its beginning");
    assert_eq!(opening("unknown"), None);
}

fn events_that_still_say_something_are_counted(store: &Store) {
    insert_log(store);
    let filter = Filter { ids: vec![event_id(2)], ..Filter::default() };
    let purge = Purge { at: Timestamp(500), by: actor("user:ann"), reason: "privacy".into() };
    write(store, |tx| event::purge(tx, &project_id("p"), &filter, &purge));
    let count = |project: &str, positions: &[i64], since: Option<i64>| {
        let since = since.map(Timestamp);
        read(store, |conn| event::count_unpurged(conn, &project_id(project), positions, since))
    };
    assert_eq!((count("p", &[], None), count("p", &[2], None), count("p", &[1, 2, 3, 7], None)), (0, 0, 2));
    assert_eq!((count("p", &[1, 3, 4], Some(30)), count("p", &[1, 3, 4], Some(31))), (2, 1));
    assert_eq!((count("q", &[1, 2, 3], None), count("r", &[1], None)), (1, 0));
}

/// With a million events, the other way takes seconds for each search.
#[test]
fn what_is_counted_is_looked_up_by_its_position() {
    let sql = format!("explain query plan {}", event::COUNT_UNPURGED.replace("{numbers}", "(1, 2, 3)"));
    let plan = read(&super::memory_store(), |conn| conn.query(&sql, params![&project_id("p"), Timestamp(0)]));
    let steps: Vec<String> = plan.iter().map(|row| row.get(3).unwrap()).collect();
    assert!(steps.len() == 1 && steps[0].contains("position=?"), "{steps:?}");
}

/// Project `p` with three events in session `s` and three in `t`; one event at the same place of project `q`.
fn insert_log(store: &Store) {
    let in_t = |n| Event { session_id: session_id("t"), sequence: n - 3, kind: Kind::Read, ..event(n) };
    insert_events(store, &[event(1), event(2), full_event(3), in_t(4), in_t(5), in_t(6)]);
    let elsewhere = Event { id: event_id(30), ..event(3) };
    write(store, |tx| event::insert(tx, &project_id("q"), &elsewhere, 1000));
}

super::contract![
    events_are_found_by_their_positions,
    places_say_where_events_stand,
    more_events_than_one_statement_asks_for_are_found,
    places_between_two_sequences_are_those_of_the_session,
    a_session_opens_with_the_first_that_a_person_said_in_it,
    events_that_still_say_something_are_counted,
];
