//! What both databases must do alike: each test here runs on SQLite and on PostgreSQL.
//!
//! The PostgreSQL half needs a server in `TEST_POSTGRES` and is ignored without one; `./test` starts one.

mod actor;
mod beginning;
mod carry;
mod checkpoint;
mod code;
mod context_entry;
mod event;
mod fixture;
mod follow;
mod handoff;
mod index_page;
mod integrity;
mod item;
mod item_filter;
mod item_tree;
mod job;
mod link;
mod location;
mod memory;
mod memory_file;
mod memory_filter;
mod mend;
mod migrate;
mod model_answer;
mod model_call;
mod place;
mod project;
mod resource;
mod schema;
mod session;
mod sql;
mod store;
mod time;
mod token;
mod transaction;
mod vectors;

use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;

use crate::{Durability, Location, Options, Pgvector, Store};

/// Makes two tests of each named function: `sqlite::name` and `postgres::name`.
///
/// SQLite is in memory, with one connection; those after `parallel:` need several and get a file.
macro_rules! contract {
    ($($name:ident),* $(,)? $(; parallel: $($parallel:ident),* $(,)?)?) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(&crate::contract::memory_store()); })*
            $($(#[test] fn $parallel() {
                let (store, _folder) = crate::contract::file_store();
                super::$parallel(&store);
            })*)?
        }
        mod postgres {
            $(#[test]
            #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
            fn $name() { super::$name(&crate::contract::postgres_store()); })*
            $($(#[test]
            #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
            fn $parallel() { super::$parallel(&crate::contract::postgres_store()); })*)?
        }
    };
}
use contract;

fn memory_store() -> Store {
    Store::open(Location::Memory, Options::default()).unwrap()
}

/// A store in a file, which lasts as long as its folder.
fn file_store() -> (Store, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::File(folder.path().join("throughline.db"));
    (Store::open(location, options()).unwrap(), folder)
}

fn postgres_store() -> Store {
    Store::open(postgres_schema(), options()).unwrap()
}

/// An empty schema of its own on the test server.
fn postgres_schema() -> Location {
    static SCHEMAS: AtomicU32 = AtomicU32::new(0);
    let schema = format!("contract_{}_{}", std::process::id(), SCHEMAS.fetch_add(1, Ordering::Relaxed));
    postgres_admin()
        .batch_execute(&format!("drop schema if exists {schema} cascade; create schema {schema}"))
        .unwrap();
    Location::Server(format!("{}?options=-csearch_path%3D{schema}", postgres_server()))
}

fn postgres_admin() -> ::postgres::Client {
    ::postgres::Client::connect(&postgres_server(), ::postgres::NoTls).unwrap()
}

fn postgres_server() -> String {
    std::env::var("TEST_POSTGRES").expect("TEST_POSTGRES names the test server")
}

fn options() -> Options {
    Options { durability: Durability::Process, pgvector: Pgvector::Always, ..Options::default() }
}
