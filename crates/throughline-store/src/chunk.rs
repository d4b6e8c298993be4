//! Chunks: pieces of files, each under the number by which the search index knows its text.

use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result, Row, by_numbers};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    pub number: i64,
    /// The number of the file it is in.
    pub file: i64,
    /// What its first symbol is; nothing when there is none.
    pub kind: Option<String>,
    pub symbols: Vec<String>,
    pub signature: String,
    /// From 1, both included.
    pub first_line: i64,
    pub last_line: i64,
}

const COLUMNS: &str = "number, file, kind, symbols, signature, first_line, last_line";

pub fn insert(tx: &mut dyn Connection, project: &ProjectId, chunks: &[Chunk]) -> Result<()> {
    for chunk in chunks {
        tx.execute(
            "insert into chunk (project_id, number, file, kind, symbols, signature, first_line, last_line)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                project,
                chunk.number,
                chunk.file,
                chunk.kind.as_deref(),
                &chunk.symbols.join("\n"),
                &chunk.signature,
                chunk.first_line,
                chunk.last_line,
            ],
        )?;
    }
    Ok(())
}

/// Removes `count` chunks from the number `first` on.
pub fn remove(tx: &mut dyn Connection, project: &ProjectId, first: i64, count: i64) -> Result<()> {
    tx.execute(
        "delete from chunk where project_id = ?1 and number >= ?2 and number < ?3",
        params![project, first, first + count],
    )?;
    Ok(())
}

pub fn of_numbers(conn: &mut dyn Connection, project: &ProjectId, numbers: &[i64]) -> Result<Vec<Chunk>> {
    let sql = format!("select {COLUMNS} from chunk where project_id = ?1 and number in {{numbers}}");
    by_numbers(conn, &sql, params![project], numbers, |row| read(&row))
}

/// Which file each of these chunks is in, both by number.
pub fn files(conn: &mut dyn Connection, project: &ProjectId, numbers: &[i64]) -> Result<Vec<(i64, i64)>> {
    let sql = "select number, file from chunk where project_id = ?1 and number in {numbers}";
    by_numbers(conn, sql, params![project], numbers, |row| Ok((row.get(0)?, row.get(1)?)))
}

fn read(row: &Row) -> Result<Chunk> {
    let symbols: String = row.get(3)?;
    Ok(Chunk {
        number: row.get(0)?,
        file: row.get(1)?,
        kind: row.get(2)?,
        symbols: symbols.lines().map(str::to_owned).collect(),
        signature: row.get(4)?,
        first_line: row.get(5)?,
        last_line: row.get(6)?,
    })
}
