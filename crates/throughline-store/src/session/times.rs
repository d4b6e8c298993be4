//! When a project's sessions were.

use super::{Connection, ProjectId, Result, Timestamp};
use crate::event::Day;
use crate::params;

/// Whether a session began or was last heard of between two moments.
pub fn any_between(
    conn: &mut dyn Connection,
    project: &ProjectId,
    from: Timestamp,
    until: Timestamp,
) -> Result<bool> {
    let rows = conn.query(
        "select 1 from session where project_id = ?1
             and (started_at between ?2 and ?3 or last_event_at between ?2 and ?3) limit 1",
        params![project, from, until],
    )?;
    Ok(!rows.is_empty())
}

/// How many sessions began on each day since a moment.
pub fn per_day(conn: &mut dyn Connection, project: &ProjectId, since: Timestamp) -> Result<Vec<(Day, i64)>> {
    let rows = conn.query(
        "select started_at / 86400000000, count(*) from session where project_id = ?1 and started_at >= ?2
         group by started_at / 86400000000 order by started_at / 86400000000",
        params![project, since],
    )?;
    rows.iter().map(|row| Ok((Day(row.get(0)?), row.get(1)?))).collect()
}
