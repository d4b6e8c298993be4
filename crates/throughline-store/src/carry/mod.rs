//! Everything of a project as plain rows, out of one database and into another, whichever they are. What can be made again
//! (the search index, code, jobs, answers of models) and what belongs to a machine (keys, tokens, memory files) stays behind.

mod tables;

pub use tables::TABLES;

use crate::id::ProjectId;
use crate::packed::{Packed, unpack};
use crate::project;
use crate::sql::{Connection, Param, Result, Row, Value};
use crate::time::Timestamp;
use crate::{Error, params};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Text,
    /// A text that is compressed when it is long.
    Long,
    Int,
    Real,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub sort: Sort,
}

/// The records of one sort.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    pub name: &'static str,
    pub columns: &'static [Column],
    /// How many of the columns, from the first, are the key.
    key: usize,
    /// The column that says which record it is, whatever else has changed about it.
    identity: usize,
}

/// What the project itself counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    pub created_at: Timestamp,
    pub last_position: i64,
    pub set_revision: i64,
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Put {
    Inserted,
    /// The same record is there, as it is.
    AlreadyThere,
    /// Another record has its place.
    Taken,
}

const PAGE: i64 = 256;

impl Table {
    pub fn named(name: &str) -> Option<&'static Table> {
        TABLES.iter().find(|table| table.name == name)
    }

    /// Hands out the rows by their key; by code point, whatever a server's locale makes of the order.
    pub fn walk<E: From<Error>>(
        &self,
        conn: &mut dyn Connection,
        project: &ProjectId,
        mut each: impl FnMut(Vec<Value>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        if self.columns[0].sort == Sort::Int {
            let mut after = i64::MIN;
            loop {
                let page = self.after(conn, project, after)?;
                let Some(Value::Int(last)) = page.last().map(|row| row[0].clone()) else { return Ok(()) };
                after = last;
                page.into_iter().try_for_each(&mut each)?;
            }
        }
        for key in self.keys(conn, project)? {
            if let Some(row) = self.get(conn, project, &key)? {
                each(row)?;
            }
        }
        Ok(())
    }

    pub fn put(
        &self,
        tx: &mut dyn Connection,
        project: &ProjectId,
        row: &[Value],
        pack_over: usize,
    ) -> Result<Put> {
        let names = self.columns.iter().flat_map(Column::stored).collect::<Vec<_>>().join(", ");
        let packed = self.packed(row, pack_over)?;
        let mut params = vec![Param::from(project)];
        for (column, (value, packed)) in self.columns.iter().zip(row.iter().zip(&packed)) {
            match (column.sort, packed) {
                (Sort::Long, Some(bytes)) => params.extend([Param::Null, Param::Blob(bytes)]),
                (Sort::Long, None) => params.extend([param(value), Param::Null]),
                (Sort::Text | Sort::Int | Sort::Real, _) => params.push(param(value)),
            }
        }
        let places: Vec<String> = (1..=params.len()).map(|place| format!("?{place}")).collect();
        let sql = format!(
            "insert into {} (project_id, {names}) values ({}) on conflict do nothing",
            self.name,
            places.join(", ")
        );
        if tx.execute(&sql, &params)? > 0 {
            return Ok(Put::Inserted);
        }
        let there = self.get(tx, project, &row[..self.key])?;
        let is_same = there.is_some_and(|there| there[self.identity] == row[self.identity]);
        Ok(if is_same { Put::AlreadyThere } else { Put::Taken })
    }

    fn packed(&self, row: &[Value], pack_over: usize) -> Result<Vec<Option<Vec<u8>>>> {
        let pack = |(column, value): (&Column, &Value)| match (column.sort, value) {
            (Sort::Long, Value::Text(text)) => Ok(Packed::of(Some(text), pack_over)?.packed),
            _ => Ok(None),
        };
        self.columns.iter().zip(row).map(pack).collect()
    }

    fn after(&self, conn: &mut dyn Connection, project: &ProjectId, after: i64) -> Result<Vec<Vec<Value>>> {
        let key = self.columns[0].name;
        let sql = format!(
            "select {} from {} where project_id = ?1 and {key} > ?2 order by {key} limit ?3",
            self.names(),
            self.name
        );
        conn.query(&sql, params![project, after, PAGE])?.iter().map(|row| self.read(row)).collect()
    }

    fn keys(&self, conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<Vec<Value>>> {
        let names: Vec<&str> = self.columns[..self.key].iter().map(|column| column.name).collect();
        let sql = format!("select {} from {} where project_id = ?1", names.join(", "), self.name);
        let mut keys: Vec<Vec<Value>> =
            conn.query(&sql, params![project])?.into_iter().map(|row| row.0).collect();
        keys.sort_by(|one, other| texts(one).cmp(texts(other)));
        Ok(keys)
    }

    fn get(
        &self,
        conn: &mut dyn Connection,
        project: &ProjectId,
        key: &[Value],
    ) -> Result<Option<Vec<Value>>> {
        let is: Vec<String> = self.columns[..self.key]
            .iter()
            .zip(2..)
            .map(|(column, place)| format!("{} = ?{place}", column.name))
            .collect();
        let sql = format!(
            "select {} from {} where project_id = ?1 and {}",
            self.names(),
            self.name,
            is.join(" and ")
        );
        let params: Vec<Param<'_>> =
            std::iter::once(Param::from(project)).chain(key.iter().map(param)).collect();
        conn.query(&sql, &params)?.first().map(|row| self.read(row)).transpose()
    }

    fn names(&self) -> String {
        self.columns.iter().flat_map(Column::stored).collect::<Vec<_>>().join(", ")
    }

    fn read(&self, row: &Row) -> Result<Vec<Value>> {
        let mut place = 0;
        let mut values = Vec::with_capacity(self.columns.len());
        for column in self.columns {
            if column.sort == Sort::Long {
                values.push(unpack(row, place)?.map_or(Value::Null, Value::Text));
                place += 2;
            } else {
                values.push(row.0.get(place).cloned().unwrap_or(Value::Null));
                place += 1;
            }
        }
        Ok(values)
    }
}

impl Column {
    /// The columns of the table that it is kept in.
    fn stored(&self) -> Vec<String> {
        match self.sort {
            Sort::Long => vec![self.name.to_owned(), format!("{}_packed", self.name)],
            Sort::Text | Sort::Int | Sort::Real => vec![self.name.to_owned()],
        }
    }
}

pub fn counters(conn: &mut dyn Connection, id: &ProjectId) -> Result<Option<Counters>> {
    let sql = "select created_at, last_position, set_revision from project where project_id = ?1";
    let read = |row: &Row| {
        Ok(Counters { created_at: row.get(0)?, last_position: row.get(1)?, set_revision: row.get(2)? })
    };
    conn.query(sql, params![id])?.first().map(read).transpose()
}

/// Counts on from where it was, or from here where that is further, and tells who waits.
pub fn count_on(tx: &mut dyn Connection, id: &ProjectId, brought: Counters) -> Result<()> {
    let here = counters(tx, id)?.ok_or_else(|| Error::Corrupt(format!("project {id} has no row")))?;
    tx.execute(
        "update project set created_at = ?2, last_position = ?3, set_revision = ?4 where project_id = ?1",
        params![
            id,
            here.created_at.min(brought.created_at),
            here.last_position.max(brought.last_position),
            here.set_revision.max(brought.set_revision),
        ],
    )?;
    project::take_positions(tx, id, 0).map(|_| ())
}

fn texts(key: &[Value]) -> impl Iterator<Item = &str> {
    key.iter().map(|value| match value {
        Value::Text(text) => text.as_str(),
        Value::Null | Value::Int(_) | Value::Real(_) | Value::Blob(_) => "",
    })
}

fn param(value: &Value) -> Param<'_> {
    match value {
        Value::Null => Param::Null,
        Value::Int(number) => Param::Int(*number),
        Value::Real(number) => Param::Real(*number),
        Value::Text(text) => Param::Text(text),
        Value::Blob(bytes) => Param::Blob(bytes),
    }
}
