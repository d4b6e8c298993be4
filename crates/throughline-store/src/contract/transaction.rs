//! What `read` and `write` promise, with one thread and with many.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

use super::fixture::{project, project_id, read, write};
use crate::project::{self, Project};
use crate::sql::Connection;
use crate::{Error, Failure, Options, Store};

fn a_body_that_fails_leaves_nothing(store: &Store) {
    let failed: Result<(), Error> = store.write(|tx| {
        project::insert(tx, &project("p"))?;
        project::add_key(tx, "name:p", &project_id("p"))?;
        Err(Error::Other("changed my mind".into()))
    });
    assert_eq!(failed.unwrap_err().to_string(), "changed my mind");
    assert_eq!(read(store, project::list), []);
    assert_eq!(read(store, |conn| project::with_key(conn, "name:p")), None);
}

fn a_body_sees_what_it_wrote(store: &Store) {
    let listed = write(store, |tx| {
        project::insert(tx, &project("p"))?;
        project::list(tx)
    });
    assert_eq!(listed, [project("p")]);
}

fn a_write_that_returns_ok_has_written(store: &Store) {
    write(store, |tx| project::add_key(tx, "name:taken", &project_id("p")));
    let written = store.write(|tx| {
        project::insert(tx, &project("q"))?;
        match project::add_key(tx, "name:taken", &project_id("q")) {
            Ok(()) | Err(Error::Conflict { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    });
    let found = read(store, project::list);
    match written {
        Ok(()) => assert_eq!(found, [project("q")], "the store said that it was written"),
        Err(_) => assert_eq!(found, []),
    }
}

fn a_read_cannot_write(store: &Store) {
    let written = store.read(|conn| project::insert(conn, &project("p")));
    assert!(written.is_err(), "{written:?}");
    assert_eq!(read(store, project::list), []);
}

fn a_conflict_runs_the_body_again(store: &Store) {
    let runs = Cell::new(0);
    write(store, |tx| {
        runs.set(runs.get() + 1);
        project::insert(tx, &project("p"))?;
        if runs.get() == 1 { Err(Error::Conflict { constraint: "made up".into() }) } else { Ok(()) }
    });
    assert_eq!(runs.get(), 2);
    assert_eq!(read(store, project::list), [project("p")]);
}

fn a_conflict_inside_a_callers_error_runs_the_body_again(store: &Store) {
    let runs = Cell::new(0);
    let outcome: Result<(), Wish> = store.write(|tx| {
        runs.set(runs.get() + 1);
        project::insert(tx, &project("p"))?;
        if runs.get() == 1 {
            project::insert(tx, &project("p"))?;
        }
        Ok(())
    });
    assert_eq!(outcome, Ok(()));
    assert_eq!(runs.get(), 2);
    assert_eq!(read(store, project::list), [project("p")]);
}

fn a_callers_own_error_comes_back_after_one_run(store: &Store) {
    let runs = Cell::new(0);
    let body = |conn: &mut dyn Connection| -> Result<Vec<Project>, Wish> {
        runs.set(runs.get() + 1);
        project::list(conn)?;
        Err(Wish::Refused("not on a Sunday"))
    };
    assert_eq!(store.write(body), Err(Wish::Refused("not on a Sunday")));
    assert_eq!(store.read(body), Err(Wish::Refused("not on a Sunday")));
    assert_eq!(runs.get(), 2);
}

fn a_key_that_many_look_for_and_then_add_is_added_once(store: &Store) {
    let keys: Vec<String> = (0..20).map(|n| format!("name:{n}")).collect();
    let find_or_add = |key: &str, own: &str| {
        write(store, |tx| match project::with_key(tx, key)?.map(|project| project.id) {
            Some(id) => Ok(id),
            None => {
                let own = project(own);
                project::insert(tx, &own)?;
                project::add_key(tx, key, &own.id)?;
                Ok(own.id)
            }
        })
    };
    let answers = on_threads(8, |thread| {
        keys.iter().map(|key| find_or_add(key, &format!("{key} of thread {thread}"))).collect::<Vec<_>>()
    });
    assert_eq!(answers.iter().collect::<BTreeSet<_>>().len(), 1, "all threads got the same projects");
    assert_eq!(read(store, project::list).len(), keys.len());
}

fn many_threads_take_every_position_once(store: &Store) {
    write(store, |tx| project::insert(tx, &project("p")));
    let mut taken: Vec<i64> = on_threads(8, |_| {
        (0..100)
            .map(|_| write(store, |tx| project::take_positions(tx, &project_id("p"), 1)))
            .collect::<Vec<_>>()
    })
    .concat();
    taken.sort_unstable();
    assert_eq!(taken, (1..=800).collect::<Vec<i64>>());
    assert_eq!(read(store, project::list), [Project { last_position: 800, ..project("p") }]);
}

fn a_read_sees_one_moment(store: &Store) {
    write(store, |tx| project::insert(tx, &project("p")));
    let (before, after) = read(store, |conn| {
        let before = project::list(conn)?;
        std::thread::scope(|threads| {
            threads.spawn(|| write(store, |tx| project::take_positions(tx, &project_id("p"), 1)));
        });
        Ok((before, project::list(conn)?))
    });
    assert_eq!(before, [project("p")]);
    assert_eq!(after, before);
    assert_eq!(read(store, project::list), [Project { last_position: 1, ..project("p") }]);
}

fn a_writer_that_waits_in_vain_is_told_that_the_database_is_busy(store: &Store) {
    let impatient = Options { lock_wait: Duration::from_millis(20), ..super::options() };
    let other = Store::open(store.location().clone(), impatient).unwrap();
    write(store, |tx| project::insert(tx, &project("p")));
    let take = |tx: &mut dyn Connection| project::take_positions(tx, &project_id("p"), 1);
    write(store, |tx| {
        take(tx)?;
        let waited = other.write(take);
        assert!(matches!(waited, Err(Error::Busy { .. })), "{waited:?}");
        Ok(())
    });
    assert_eq!(other.write(take).unwrap(), 2, "once the other is done, it goes on");
}

/// An error of a caller, which may carry one of the store.
#[derive(Debug, PartialEq)]
enum Wish {
    Refused(&'static str),
    Store(StoreError),
}

#[derive(Debug)]
struct StoreError(Error);

impl PartialEq for StoreError {
    fn eq(&self, other: &StoreError) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl From<Error> for Wish {
    fn from(error: Error) -> Wish {
        Wish::Store(StoreError(error))
    }
}

impl Failure for Wish {
    fn store_error(&self) -> Option<&Error> {
        match self {
            Wish::Refused(_) => None,
            Wish::Store(StoreError(error)) => Some(error),
        }
    }
}

fn on_threads<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|threads| {
        let work = &work;
        let running: Vec<_> = (0..count).map(|n| threads.spawn(move || work(n))).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

super::contract![
    a_body_that_fails_leaves_nothing,
    a_body_sees_what_it_wrote,
    a_write_that_returns_ok_has_written,
    a_read_cannot_write,
    a_conflict_runs_the_body_again,
    a_conflict_inside_a_callers_error_runs_the_body_again,
    a_callers_own_error_comes_back_after_one_run;
    parallel:
    a_key_that_many_look_for_and_then_add_is_added_once,
    many_threads_take_every_position_once,
    a_read_sees_one_moment,
    a_writer_that_waits_in_vain_is_told_that_the_database_is_busy,
];
