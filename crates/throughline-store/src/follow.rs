//! How far a project's log and its working sets have come, for those who follow them.

use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result};

/// A place in both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    /// The newest event.
    pub position: i64,
    /// The newest change of a working set.
    pub set_revision: i64,
}

/// Nothing for a project that nobody knows.
pub fn mark(conn: &mut dyn Connection, project: &ProjectId) -> Result<Option<Mark>> {
    let sql = "select last_position, set_revision from project where project_id = ?1";
    let rows = conn.query(sql, params![project])?;
    rows.first().map(|row| Ok(Mark { position: row.get(0)?, set_revision: row.get(1)? })).transpose()
}

/// Notes that an agent's working set is another than it was.
pub fn set_changed(tx: &mut dyn Connection, project: &ProjectId, agent: &str) -> Result<()> {
    tx.execute("update project set set_revision = set_revision + 1 where project_id = ?1", params![project])?;
    tx.execute(
        "insert into set_change (project_id, agent, revision)
         select project_id, cast(?2 as text), set_revision from project where project_id = ?1
         on conflict (project_id, agent) do update set revision = excluded.revision",
        params![project, agent],
    )?;
    if let Some(announce) = tx.dialect().announcement() {
        tx.query(&format!("select {announce} from project where project_id = ?1"), params![project])?;
    }
    Ok(())
}

/// The agents whose working sets changed after a revision, in the order of their last change.
pub fn sets_after(conn: &mut dyn Connection, project: &ProjectId, revision: i64) -> Result<Vec<String>> {
    let rows = conn.query(
        "select agent from set_change where project_id = ?1 and revision > ?2 order by revision",
        params![project, revision],
    )?;
    rows.iter().map(|row| row.get(0)).collect()
}
