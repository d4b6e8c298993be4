//! Damage to the log that must not go unnoticed, written past the statements.

use super::fixture::{insert_log, project, project_id, read, write};
use crate::{Error, Store, integrity, project};

fn a_whole_log_has_no_violations(store: &Store) {
    write(store, |tx| insert_log(tx, &[("s", 3), ("t", 2), ("empty", 0)]));
    write(store, |tx| project::insert(tx, &project("q")));
    assert_eq!(violations(store, "p"), [""; 0]);
    assert_eq!(violations(store, "q"), [""; 0], "an empty log is whole");
}

fn a_deleted_event_is_reported(store: &Store) {
    damage(store, "delete from event where position = 2");
    assert_eq!(
        violations(store, "p"),
        [
            "the log has 4 events at positions 1 to 5, and its counter says 5",
            "session s has 2 events with sequences 1 to 3, and its counter says 3",
        ]
    );
}

fn the_first_event_deleted_is_reported(store: &Store) {
    damage(store, "delete from event where position = 1");
    assert_eq!(
        violations(store, "p"),
        [
            "the log has 4 events at positions 2 to 5, and its counter says 5",
            "session s has 2 events with sequences 2 to 3, and its counter says 3",
        ]
    );
}

fn the_last_event_deleted_is_reported(store: &Store) {
    damage(store, "delete from event where position = 5");
    assert_eq!(
        violations(store, "p"),
        [
            "the log has 4 events at positions 1 to 4, and its counter says 5",
            "session t has 1 events with sequences 1 to 1, and its counter says 2",
        ]
    );
}

fn every_event_deleted_is_reported(store: &Store) {
    damage(store, "delete from event");
    assert_eq!(
        violations(store, "p"),
        [
            "the log has 0 events at positions 1 to 0, and its counter says 5",
            "session s has 0 events with sequences 1 to 0, and its counter says 3",
            "session t has 0 events with sequences 1 to 0, and its counter says 2",
        ]
    );
}

fn a_wrong_counter_of_the_log_is_reported(store: &Store) {
    damage(store, "update project set last_position = 9");
    assert_eq!(violations(store, "p"), ["the log has 5 events at positions 1 to 5, and its counter says 9"]);
}

fn a_wrong_counter_of_a_session_is_reported(store: &Store) {
    damage(store, "update session set last_sequence = 1 where session_id = 't'");
    assert_eq!(
        violations(store, "p"),
        ["session t has 2 events with sequences 1 to 2, and its counter says 1"]
    );
}

fn events_without_a_session_are_reported(store: &Store) {
    damage(store, "delete from session where session_id = 's'");
    assert_eq!(violations(store, "p"), ["3 events belong to session s, which does not exist"]);
}

fn damage_in_one_project_is_not_reported_of_another(store: &Store) {
    write(store, |tx| project::insert(tx, &project("q")));
    damage(store, "delete from event where position = 2");
    assert_eq!(violations(store, "q"), [""; 0]);
}

fn a_project_without_a_row_is_reported(store: &Store) {
    let found = store.read(|conn| integrity::violations(conn, &project_id("p")));
    assert!(matches!(found, Err(Error::Corrupt(_))), "{found:?}");
}

/// A log of two sessions, `s` with three events and `t` with two, and then what happens to it.
fn damage(store: &Store, sql: &str) {
    write(store, |tx| {
        insert_log(tx, &[("s", 3), ("t", 2)])?;
        tx.execute(sql, &[])
    });
}

fn violations(store: &Store, project: &str) -> Vec<String> {
    read(store, |conn| integrity::violations(conn, &project_id(project)))
}

super::contract![
    a_whole_log_has_no_violations,
    a_deleted_event_is_reported,
    the_first_event_deleted_is_reported,
    the_last_event_deleted_is_reported,
    every_event_deleted_is_reported,
    a_wrong_counter_of_the_log_is_reported,
    a_wrong_counter_of_a_session_is_reported,
    events_without_a_session_are_reported,
    damage_in_one_project_is_not_reported_of_another,
    a_project_without_a_row_is_reported,
];
