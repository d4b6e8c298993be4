//! Vectors compared by the server: the table that pgvector reads says what the pages say, whoever writes them.
//!
//! Needs a server with pgvector in `TEST_PGVECTOR`, of which each test gets an empty database; `./test` starts one.

use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};

use super::fixture::{project_id, read, write};
use super::options;
use crate::index_page::{self, Area, Collection, Index, Page};
use crate::sql::Dialect;
use crate::vectors::{Comparison, Lack, Wanted, comparison, in_server};
use crate::{Location, Options, Pgvector, Result, Store};

const MODEL: &str = "m";
/// Two bytes of signs for each document, four documents to a page.
const PER_PAGE: i64 = 4;

fn what_compares_vectors_is_what_the_database_can_do(store: &Store) {
    let compared = read(store, comparison);
    match read(store, |conn| Ok(conn.dialect())) {
        Dialect::Sqlite => assert_eq!(compared, Comparison::InProcess),
        Dialect::Postgres => {
            let sql = "select count(*) from pg_available_extensions where name = 'vector'";
            let there = read(store, |conn| conn.query(sql, &[])?[0].get::<i64>(0)) > 0;
            assert_eq!(matches!(compared, Comparison::InServer { .. }), there, "{compared:?}");
            assert_eq!(compared == Comparison::WithoutServer(Lack::Missing), !there, "{compared:?}");
        }
    }
}

super::contract![what_compares_vectors_is_what_the_database_can_do];

mod pgvector {
    use super::*;

    macro_rules! on_pgvector {
        ($($name:ident),* $(,)?) => {
            $(#[test]
            #[ignore = "needs a server with pgvector in TEST_PGVECTOR; ./test starts one"]
            fn $name() { super::$name(&database()); })*
        };
    }

    on_pgvector![
        the_table_follows_the_pages,
        equals_are_chosen_by_number_and_empty_slots_never,
        only_what_is_wanted_is_found,
        models_collections_and_projects_are_apart,
        a_writer_that_does_not_know_of_it_keeps_it_right,
        a_server_that_gains_the_extension_later_gains_the_table,
        without_the_right_to_create_it_nothing_fails,
        tables_of_another_user_are_left_alone_and_kept_right,
        an_extension_in_another_schema_is_used,
        many_open_at_once_and_one_makes_it,
        a_busy_table_is_left_for_the_next_time,
        a_reader_from_before_does_not_see_half_of_it,
    ];
}

fn the_table_follows_the_pages(database: &str) {
    let store = open(database);
    assert_eq!(nearest(&store, [0, 0], 9), [0_i64; 0], "nothing is there");
    put(&store, 0, &[[1, 0], [3, 0], [7, 0]]);
    put(&store, 2, &[[15, 1]]);
    assert_eq!(nearest(&store, [1, 0], 2), [0, 1]);
    assert_eq!(nearest(&store, [15, 1], 1), [8]);
    put(&store, 0, &[[1, 0], [3, 0], [7, 0], [255, 255]]);
    assert_eq!(nearest(&store, [255, 255], 1), [3], "the page was written again");
    write(&store, |tx| index_page::remove(tx, memories(&project_id("p")), Area::Codes(MODEL), 0, 0));
    assert_eq!(nearest(&store, [1, 0], 9), [8]);
    write(&store, |tx| index_page::clear(tx, memories(&project_id("p"))));
    assert_eq!(nearest(&store, [1, 0], 9), [0_i64; 0]);
    assert_eq!(rows(database), 0);
}

fn equals_are_chosen_by_number_and_empty_slots_never(database: &str) {
    let store = open(database);
    put(&store, 1, &[[0, 0], [2, 0], [1, 0], [0, 0]]);
    put(&store, 0, &[[0, 0], [4, 0]]);
    assert_eq!(nearest(&store, [0, 0], 2), [1, 5]);
    assert_eq!(nearest(&store, [0, 0], 9), [1, 5, 6]);
}

fn only_what_is_wanted_is_found(database: &str) {
    let store = open(database);
    put(&store, 0, &[[1, 0], [1, 0], [1, 0], [1, 0]]);
    put(&store, 2, &[[255, 0], [255, 255]]);
    assert_eq!(nearest_of(&store, [1, 0], 1, |number| number == 9), [9], "however far it is");
    assert_eq!(nearest_of(&store, [1, 0], 3, |number| number % 3 == 2), [2, 8]);
    assert_eq!(nearest_of(&store, [1, 0], 3, |_| false), [0_i64; 0]);
}

fn models_collections_and_projects_are_apart(database: &str) {
    let store = open(database);
    put(&store, 0, &[[1, 0]]);
    let (p, q) = (project_id("p"), project_id("q"));
    let events = Index { project: &p, collection: Collection::Events };
    for (index, model) in [(events, MODEL), (memories(&q), MODEL), (memories(&p), "n"), (memories(&p), "mm")]
    {
        write(&store, |tx| index_page::put(tx, index, Area::Codes(model), &page(1, &[[1, 0], [1, 0]])));
    }
    // Pages of other areas are none of its business.
    write(&store, |tx| index_page::put(tx, memories(&p), Area::Vectors(MODEL), &page(0, &[[9, 9]])));
    assert_eq!(nearest(&store, [1, 0], 9), [0]);
    assert_eq!(rows(database), 5);
}

fn a_writer_that_does_not_know_of_it_keeps_it_right(database: &str) {
    let store = open(database);
    put(&store, 0, &[[1, 0], [3, 0]]);
    let unaware =
        Store::open(location(database), Options { pgvector: Pgvector::Never, ..options() }).unwrap();
    assert_eq!(read(&unaware, comparison), Comparison::WithoutServer(Lack::Unwanted));
    assert!(read(&unaware, |conn| Ok(in_server(conn, memories(&project_id("p")), MODEL)?.is_none())));
    put(&unaware, 0, &[[1, 0], [3, 0], [255, 255]]);
    assert_eq!(nearest(&store, [255, 255], 1), [2]);
}

fn a_server_that_gains_the_extension_later_gains_the_table(database: &str) {
    let without =
        Store::open(location(database), Options { pgvector: Pgvector::Never, ..options() }).unwrap();
    put(&without, 0, &[[1, 0], [3, 0]]);
    put(&without, 7, &[[255, 255]]);
    drop(without);
    let store = open(database);
    assert!(matches!(read(&store, comparison), Comparison::InServer { .. }));
    assert_eq!(nearest(&store, [255, 255], 1), [28]);
    // And again, when it went away in between.
    admin(database, "drop extension vector");
    assert!(read(&store, |conn| Ok(in_server(conn, memories(&project_id("p")), MODEL)?.is_none())));
    put(&store, 0, &[[1, 0], [3, 0], [9, 9]]);
    assert_eq!(nearest(&open(database), [9, 9], 1), [2]);
}

fn without_the_right_to_create_it_nothing_fails(database: &str) {
    let user = user(database);
    admin(database, &format!("create schema own authorization {user}"));
    let theirs =
        format!("{}?options=-csearch_path%3Down", database.replace("postgres@", &format!("{user}@")));
    let store = open(&theirs);
    let compared = read(&store, comparison);
    assert!(
        matches!(&compared, Comparison::WithoutServer(Lack::ExtensionRefused { version }) if version.contains('.')),
        "{compared:?}"
    );
    put(&store, 0, &[[1, 0]]);
    assert!(read(&store, |conn| Ok(in_server(conn, memories(&project_id("p")), MODEL)?.is_none())));
    admin(database, "create extension vector");
    assert_eq!(nearest(&open(&theirs), [1, 0], 9), [0], "the table is theirs to make");
}

fn tables_of_another_user_are_left_alone_and_kept_right(database: &str) {
    drop(Store::open(location(database), Options { pgvector: Pgvector::Never, ..options() }).unwrap());
    let user = user(database);
    admin(
        database,
        &format!(
            "create extension vector; grant select, insert, update, delete on all tables in schema public to {user}"
        ),
    );
    let guest = database.replace("postgres@", &format!("{user}@"));
    let refused = || {
        let store = open(&guest);
        let compared = read(&store, comparison);
        assert!(matches!(compared, Comparison::WithoutServer(Lack::TableRefused { .. })), "{compared:?}");
        assert!(read(&store, |conn| Ok(in_server(conn, memories(&project_id("p")), MODEL)?.is_none())));
        store
    };
    refused();
    let owner = open(database);
    // Who may write pages keeps the table right, also without any right to it.
    put(&refused(), 0, &[[1, 0], [255, 0]]);
    assert_eq!(nearest(&owner, [255, 0], 1), [1]);
    admin(database, &format!("grant select on document_vector to {user}"));
    assert_eq!(nearest(&open(&guest), [255, 0], 1), [1]);
}

fn an_extension_in_another_schema_is_used(database: &str) {
    admin(database, "create schema \"Their own\"; create extension vector schema \"Their own\"");
    let store = open(database);
    put(&store, 0, &[[1, 0], [255, 0]]);
    assert_eq!(nearest(&store, [255, 0], 1), [1]);
}

fn many_open_at_once_and_one_makes_it(database: &str) {
    drop(Store::open(location(database), Options { pgvector: Pgvector::Never, ..options() }).unwrap());
    let barrier = Barrier::new(8);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                barrier.wait();
                drop(open(database));
            });
        }
    });
    let store = open(database);
    put(&store, 0, &[[1, 0]]);
    assert_eq!(nearest(&store, [1, 0], 9), [0]);
}

fn a_busy_table_is_left_for_the_next_time(database: &str) {
    let writing =
        Store::open(location(database), Options { pgvector: Pgvector::Never, ..options() }).unwrap();
    write(&writing, |tx| {
        index_page::put(tx, memories(&project_id("p")), Area::Codes(MODEL), &page(0, &[[1, 0]]))?;
        let compared = read(&open(database), comparison);
        assert!(matches!(compared, Comparison::WithoutServer(Lack::NotReady { .. })), "{compared:?}");
        Ok(())
    });
    assert_eq!(nearest(&open(database), [1, 0], 9), [0]);
}

fn a_reader_from_before_does_not_see_half_of_it(database: &str) {
    let reading =
        Store::open(location(database), Options { pgvector: Pgvector::Never, ..options() }).unwrap();
    put(&reading, 0, &[[1, 0]]);
    admin(database, "create extension vector");
    let project = project_id("p");
    let early = Store::open(location(database), options()).unwrap();
    admin(database, "drop table document_vector cascade; drop function keep_document_vector cascade");
    read(&early, |conn| {
        let before = index_page::get(conn, memories(&project), Area::Codes(MODEL), 0, 0)?;
        assert_eq!(before, Some(vec![1, 0]));
        assert_eq!(nearest(&open(database), [1, 0], 9), [0], "others use it by now");
        assert!(in_server(conn, memories(&project), MODEL)?.is_none(), "its rows are not in this snapshot");
        Ok(())
    });
}

fn put(store: &Store, number: i64, signs: &[[u8; 2]]) {
    let project = project_id("p");
    write(store, |tx| index_page::put(tx, memories(&project), Area::Codes(MODEL), &page(number, signs)));
}

fn page(number: i64, signs: &[[u8; 2]]) -> Page {
    Page { number, part: 0, data: signs.concat() }
}

fn memories(project: &crate::id::ProjectId) -> Index<'_> {
    Index { project, collection: Collection::Memories }
}

fn nearest(store: &Store, signs: [u8; 2], count: i64) -> Vec<i64> {
    nearest_of(store, signs, count, |_| true)
}

/// What the server finds, which must be there to ask.
fn nearest_of(store: &Store, signs: [u8; 2], count: i64, wanted: impl Fn(i64) -> bool) -> Vec<i64> {
    let project = project_id("p");
    let mut found = read(store, |conn| -> Result<Vec<i64>> {
        let server = in_server(conn, memories(&project), MODEL)?.expect("the server compares");
        let end = (server.last_page + 1) * PER_PAGE;
        let mut documents = vec![0; end as usize / 8 + 1];
        for number in (0..end).filter(|number| wanted(*number)) {
            documents[number as usize / 8] |= 1 << (number % 8);
        }
        server.nearest(conn, &Wanted { signs: &signs, per_page: PER_PAGE, documents: &documents, count })
    });
    found.sort_unstable();
    found
}

fn rows(database: &str) -> i64 {
    client(database).query_one("select count(*) from document_vector", &[]).unwrap().get(0)
}

fn open(database: &str) -> Store {
    Store::open(location(database), options()).unwrap()
}

fn location(database: &str) -> Location {
    Location::Server(database.to_owned())
}

static DATABASES: AtomicU32 = AtomicU32::new(0);

/// The address of an empty database on the server with pgvector.
fn database() -> String {
    let server = std::env::var("TEST_PGVECTOR").expect("TEST_PGVECTOR names the test server with pgvector");
    let name = format!("contract_{}_{}", std::process::id(), DATABASES.fetch_add(1, Ordering::Relaxed));
    admin(&server, &format!("drop database if exists {name}"));
    admin(&server, &format!("create database {name}"));
    format!("{}/{name}", server.rsplit_once('/').unwrap().0)
}

/// A user of the server without any right of their own.
fn user(database: &str) -> String {
    let user = format!("guest_of_{}", database.rsplit_once('/').unwrap().1);
    admin(database, &format!("drop role if exists {user}"));
    admin(database, &format!("create role {user} login"));
    user
}

fn admin(address: &str, sql: &str) {
    client(address).batch_execute(sql).unwrap();
}

fn client(address: &str) -> ::postgres::Client {
    ::postgres::Client::connect(address, ::postgres::NoTls).unwrap()
}
