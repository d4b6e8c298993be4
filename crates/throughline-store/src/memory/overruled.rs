//! Events that tell only what was overruled or forgotten since.

use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result, by_numbers};

/// Which of the events at these positions memories came from of which none holds any more.
pub fn overruled(conn: &mut dyn Connection, project: &ProjectId, positions: &[i64]) -> Result<Vec<i64>> {
    let sql = "select event.position from event
             join memory_origin origin on origin.project_id = ?1 and origin.event_id = event.event_id
             join memory on memory.project_id = ?1 and memory.memory_id = origin.memory_id
         where event.project_id = ?1 and event.position in {numbers}
         group by event.position
         having max(case when memory.status in ('superseded', 'forgotten') then 0 else 1 end) = 0";
    by_numbers(conn, sql, params![project], positions, |row| row.get(0))
}
