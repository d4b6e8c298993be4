//! Files of a project as they were indexed.

use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result, Row, by_numbers};
use crate::time::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Stays when the file is moved.
    pub number: i64,
    /// From the project's root, with `/`.
    pub path: String,
    /// Of what was in it.
    pub hash: String,
    pub bytes: i64,
    /// The file's own time; -1 when it is to be read again whatever the time says.
    pub modified: i64,
    pub language: Option<String>,
    pub lines: i64,
    /// Its chunks have the numbers from here on.
    pub first_chunk: i64,
    pub chunks: i64,
    /// The number under which the search index knows its path; nothing when it is not found at all.
    pub document: Option<i64>,
    /// Why it is not found.
    pub refused: Option<String>,
    pub indexed_at: Timestamp,
}

/// How many files are found, of how many that are known, and the chunks of all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    pub found: i64,
    pub known: i64,
    pub chunks: i64,
}

const COLUMNS: &str = "number, path, hash, bytes, modified, language, lines, first_chunk, chunks, document, refused, indexed_at";

/// Writes the file, in place of what its number held.
pub fn put(tx: &mut dyn Connection, project: &ProjectId, file: &File) -> Result<()> {
    tx.execute(
        "insert into file (project_id, number, path, hash, bytes, modified, language, lines, first_chunk, chunks, document,
             refused, indexed_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         on conflict (project_id, number) do update set path = excluded.path, hash = excluded.hash, bytes = excluded.bytes,
             modified = excluded.modified, language = excluded.language, lines = excluded.lines,
             first_chunk = excluded.first_chunk, chunks = excluded.chunks, document = excluded.document,
             refused = excluded.refused, indexed_at = excluded.indexed_at",
        params![
            project,
            file.number,
            &file.path,
            &file.hash,
            file.bytes,
            file.modified,
            file.language.as_deref(),
            file.lines,
            file.first_chunk,
            file.chunks,
            file.document,
            file.refused.as_deref(),
            file.indexed_at,
        ],
    )?;
    Ok(())
}

pub fn remove(tx: &mut dyn Connection, project: &ProjectId, number: i64) -> Result<()> {
    tx.execute("delete from file where project_id = ?1 and number = ?2", params![project, number])?;
    Ok(())
}

/// All files of the project.
pub fn all(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<File>> {
    let sql = format!("select {COLUMNS} from file where project_id = ?1");
    conn.query(&sql, params![project])?.iter().map(read).collect()
}

pub fn by_path(conn: &mut dyn Connection, project: &ProjectId, path: &str) -> Result<Option<File>> {
    let sql = format!("select {COLUMNS} from file where project_id = ?1 and path = ?2");
    conn.query(&sql, params![project, path])?.first().map(read).transpose()
}

/// Whether there is a file at the path, or any in the folder that the path is of.
pub fn is_below(conn: &mut dyn Connection, project: &ProjectId, path: &str) -> Result<bool> {
    if by_path(conn, project, path)?.is_some() {
        return Ok(true);
    }
    // The order of texts is not that of their bytes on every server, so that no range tells it.
    let rows = conn.query(
        "select number from file where project_id = ?1 and substr(path, 1, length(?2)) = ?2 limit 1",
        params![project, &format!("{path}/")],
    )?;
    Ok(!rows.is_empty())
}

pub fn of_numbers(conn: &mut dyn Connection, project: &ProjectId, numbers: &[i64]) -> Result<Vec<File>> {
    let sql = format!("select {COLUMNS} from file where project_id = ?1 and number in {{numbers}}");
    by_numbers(conn, &sql, params![project], numbers, |row| read(&row))
}

/// By the numbers under which the search index knows them.
pub fn of_documents(conn: &mut dyn Connection, project: &ProjectId, documents: &[i64]) -> Result<Vec<File>> {
    let sql = format!("select {COLUMNS} from file where project_id = ?1 and document in {{numbers}}");
    by_numbers(conn, &sql, params![project], documents, |row| read(&row))
}

/// Where the files of these numbers are.
pub fn paths(conn: &mut dyn Connection, project: &ProjectId, numbers: &[i64]) -> Result<Vec<(i64, String)>> {
    let sql = "select number, path from file where project_id = ?1 and number in {numbers}";
    by_numbers(conn, sql, params![project], numbers, |row| Ok((row.get(0)?, row.get(1)?)))
}

pub fn count(conn: &mut dyn Connection, project: &ProjectId) -> Result<Count> {
    let sql = "select count(document), count(*), cast(coalesce(sum(chunks), 0) as bigint) from file
         where project_id = ?1";
    let rows = conn.query(sql, params![project])?;
    let read = |row: &Row| Ok(Count { found: row.get(0)?, known: row.get(1)?, chunks: row.get(2)? });
    rows.first().map_or(Ok(Count::default()), read)
}

fn read(row: &Row) -> Result<File> {
    Ok(File {
        number: row.get(0)?,
        path: row.get(1)?,
        hash: row.get(2)?,
        bytes: row.get(3)?,
        modified: row.get(4)?,
        language: row.get(5)?,
        lines: row.get(6)?,
        first_chunk: row.get(7)?,
        chunks: row.get(8)?,
        document: row.get(9)?,
        refused: row.get(10)?,
        indexed_at: row.get(11)?,
    })
}
