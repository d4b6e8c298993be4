//! What a project's agents did and know, in numbers: for a page that shows it at one look.

mod sums;

use std::collections::HashMap;

use throughline_store::actor::Actor;
use throughline_store::event::{Day, Kind};
use throughline_store::item::{self, Status};
use throughline_store::memory::{self, Kind as MemoryKind, Status as MemoryStatus};
use throughline_store::time::Timestamp;
use throughline_store::{Connection, project, session};

use crate::unfinished::{self, Unfinished};
use crate::{Caller, Engine, Result};

pub(crate) use sums::Kept;
use sums::Sums;

#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// The project's name, where it is known yet.
    pub project: Option<String>,
    pub position: i64,
    pub events: Vec<(Kind, i64)>,
    pub sessions: i64,
    pub open_sessions: i64,
    pub memories: Vec<(MemoryKind, MemoryStatus, i64)>,
    pub items: Vec<(Status, i64)>,
    /// Each of the last days, the oldest first, also those on which nothing happened.
    pub days: Vec<OneDay>,
    pub agents: Vec<Active>,
    pub unfinished: Vec<Unfinished>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneDay {
    pub day: Day,
    pub events: i64,
    pub sessions: i64,
    /// What everything that was recorded counts.
    pub tokens: i64,
    /// Put before models.
    pub tokens_injected: i64,
    /// No longer before models, because a summary stands for them.
    pub tokens_saved: i64,
}

impl OneDay {
    fn nothing(day: Day) -> OneDay {
        OneDay { day, events: 0, sessions: 0, tokens: 0, tokens_injected: 0, tokens_saved: 0 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Active {
    pub actor: Actor,
    pub events: i64,
    pub last_at: Timestamp,
}

pub const DAYS: i64 = 30;

impl Engine {
    pub fn overview(&self, caller: &Caller) -> Result<Overview> {
        let now = self.now();
        self.store.read(|conn| {
            let known = project::by_id(conn, &caller.project)?;
            let position = known.as_ref().map_or(0, |project| project.last_position);
            let sums = self.sums.of(conn, &caller.project, (position, first_day(now)))?;
            let open = session::Filter { which: session::Which::Open, ..session::Filter::default() };
            Ok(Overview {
                position,
                project: known.map(|project| project.name),
                events: sums.kinds(),
                sessions: session::count(conn, &caller.project, &session::Filter::default())?,
                open_sessions: session::count(conn, &caller.project, &open)?,
                memories: memory::per_kind(conn, &caller.project)?,
                items: item::tally(conn, &caller.project)?,
                days: days(conn, caller, &sums, now)?,
                agents: sums.agents(),
                unfinished: unfinished::lately(conn, caller, now)?,
            })
        })
    }
}

fn first_day(now: Timestamp) -> Day {
    Day(Day::of(now).0 - DAYS + 1)
}

fn days(conn: &mut dyn Connection, caller: &Caller, sums: &Sums, now: Timestamp) -> Result<Vec<OneDay>> {
    let (first, today) = (first_day(now), Day::of(now));
    let sessions: HashMap<Day, i64> =
        session::per_day(conn, &caller.project, first.start())?.into_iter().collect();
    let one = |day| OneDay { sessions: sessions.get(&day).copied().unwrap_or(0), ..sums.day(day) };
    Ok((first.0..=today.0).map(|day| one(Day(day))).collect())
}
