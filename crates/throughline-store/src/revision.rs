//! Revisions: which commits changed a file.

use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result, Row};
use crate::time::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    pub path: String,
    pub at: Timestamp,
    pub commit: String,
    pub subject: String,
}

const COLUMNS: &str = "path, at, commit_id, subject";

/// Adds what is not known yet.
pub fn add(tx: &mut dyn Connection, project: &ProjectId, revisions: &[Revision]) -> Result<()> {
    for revision in revisions {
        tx.execute(
            "insert into revision (project_id, path, at, commit_id, subject) values (?1, ?2, ?3, ?4, ?5)
             on conflict (project_id, path, at, commit_id) do nothing",
            params![project, &revision.path, revision.at, &revision.commit, &revision.subject],
        )?;
    }
    Ok(())
}

/// The newest commits that changed a file.
pub fn of_path(
    conn: &mut dyn Connection,
    project: &ProjectId,
    path: &str,
    limit: i64,
) -> Result<Vec<Revision>> {
    let sql = format!(
        "select {COLUMNS} from revision where project_id = ?1 and path = ?2 order by at desc, commit_id limit ?3"
    );
    conn.query(&sql, params![project, path, limit])?.iter().map(read).collect()
}

/// The newest changes of files, those of a commit together.
pub fn latest(conn: &mut dyn Connection, project: &ProjectId, limit: i64) -> Result<Vec<Revision>> {
    let sql = format!(
        "select {COLUMNS} from revision where project_id = ?1 order by at desc, commit_id, path limit ?2"
    );
    conn.query(&sql, params![project, limit])?.iter().map(read).collect()
}

/// How often each file was changed by the commits that changed these files; themselves included.
pub fn beside<'a>(
    conn: &mut dyn Connection,
    project: &'a ProjectId,
    path: &'a str,
    limit: i64,
) -> Result<Vec<(String, i64)>> {
    let rows = conn.query(
        "select other.path, count(*) from revision own
         join revision other on other.project_id = own.project_id and other.commit_id = own.commit_id
         where own.project_id = ?1 and own.path = ?2 and other.path <> own.path
         group by other.path order by count(*) desc, other.path limit ?3",
        params![project, path, limit],
    )?;
    rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect()
}

/// When the newest commit was made that is known.
pub fn newest(conn: &mut dyn Connection, project: &ProjectId) -> Result<Option<Timestamp>> {
    let rows = conn.query("select max(at) from revision where project_id = ?1", params![project])?;
    rows.first().map_or(Ok(None), |row| row.get(0))
}

/// Forgets commits before a moment.
pub fn forget_before(tx: &mut dyn Connection, project: &ProjectId, at: Timestamp) -> Result<u64> {
    tx.execute("delete from revision where project_id = ?1 and at < ?2", params![project, at])
}

pub fn clear(tx: &mut dyn Connection, project: &ProjectId) -> Result<u64> {
    tx.execute("delete from revision where project_id = ?1", params![project])
}

fn read(row: &Row) -> Result<Revision> {
    Ok(Revision { path: row.get(0)?, at: row.get(1)?, commit: row.get(2)?, subject: row.get(3)? })
}
