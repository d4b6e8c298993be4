//! How much happened on each day.

use super::Kind;
use crate::actor::{Actor, ActorKind};
use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result};
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

/// How many events and tokens each day has since a moment.
pub fn per_day(
    conn: &mut dyn Connection,
    project: &ProjectId,
    since: Timestamp,
) -> Result<Vec<(Day, i64, i64)>> {
    let rows = conn.query(
        "select at / 86400000000, count(*), cast(sum(tokens) as bigint) from event
         where project_id = ?1 and at >= ?2 group by at / 86400000000 order by at / 86400000000",
        params![project, since],
    )?;
    rows.iter().map(|row| Ok((Day(row.get(0)?), row.get(1)?, row.get(2)?))).collect()
}

/// How many events there are of each kind.
pub fn per_kind(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<(Kind, i64)>> {
    let rows =
        conn.query("select kind, count(*) from event where project_id = ?1 group by kind", params![project])?;
    let mut kinds: Vec<(Kind, i64)> =
        rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect::<Result<_>>()?;
    kinds.sort_by_key(|(kind, _)| kind.as_str());
    Ok(kinds)
}

/// Who did something since a moment: how many events, and when the last.
pub fn per_actor(
    conn: &mut dyn Connection,
    project: &ProjectId,
    since: Timestamp,
) -> Result<Vec<(Actor, i64, Timestamp)>> {
    let rows = conn.query(
        "select actor_kind, actor_name, count(*), max(at) from event where project_id = ?1 and at >= ?2
         group by actor_kind, actor_name",
        params![project, since],
    )?;
    let mut actors = rows
        .iter()
        .map(|row| {
            let actor = Actor { kind: row.get::<ActorKind>(0)?, name: row.get(1)? };
            Ok((actor, row.get(2)?, row.get(3)?))
        })
        .collect::<Result<Vec<(Actor, i64, Timestamp)>>>()?;
    actors.sort_by_key(|(actor, _, last)| (std::cmp::Reverse(last.0), actor.to_string()));
    Ok(actors)
}
