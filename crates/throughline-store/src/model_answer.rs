//! Answers of a model that were good, so that the same is not asked twice.

use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result};
use crate::time::Timestamp;

/// Keeps an answer, and of all those that were used last.
pub fn keep(
    tx: &mut dyn Connection,
    project: &ProjectId,
    (key, answer): (&str, &str),
    at: Timestamp,
    most: i64,
) -> Result<()> {
    tx.execute(
        "insert into model_answer (project_id, key, answer, used_at) values (?1, ?2, ?3, ?4)
         on conflict (project_id, key) do update set answer = excluded.answer, used_at = excluded.used_at",
        params![project, key, answer, at],
    )?;
    tx.execute(
        "delete from model_answer where project_id = ?1 and key in (
             select key from model_answer where project_id = ?1 order by used_at desc, key limit 1000000 offset ?2)",
        params![project, most],
    )?;
    Ok(())
}

pub fn find(conn: &mut dyn Connection, project: &ProjectId, key: &str) -> Result<Option<String>> {
    let sql = "select answer from model_answer where project_id = ?1 and key = ?2";
    conn.query(sql, params![project, key])?.first().map(|row| row.get(0)).transpose()
}

pub fn note_used(tx: &mut dyn Connection, project: &ProjectId, key: &str, at: Timestamp) -> Result<()> {
    let sql = "update model_answer set used_at = ?3 where project_id = ?1 and key = ?2";
    tx.execute(sql, params![project, key, at])?;
    Ok(())
}

pub fn count(conn: &mut dyn Connection, project: &ProjectId) -> Result<i64> {
    let rows = conn.query("select count(*) from model_answer where project_id = ?1", params![project])?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

/// Answers quote what they were asked about, so they go when any of it does.
pub fn purge(tx: &mut dyn Connection, project: &ProjectId) -> Result<u64> {
    tx.execute("delete from model_answer where project_id = ?1", params![project])
}
