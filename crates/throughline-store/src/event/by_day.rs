//! How much happened on each day.

use super::Kind;
use crate::actor::{Actor, ActorKind};
use crate::id::ProjectId;
use crate::packed::unpack;
use crate::params;
use crate::sql::{Connection, Result, Row};
use crate::time::Timestamp;

/// A day, counted from 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i64);

const MICROSECONDS: i64 = 24 * 60 * 60 * 1_000_000;

impl Day {
    pub fn of(at: Timestamp) -> Day {
        Day(at.0.div_euclid(MICROSECONDS))
    }

    pub fn start(self) -> Timestamp {
        Timestamp(self.0.saturating_mul(MICROSECONDS))
    }
}

/// What one actor did on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayOfActor {
    pub day: Day,
    pub actor: Actor,
    pub events: i64,
    pub tokens: i64,
    pub last_at: Timestamp,
}

/// A part of the log: of what came after a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Whole,
    After(i64),
}

/// What was done since a moment.
pub fn per_day(
    conn: &mut dyn Connection,
    project: &ProjectId,
    part: Part,
    since: Timestamp,
) -> Result<Vec<DayOfActor>> {
    let sum = |condition: &str| {
        format!(
            "select at / 86400000000, actor_kind, actor_name, count(*), cast(sum(tokens) as bigint), max(at) from event
             where project_id = ?1 and {condition} group by at / 86400000000, actor_kind, actor_name"
        )
    };
    let rows = match part {
        Part::Whole => conn.query(&sum("at >= ?2"), params![project, since])?,
        // Not by time, which would read the whole of it.
        Part::After(position) => {
            conn.query(&sum("position > ?3 and +at >= ?2"), params![project, since, position])?
        }
    };
    let mut days = rows.iter().map(read_day).collect::<Result<Vec<DayOfActor>>>()?;
    days.sort_by_key(|one| (one.day, one.actor.to_string()));
    Ok(days)
}

/// How many events there are of each kind.
pub fn per_kind(conn: &mut dyn Connection, project: &ProjectId, part: Part) -> Result<Vec<(Kind, i64)>> {
    let rows = match part {
        Part::Whole => conn.query(
            "select kind, count(*) from event where project_id = ?1 group by kind",
            params![project],
        )?,
        Part::After(position) => conn.query(
            "select kind, count(*) from event where project_id = ?1 and position > ?2 group by kind",
            params![project, position],
        )?,
    };
    let mut kinds: Vec<(Kind, i64)> =
        rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect::<Result<_>>()?;
    kinds.sort_by_key(|(kind, _)| kind.as_str());
    Ok(kinds)
}

/// The parts of events of one kind and target since a moment, with when it was; so many of the newest.
pub fn parts_of(
    conn: &mut dyn Connection,
    project: &ProjectId,
    (kind, target): (Kind, &str),
    (part, since): (Part, Timestamp),
    limit: i64,
) -> Result<Vec<(Timestamp, Option<String>)>> {
    let after = if let Part::After(position) = part { position } else { 0 };
    let rows = conn.query(
        "select at, parts, parts_packed from event
         where project_id = ?1 and kind = ?2 and position > ?3 and +at >= ?4 and target = ?5
         order by position desc limit ?6",
        params![project, kind, after, since, target, limit],
    )?;
    rows.iter().map(|row| Ok((row.get(0)?, unpack(row, 1)?))).collect()
}

fn read_day(row: &Row) -> Result<DayOfActor> {
    Ok(DayOfActor {
        day: Day(row.get(0)?),
        actor: Actor { kind: row.get::<ActorKind>(1)?, name: row.get(2)? },
        events: row.get(3)?,
        tokens: row.get(4)?,
        last_at: row.get(5)?,
    })
}
