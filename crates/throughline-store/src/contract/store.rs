//! What a store promises beyond its transactions: sound files, no remains, connections that heal.

use std::path::Path;
use std::time::Duration;

use super::fixture::{event, insert_events, project, project_id, query, read, write};
use super::{file_store, options, postgres_admin, postgres_schema};
use crate::event::{self, Event, Filter, Purge};
use crate::time::Timestamp;
use crate::{Error, Location, Options, Store, project};

fn a_sound_database_has_no_problems(store: &Store) {
    insert_events(store, &[event(1)]);
    assert_eq!(store.problems().unwrap(), [""; 0]);
}

fn a_checkpoint_changes_nothing_that_is_read(store: &Store) {
    write(store, |tx| project::insert(tx, &project("p")));
    store.checkpoint().unwrap();
    assert_eq!(read(store, project::list), [project("p")]);
}

fn a_store_says_where_it_is(store: &Store) {
    let second = Store::open(store.location().clone(), options()).unwrap();
    write(store, |tx| project::insert(tx, &project("p")));
    assert_eq!(read(&second, project::list), [project("p")]);
}

super::contract![
    a_sound_database_has_no_problems,
    a_checkpoint_changes_nothing_that_is_read;
    parallel: a_store_says_where_it_is,
];

#[test]
fn purged_short_texts_are_in_no_file_after_a_checkpoint() {
    assert_purge_leaves_no_remains("the secret is 7f3a9c");
}

#[test]
fn purged_long_texts_are_in_no_file_after_a_checkpoint() {
    assert_purge_leaves_no_remains(&"the secret is 7f3a9c ".repeat(2_000));
}

#[test]
fn a_checkpoint_that_a_reader_prevents_says_so() {
    let (store, _folder) = file_store();
    write(&store, |tx| project::insert(tx, &project("p")));
    let during_read = read(&store, |conn| {
        project::list(conn)?;
        Ok(store.checkpoint())
    });
    assert!(matches!(during_read, Err(Error::Busy { .. })), "{during_read:?}");
}

#[test]
fn a_damaged_file_has_problems() {
    let (store, folder) = file_store();
    insert_events(&store, &(1..=1000).map(event).collect::<Vec<_>>());
    store.checkpoint().unwrap();
    drop(store);
    let path = folder.path().join("throughline.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // Behind the pages that say what is in the file.
    let most = bytes.len() * 3 / 4;
    bytes[most..].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let store = Store::open(Location::File(path), options()).unwrap();
    let problems = store.problems();
    assert!(!matches!(&problems, Ok(none) if none.is_empty()), "{problems:?}");
}

#[test]
fn a_folder_that_cannot_be_made_is_unavailable() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "in the way").unwrap();
    let opened = Store::open(Location::File(folder.path().join("file/throughline.db")), options());
    assert!(matches!(opened, Err(Error::Unavailable(_))), "{opened:?}");
}

#[test]
fn a_server_that_is_not_there_is_unavailable_and_its_password_is_not_shown() {
    let location = Location::Server("postgres://ann:hunter2@127.0.0.1:1/t".into());
    let opened = Store::open(location, options()).unwrap_err();
    assert!(matches!(opened, Error::Unavailable(_)), "{opened:?}");
    assert!(!format!("{opened} {opened:?}").contains("hunter2"), "{opened}");
}

#[test]
fn a_wrong_address_is_unavailable_and_its_password_is_not_shown() {
    let location = Location::Server("postgres://ann:hunter2@127.0.0.1:port/t".into());
    let opened = Store::open(location, options()).unwrap_err();
    assert!(matches!(opened, Error::Unavailable(_)), "{opened:?}");
    assert!(!format!("{opened} {opened:?}").contains("hunter2"), "{opened}");
}

mod postgres_only {
    use super::*;

    #[test]
    #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
    fn a_read_replaces_a_connection_that_died_while_idle() {
        let store = Store::open(postgres_schema(), options()).unwrap();
        kill(&connections(&store, 1));
        assert_eq!(store.read(project::list).unwrap(), []);
    }

    #[test]
    #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
    fn a_write_replaces_a_connection_that_died_while_idle() {
        let store = Store::open(postgres_schema(), options()).unwrap();
        kill(&connections(&store, 1));
        store.write(|tx| project::insert(tx, &project("p"))).unwrap();
        assert_eq!(read(&store, project::list), [project("p")]);
    }

    #[test]
    #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
    fn a_read_outlives_the_restart_of_the_server() {
        let store = Store::open(postgres_schema(), options()).unwrap();
        kill(&connections(&store, 4));
        assert_eq!(store.read(project::list).unwrap(), []);
    }

    #[test]
    #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
    fn a_write_whose_connection_dies_midway_is_not_repeated() {
        let store = Store::open(postgres_schema(), options()).unwrap();
        let outcome = store.write(|tx| {
            project::insert(tx, &project("p"))?;
            kill(&[tx.query("select pg_backend_pid()", &[])?[0].get(0)?]);
            project::insert(tx, &project("q"))
        });
        assert!(matches!(outcome, Err(Error::Unavailable(_))), "{outcome:?}");
        assert_eq!(read(&store, project::list), []);
    }

    #[test]
    #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
    fn a_store_that_waits_for_no_lock_does_not_wait_for_ever() {
        let hasty = Options { lock_wait: Duration::ZERO, ..options() };
        let store = Store::open(postgres_schema(), hasty).unwrap();
        let limit: String = query(&store, "select current_setting('lock_timeout')")[0].get(0).unwrap();
        assert_ne!(limit, "0", "to PostgreSQL, 0 is no limit");
    }

    /// The server's processes behind so many connections of the pool.
    fn connections(store: &Store, count: usize) -> Vec<i64> {
        read(store, |conn| {
            let mut processes = if count > 1 { connections(store, count - 1) } else { Vec::new() };
            processes.push(conn.query("select pg_backend_pid()", &[])?[0].get(0)?);
            Ok(processes)
        })
    }

    fn kill(processes: &[i64]) {
        let mut admin = postgres_admin();
        for process in processes {
            admin.batch_execute(&format!("select pg_terminate_backend({process}, 10000)")).unwrap();
        }
    }
}

fn assert_purge_leaves_no_remains(secret: &str) {
    let (store, folder) = file_store();
    let p = project_id("p");
    let said = Event { summary: "7f3a9c".into(), content: Some(secret.into()), ..event(1) };
    write(&store, |tx| event::insert(tx, &p, &said, usize::MAX));
    store.checkpoint().unwrap();
    assert_eq!(files_with(folder.path(), b"7f3a9c"), ["throughline.db"]);

    let purge = Purge { at: Timestamp(5), by: said.actor, reason: "a secret".into() };
    write(&store, |tx| event::purge(tx, &p, &Filter::default(), &purge));
    store.checkpoint().unwrap();
    assert_eq!(files_with(folder.path(), b"7f3a9c"), [""; 0]);
}

fn files_with(folder: &Path, needle: &[u8]) -> Vec<String> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| {
            let bytes = std::fs::read(entry.path()).unwrap();
            bytes.windows(needle.len()).any(|window| window == needle)
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}
