//! Events by their positions, and where they stand.

use super::{COLUMNS, Event, Kind, read};
use crate::id::{ProjectId, SessionId};
use crate::params;
use crate::sql::{Connection, Result, Row, by_numbers};
use crate::time::Timestamp;

/// The events at these positions of the project's log, those that are there.
pub fn at_positions(conn: &mut dyn Connection, project: &ProjectId, positions: &[i64]) -> Result<Vec<Event>> {
    let sql = format!("select {COLUMNS} from event where project_id = ?1 and position in {{numbers}}");
    by_numbers(conn, &sql, params![project], positions, |row| read(&row))
}

/// `coalesce` hides the time from the planner, which would rather walk along the log than look up the few positions.
pub(crate) const COUNT_UNPURGED: &str = "select count(*) from event
     where project_id = ?1 and coalesce(at, 0) >= ?2 and purged_at is null and position in {numbers}";

/// How many of the events at these positions still say something, and are not older than a moment.
pub fn count_unpurged(
    conn: &mut dyn Connection,
    project: &ProjectId,
    positions: &[i64],
    since: Option<Timestamp>,
) -> Result<i64> {
    let fixed = params![project, since.unwrap_or(Timestamp(i64::MIN))];
    Ok(by_numbers(conn, COUNT_UNPURGED, fixed, positions, |row| row.get::<i64>(0))?.iter().sum())
}

/// Where an event stands, without what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub position: i64,
    pub session_id: SessionId,
    pub sequence: i64,
    pub kind: Kind,
    pub at: Timestamp,
}

/// Where the events at these positions stand, those that are there.
pub fn places(conn: &mut dyn Connection, project: &ProjectId, positions: &[i64]) -> Result<Vec<Place>> {
    let sql = "select position, session_id, sequence, kind, at from event
         where project_id = ?1 and position in {numbers}";
    by_numbers(conn, sql, params![project], positions, |row| read_place(&row))
}

/// The events of a session from one sequence number to another.
pub fn places_between(
    conn: &mut dyn Connection,
    project: &ProjectId,
    session: &SessionId,
    (first, last): (i64, i64),
) -> Result<Vec<Place>> {
    let rows = conn.query(
        "select position, session_id, sequence, kind, at from event
         where project_id = ?1 and session_id = ?2 and sequence >= ?3 and sequence <= ?4",
        params![project, session, first, last],
    )?;
    rows.iter().map(read_place).collect()
}

/// A session that did not begin so soon has no opening.
const OPENING_EVENTS: i64 = 100;

/// The first thing that a person said in a session.
pub fn opening(conn: &mut dyn Connection, project: &ProjectId, session: &SessionId) -> Result<Option<Place>> {
    let rows = conn.query(
        "select position, session_id, sequence, kind, at from event
         where project_id = ?1 and session_id = ?2 and sequence <= ?3 and kind = ?4
         order by sequence limit 1",
        params![project, session, OPENING_EVENTS, Kind::UserMessage],
    )?;
    rows.first().map(read_place).transpose()
}

fn read_place(row: &Row) -> Result<Place> {
    Ok(Place {
        position: row.get(0)?,
        session_id: row.get(1)?,
        sequence: row.get(2)?,
        kind: row.get(3)?,
        at: row.get(4)?,
    })
}
