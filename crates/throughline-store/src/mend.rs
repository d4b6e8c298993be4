//! A log that obeys its laws again: what was lost leaves a tombstone in its place, and counters say what is there.

use std::collections::{BTreeMap, BTreeSet};

use crate::actor::Actor;
use crate::event::{self, Event, Kind, PURGED_SUMMARY, Purge, Role};
use crate::id::{EventId, ProjectId, SessionId};
use crate::params;
use crate::project::{self, Project};
use crate::session::{self, EndReason, Ended, Session};
use crate::sql::{Connection, Result, Row};
use crate::time::Timestamp;

/// On whose behalf, and what makes the ids of tombstones.
pub struct Mender<'a> {
    pub now: Timestamp,
    pub by: &'a Actor,
    pub next_id: &'a dyn Fn() -> EventId,
}

impl std::fmt::Debug for Mender<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mender").field("now", &self.now).field("by", &self.by).finish_non_exhaustive()
    }
}

const LOST: &str = "lost when the database was damaged";
/// The session of tombstones that no session misses.
const LOST_SESSION: &str = "lost";
/// A counter that is further beyond what is there is itself damaged.
const MOST_MISSING: i64 = 100_000;

/// Gives projects whose row is lost a new one; says which.
pub fn projects(tx: &mut dyn Connection, now: Timestamp) -> Result<Vec<String>> {
    let mut without = BTreeSet::new();
    for table in ["event", "session", "memory", "item"] {
        let sql = format!(
            "select distinct t.project_id from {table} t left join project p on p.project_id = t.project_id
             where p.project_id is null"
        );
        for row in tx.query(&sql, &[])? {
            without.insert(row.get::<String>(0)?);
        }
    }
    let mut done = vec![];
    for id in without.into_iter().map(ProjectId::from) {
        let keys = project::keys(tx, &id)?;
        let name = keys.iter().find_map(|key| key.strip_prefix("name:")).unwrap_or("recovered").to_owned();
        done.push(format!("the project {name} has a row again"));
        project::insert(tx, &Project { id, name, created_at: now, last_position: 0 })?;
    }
    Ok(done)
}

/// Mends the log of a project; says what was done.
pub fn log(tx: &mut dyn Connection, project: &ProjectId, mender: &Mender<'_>) -> Result<Vec<String>> {
    let mut done = sessions(tx, project)?;
    let places = places(tx, project)?;
    let mut absent = absent(tx, project, &places)?;
    let taken: BTreeSet<i64> = places.iter().map(|place| place.position).collect();
    let last = taken.last().copied().unwrap_or(0);
    let mut free: Vec<i64> = (1..=last).filter(|position| !taken.contains(position)).collect();
    // What was lost at the end of the log left no gap.
    free.extend((last + 1..).take(absent.len().saturating_sub(free.len())));
    let unclaimed = free.len().saturating_sub(absent.len());
    if unclaimed > 0 {
        let (session, last) = adopting(tx, project, mender.now)?;
        absent.extend((last + 1..).take(unclaimed).map(|sequence| (session.clone(), sequence)));
    }
    for (position, (session, sequence)) in free.iter().zip(&absent) {
        let tombstone = tombstone(mender, *position, session, *sequence, time_at(&places, *position, mender));
        event::insert(tx, project, &tombstone, usize::MAX)?;
    }
    if !free.is_empty() {
        done.push(format!("{} lost events have a tombstone in their place", free.len()));
    }
    done.extend(count_again(tx, project)?);
    Ok(done)
}

struct Place {
    position: i64,
    session: SessionId,
    sequence: i64,
    at: Timestamp,
}

fn places(tx: &mut dyn Connection, project: &ProjectId) -> Result<Vec<Place>> {
    let rows = tx.query(
        "select position, session_id, sequence, at from event where project_id = ?1 order by position",
        params![project],
    )?;
    let read = |row: &Row| {
        Ok(Place { position: row.get(0)?, session: row.get(1)?, sequence: row.get(2)?, at: row.get(3)? })
    };
    rows.iter().map(read).collect()
}

/// Sessions that events belong to and that are not there.
fn sessions(tx: &mut dyn Connection, project: &ProjectId) -> Result<Vec<String>> {
    let rows = tx.query(
        "select e.session_id, max(e.sequence), min(e.at), max(e.at) from event e
         left join session s on s.project_id = e.project_id and s.session_id = e.session_id
         where e.project_id = ?1 and s.session_id is null group by e.session_id",
        params![project],
    )?;
    for row in &rows {
        let (started_at, last_event_at) = (row.get(2)?, row.get(3)?);
        let found =
            Session { started_at, last_event_at, ..lost_session(&row.get::<String>(0)?, row.get(1)?) };
        let ended = Some(Ended { at: last_event_at, reason: EndReason::Request });
        session::insert(tx, project, &Session { ended, ..found })?;
    }
    Ok(if rows.is_empty() { vec![] } else { vec![format!("{} sessions have a row again", rows.len())] })
}

/// The session of tombstones that no session misses, and how many it has.
fn adopting(tx: &mut dyn Connection, project: &ProjectId, now: Timestamp) -> Result<(SessionId, i64)> {
    let id = SessionId::from(LOST_SESSION.to_owned());
    if let Some(there) = session::by_id(tx, project, &id)? {
        return Ok((id, there.last_sequence));
    }
    let ended = Some(Ended { at: now, reason: EndReason::Request });
    let session = Session { started_at: now, last_event_at: now, ended, ..lost_session(LOST_SESSION, 0) };
    session::insert(tx, project, &session)?;
    Ok((id, 0))
}

fn lost_session(id: &str, last_sequence: i64) -> Session {
    Session {
        id: SessionId::from(id.to_owned()),
        client: "unknown".to_owned(),
        client_session: id.to_owned(),
        chatmode: String::new(),
        user: "unknown".to_owned(),
        workflow: None,
        skill: None,
        git_branch: None,
        workspace: None,
        parent: None,
        metadata: None,
        started_at: Timestamp(0),
        last_event_at: Timestamp(0),
        ended: None,
        last_sequence,
        scratchpad: "{}".to_owned(),
        scratchpad_version: 0,
    }
}

/// The places in sessions that no event has, in the order in which they must lie in the log.
fn absent(tx: &mut dyn Connection, project: &ProjectId, places: &[Place]) -> Result<Vec<(SessionId, i64)>> {
    let mut of_session: BTreeMap<&SessionId, BTreeMap<i64, i64>> = BTreeMap::new();
    for place in places {
        of_session.entry(&place.session).or_default().insert(place.sequence, place.position);
    }
    let rows =
        tx.query("select session_id, last_sequence from session where project_id = ?1", params![project])?;
    let mut found = vec![];
    for row in &rows {
        let (id, counter): (SessionId, i64) = (row.get(0)?, row.get(1)?);
        let known = of_session.remove(&id).unwrap_or_default();
        let highest = known.last_key_value().map_or(0, |(sequence, _)| *sequence);
        let last = if counter - highest > MOST_MISSING { highest } else { counter.max(highest) };
        let mut before = 0;
        for sequence in 1..=last {
            match known.get(&sequence) {
                Some(position) => before = *position,
                None => found.push((before, id.clone(), sequence)),
            }
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, session, sequence)| (session, sequence)).collect())
}

/// When the neighbour before it happened.
fn time_at(places: &[Place], position: i64, mender: &Mender<'_>) -> Timestamp {
    let before = places.partition_point(|place| place.position < position);
    let neighbour = places.get(before.saturating_sub(1));
    neighbour.map_or(mender.now, |place| place.at)
}

fn tombstone(mender: &Mender<'_>, position: i64, session: &SessionId, sequence: i64, at: Timestamp) -> Event {
    Event {
        position,
        id: (mender.next_id)(),
        session_id: session.clone(),
        sequence,
        at,
        actor: mender.by.clone(),
        kind: Kind::SystemEvent,
        role: Role::System,
        target: None,
        summary: PURGED_SUMMARY.to_owned(),
        content: None,
        parts: None,
        item_id: None,
        triggered_by: None,
        informs: None,
        rationale: None,
        client_key: None,
        tokens: 0,
        redactions: 0,
        purge: Some(Purge { at: mender.now, by: mender.by.clone(), reason: LOST.to_owned() }),
    }
}

fn count_again(tx: &mut dyn Connection, project: &ProjectId) -> Result<Vec<String>> {
    let sessions = tx.execute(
        "update session set last_sequence = (select coalesce(max(e.sequence), 0) from event e
             where e.project_id = session.project_id and e.session_id = session.session_id)
         where project_id = ?1 and last_sequence <> (select coalesce(max(e.sequence), 0) from event e
             where e.project_id = session.project_id and e.session_id = session.session_id)",
        params![project],
    )?;
    let log = tx.execute(
        "update project set last_position = (select coalesce(max(e.position), 0) from event e
             where e.project_id = project.project_id)
         where project_id = ?1 and last_position <> (select coalesce(max(e.position), 0) from event e
             where e.project_id = project.project_id)",
        params![project],
    )?;
    Ok(if sessions + log == 0 {
        vec![]
    } else {
        vec![format!("{} counters are right again", sessions + log)]
    })
}
