//! Which document of the search index has a memory's present words: another whenever it was said in further ones.

use super::{COLUMNS, Memory, last, read};
use crate::id::{MemoryId, ProjectId};
use crate::params;
use crate::sql::{Connection, Result, by_numbers};
use crate::time::Timestamp;

/// The number of the project's next document. The caller holds the project's lock.
pub fn next_document(tx: &mut dyn Connection, project: &ProjectId) -> Result<i64> {
    Ok(last_document(tx, project)? + 1)
}

pub fn last_document(conn: &mut dyn Connection, project: &ProjectId) -> Result<i64> {
    last(conn, project, "document")
}

pub fn set_document(
    tx: &mut dyn Connection,
    project: &ProjectId,
    id: &MemoryId,
    document: i64,
) -> Result<()> {
    tx.execute(
        "update memory set document = ?3 where project_id = ?1 and memory_id = ?2",
        params![project, id, document],
    )?;
    Ok(())
}

/// Gives every memory the document of its own number, for an index that is made anew: what was brought from another database
/// has none yet.
pub fn number_documents(tx: &mut dyn Connection, project: &ProjectId) -> Result<()> {
    tx.execute(
        "update memory set document = number where project_id = ?1 and document <> number",
        params![project],
    )?;
    Ok(())
}

/// The memories whose present words these documents are.
pub fn of_documents(
    conn: &mut dyn Connection,
    project: &ProjectId,
    documents: &[i64],
) -> Result<Vec<Memory>> {
    let sql = format!("select {COLUMNS} from memory where project_id = ?1 and document in {{numbers}}");
    by_numbers(conn, &sql, params![project], documents, |row| read(&row))
}

/// How many of the memories of these documents are active at a moment, and not older than another.
pub fn count_active(
    conn: &mut dyn Connection,
    project: &ProjectId,
    documents: &[i64],
    (now, since): (Timestamp, Option<Timestamp>),
) -> Result<i64> {
    // Hidden from the planner, which would rather walk along all that are active than look up the few documents.
    let sql = "select count(*) from memory where project_id = ?1 and coalesce(status, '') = 'active'
             and (expires_at is null or expires_at > ?2) and coalesce(occurred_at, created_at) >= ?3
             and document in {numbers}";
    let fixed = params![project, now, since.unwrap_or(Timestamp(i64::MIN))];
    Ok(by_numbers(conn, sql, fixed, documents, |row| row.get::<i64>(0))?.iter().sum())
}

/// A page of memories in the order of their documents, for going through all of them.
pub fn after_document(
    conn: &mut dyn Connection,
    project: &ProjectId,
    document: i64,
    limit: i64,
) -> Result<Vec<Memory>> {
    let sql = format!(
        "select {COLUMNS} from memory where project_id = ?1 and document > ?2 order by document limit ?3"
    );
    conn.query(&sql, params![project, document, limit])?.iter().map(read).collect()
}
