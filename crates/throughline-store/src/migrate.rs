//! Brings a database's schema up to what this binary knows, with a copy of the file kept first.

use std::path::{Path, PathBuf};

use crate::driver::Driver;
use crate::sql::{Connection, Dialect, Result};
use crate::{Error, Location, params};

struct Migration {
    version: i64,
    sqlite: &'static str,
    postgres: &'static str,
}

impl Migration {
    const fn for_both(version: i64, sql: &'static str) -> Migration {
        Migration { version, sqlite: sql, postgres: sql }
    }
}

const MIGRATIONS: &[Migration] = &[
    Migration::for_both(1, include_str!("../migrations/0001_log.sql")),
    Migration::for_both(2, include_str!("../migrations/0002_jobs.sql")),
];

/// "THLN" in the header of a SQLite file: this file is ours.
const APPLICATION_ID: i64 = 0x54_48_4c_4e;

/// The schema this binary reads and writes.
pub(crate) const KNOWN: i64 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// Applies what is missing. Does nothing, and locks nothing, when nothing is.
pub(crate) fn up(driver: &mut Driver, location: &Location) -> Result<()> {
    up_to(KNOWN, driver, location)
}

pub(crate) fn up_to(target: i64, driver: &mut Driver, location: &Location) -> Result<()> {
    let found = version(driver.connection(), location)?;
    if found > target {
        return Err(Error::NewerSchema { found, known: target });
    }
    if found == target {
        return Ok(());
    }
    if let Location::File(path) = location {
        prepare_file(driver.connection(), path, found)?;
    }
    driver.transact(crate::driver::Access::Write, |tx| {
        lock(tx)?;
        // Another process may have migrated while this one waited for the lock.
        let found = version(tx, location)?;
        for migration in MIGRATIONS.iter().filter(|m| m.version > found && m.version <= target) {
            apply(tx, migration)?;
        }
        Ok(())
    })
}

fn version(conn: &mut dyn Connection, location: &Location) -> Result<i64> {
    match conn.dialect() {
        Dialect::Sqlite => sqlite_version(conn, location),
        Dialect::Postgres => postgres_version(conn),
    }
}

fn sqlite_version(conn: &mut dyn Connection, location: &Location) -> Result<i64> {
    let version: i64 = single(conn, "pragma user_version")?;
    if version == 0 || single::<i64>(conn, "pragma application_id")? != APPLICATION_ID {
        let tables: i64 = single(conn, "select count(*) from sqlite_master")?;
        if let (1.., Location::File(path)) = (tables, location) {
            return Err(Error::Foreign(path.clone()));
        }
    }
    Ok(version)
}

fn postgres_version(conn: &mut dyn Connection) -> Result<i64> {
    let exists: i64 = single(
        conn,
        "select count(*) from information_schema.tables
         where table_name = 'schema_version' and table_schema = current_schema()",
    )?;
    if exists == 0 { Ok(0) } else { single(conn, "select coalesce(max(version), 0) from schema_version") }
}

/// Writers and readers do not block each other in WAL mode; the mode stays with the file.
fn prepare_file(conn: &mut dyn Connection, path: &Path, found: i64) -> Result<()> {
    if found == 0 {
        let mode: String = single(conn, "pragma journal_mode = wal")?;
        return if mode == "wal" { Ok(()) } else { Err(Error::Busy { waited_ms: 0 }) };
    }
    let copy = free_backup_path(path, found)?;
    conn.execute("vacuum into ?1", params![&copy.display().to_string()])?;
    tracing::info!(backup = %copy.display(), "kept a copy before migrating");
    Ok(())
}

fn free_backup_path(path: &Path, version: i64) -> Result<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(".")).join("backups");
    std::fs::create_dir_all(&folder).map_err(|e| {
        Error::Unavailable(format!("cannot create {} for the backup before migrating: {e}", folder.display()))
    })?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = |n: u32| folder.join(format!("{stem}-before-schema-{}-{n}.db", version + 1));
    Ok((1..).map(name).find(|copy| !copy.exists()).expect("some number is free"))
}

fn lock(tx: &mut dyn Connection) -> Result<()> {
    match tx.dialect() {
        // The write transaction is the lock.
        Dialect::Sqlite => Ok(()),
        Dialect::Postgres => {
            tx.query("select cast(pg_advisory_xact_lock(?1) as text)", params![APPLICATION_ID])?;
            tx.batch("create table if not exists schema_version (version bigint primary key)")
        }
    }
}

fn apply(tx: &mut dyn Connection, migration: &Migration) -> Result<()> {
    let version = migration.version;
    match tx.dialect() {
        Dialect::Sqlite => {
            tx.batch(migration.sqlite)?;
            tx.batch(&format!("pragma application_id = {APPLICATION_ID}; pragma user_version = {version}"))
        }
        Dialect::Postgres => {
            tx.batch(migration.postgres)?;
            tx.execute("insert into schema_version (version) values (?1)", params![version]).map(|_| ())
        }
    }
}

fn single<T: crate::sql::FromValue>(conn: &mut dyn Connection, sql: &str) -> Result<T> {
    let rows = conn.query(sql, &[])?;
    rows.first().ok_or_else(|| Error::Corrupt(format!("{sql}: no answer")))?.get(0)
}
