//! The embedded database: how a SQLite file is opened, locked and spoken to.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection as Raw, ErrorCode, OpenFlags, ffi};

use crate::driver::{Access, Room};
use crate::sql::{Connection, Dialect, Param, Result, Row, Value};
use crate::{Durability, Error, Options, Reading};

/// A cold process reads the whole write-ahead log on opening, so it is not left to grow.
const LONG_LOG_BYTES: u64 = 256 * 1024;
const STATEMENTS_KEPT: usize = 128;
/// What of a file lies further on is read as ever.
const MAPPED_BYTES: u64 = 1 << 30;

#[derive(Debug)]
pub(crate) struct Sqlite {
    raw: Raw,
    /// The write-ahead log beside the file.
    log: Option<PathBuf>,
    access: Access,
    room: Room,
}

impl Sqlite {
    pub(crate) fn open(path: &Path, options: &Options, room: Room) -> Result<Sqlite> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if path.is_dir() {
            return Err(Error::Unavailable(format!(
                "{} is a folder; name a file in it, or {ANOTHER}",
                path.display()
            )));
        }
        if !path.exists() {
            create_private(path, ANOTHER)?;
        }
        let raw = Raw::open_with_flags(path, flags).map_err(|e| match Error::from(e) {
            Error::Unavailable(why) => Error::Unavailable(format!("{why} ({})", path.display())),
            other => other,
        })?;
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        Sqlite::configured(raw, Some(log.into()), options, room)
    }

    pub(crate) fn in_memory(options: &Options, room: Room) -> Result<Sqlite> {
        Sqlite::configured(Raw::open_in_memory()?, None, options, room)
    }

    fn configured(mut raw: Raw, log: Option<PathBuf>, options: &Options, room: Room) -> Result<Sqlite> {
        raw.busy_handler(Some(wait_briefly))?;
        raw.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
        // A plan depends on the statement alone. Else SQLite prepares it again for other values, in case one of them
        // makes a partial index usable.
        raw.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        // What is erased is overwritten. A search that is asked again finds its pages in memory, in KiB. To survive the loss of
        // power is SQLite's own default.
        raw.execute_batch(match room {
            Room::Ample => "pragma secure_delete = on; pragma cache_size = -65536",
            Room::Little => "pragma secure_delete = on; pragma cache_size = -2048",
        })?;
        match options.reading {
            Reading::Copied => {}
            Reading::Mapped => raw.execute_batch(&format!("pragma mmap_size = {MAPPED_BYTES}"))?,
        }
        match options.durability {
            Durability::Power => {}
            Durability::Process => raw.execute_batch("pragma synchronous = normal")?,
        }
        Ok(Sqlite { raw, log, access: Access::Write, room })
    }

    pub(crate) fn room(&self) -> Room {
        self.room
    }

    pub(crate) fn begin_read(&mut self) -> Result<()> {
        self.access = Access::Read;
        self.run("begin")
    }

    /// Takes the write lock at once: a transaction that reads first and writes later could never be retried.
    pub(crate) fn begin_write(&mut self) -> Result<()> {
        self.access = Access::Write;
        self.run("begin immediate")
    }

    pub(crate) fn commit(&mut self) -> Result<()> {
        self.run("commit")
    }

    pub(crate) fn rollback(&mut self) -> Result<()> {
        // A full disk makes SQLite roll back by itself.
        if self.raw.is_autocommit() { Ok(()) } else { self.run("rollback") }
    }

    /// What SQLite itself finds wrong with the file; empty when it is sound.
    pub(crate) fn problems(&mut self) -> Result<Vec<String>> {
        let rows = match self.query("pragma integrity_check", &[]) {
            Err(Error::Corrupt(why)) => return Ok(vec![why]),
            rows => rows?,
        };
        let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect::<Result<_>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }

    /// The first damage, without comparing indexes with their tables.
    pub(crate) fn first_damage(&mut self) -> Result<Option<String>> {
        let rows = match self.query("pragma quick_check(1)", &[]) {
            Err(Error::Corrupt(why)) => return Ok(Some(why)),
            rows => rows?,
        };
        let found: Option<String> = rows.first().map(|row| row.get(0)).transpose()?;
        Ok(found.filter(|found| found != "ok"))
    }

    pub(crate) fn present(&mut self) -> Result<Vec<String>> {
        let rows = self.query("select name from sqlite_master where type in ('table', 'index')", &[])?;
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// Of the file and of the write-ahead log beside it.
    pub(crate) fn bytes(&mut self) -> Result<u64> {
        let pages: i64 = self.raw.query_row("pragma page_count", [], |row| row.get(0))?;
        let page_bytes: i64 = self.raw.query_row("pragma page_size", [], |row| row.get(0))?;
        Ok((pages * page_bytes).unsigned_abs() + self.log_bytes())
    }

    fn log_bytes(&self) -> u64 {
        self.log.as_ref().and_then(|log| log.metadata().ok()).map_or(0, |file| file.len())
    }

    /// Moves everything from the write-ahead log into the file and empties the log; busy while somebody reads.
    pub(crate) fn checkpoint(&mut self) -> Result<()> {
        let blocked: i64 = self.raw.query_row("pragma wal_checkpoint(truncate)", [], |row| row.get(0))?;
        if blocked == 0 { Ok(()) } else { Err(Error::Busy { waited_ms: 0 }) }
    }

    /// Checkpoints a write-ahead log that has grown long, unless somebody else is at it.
    pub(crate) fn fold_log(&mut self) -> Result<()> {
        if self.log_bytes() <= LONG_LOG_BYTES {
            return Ok(());
        }
        match self.checkpoint() {
            Err(Error::Busy { .. }) => Ok(()),
            outcome => outcome,
        }
    }

    /// Changes when another connection has committed.
    pub(crate) fn data_version(&mut self) -> Result<i64> {
        Ok(self.raw.prepare_cached("pragma data_version")?.query_row([], |row| row.get(0))?)
    }

    fn prepare(&self, sql: &str) -> Result<CachedStatement<'_>> {
        let statement = self.raw.prepare_cached(sql)?;
        if self.access == Access::Read && !statement.readonly() {
            return Err(Error::Other(format!("a read must not write: {sql}")));
        }
        Ok(statement)
    }

    fn run(&mut self, sql: &str) -> Result<()> {
        let mut statement = self.raw.prepare_cached(sql)?;
        statement.execute([])?;
        Ok(())
    }
}

impl Connection for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        if self.access == Access::Read {
            return Err(Error::Other("a read runs no batch".to_owned()));
        }
        Ok(self.raw.execute_batch(sql)?)
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        let mut statement = self.prepare(sql)?;
        Ok(statement.execute(rusqlite::params_from_iter(params))? as u64)
    }

    fn each(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        row: &mut dyn FnMut(Row) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.prepare(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(params))?;
        while let Some(raw) = rows.next()? {
            let values = (0..columns).map(|i| read(raw.get_ref(i)?));
            row(Row(values.collect::<Result<_>>()?))?;
        }
        Ok(())
    }
}

impl rusqlite::ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Param::Null => ValueRef::Null,
            Param::Int(n) => ValueRef::Integer(n),
            Param::Real(x) => ValueRef::Real(x),
            Param::Text(text) => ValueRef::Text(text.as_bytes()),
            Param::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn read(value: ValueRef<'_>) -> Result<Value> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => Value::Int(n),
        ValueRef::Real(x) => Value::Real(x),
        ValueRef::Text(bytes) => Value::Text(
            String::from_utf8(bytes.to_vec())
                .map_err(|e| Error::Corrupt(format!("text is not UTF-8: {e}")))?,
        ),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    })
}

/// SQLite's own waiting grows to 100 ms a step and starves a process among many; short steps stay fair.
/// About a quarter of a second in all: `Store` decides whether to wait on.
fn wait_briefly(tries: i32) -> bool {
    std::thread::sleep(Duration::from_millis(1 + (tries as u64 / 4).min(7)));
    tries < 48
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        let rusqlite::Error::SqliteFailure(code, message) = &error else {
            return Error::Other(error.to_string());
        };
        let text = message.clone().unwrap_or_else(|| code.to_string());
        match code.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => {
                Error::Busy { waited_ms: 0 }
            }
            ErrorCode::ConstraintViolation if is_unique(code.extended_code) => {
                Error::Conflict { constraint: text }
            }
            ErrorCode::DiskFull => Error::Unavailable(
                "the disk is full and nothing was written; free some space, or move the data with \
             THROUGHLINE_HOME"
                    .into(),
            ),
            ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
                unwritable(&format!("cannot write the database: {text}"), ANOTHER)
            }
            ErrorCode::SystemIoFailure => Error::Unavailable(format!(
                "the disk refused: {text}; nothing was written; check space and health of the disk"
            )),
            ErrorCode::NotADatabase => Error::Foreign(PathBuf::new()),
            ErrorCode::DatabaseCorrupt => Error::Corrupt(text),
            _ => Error::Other(text),
        }
    }
}

/// An empty file that only its owner may read, because it will hold what people and agents said; the files that
/// SQLite puts beside it follow its mode. Folders that have to be made are the owner's as well. `otherwise` is what to
/// do where that cannot be.
pub(crate) fn create_private(path: &Path, otherwise: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut folders = std::fs::DirBuilder::new();
    let mut file = std::fs::OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        folders.mode(0o700);
        file.mode(0o600);
    }
    if folder.is_file() {
        return Err(Error::Unavailable(format!("{} is a file, not a folder; {otherwise}", folder.display())));
    }
    let cannot = |e: std::io::Error| unwritable(&format!("cannot create {}: {e}", path.display()), otherwise);
    folders.recursive(true).create(folder).map_err(cannot)?;
    // Another process may be making the same file.
    file.create(true).truncate(false).write(true).open(path).map(|_| ()).map_err(cannot)
}

fn is_unique(extended_code: i32) -> bool {
    matches!(extended_code, ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY)
}

pub(crate) const ANOTHER: &str = "choose another with THROUGHLINE_HOME or --database";

fn unwritable(what: &str, otherwise: &str) -> Error {
    Error::Unavailable(format!("{what}; make the folder writable for you, or {otherwise}"))
}
