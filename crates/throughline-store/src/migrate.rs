//! Brings a database's schema up to what this binary knows, with a copy of the file kept first.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::driver::{Access, Driver, Room};
use crate::sql::{Connection, Dialect, Result};
use crate::{Error, Location, Options, params};

struct Migration {
    version: i64,
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

impl Migration {
    const fn for_both(version: i64, name: &'static str, sql: &'static str) -> Migration {
        Migration { version, name, sqlite: sql, postgres: sql }
    }
}

const MIGRATIONS: &[Migration] = &[
    Migration::for_both(1, "log", include_str!("../migrations/0001_log.sql")),
    Migration::for_both(2, "jobs", include_str!("../migrations/0002_jobs.sql")),
    Migration::for_both(3, "memory", include_str!("../migrations/0003_memory.sql")),
    Migration::for_both(4, "index", include_str!("../migrations/0004_index.sql")),
    Migration::for_both(5, "backlog", include_str!("../migrations/0005_backlog.sql")),
    Migration::for_both(6, "turn", include_str!("../migrations/0006_turn.sql")),
    Migration::for_both(7, "hold", include_str!("../migrations/0007_hold.sql")),
    Migration::for_both(8, "epi", include_str!("../migrations/0008_epi.sql")),
    Migration::for_both(9, "model", include_str!("../migrations/0009_model.sql")),
    Migration::for_both(10, "code", include_str!("../migrations/0010_code.sql")),
    Migration::for_both(11, "door", include_str!("../migrations/0011_door.sql")),
    Migration::for_both(12, "memory_files", include_str!("../migrations/0012_memory_files.sql")),
    Migration::for_both(13, "code_health", include_str!("../migrations/0013_code_health.sql")),
    Migration::for_both(14, "wording", include_str!("../migrations/0014_wording.sql")),
    Migration::for_both(15, "document", include_str!("../migrations/0015_document.sql")),
    Migration::for_both(16, "overruled", include_str!("../migrations/0016_overruled.sql")),
];

/// "THLN" in the header of a SQLite file: this file is ours.
pub(crate) const APPLICATION_ID: i64 = 0x54_48_4c_4e;

/// The schema this binary reads and writes.
pub(crate) const KNOWN: i64 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// How the schema of a database stands to what this binary knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// 0 where there is nothing yet.
    pub found: i64,
    pub known: i64,
    /// What is still to be applied, with what it is about.
    pub pending: Vec<(i64, &'static str)>,
}

impl Schema {
    fn of(found: i64) -> Schema {
        let pending = MIGRATIONS.iter().filter(|migration| migration.version > found);
        Schema { found, known: KNOWN, pending: pending.map(|m| (m.version, m.name)).collect() }
    }

    /// Looks, and changes nothing. A newer schema is an error.
    pub fn look(location: &Location, options: &Options) -> Result<Schema> {
        if matches!(location, Location::File(path) if !path.exists()) {
            return Ok(Schema::of(0));
        }
        let mut driver = Driver::connect(location, options, Room::Ample)?;
        let found = version(driver.connection()).map_err(|error| error.at(location))?;
        if found > KNOWN { Err(Error::NewerSchema { found, known: KNOWN }) } else { Ok(Schema::of(found)) }
    }

    /// Applies what is missing and says where the copy is that was kept before, if there was something to keep.
    pub fn bring_up(location: &Location, options: &Options) -> Result<Option<PathBuf>> {
        let mut driver = Driver::connect(location, options, Room::Ample)?;
        up_to(KNOWN, &mut driver, location).map_err(|error| error.at(location))
    }
}

/// Applies what is missing. Does nothing, and locks nothing, when nothing is.
pub(crate) fn up(driver: &mut Driver, location: &Location) -> Result<()> {
    up_to(KNOWN, driver, location).map(|_| ())
}

/// Says where the copy is that was kept before.
pub(crate) fn up_to(target: i64, driver: &mut Driver, location: &Location) -> Result<Option<PathBuf>> {
    let found = version(driver.connection())?;
    if found > target {
        return Err(Error::NewerSchema { found, known: target });
    }
    if found == target {
        return keep_wal(driver.connection(), location).map(|()| None);
    }
    let copy = match location {
        Location::File(path) => prepare_file(driver.connection(), path, found)?,
        Location::Memory | Location::Server(_) => None,
    };
    let applied = driver.transact(Access::Write, |tx| {
        lock(tx)?;
        // Another process may have migrated while this one waited for the lock.
        let found = version(tx)?;
        let missing = MIGRATIONS.iter().filter(|m| m.version > found && m.version <= target);
        missing.map(|migration| apply(tx, migration)).collect::<Result<Vec<()>>>()
    })?;
    match copy {
        // Whoever migrated has kept the copy that counts; ours may be of the new schema.
        Some(copy) if applied.is_empty() => std::fs::remove_file(&copy).map(|()| None).map_err(|e| {
            Error::Other(format!(
                "cannot remove the unneeded copy {}: {e}; remove it by hand",
                copy.display()
            ))
        }),
        copy => Ok(copy),
    }
}

/// A copy that somebody put back is not in WAL mode.
fn keep_wal(conn: &mut dyn Connection, location: &Location) -> Result<()> {
    match location {
        Location::File(_) if single::<String>(conn, "pragma journal_mode")? != "wal" => enter_wal(conn),
        Location::File(_) | Location::Memory | Location::Server(_) => Ok(()),
    }
}

/// Writers and readers do not block each other in this mode; it stays with the file.
fn enter_wal(conn: &mut dyn Connection) -> Result<()> {
    let mode: String = single(conn, "pragma journal_mode = wal")?;
    if mode == "wal" { Ok(()) } else { Err(Error::Busy { waited_ms: 0 }) }
}

pub(crate) fn version(conn: &mut dyn Connection) -> Result<i64> {
    match conn.dialect() {
        Dialect::Sqlite => sqlite_version(conn),
        Dialect::Postgres => postgres_version(conn),
    }
}

/// Ours are marked in the same transaction that makes their first table. So whoever sees tables, and no mark
/// after that, sees another program's file.
fn sqlite_version(conn: &mut dyn Connection) -> Result<i64> {
    if single::<i64>(conn, "pragma application_id")? == APPLICATION_ID {
        return single(conn, "pragma user_version");
    }
    let tables: i64 = single(conn, "select count(*) from sqlite_master")?;
    let version: i64 = single(conn, "pragma user_version")?;
    match single(conn, "pragma application_id")? {
        APPLICATION_ID => single(conn, "pragma user_version"),
        0 if tables == 0 && version == 0 => Ok(0),
        _ => Err(Error::Foreign(PathBuf::new())),
    }
}

fn postgres_version(conn: &mut dyn Connection) -> Result<i64> {
    let exists: i64 = single(
        conn,
        "select count(*) from information_schema.tables
         where table_name = 'schema_version' and table_schema = current_schema()",
    )?;
    if exists == 0 { Ok(0) } else { single(conn, "select coalesce(max(version), 0) from schema_version") }
}

/// A new file is put into WAL mode, an old one is copied first.
fn prepare_file(conn: &mut dyn Connection, path: &Path, found: i64) -> Result<Option<PathBuf>> {
    if found == 0 {
        return enter_wal(conn).map(|()| None);
    }
    let copy = take_backup_path(path, &format!("before-schema-{}", found + 1))?;
    let copied =
        conn.execute("vacuum into ?1", params![&copy.display().to_string()]).and_then(|_| sync(&copy));
    if let Err(error) = copied {
        // Half a copy would be taken for a whole one; that it cannot be removed either is part of the same trouble.
        let _ = std::fs::remove_file(&copy);
        return Err(error);
    }
    tracing::info!(backup = %copy.display(), "kept a copy before migrating");
    Ok(Some(copy))
}

pub(crate) fn sync(copy: &Path) -> Result<()> {
    let synced = std::fs::File::open(copy).and_then(|file| file.sync_all());
    synced.map_err(|e| {
        Error::Unavailable(format!(
            "cannot keep a copy in {}: {e}; make the folder writable for you, or free some space",
            copy.display()
        ))
    })
}

/// Creates the empty file that the copy goes into, so that no other process takes the same name.
pub(crate) fn take_backup_path(path: &Path, why: &str) -> Result<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(".")).join("backups");
    let cannot = |e: std::io::Error| {
        Error::Unavailable(format!(
            "cannot keep a copy in {}: {e}; make the folder writable for you, or free some space",
            folder.display()
        ))
    };
    std::fs::create_dir_all(&folder).map_err(cannot)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut number = 1;
    loop {
        let copy = folder.join(format!("{stem}-{why}-{number}.db"));
        match std::fs::File::create_new(&copy) {
            Ok(_) => return Ok(copy),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(e) => return Err(cannot(e)),
        }
    }
}

/// Only one process at a time changes the schema.
pub(crate) fn lock(tx: &mut dyn Connection) -> Result<()> {
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
