//! What is counted of a project's log, kept up as it grows: events do not change, so only those are read that came since. What
//! a purge erases changes them, so after one everything is counted again.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::event::{self, Day, Kind, Part};
use throughline_store::id::ProjectId;
use throughline_store::time::Timestamp;

use super::{Active, OneDay};
use crate::Result;
use crate::compact::SUMMARY_TARGET;
use crate::log::PURGE_TARGET;
use crate::turn::INJECTION_TARGET;

/// So many projects are kept.
const KEPT: usize = 16;
/// So many notes of one kind are read at once; older ones of a very busy month are not in the sums.
const NOTES: i64 = 20_000;

#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<VecDeque<(ProjectId, Sums)>>);

/// Of everything up to a position; of days only since the first one that was asked for.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    position: i64,
    first: Day,
    kinds: BTreeMap<Kind, i64>,
    days: BTreeMap<Day, OneDay>,
    /// How much, and when the last of it.
    actors: BTreeMap<(Day, ActorKind, String), (i64, Timestamp)>,
}

impl Kept {
    /// The sums at a position of the log, with the days from the first one on.
    pub(super) fn of(
        &self,
        conn: &mut dyn Connection,
        project: &ProjectId,
        (position, first): (i64, Day),
    ) -> Result<Sums> {
        let known = self.known(project).filter(|known| known.position <= position && known.first <= first);
        let sums = match known {
            Some(known) if known.position == position => known,
            Some(known) if !is_purged_after(conn, project, known.position)? => {
                known.and_then(conn, project, position)?
            }
            _ => Sums::none(first).and_then(conn, project, position)?,
        };
        let sums = sums.since(first);
        self.keep(project, &sums);
        Ok(sums)
    }

    fn known(&self, project: &ProjectId) -> Option<Sums> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| known == project).map(|(_, sums)| sums.clone())
    }

    fn keep(&self, project: &ProjectId, sums: &Sums) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| known != project);
        kept.truncate(KEPT - 1);
        kept.push_front((project.clone(), sums.clone()));
    }
}

impl Sums {
    fn none(first: Day) -> Sums {
        Sums { position: 0, first, kinds: BTreeMap::new(), days: BTreeMap::new(), actors: BTreeMap::new() }
    }

    pub(super) fn kinds(&self) -> Vec<(Kind, i64)> {
        let mut kinds: Vec<(Kind, i64)> = self.kinds.iter().map(|(kind, count)| (*kind, *count)).collect();
        kinds.sort_by_key(|(kind, _)| kind.as_str());
        kinds
    }

    /// Without its sessions, which are counted by when they began.
    pub(super) fn day(&self, day: Day) -> OneDay {
        self.days.get(&day).copied().unwrap_or(OneDay::nothing(day))
    }

    /// Who did something on these days, the last one first.
    pub(super) fn agents(&self) -> Vec<Active> {
        let mut agents: BTreeMap<(ActorKind, &str), (i64, Timestamp)> = BTreeMap::new();
        for ((_, kind, name), (events, last_at)) in &self.actors {
            let sum = agents.entry((*kind, name)).or_insert((0, *last_at));
            *sum = (sum.0 + events, sum.1.max(*last_at));
        }
        let active = |((kind, name), (events, last_at)): ((ActorKind, &str), (i64, Timestamp))| Active {
            actor: Actor { kind, name: name.to_owned() },
            events,
            last_at,
        };
        let mut agents: Vec<Active> = agents.into_iter().map(active).collect();
        agents.sort_by_key(|one| (std::cmp::Reverse(one.last_at), one.actor.to_string()));
        agents
    }

    /// With what came up to a position.
    fn and_then(mut self, conn: &mut dyn Connection, project: &ProjectId, position: i64) -> Result<Sums> {
        let part = if self.position == 0 { Part::Whole } else { Part::After(self.position) };
        let since = self.first.start();
        for (kind, count) in event::per_kind(conn, project, part)? {
            *self.kinds.entry(kind).or_default() += count;
        }
        for one in event::per_day(conn, project, part, since)? {
            let day = self.on(one.day);
            (day.events, day.tokens) = (day.events + one.events, day.tokens + one.tokens);
            let sum =
                self.actors.entry((one.day, one.actor.kind, one.actor.name)).or_insert((0, one.last_at));
            *sum = (sum.0 + one.events, sum.1.max(one.last_at));
        }
        let injections = (Kind::MemoryRecall, INJECTION_TARGET);
        for (at, parts) in event::parts_of(conn, project, injections, (part, since), NOTES)? {
            self.on(Day::of(at)).tokens_injected += numbers(parts, ["tokens"])[0];
        }
        let summaries = (Kind::SystemEvent, SUMMARY_TARGET);
        for (at, parts) in event::parts_of(conn, project, summaries, (part, since), NOTES)? {
            let [before, after] = numbers(parts, ["tokens_before", "tokens_after"]);
            self.on(Day::of(at)).tokens_saved += (before - after).max(0);
        }
        self.position = position;
        Ok(self)
    }

    fn on(&mut self, day: Day) -> &mut OneDay {
        self.days.entry(day).or_insert(OneDay::nothing(day))
    }

    /// Days that nobody asks for any more are let go.
    fn since(mut self, first: Day) -> Sums {
        self.days.retain(|day, _| *day >= first);
        self.actors.retain(|(day, ..), _| *day >= first);
        self.first = first;
        self
    }
}

fn is_purged_after(conn: &mut dyn Connection, project: &ProjectId, position: i64) -> Result<bool> {
    let purges = (Kind::SystemEvent, PURGE_TARGET);
    let since = (Part::After(position), Timestamp(i64::MIN));
    Ok(!event::parts_of(conn, project, purges, since, 1)?.is_empty())
}

/// What a note says under these names; one that says nothing, or was purged, counts nothing.
fn numbers<const N: usize>(parts: Option<String>, names: [&str; N]) -> [i64; N] {
    let parts: Option<Json> = parts.and_then(|parts| serde_json::from_str(&parts).ok());
    names.map(|name| parts.as_ref().and_then(|parts| parts.get(name)?.as_i64()).unwrap_or(0))
}
