//! A copy of the whole database in one file, and such a copy put back.

use std::path::{Path, PathBuf};

use throughline_store::backup::{self, Replace, Verified};
use throughline_store::{Location, Options};

use crate::{Engine, Error, Result};

/// What a restore did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    pub holds: Verified,
    /// Where the database is kept that was there before.
    pub kept: Option<PathBuf>,
}

impl Engine {
    /// Copies the database while others go on writing. The copy is verified before it gets its name.
    pub fn backup(&self, to: &Path) -> Result<Verified> {
        file(self.store.location(), "backup")?;
        Ok(self.store.backup(to)?)
    }
}

/// Puts a verified copy of a backup in the place of the database, which nobody may have open.
pub fn restore(from: &Path, location: &Location, options: &Options, replace: Replace) -> Result<Restored> {
    let to = file(location, "restore")?;
    let (holds, kept) = backup::restore(from, to, options, replace)?;
    Ok(Restored { holds, kept })
}

fn file<'a>(location: &'a Location, what: &str) -> Result<&'a Path> {
    let theirs = match what {
        "backup" => "pg_dump --format=custom --file=throughline.dump",
        _ => "pg_restore --clean --if-exists --dbname",
    };
    match location {
        Location::File(path) => Ok(path),
        Location::Memory => Err(Error::Invalid(
            "this database is in memory and has no file; point --database at one".to_owned(),
        )),
        Location::Server(_) => Err(Error::Invalid(format!(
            "{what} is for SQLite; a PostgreSQL database has its own tools: `{theirs} {location}`"
        ))),
    }
}
