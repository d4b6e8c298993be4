//! The statements about projects and their keys.

use super::fixture::{project, project_id, read, write};
use crate::project::{self, Project};
use crate::time::Timestamp;
use crate::{Error, Store};

fn a_project_comes_back_whole(store: &Store) {
    let written = Project {
        id: project_id("p"),
        name: "Größe 東京 🚀".into(),
        created_at: Timestamp(1_700_000_000_123_456),
        last_position: 7,
    };
    write(store, |tx| project::insert(tx, &written));
    assert_eq!(read(store, |conn| project::by_id(conn, &project_id("p"))), Some(written.clone()));
    assert_eq!(read(store, project::list), [written]);
}

fn an_unknown_project_is_nothing(store: &Store) {
    assert_eq!(read(store, |conn| project::by_id(conn, &project_id("p"))), None);
    assert_eq!(read(store, project::list), []);
    assert_eq!(read(store, |conn| project::with_key(conn, "name:demo")), None);
    assert_eq!(read(store, |conn| project::keys(conn, &project_id("p"))), [""; 0]);
}

fn a_second_project_with_the_same_id_conflicts(store: &Store) {
    write(store, |tx| project::insert(tx, &project("p")));
    let second = store.write(|tx| project::insert(tx, &project("p")));
    assert!(matches!(second, Err(Error::Conflict { .. })), "{second:?}");
}

fn projects_are_listed_by_name_then_id(store: &Store) {
    let named = |id: &str, name: &str| Project { name: name.into(), ..project(id) };
    let listed = [named("4", "alpha"), named("1", "beta"), named("3", "beta"), named("2", "gamma")];
    write(store, |tx| listed.iter().rev().try_for_each(|p| project::insert(tx, p)));
    assert_eq!(read(store, project::list), listed);
}

fn names_sort_alike_whatever_the_language_of_the_database(store: &Store) {
    let names = ["B", "_", "a", "b", "ä"];
    write(store, |tx| {
        names.iter().try_for_each(|name| {
            project::insert(tx, &Project { name: (*name).into(), ..project(&format!("id of {name}")) })
        })
    });
    let listed: Vec<String> = read(store, project::list).into_iter().map(|p| p.name).collect();
    assert_eq!(listed, names, "the order of the bytes, as SQLite sorts");
}

fn renaming_changes_only_the_name_of_that_project(store: &Store) {
    write(store, |tx| {
        project::insert(tx, &project("p"))?;
        project::insert(tx, &project("q"))?;
        project::rename(tx, &project_id("p"), "another")
    });
    let renamed = Project { name: "another".into(), ..project("p") };
    assert_eq!(read(store, project::list), [renamed, project("q")]);
}

fn a_key_stands_for_its_project(store: &Store) {
    let (p, q) = (project_id("p"), project_id("q"));
    write(store, |tx| {
        project::insert(tx, &project("p"))?;
        project::add_key(tx, "remote:git@example.com:a/b", &p)?;
        project::add_key(tx, "folder:/home/ann/b", &p)?;
        project::add_key(tx, "name:q", &q)
    });
    assert_eq!(
        read(store, |conn| project::with_key(conn, "folder:/home/ann/b")).map(|project| project.id),
        Some(p.clone())
    );
    assert_eq!(read(store, |conn| project::with_key(conn, "folder:/home/ann")), None);
    assert_eq!(
        read(store, |conn| project::keys(conn, &p)),
        ["folder:/home/ann/b", "remote:git@example.com:a/b"]
    );
    assert_eq!(read(store, |conn| project::keys(conn, &q)), ["name:q"]);
}

fn a_key_that_is_taken_conflicts(store: &Store) {
    let (p, q) = (project_id("p"), project_id("q"));
    write(store, |tx| {
        project::insert(tx, &project("p"))?;
        project::add_key(tx, "name:demo", &p)
    });
    let taken = store.write(|tx| project::add_key(tx, "name:demo", &q));
    assert!(matches!(taken, Err(Error::Conflict { .. })), "{taken:?}");
    assert_eq!(read(store, |conn| project::with_key(conn, "name:demo")).map(|project| project.id), Some(p));
}

fn moving_a_key_takes_it_from_its_project_or_makes_it(store: &Store) {
    let (p, q) = (project_id("p"), project_id("q"));
    write(store, |tx| {
        project::add_key(tx, "name:demo", &p)?;
        project::move_key(tx, "name:demo", &q)?;
        project::move_key(tx, "name:fresh", &q)
    });
    assert_eq!(read(store, |conn| project::keys(conn, &p)), [""; 0]);
    assert_eq!(read(store, |conn| project::keys(conn, &q)), ["name:demo", "name:fresh"]);
}

fn positions_are_taken_in_order(store: &Store) {
    let id = project_id("p");
    let last = write(store, |tx| {
        project::insert(tx, &project("p"))?;
        project::take_positions(tx, &id, 1)?;
        project::take_positions(tx, &id, 3)
    });
    assert_eq!(last, 4);
    let failed: Result<(), Error> = store.write(|tx| {
        project::take_positions(tx, &id, 1)?;
        Err(Error::Other("changed my mind".into()))
    });
    assert!(failed.is_err());
    assert_eq!(write(store, |tx| project::take_positions(tx, &id, 1)), 5, "a rollback leaves no gap");
    assert_eq!(
        read(store, |conn| project::by_id(conn, &id)),
        Some(Project { last_position: 5, ..project("p") })
    );
}

fn positions_of_two_projects_are_counted_apart(store: &Store) {
    write(store, |tx| {
        project::insert(tx, &project("p"))?;
        project::insert(tx, &project("q"))?;
        project::take_positions(tx, &project_id("p"), 5)
    });
    assert_eq!(write(store, |tx| project::take_positions(tx, &project_id("q"), 1)), 1);
}

fn an_unknown_project_has_no_positions_to_take(store: &Store) {
    let taken = store.write(|tx| project::take_positions(tx, &project_id("p"), 1));
    assert!(matches!(taken, Err(Error::Corrupt(_))), "{taken:?}");
}

super::contract![
    a_project_comes_back_whole,
    an_unknown_project_is_nothing,
    a_second_project_with_the_same_id_conflicts,
    projects_are_listed_by_name_then_id,
    names_sort_alike_whatever_the_language_of_the_database,
    renaming_changes_only_the_name_of_that_project,
    a_key_stands_for_its_project,
    a_key_that_is_taken_conflicts,
    moving_a_key_takes_it_from_its_project_or_makes_it,
    positions_are_taken_in_order,
    positions_of_two_projects_are_counted_apart,
    an_unknown_project_has_no_positions_to_take,
];
