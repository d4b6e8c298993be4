//! A table in the SQLite file of another program, read and never changed.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::Error;
use crate::sql::{Result, Value};

/// A row by the names of its columns: which there are depends on the other program's version.
pub type Named = BTreeMap<String, Value>;

/// The rows in the order in which they were written; nothing where there is no such table, or the file is no database.
pub fn rows(file: &Path, table: &str) -> Result<Option<Vec<Named>>> {
    let unreadable = |error: rusqlite::Error| {
        Error::Other(format!(
            "{} cannot be read: {error}; name a SQLite file that you may read",
            file.display()
        ))
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(file, flags).map_err(unreadable)?;
    let sql = "select count(*) from sqlite_master where type = 'table' and name = ?1";
    let there = conn.query_row(sql, [table], |row| row.get::<_, i64>(0));
    match there {
        Ok(0) => return Ok(None),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => return Ok(None),
        Ok(_) => {}
        Err(error) => return Err(unreadable(error)),
    }
    let sql = format!("select * from \"{}\" order by rowid", table.replace('"', "\"\""));
    read(&conn, &sql).map(Some).map_err(unreadable)
}

fn read(conn: &Connection, sql: &str) -> rusqlite::Result<Vec<Named>> {
    let mut statement = conn.prepare(sql)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut rows = statement.query([])?;
    let mut found = vec![];
    while let Some(row) = rows.next()? {
        let values =
            names.iter().enumerate().map(|(place, name)| Ok((name.clone(), value(row.get_ref(place)?))));
        found.push(values.collect::<rusqlite::Result<Named>>()?);
    }
    Ok(found)
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
