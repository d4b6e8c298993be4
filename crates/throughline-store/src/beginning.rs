//! Ids by their beginning, newest first: what somebody who types an id may mean.

use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result};

/// A record that people call by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// Memories that are in use.
    Memory,
    Session,
    /// Events that were not purged.
    Event,
    Item,
    /// By its path.
    Resource,
}

pub fn ids(
    conn: &mut dyn Connection,
    project: &ProjectId,
    named: Named,
    prefix: &str,
    limit: i64,
) -> Result<Vec<String>> {
    let (table, id, condition, newest) = match named {
        Named::Memory => ("memory", "memory_id", "status = 'active'", "number desc"),
        Named::Session => ("session", "session_id", "1 = 1", "last_event_at desc, session_id desc"),
        Named::Event => ("event", "event_id", "purged_at is null", "position desc"),
        Named::Item => ("item", "item_id", "1 = 1", "updated_at desc, number desc"),
        Named::Resource => ("resource", "path", "1 = 1", "updated_at desc, number desc"),
    };
    let sql = format!(
        "select {id} from {table} where project_id = ?1 and {condition} and substr({id}, 1, length(?2)) = ?2
         order by {newest} limit ?3"
    );
    conn.query(&sql, params![project, prefix, limit])?.iter().map(|row| row.get(0)).collect()
}
