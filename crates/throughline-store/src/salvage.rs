//! What can still be read of a damaged SQLite file, row by row, copied into a new one.
//!
//! A table is read from its beginning to the first damage, then from its end back to the last, and what lies between is
//! halved until single rows are left. So everything that SQLite can reach is found, and what is lost is counted.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection as Raw, ErrorCode, OpenFlags, params_from_iter};

use crate::backup::{beside, put_in_place};
use crate::driver::{Driver, Room};
use crate::migrate::{self, KNOWN};
use crate::sql::Result;
use crate::sqlite::{ANOTHER, create_private};
use crate::{Error, Location, Options, declared};

/// What became of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub table: String,
    pub rows: u64,
    /// Rows that could not be read: at most so many, because some of these numbers may never have been rows. Nothing where
    /// nobody can tell how many there were.
    pub lost: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvaged {
    pub tables: Vec<Saved>,
    /// Where the damaged file is kept.
    pub kept: Option<PathBuf>,
}

/// Everything here is made from the other tables or from the project's files, and is made again.
const MADE_AGAIN: [&str; 5] = ["index_page", "file", "chunk", "revision", "code_index"];
/// Rows are inserted in transactions of this size.
const AT_ONCE: u64 = 10_000;

/// Copies every readable row of the database into a new one and puts that in its place.
pub fn salvage(database: &Path, options: &Options) -> Result<Salvaged> {
    let (copy, fresh) = (beside(database, ".damaged"), beside(database, ".salvaged"));
    for file in [&copy, &fresh] {
        clear(file)?;
    }
    let tables = copy_files(database, &copy).and_then(|()| save(&copy, &fresh, options));
    clear(&copy)?;
    let tables = tables.inspect_err(|_| {
        // The first error is the one to report.
        let _ = clear(&fresh);
    })?;
    let kept = put_in_place(&fresh, database, "damaged", options)?;
    Ok(Salvaged { tables, kept })
}

/// SQLite would change the file by reading it: it folds the write-ahead log.
fn copy_files(database: &Path, copy: &Path) -> Result<()> {
    create_private(copy, ANOTHER)?;
    let copied = fs::copy(database, copy).and_then(|_| {
        match fs::copy(beside(database, "-wal"), beside(copy, "-wal")) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    });
    copied
        .map_err(|e| Error::Unavailable(format!("cannot copy {}: {e}; free some space", database.display())))
}

fn save(copy: &Path, fresh: &Path, options: &Options) -> Result<Vec<Saved>> {
    let source = Source::open(copy)?;
    let version = source.version()?;
    let location = Location::File(fresh.to_owned());
    let mut target = Driver::connect(&location, options, Room::Ample)?;
    migrate::up_to(version, &mut target, &location)?;
    drop(target);
    let into = Raw::open(fresh)?;
    let mut saved = vec![];
    for table in declared::tables(version)? {
        if !MADE_AGAIN.contains(&table.as_str()) {
            saved.push(source.save(&table, &into)?);
        }
    }
    // Everything into the one file that is given the name.
    into.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))?;
    into.close().map_err(|(_, e)| Error::from(e))?;
    for end in ["-wal", "-shm"] {
        clear(&beside(fresh, end))?;
    }
    migrate::sync(fresh)?;
    Ok(saved)
}

struct Source {
    raw: Raw,
}

/// A table with the columns that both databases have.
struct Table<'a> {
    name: &'a str,
    columns: Vec<(String, String)>,
}

impl Source {
    fn open(copy: &Path) -> Result<Source> {
        let raw =
            Raw::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        raw.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        // Else SQLite refuses a file that is shorter than its first page says.
        raw.execute_batch("pragma writable_schema = on")?;
        Ok(Source { raw })
    }

    fn version(&self) -> Result<i64> {
        let version = self.raw.query_row("pragma user_version", [], |row| row.get(0));
        let hopeless = |why: &str| {
            Error::Unavailable(format!(
                "nothing can be read of this file ({why}); put back a backup with `throughline restore FILE --force`, \
                 which keeps this file; backups lie in the folder backups beside it"
            ))
        };
        let version: i64 = version.map_err(|e| hopeless(&e.to_string()))?;
        let tables = self.raw.query_row("select count(*) from sqlite_master", [], |row| row.get::<_, i64>(0));
        match tables {
            Err(e) => Err(hopeless(&e.to_string())),
            Ok(0) => Err(hopeless("it has no tables")),
            Ok(_) if version > KNOWN => Err(Error::NewerSchema { found: version, known: KNOWN }),
            Ok(_) => Ok(version),
        }
    }

    fn save(&self, name: &str, into: &Raw) -> Result<Saved> {
        let columns = columns(into, name)?;
        let readable = columns_or_none(&self.raw, name);
        let columns = columns.into_iter().filter(|(column, _)| readable.contains(column)).collect();
        let table = Table { name, columns };
        let mut walk = Walk { source: &self.raw, into, table: &table, saved: 0, lost: 0 };
        let last = walk.last_row();
        into.execute_batch("begin")?;
        match last {
            Last::Known(last) | Last::Guessed(last) => walk.range(1, last)?,
            Last::NoRows => {}
        }
        into.execute_batch("commit")?;
        let lost = (!matches!(last, Last::Guessed(_))).then_some(walk.lost);
        Ok(Saved { table: name.to_owned(), rows: walk.saved, lost })
    }
}

struct Walk<'a> {
    source: &'a Raw,
    into: &'a Raw,
    table: &'a Table<'a>,
    saved: u64,
    lost: u64,
}

/// The highest number that a row of a table has.
#[derive(Clone, Copy)]
enum Last {
    NoRows,
    Known(i64),
    /// No row can have a higher one, but perhaps none has it.
    Guessed(i64),
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

/// How far a reading came: to its end, or to damage after this row.
enum Came {
    ToTheEnd,
    ToDamageAfter(Option<i64>),
}

impl Walk<'_> {
    /// The table itself says it, else one of its indexes.
    fn last_row(&self) -> Last {
        let name = self.table.name;
        let asked = |sql: String| self.source.query_row(&sql, [], |row| row.get::<_, Option<i64>>(0));
        if let Ok(last) = asked(format!("select max(rowid) from {name}")) {
            return last.map_or(Last::NoRows, Last::Known);
        }
        for index in self.indexes() {
            if let Ok(Some(last)) = asked(format!("select max(rowid) from {name} indexed by {index}")) {
                return Last::Known(last);
            }
        }
        let pages = self.source.query_row("pragma page_count", [], |row| row.get::<_, i64>(0));
        // A page has about a hundred of the smallest rows.
        pages.map_or(Last::NoRows, |pages| Last::Guessed(pages.saturating_mul(100)))
    }

    /// Those that have an entry for every row.
    fn indexes(&self) -> Vec<String> {
        let sql = "select name from pragma_index_list(?1) where partial = 0";
        let Ok(mut statement) = self.source.prepare(sql) else { return vec![] };
        let names = statement.query_map([self.table.name], |row| row.get(0));
        names.map_or_else(|_| vec![], |names| names.flatten().collect())
    }

    fn range(&mut self, first: i64, last: i64) -> Result<()> {
        let mut open = vec![(first, last)];
        while let Some((first, last)) = open.pop() {
            let Came::ToDamageAfter(reached) = self.read(first, last, Direction::Up)? else { continue };
            let first = reached.map_or(first, |row| row + 1);
            let Came::ToDamageAfter(reached) = self.read(first, last, Direction::Down)? else { continue };
            let last = reached.map_or(last, |row| row - 1);
            if first >= last {
                self.lost += u64::from(first == last);
                continue;
            }
            let middle = first.midpoint(last);
            open.push((middle + 1, last));
            open.push((first, middle));
        }
        Ok(())
    }

    fn read(&mut self, first: i64, last: i64, direction: Direction) -> Result<Came> {
        let columns: Vec<&str> = self.table.columns.iter().map(|(name, _)| name.as_str()).collect();
        let order = match direction {
            Direction::Up => "asc",
            Direction::Down => "desc",
        };
        let sql = format!(
            "select rowid, {} from {} not indexed where rowid between ?1 and ?2 order by rowid {order}",
            columns.join(", "),
            self.table.name
        );
        let mut reached = None;
        let Ok(mut statement) = self.source.prepare_cached(&sql) else {
            return Ok(Came::ToDamageAfter(None));
        };
        let Ok(mut rows) = statement.query([first, last]) else { return Ok(Came::ToDamageAfter(None)) };
        loop {
            let row = match rows.next() {
                Ok(None) => return Ok(Came::ToTheEnd),
                Err(_) => return Ok(Came::ToDamageAfter(reached)),
                Ok(Some(row)) => row,
            };
            let (Ok(number), Some(values)) = (row.get::<_, i64>(0), self.values(row)) else {
                return Ok(Came::ToDamageAfter(reached));
            };
            // Damage can lead back to where the reading came from.
            let is_on_its_way = match direction {
                Direction::Up => number >= first && reached.is_none_or(|before| number > before),
                Direction::Down => number <= last && reached.is_none_or(|before| number < before),
            };
            if !is_on_its_way {
                return Ok(Came::ToDamageAfter(reached));
            }
            reached = Some(number);
            self.insert(&values)?;
        }
    }

    /// Nothing where a column cannot hold what is there: then it is no row of ours.
    fn values(&self, row: &rusqlite::Row<'_>) -> Option<Vec<Value>> {
        let value = |(place, (_, kind)): (usize, &(String, String))| {
            let value = row.get_ref(place + 1).ok()?;
            let fits = match value {
                ValueRef::Null => true,
                ValueRef::Text(text) => kind == "text" && std::str::from_utf8(text).is_ok(),
                ValueRef::Integer(_) => kind == "bigint",
                ValueRef::Real(_) => kind == "double precision",
                ValueRef::Blob(_) => kind == "bytea",
            };
            fits.then(|| value.try_into().ok()).flatten()
        };
        self.table.columns.iter().enumerate().map(value).collect()
    }

    fn insert(&mut self, values: &[Value]) -> Result<()> {
        let columns: Vec<&str> = self.table.columns.iter().map(|(name, _)| name.as_str()).collect();
        let places: Vec<String> = (1..=columns.len()).map(|place| format!("?{place}")).collect();
        let sql = format!(
            "insert into {} ({}) values ({})",
            self.table.name,
            columns.join(", "),
            places.join(", ")
        );
        match self.into.prepare_cached(&sql)?.execute(params_from_iter(values)) {
            Ok(_) => self.saved += 1,
            // A second row under a key that is there, or one without what every row has.
            Err(rusqlite::Error::SqliteFailure(code, _)) if code.code == ErrorCode::ConstraintViolation => {
                self.lost += 1;
            }
            Err(error) => return Err(error.into()),
        }
        if self.saved.is_multiple_of(AT_ONCE) {
            self.into.execute_batch("commit; begin")?;
        }
        Ok(())
    }
}

fn columns(raw: &Raw, table: &str) -> Result<Vec<(String, String)>> {
    let mut statement = raw.prepare("select name, lower(type) from pragma_table_info(?1)")?;
    let columns = statement.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(columns.collect::<rusqlite::Result<_>>()?)
}

fn columns_or_none(raw: &Raw, table: &str) -> Vec<String> {
    columns(raw, table).map_or_else(|_| vec![], |columns| columns.into_iter().map(|(name, _)| name).collect())
}

fn clear(file: &Path) -> Result<()> {
    for file in [file.to_owned(), beside(file, "-wal"), beside(file, "-shm")] {
        match fs::remove_file(&file) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::Unavailable(format!(
                    "cannot remove {}: {e}; make its folder writable for you",
                    file.display()
                )));
            }
            _ => {}
        }
    }
    Ok(())
}
