//! What the schema declares, compared with what a database has: tables and indexes that are missing.

use std::fmt;

use crate::driver::{Driver, Room};
use crate::migrate;
use crate::sql::{Connection, Result};
use crate::{Location, Options};

/// A table or an index as the migrations leave it. Its statement is the same for both databases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    kind: String,
    name: String,
    table: String,
    sql: String,
}

impl Declared {
    pub(crate) fn make(&self, tx: &mut dyn Connection) -> Result<()> {
        if self.kind == "index" {
            // One that was begun and not finished has the name, too.
            tx.batch(&format!("drop index if exists {}", self.name))?;
        }
        tx.batch(&self.sql)
    }
}

impl fmt::Display for Declared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind.as_str() {
            "index" => write!(f, "the index {} of the table {} is missing", self.name, self.table),
            kind => write!(f, "the {kind} {} is missing with all of its rows", self.name),
        }
    }
}

/// Tables first, so that they can be made in this order.
pub(crate) fn missing(driver: &mut Driver) -> Result<Vec<Declared>> {
    let present = driver.present()?;
    let all = declared()?;
    Ok(all.into_iter().filter(|declared| !present.contains(&declared.name)).collect())
}

/// The names of the tables that the schema of a version has.
pub(crate) fn tables(version: i64) -> Result<Vec<String>> {
    Ok(model(version)?.into_iter().filter(|one| one.kind == "table").map(|table| table.name).collect())
}

fn declared() -> Result<Vec<Declared>> {
    model(migrate::KNOWN)
}

/// The migrations themselves say it, in a database that nobody else sees.
fn model(version: i64) -> Result<Vec<Declared>> {
    let mut model = Driver::connect(&Location::Memory, &Options::default(), Room::Little)?;
    migrate::up_to(version, &mut model, &Location::Memory)?;
    let rows = model.connection().query(
        "select type, name, tbl_name, sql from sqlite_master where type in ('table', 'index') and sql is not null
         order by type desc, name",
        &[],
    )?;
    let read = |row: &crate::sql::Row| {
        Ok(Declared { kind: row.get(0)?, name: row.get(1)?, table: row.get(2)?, sql: row.get(3)? })
    };
    rows.iter().map(read).collect()
}
