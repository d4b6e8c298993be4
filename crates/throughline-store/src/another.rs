//! The SQLite file of another program, read and never changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::Error;
use crate::sql::{Result, Value};

/// A row by the names of its columns: which there are depends on the other program's version.
pub type Named = BTreeMap<String, Value>;

#[derive(Debug)]
pub struct Another {
    file: PathBuf,
    conn: Connection,
}

/// Which rows of a table are wanted, and what of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// All where none is named; those that the table does not have are left out.
    pub columns: &'a [&'a str],
    /// A column and the text that it has.
    pub having: Option<(&'a str, &'a str)>,
}

impl Another {
    /// Nothing where the file is no database.
    pub fn open(file: &Path) -> Result<Option<Another>> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(file, flags).map_err(|error| unreadable(file, &error))?;
        let tables = conn.query_row("select count(*) from sqlite_master", [], |row| row.get::<_, i64>(0));
        match tables {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => Ok(None),
            Err(error) => Err(unreadable(file, &error)),
            Ok(_) => Ok(Some(Another { file: file.to_owned(), conn })),
        }
    }

    pub fn has(&self, table: &str) -> Result<bool> {
        let columns = self.columns(table).map_err(|error| unreadable(&self.file, &error))?;
        Ok(!columns.is_empty())
    }

    /// The rows in the order in which they were written; nothing where there is no such table.
    pub fn rows(&self, table: &str, wanted: Wanted<'_>) -> Result<Option<Vec<Named>>> {
        self.read(table, wanted).map_err(|error| unreadable(&self.file, &error))
    }

    fn read(&self, table: &str, wanted: Wanted<'_>) -> rusqlite::Result<Option<Vec<Named>>> {
        let there = self.columns(table)?;
        let is_wanted = |name: &&String| wanted.columns.is_empty() || wanted.columns.contains(&name.as_str());
        let columns: Vec<String> = there.iter().filter(is_wanted).map(|name| quoted(name)).collect();
        if columns.is_empty() {
            return Ok(None);
        }
        let only =
            wanted.having.map_or_else(String::new, |(column, _)| format!(" where {} = ?1", quoted(column)));
        let sql = format!("select {} from {}{only} order by rowid", columns.join(", "), quoted(table));
        let mut statement = self.conn.prepare_cached(&sql)?;
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = statement.query(rusqlite::params_from_iter(wanted.having.map(|(_, value)| value)))?;
        let mut found = vec![];
        while let Some(row) = rows.next()? {
            let values =
                names.iter().enumerate().map(|(place, name)| Ok((name.clone(), value(row.get_ref(place)?))));
            found.push(values.collect::<rusqlite::Result<Named>>()?);
        }
        Ok(Some(found))
    }

    fn columns(&self, table: &str) -> rusqlite::Result<Vec<String>> {
        let mut statement = self.conn.prepare_cached("select name from pragma_table_info(?1)")?;
        statement.query_map([table], |row| row.get(0))?.collect()
    }
}

fn unreadable(file: &Path, error: &rusqlite::Error) -> Error {
    Error::Other(format!("{} cannot be read: {error}; name a SQLite file that you may read", file.display()))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}
