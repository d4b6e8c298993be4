//! Opening: what becomes of a database that is missing, old, newer, busy, or not ours.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::time::Duration;

use rusqlite::Connection as Raw;
use tempfile::TempDir;

use super::fixture::{event, event_id, full_event, insert_log, project, project_id, read, session, write};
use super::options;
use crate::driver::{Access, Driver, Room};
use crate::event::{self, Filter, Order};
use crate::job::{self, Lease, Request};
use crate::migrate::{KNOWN, up_to};
use crate::sql::Connection;
use crate::sqlite::Sqlite;
use crate::time::Timestamp;
use crate::{Error, Location, Options, Store, project, session};

#[test]
fn a_missing_file_is_made_with_its_folders_the_known_schema_and_a_write_ahead_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("not/yet/there.db");
    let store = open(&path).unwrap();
    assert_eq!(read(&store, project::list), []);
    assert_eq!(pragma::<i64>(&path, "user_version"), KNOWN);
    assert_eq!(pragma::<String>(&path, "journal_mode"), "wal");
    assert_eq!(files(path.parent().unwrap()).keys().collect::<Vec<_>>(), ["there.db", "there.db-wal"]);
}

#[test]
fn opening_again_changes_nothing() {
    let (path, folder) = empty_folder();
    write(&open(&path).unwrap(), |tx| insert_log(tx, &[("s", 3)]));
    let before = files(folder.path());
    let store = open(&path).unwrap();
    assert!(files(folder.path()) == before, "the files changed");
    assert_eq!(read(&store, |conn| event::count(conn, &project_id("p"), &Filter::default())), 3);
}

#[test]
fn an_up_to_date_file_is_opened_while_another_writes() {
    let (path, _folder) = empty_folder();
    let store = open(&path).unwrap();
    write(&store, |tx| {
        project::insert(tx, &project("p"))?;
        let hasty = Options { lock_wait: Duration::ZERO, ..options() };
        let second = Store::open(Location::File(path.clone()), hasty)?;
        assert_eq!(second.read(project::list)?, [], "what is not committed is not seen");
        Ok(())
    });
}

#[test]
fn an_old_file_is_upgraded_with_its_rows_and_a_copy_is_kept() {
    let (path, folder) = empty_folder();
    make_old_file(&path);

    let store = open(&path).unwrap();
    assert_old_rows(&store);
    assert_jobs_work(&store);
    assert_eq!(pragma::<i64>(&path, "user_version"), KNOWN);

    let copies = files(&folder.path().join("backups"));
    let [copy] = &copies.keys().collect::<Vec<_>>()[..] else { panic!("one copy: {:?}", copies.keys()) };
    let copy = folder.path().join("backups").join(copy);
    assert_eq!(pragma::<i64>(&copy, "user_version"), 1);
    assert_old_rows(&open(&copy).unwrap());
}

#[test]
fn a_second_upgrade_keeps_the_first_copy() {
    let (path, folder) = empty_folder();
    for _ in 0..2 {
        make_old_file(&path);
        drop(open(&path).unwrap());
        for file in files(folder.path()).keys() {
            fs::remove_file(folder.path().join(file)).unwrap();
        }
    }
    assert_eq!(files(&folder.path().join("backups")).len(), 2);
}

#[test]
fn a_newer_file_is_refused_and_stays_as_it_is() {
    let (path, folder) = empty_folder();
    write(&open(&path).unwrap(), |tx| insert_log(tx, &[("s", 1)]));
    Raw::open(&path).unwrap().pragma_update(None, "user_version", KNOWN + 1).unwrap();
    let before = files(folder.path());
    let refused = open(&path).unwrap_err();
    assert!(matches!(refused, Error::NewerSchema { found, known } if (found, known) == (KNOWN + 1, KNOWN)));
    assert!(files(folder.path()) == before, "the files changed");
}

#[test]
fn a_file_of_another_program_is_refused_and_stays_as_it_is() {
    for claims in ["", "pragma user_version = 2", "pragma application_id = 7; pragma user_version = 99"] {
        let (path, folder) = empty_folder();
        let raw = Raw::open(&path).unwrap();
        raw.execute_batch(&format!("create table bookmark (url text); {claims}")).unwrap();
        drop(raw);
        let before = files(folder.path());
        let refused = open(&path).unwrap_err();
        assert!(matches!(&refused, Error::Foreign(foreign) if *foreign == path), "{claims}: {refused:?}");
        assert!(files(folder.path()) == before, "the files changed: {claims}");
    }
}

#[test]
fn a_file_that_another_program_marked_but_left_empty_is_refused() {
    let (path, _folder) = empty_folder();
    Raw::open(&path).unwrap().execute_batch("pragma application_id = 7; pragma user_version = 2").unwrap();
    let refused = open(&path);
    assert!(matches!(refused, Err(Error::Foreign(_))), "{refused:?}");
}

#[test]
fn a_text_file_is_refused_by_name_and_stays_as_it_is() {
    for text in ["Dear diary,\n".to_owned(), "Dear diary,\n".repeat(1_000)] {
        let (path, folder) = empty_folder();
        fs::write(&path, &text).unwrap();
        let before = files(folder.path());
        let refused = open(&path).unwrap_err();
        assert!(files(folder.path()) == before, "the files changed");
        let said = refused.to_string();
        assert!(said.contains("not a") && said.contains("throughline.db"), "{said}");
    }
}

#[test]
fn a_folder_in_the_place_of_the_file_is_unavailable() {
    let folder = tempfile::tempdir().unwrap();
    let refused = open(folder.path()).unwrap_err();
    assert!(matches!(refused, Error::Unavailable(_)), "{refused:?}");
}

#[test]
fn many_open_the_same_missing_file_at_once() {
    for _ in 0..ROUNDS {
        let (path, folder) = empty_folder();
        open_at_once(&Location::File(path.clone()));
        assert_eq!(pragma::<i64>(&path, "user_version"), KNOWN);
        assert!(!folder.path().join("backups").exists(), "there was nothing to copy");
    }
}

#[test]
fn many_open_the_same_old_file_at_once() {
    for _ in 0..ROUNDS {
        let (path, folder) = empty_folder();
        make_old_file(&path);
        open_at_once(&Location::File(path.clone()));
        assert_old_rows(&open(&path).unwrap());
        for copy in files(&folder.path().join("backups")).keys() {
            let copy = folder.path().join("backups").join(copy);
            assert_eq!(pragma::<i64>(&copy, "user_version"), 1, "{}", copy.display());
        }
    }
}

mod postgres_only {
    use super::super::{postgres_schema, postgres_store};
    use super::*;
    use crate::postgres::Postgres;
    use crate::sql::{Row, Value};

    #[test]
    #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
    fn an_empty_schema_gets_every_version_once() {
        let store = postgres_store();
        drop(Store::open(store.location().clone(), options()).unwrap());
        let expected: Vec<Row> = (1..=KNOWN).map(|version| Row(vec![Value::Int(version)])).collect();
        assert_eq!(versions(&store), expected);
    }

    #[test]
    #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
    fn an_old_schema_is_upgraded_with_its_rows() {
        let location = postgres_schema();
        let Location::Server(url) = &location else { panic!("{location} is no server") };
        let mut old = Driver::Postgres(Box::new(Postgres::connect(url, &options()).unwrap()));
        fill_old(&mut old, &location);
        let store = Store::open(location, options()).unwrap();
        assert_old_rows(&store);
        assert_jobs_work(&store);
    }

    #[test]
    #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
    fn a_newer_schema_is_refused_and_stays_as_it_is() {
        let store = postgres_store();
        write(&store, |tx| {
            tx.execute("insert into schema_version (version) values (?1)", crate::params![KNOWN + 1])
        });
        let before = versions(&store);
        let refused = Store::open(store.location().clone(), options()).unwrap_err();
        assert!(
            matches!(refused, Error::NewerSchema { found, known } if (found, known) == (KNOWN + 1, KNOWN))
        );
        assert_eq!(versions(&store), before);
    }

    #[test]
    #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
    fn many_open_the_same_empty_schema_at_once() {
        for _ in 0..ROUNDS {
            let location = postgres_schema();
            open_at_once(&location);
            assert_eq!(versions(&Store::open(location, options()).unwrap()).len() as i64, KNOWN);
        }
    }

    fn versions(store: &Store) -> Vec<Row> {
        read(store, |conn| conn.query("select version from schema_version order by version", &[]))
    }
}

/// A race is lost only now and then.
const ROUNDS: usize = 30;

fn empty_folder() -> (PathBuf, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (folder.path().join("throughline.db"), folder)
}

fn open(path: &Path) -> crate::Result<Store> {
    Store::open(Location::File(path.to_owned()), options())
}

/// Eight servers, each of which must be able to write.
fn open_at_once(location: &Location) {
    let start = &Barrier::new(8);
    std::thread::scope(|threads| {
        for n in 0..8 {
            threads.spawn(move || {
                start.wait();
                let store = Store::open(location.clone(), options()).unwrap();
                write(&store, |tx| project::add_key(tx, &format!("name:{n}"), &project_id("p")));
            });
        }
    });
}

/// The first schema, with rows in all of its tables.
fn make_old_file(path: &Path) {
    let mut old = Driver::Sqlite(Sqlite::open(path, &options(), Room::Ample).unwrap());
    fill_old(&mut old, &Location::File(path.to_owned()));
}

fn fill_old(driver: &mut Driver, location: &Location) {
    up_to(1, driver, location).unwrap();
    let fill = |tx: &mut dyn Connection| -> crate::Result<()> {
        project::insert(tx, &project("p"))?;
        project::add_key(tx, "name:old", &project_id("p"))?;
        session::insert(tx, &project_id("p"), &session("s"))?;
        event::insert(tx, &project_id("p"), &event(1), 1_000)?;
        event::insert(tx, &project_id("p"), &full_event(2), 1)
    };
    driver.transact(Access::Write, fill).unwrap();
}

fn assert_old_rows(store: &Store) {
    let p = project_id("p");
    read(store, |conn| {
        assert_eq!(project::list(conn)?, [project("p")]);
        assert_eq!(project::with_key(conn, "name:old")?.map(|project| project.id), Some(p.clone()));
        assert_eq!(session::list(conn, &p, &session::Filter::default(), 9)?, [session("s")]);
        let events = event::list(conn, &p, &Filter::default(), Order::OldestFirst, 9)?;
        assert_eq!(events, [event(1), full_event(2)]);
        assert_eq!(event::by_id(conn, &p, &event_id(2))?, Some(full_event(2)));
        Ok(())
    });
}

/// The second schema is there.
fn assert_jobs_work(store: &Store) {
    let request = Request { kind: "index", key: "k", payload: "{}", run_at: Timestamp(1), deadline: None };
    let claimed = write(store, |tx| {
        job::enqueue(tx, &project_id("p"), &request, Timestamp(1))?;
        job::claim(tx, &Lease { owner: "w", now: Timestamp(1), until: Timestamp(2), in_turn: "" })
    });
    assert_eq!(claimed.unwrap().key, "k");
}

fn pragma<T: rusqlite::types::FromSql>(path: &Path, name: &str) -> T {
    Raw::open(path).unwrap().pragma_query_value(None, name, |row| row.get(0)).unwrap()
}

/// The files of a folder by name, without SQLite's shared memory and empty log, which only say who is looking.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .filter(|(name, bytes)| !(name.ends_with("-shm") || name.ends_with("-wal") && bytes.is_empty()))
        .collect()
}
