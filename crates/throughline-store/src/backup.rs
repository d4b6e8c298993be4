//! A SQLite database copied to one file and verified, and such a file put in the place of a database.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection as Raw, OpenFlags};

use crate::alone::Alone;
use crate::driver::{Driver, Room};
use crate::migrate::{APPLICATION_ID, KNOWN, sync, take_backup_path};
use crate::params;
use crate::sql::Result;
use crate::sqlite::{ANOTHER, create_private};
use crate::{Error, Location, Options, Store};

/// What a copy was found to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    pub schema: i64,
    pub bytes: u64,
    pub projects: i64,
    pub events: i64,
    pub memories: i64,
}

/// Whether a database that is there may be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replace {
    Refuse,
    /// The one that is there is kept beside it.
    KeepOld,
}

impl Store {
    /// Copies the database as it is at one moment into a new file, while others go on writing. The file gets its name
    /// when it is whole, verified and durable.
    pub fn backup(&self, to: &Path) -> Result<Verified> {
        if to.exists() {
            return Err(exists(to));
        }
        let unfinished = beside(to, ".unfinished");
        // Left over by one that was killed.
        remove(&unfinished)?;
        create_private(&unfinished, "name another file for the backup")?;
        let copied = self.copy_into(&unfinished).and_then(|()| verify(&unfinished));
        let verified = copied.inspect_err(|_| {
            // Half a copy must not stay; the first error is the one to report.
            let _ = fs::remove_file(&unfinished);
        })?;
        name(&unfinished, to).map_err(|e| refused(to, &e))?;
        remove(&unfinished)?;
        sync_folder(to)?;
        Ok(verified)
    }

    fn copy_into(&self, unfinished: &Path) -> Result<()> {
        let path = unfinished.to_str().ok_or_else(|| {
            Error::Unavailable(format!(
                "{} is no text that SQLite can read; choose a path in UTF-8",
                unfinished.display()
            ))
        })?;
        self.lease()?.driver().connection().execute("vacuum into ?1", params![path])?;
        sync(unfinished)
    }
}

/// Whether the file is one of ours, whole, and of a schema that is known here.
pub fn verify(path: &Path) -> Result<Verified> {
    let raw = Raw::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(|e| named(e.into(), path))?;
    let number = |sql: &str| -> Result<i64> {
        raw.query_row(sql, [], |row| row.get(0)).map_err(|e| named(e.into(), path))
    };
    if number("pragma application_id")? != i64::from(APPLICATION_ID as i32) {
        return Err(Error::Foreign(path.to_owned()));
    }
    let schema = number("pragma user_version")?;
    if schema > KNOWN {
        return Err(Error::NewerSchema { found: schema, known: KNOWN });
    }
    let found: String = raw
        .query_row("pragma integrity_check(1)", [], |row| row.get(0))
        .map_err(|e| named(e.into(), path))?;
    if found != "ok" {
        return Err(Error::Corrupt(format!("{}: {found}", path.display())));
    }
    let memories = if schema >= 3 { number("select count(*) from memory")? } else { 0 };
    Ok(Verified {
        schema,
        bytes: fs::metadata(path).map_or(0, |file| file.len()),
        projects: number("select count(*) from project")?,
        events: number("select count(*) from event")?,
        memories,
    })
}

/// Puts a copy of a backup in the place of the database; says where the one that was there is kept.
pub fn restore(
    from: &Path,
    to: &Path,
    options: &Options,
    replace: Replace,
) -> Result<(Verified, Option<PathBuf>)> {
    let verified = verify(from)?;
    if to.exists() && replace == Replace::Refuse {
        return Err(exists(to));
    }
    let prepared = beside(to, ".restoring");
    remove(&prepared)?;
    create_private(&prepared, ANOTHER)?;
    fs::copy(from, &prepared).map_err(|e| refused(&prepared, &e))?;
    sync(&prepared)?;
    let kept = put_in_place(&prepared, to, "before-restore", options)?;
    Ok((verified, kept))
}

/// Gives `prepared` the name of the database, in one step that is there or not. What has that name now is kept among
/// the backups, its write-ahead log with it.
pub(crate) fn put_in_place(
    prepared: &Path,
    database: &Path,
    why: &str,
    options: &Options,
) -> Result<Option<PathBuf>> {
    fold(database, options);
    let alone = Alone::with(database)?;
    let kept = database.exists().then(|| keep(database, why)).transpose()?;
    for end in ["-wal", "-shm"] {
        // Of the old file; a new one would take it for its own.
        remove(&beside(database, end))?;
    }
    fs::rename(prepared, database).map_err(|e| refused(database, &e))?;
    sync_folder(database)?;
    alone.release();
    Ok(kept)
}

/// Closing the last connection moves everything from the write-ahead log into the file. Where that is not possible, the
/// log is kept with it.
fn fold(database: &Path, options: &Options) {
    if !database.exists() {
        return;
    }
    let folded = Driver::connect(&Location::File(database.to_owned()), options, Room::Ample)
        .and_then(|mut driver| driver.checkpoint());
    if let Err(error) = folded {
        tracing::info!(%error, "the write-ahead log could not be folded and is kept as it is");
    }
}

fn keep(database: &Path, why: &str) -> Result<PathBuf> {
    let kept = take_backup_path(database, why)?;
    remove(&kept)?;
    second_name(database, &kept)?;
    let log = beside(database, "-wal");
    if log.exists() {
        second_name(&log, &beside(&kept, "-wal"))?;
    }
    sync_folder(&kept)?;
    Ok(kept)
}

/// A name that replaces nothing that somebody put there meanwhile, where the disk can do that.
fn name(file: &Path, to: &Path) -> std::io::Result<()> {
    match fs::hard_link(file, to) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => fs::rename(file, to),
        linked => linked,
    }
}

/// Some disks give a file one name only; then it is a copy.
fn second_name(file: &Path, to: &Path) -> Result<()> {
    let named = fs::hard_link(file, to).or_else(|_| fs::copy(file, to).map(|_| ()));
    named.map_err(|e| refused(to, &e))
}

pub(crate) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// A name is durable when its folder is.
fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    sync(folder)
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(refused(path, &e)),
        _ => Ok(()),
    }
}

fn named(error: Error, path: &Path) -> Error {
    match error {
        Error::Foreign(_) => Error::Foreign(path.to_owned()),
        Error::Corrupt(why) => Error::Corrupt(format!("{}: {why}", path.display())),
        other => other,
    }
}

fn exists(path: &Path) -> Error {
    Error::Exists(path.to_owned())
}

fn refused(path: &Path, error: &std::io::Error) -> Error {
    Error::Unavailable(format!(
        "cannot write {}: {error}; nothing was replaced; make the folder writable for you, or free some space",
        path.display()
    ))
}
