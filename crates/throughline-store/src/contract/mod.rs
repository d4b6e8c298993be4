//! What both databases must do alike: each test here runs on SQLite and on PostgreSQL.
//!
//! The PostgreSQL half needs a server in `TEST_POSTGRES` and is ignored without one; `./test` starts one.

mod event;

use std::sync::atomic::{AtomicU32, Ordering};

use crate::{Location, Options, Store};

/// Makes two tests of each named function: `sqlite::name` and `postgres::name`.
macro_rules! contract {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(&crate::contract::sqlite_store()); })*
        }
        mod postgres {
            $(#[test]
            #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
            fn $name() { super::$name(&crate::contract::postgres_store()); })*
        }
    };
}
use contract;

fn sqlite_store() -> Store {
    Store::open(Location::Memory, Options::default()).unwrap()
}

/// A store in a schema of its own on the test server.
fn postgres_store() -> Store {
    static SCHEMAS: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("TEST_POSTGRES").expect("TEST_POSTGRES names the test server");
    let schema = format!("contract_{}_{}", std::process::id(), SCHEMAS.fetch_add(1, Ordering::Relaxed));
    let mut admin = ::postgres::Client::connect(&server, ::postgres::NoTls).unwrap();
    admin.batch_execute(&format!("drop schema if exists {schema} cascade; create schema {schema}")).unwrap();
    let location = Location::Server(format!("{server}?options=-csearch_path%3D{schema}"));
    Store::open(location, Options::default()).unwrap()
}
