//! Events without what they say at length, for those who follow a log.

use super::{COLUMNS, Event, read};
use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result};

/// The events after a position, the oldest first, without contents and parts.
pub fn heads(conn: &mut dyn Connection, project: &ProjectId, after: i64, limit: i64) -> Result<Vec<Event>> {
    let columns = COLUMNS.replace("content, content_packed, parts, parts_packed", "null, null, null, null");
    let sql = format!(
        "select {columns} from event where project_id = ?1 and position > ?2 order by position limit ?3"
    );
    conn.query(&sql, params![project, after, limit])?.iter().map(read).collect()
}
