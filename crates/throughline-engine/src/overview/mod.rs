//! What a project's agents did and know, in numbers: for a page that shows it at one look.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value as Json;
use throughline_store::actor::Actor;
use throughline_store::event::{self, Day, Event, Filter, Kind, Order};
use throughline_store::item::{self, Status};
use throughline_store::memory::{self, Kind as MemoryKind, Status as MemoryStatus};
use throughline_store::time::Timestamp;
use throughline_store::{Connection, project, session};

use crate::compact::SUMMARY_TARGET;
use crate::turn::INJECTION_TARGET;
use crate::unfinished::{self, Unfinished};
use crate::{Caller, Engine, Result};

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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Active {
    pub actor: Actor,
    pub events: i64,
    pub last_at: Timestamp,
}

pub const DAYS: i64 = 30;
/// So many notes of one kind are read for the sums; older ones of a very busy month are not in them.
const NOTES: i64 = 20_000;

impl Engine {
    pub fn overview(&self, caller: &Caller) -> Result<Overview> {
        let now = self.now();
        self.store.read(|conn| {
            let known = project::by_id(conn, &caller.project)?;
            let open = session::Filter { which: session::Which::Open, ..session::Filter::default() };
            Ok(Overview {
                position: known.as_ref().map_or(0, |project| project.last_position),
                project: known.map(|project| project.name),
                events: event::per_kind(conn, &caller.project)?,
                sessions: session::count(conn, &caller.project, &session::Filter::default())?,
                open_sessions: session::count(conn, &caller.project, &open)?,
                memories: memory::per_kind(conn, &caller.project)?,
                items: item::tally(conn, &caller.project)?,
                days: days(conn, caller, now)?,
                agents: agents(conn, caller, now)?,
                unfinished: unfinished::lately(conn, caller, now)?,
            })
        })
    }
}

fn days(conn: &mut dyn Connection, caller: &Caller, now: Timestamp) -> Result<Vec<OneDay>> {
    let today = Day::of(now);
    let first = Day(today.0 - DAYS + 1);
    let nothing =
        |day| OneDay { day, events: 0, sessions: 0, tokens: 0, tokens_injected: 0, tokens_saved: 0 };
    let mut days: BTreeMap<Day, OneDay> =
        (first.0..=today.0).map(|day| (Day(day), nothing(Day(day)))).collect();
    // A clock that went wrong may have written into the future, which no day here is.
    let mut on = |day: Day, add: &dyn Fn(&mut OneDay)| days.get_mut(&day).map_or((), add);
    for (day, events, tokens) in event::per_day(conn, &caller.project, first.start())? {
        on(day, &|one| (one.events, one.tokens) = (events, tokens));
    }
    for (day, sessions) in session::per_day(conn, &caller.project, first.start())? {
        on(day, &|one| one.sessions = sessions);
    }
    for note in notes(conn, caller, (Kind::MemoryRecall, INJECTION_TARGET), first.start())? {
        let tokens = of_note(&note, "tokens");
        on(Day::of(note.at), &|one| one.tokens_injected += tokens);
    }
    for note in notes(conn, caller, (Kind::SystemEvent, SUMMARY_TARGET), first.start())? {
        let saved = of_note(&note, "tokens_before") - of_note(&note, "tokens_after");
        on(Day::of(note.at), &|one| one.tokens_saved += saved.max(0));
    }
    Ok(days.into_values().collect())
}

fn notes(
    conn: &mut dyn Connection,
    caller: &Caller,
    (kind, target): (Kind, &str),
    since: Timestamp,
) -> Result<Vec<Event>> {
    let filter = Filter {
        kinds: vec![kind],
        target: Some(target.to_owned()),
        since: Some(since),
        ..Filter::default()
    };
    Ok(event::list(conn, &caller.project, &filter, Order::NewestFirst, NOTES)?)
}

fn of_note(note: &Event, key: &str) -> i64 {
    let parts: Option<Json> = note.parts.as_deref().and_then(|parts| serde_json::from_str(parts).ok());
    parts.and_then(|parts| parts.get(key)?.as_i64()).unwrap_or(0)
}

fn agents(conn: &mut dyn Connection, caller: &Caller, now: Timestamp) -> Result<Vec<Active>> {
    let since = Timestamp(now.0 - Duration::from_secs(DAYS as u64 * 24 * 60 * 60).as_micros() as i64);
    let active = event::per_actor(conn, &caller.project, since)?;
    Ok(active.into_iter().map(|(actor, events, last_at)| Active { actor, events, last_at }).collect())
}
