//! What happened to items, in the order of time.

use super::{COLUMNS, Event, read};
use crate::id::{ItemId, ProjectId, SessionId};
use crate::params;
use crate::sql::{Connection, Result, Row, by_texts};
use crate::time::Timestamp;

/// What is done to the backlog, which everybody may see. Whatever else is noted about an item belongs to the log of the
/// session that noted it.
const PUBLIC: &str =
    "kind in ('item_created', 'item_updated', 'item_deleted', 'task_completed', 'resource_written')";

/// When something was last done to each of these items; those to which nothing was are left out.
pub fn last_of_items<'a>(
    conn: &mut dyn Connection,
    project: &'a ProjectId,
    items: impl Iterator<Item = &'a ItemId>,
) -> Result<Vec<(ItemId, Timestamp)>> {
    let sql = format!(
        "select i.item_id, (select e.at from event e where e.project_id = ?1 and e.item_id = i.item_id and {PUBLIC}
                 order by e.at desc limit 1)
             from item i where i.project_id = ?1 and i.item_id in {{texts}}"
    );
    let read = |row: &Row| Ok(row.get::<Option<Timestamp>>(1)?.map(|at| (row.get(0), at)));
    let found = by_texts(conn, &sql, params![project], items.map(ItemId::as_str), read)?;
    found.into_iter().flatten().map(|(id, at)| Ok((id?, at))).collect()
}

/// The newest events about an item, by time.
pub fn of_item(
    conn: &mut dyn Connection,
    project: &ProjectId,
    item: &ItemId,
    limit: i64,
) -> Result<Vec<Event>> {
    let sql = format!(
        "select {COLUMNS} from event where project_id = ?1 and item_id = ?2 and {PUBLIC}
         order by at desc, position desc limit ?3"
    );
    conn.query(&sql, params![project, item, limit])?.iter().map(read).collect()
}

/// What a session did to these items, in no order.
pub fn of_items_in_session<'a>(
    conn: &mut dyn Connection,
    project: &'a ProjectId,
    session: &'a SessionId,
    items: impl Iterator<Item = &'a ItemId>,
) -> Result<Vec<Event>> {
    let sql = format!(
        "select {COLUMNS} from event where project_id = ?1 and session_id = ?2 and {PUBLIC} and item_id in {{texts}}"
    );
    by_texts(conn, &sql, params![project, session], items.map(ItemId::as_str), read)
}

/// How much was done to these items, counting what was done to one in one moment once.
pub fn count_of_items<'a>(
    conn: &mut dyn Connection,
    project: &'a ProjectId,
    items: impl Iterator<Item = &'a ItemId>,
) -> Result<i64> {
    let sql = format!(
        "select count(*) from (select distinct at, item_id, kind from event
             where project_id = ?1 and {PUBLIC} and item_id in {{texts}}) done"
    );
    let counts = by_texts(conn, &sql, params![project], items.map(ItemId::as_str), |row| row.get::<i64>(0))?;
    Ok(counts.iter().sum())
}

/// The newest event of the log by position.
pub fn newest(conn: &mut dyn Connection, project: &ProjectId) -> Result<Option<Event>> {
    let sql = format!(
        "select {COLUMNS} from event where project_id = ?1
             and position = (select last_position from project where project_id = ?1)"
    );
    conn.query(&sql, params![project])?.first().map(read).transpose()
}
