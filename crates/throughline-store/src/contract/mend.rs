//! Whatever is lost of a log, mending makes it obey its laws again and leaves what is there as it was.

use std::cell::Cell;

use super::fixture::{actor, event_id, insert_log, project, project_id, query, read, write};
use crate::event::{self, Event, Filter, Order};
use crate::id::EventId;
use crate::job::{self, Lease, Request, Stuck};
use crate::mend::{self, Mender};
use crate::time::Timestamp;
use crate::{Store, integrity, project};

/// Each is lost of a log of two sessions, `s` with three events and `t` with two.
const LOSSES: [&str; 9] = [
    "delete from event where position = 2",
    "delete from event where position = 1",
    "delete from event where position = 5",
    "delete from event where position in (1, 2, 4, 5)",
    "delete from event",
    "delete from session where session_id = 's'",
    "delete from session",
    "update project set last_position = 9",
    "update session set last_sequence = last_sequence + 2",
];

fn any_loss_is_mended(store: &Store) {
    for loss in LOSSES {
        write(store, |tx| {
            insert_log(tx, &[("s", 3), ("t", 2)])?;
            tx.execute(loss, &[])
        });
        let left = events(store);
        mended(store);
        let found = read(store, |conn| integrity::violations(conn, &project_id("p")));
        assert_eq!(found, [""; 0], "{loss}");
        let after = events(store);
        assert!(left.iter().all(|event| after.contains(event)), "{loss}: what was there is there");
        let others = after.iter().filter(|event| !left.contains(event));
        assert!(others.clone().all(|event| event.purge.is_some()), "{loss}: the rest are tombstones");
        mended(store);
        assert_eq!(events(store), after, "{loss}: what is whole stays as it is");
        for table in ["event", "session", "project"] {
            write(store, |tx| tx.execute(&format!("delete from {table}"), &[]));
        }
    }
}

fn what_no_session_misses_is_mended_again_and_again(store: &Store) {
    write(store, |tx| insert_log(tx, &[("s", 3), ("t", 2)]));
    for position in [2, 4] {
        let moved = format!("update event set position = position + 20 where position = {position}");
        write(store, |tx| tx.execute(&moved, &[]));
        mended(store);
        assert_eq!(read(store, |conn| integrity::violations(conn, &project_id("p"))), [""; 0]);
    }
}

fn a_project_without_a_row_gets_one(store: &Store) {
    write(store, |tx| {
        insert_log(tx, &[("s", 3)])?;
        project::add_key(tx, "name:shop", &project_id("p"))?;
        tx.execute("delete from project", &[])
    });
    write(store, |tx| mend::projects(tx, Timestamp(7)));
    mended(store);
    let projects = read(store, project::list);
    assert_eq!(projects.len(), 1);
    assert_eq!((projects[0].name.as_str(), projects[0].last_position), ("shop", 3));
}

fn stuck_jobs_are_found_and_freed(store: &Store) {
    let ask = |tx: &mut dyn crate::Connection, id: &str, key: &str, run_at: i64| {
        let request = Request { kind: "k", key, payload: "{}", run_at: Timestamp(run_at), deadline: None };
        job::enqueue(tx, &project_id(id), &request, Timestamp(1))
    };
    write(store, |tx| {
        project::insert(tx, &project("p"))?;
        ask(tx, "gone", "orphan", 50)?;
        ask(tx, "p", "leased", 1)?;
        job::claim(tx, &Lease { owner: "dead", now: Timestamp(1), until: Timestamp(9_000), in_turn: "" })?;
        ask(tx, "p", "far", 8_000)?;
        ask(tx, "p", "well", 60)
    });
    let look = |conn: &mut dyn crate::Connection| job::stuck(conn, Timestamp(100), Timestamp(1_000));
    assert_eq!(read(store, look), Stuck { orphans: 1, leases: 1, far: 1 });
    write(store, |tx| job::unstick(tx, Timestamp(100), Timestamp(1_000), Timestamp(40)));
    assert_eq!(read(store, look), Stuck::default());
    let jobs = read(store, |conn| job::list(conn, &project_id("p"), 9));
    let times: Vec<(&str, i64)> = jobs.iter().map(|job| (job.key.as_str(), job.run_at.0)).collect();
    assert_eq!(times, [("far", 40), ("leased", 40), ("well", 60)]);
    assert_eq!(query(store, "select key from job where project_id = 'gone'"), []);
}

fn missing_indexes_and_tables_are_named_and_made(store: &Store) {
    assert_eq!(store.problems().unwrap(), [""; 0]);
    write(store, |tx| tx.batch("drop index event_by_kind; drop table handoff"));
    assert_eq!(
        store.problems().unwrap(),
        [
            "the table handoff is missing with all of its rows",
            "the index event_by_kind of the table event is missing",
            "the index handoff_pending of the table handoff is missing",
        ]
    );
    assert_eq!(store.mend_indexes().unwrap().len(), 3);
    assert_eq!(store.problems().unwrap(), [""; 0]);
    assert!(store.bytes().unwrap() > 0);
}

fn events(store: &Store) -> Vec<Event> {
    read(store, |conn| event::list(conn, &project_id("p"), &Filter::default(), Order::OldestFirst, 99))
}

fn mended(store: &Store) {
    let next = Cell::new(1_000 * (1 + events(store).len() as i64));
    let next_id = || -> EventId {
        next.set(next.get() + 1);
        event_id(next.get())
    };
    let by = actor("agent:throughline");
    let mender = Mender { now: Timestamp(7), by: &by, next_id: &next_id };
    write(store, |tx| mend::log(tx, &project_id("p"), &mender));
}

super::contract![
    any_loss_is_mended,
    what_no_session_misses_is_mended_again_and_again,
    a_project_without_a_row_gets_one,
    stuck_jobs_are_found_and_freed,
    missing_indexes_and_tables_are_named_and_made,
];
