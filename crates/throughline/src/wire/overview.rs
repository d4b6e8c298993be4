//! A project in numbers, in JSON.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::index::Standing;
use throughline_engine::overview::{Active, OneDay, Overview as EngineOverview};
use throughline_engine::store::job::{Due, State as JobState};
use throughline_engine::store::memory::Status as MemoryStatus;
use throughline_engine::unfinished::Unfinished as EngineUnfinished;

use super::index::Collection;
use super::time::{Second, day};

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Overview {
    /// Null where nobody has written yet.
    pub(crate) project: Option<String>,
    /// The newest event.
    pub(crate) position: i64,
    pub(crate) counts: Counts,
    /// The last 30 days in UTC, the oldest first.
    pub(crate) days: Vec<Day>,
    pub(crate) agents: Vec<Agent>,
    pub(crate) unfinished: Vec<Unfinished>,
    /// How many memories wait for somebody's word.
    pub(crate) review_queue: i64,
    pub(crate) index: Vec<Collection>,
    /// Background jobs of all projects by their state.
    pub(crate) jobs: BTreeMap<String, i64>,
    /// Those of them that could run now.
    pub(crate) jobs_due: i64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Counts {
    pub(crate) events: i64,
    pub(crate) sessions: i64,
    pub(crate) open_sessions: i64,
    pub(crate) memories: i64,
    pub(crate) items: i64,
    pub(crate) events_by_kind: BTreeMap<String, i64>,
    /// Those that stand.
    pub(crate) memories_by_kind: BTreeMap<String, i64>,
    pub(crate) items_by_status: BTreeMap<String, i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Day {
    /// 2026-11-15
    pub(crate) day: String,
    pub(crate) sessions: i64,
    pub(crate) events: i64,
    /// What everything that was recorded counts.
    pub(crate) tokens: i64,
    /// Put before models.
    pub(crate) tokens_injected: i64,
    /// No longer before models, because a summary stands for them.
    pub(crate) tokens_saved: i64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Agent {
    /// `agent:NAME` or `user:NAME`
    pub(crate) actor: String,
    pub(crate) events: i64,
    pub(crate) last_at: Second,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Unfinished {
    pub(crate) why: String,
    pub(crate) text: String,
    pub(crate) since: Second,
    pub(crate) session_id: String,
}

impl Overview {
    pub(crate) fn new(
        told: EngineOverview,
        index: Vec<Standing>,
        (jobs, due): (&[(JobState, i64)], &[Due]),
    ) -> Overview {
        Overview {
            review_queue: waiting(&told),
            counts: Counts::from(&told),
            project: told.project,
            position: told.position,
            days: told.days.iter().map(Day::from).collect(),
            agents: told.agents.into_iter().map(Agent::from).collect(),
            unfinished: told.unfinished.into_iter().map(Unfinished::from).collect(),
            index: index.into_iter().map(|standing| Collection::new(standing, &[])).collect(),
            jobs: jobs.iter().map(|(state, count)| (state.to_string(), *count)).collect(),
            jobs_due: due.iter().map(|due| due.count).sum(),
        }
    }
}

fn waiting(told: &EngineOverview) -> i64 {
    let waits = told.memories.iter().filter(|(_, status, _)| *status == MemoryStatus::Quarantined);
    waits.map(|(_, _, count)| count).sum()
}

impl From<&EngineOverview> for Counts {
    fn from(told: &EngineOverview) -> Counts {
        let mut memories_by_kind: BTreeMap<String, i64> = BTreeMap::new();
        for (kind, _, count) in told.memories.iter().filter(|(_, status, _)| *status == MemoryStatus::Active)
        {
            *memories_by_kind.entry(kind.to_string()).or_default() += count;
        }
        Counts {
            events: told.position,
            sessions: told.sessions,
            open_sessions: told.open_sessions,
            memories: memories_by_kind.values().sum(),
            items: told.items.iter().map(|(_, count)| count).sum(),
            events_by_kind: told.events.iter().map(|(kind, count)| (kind.to_string(), *count)).collect(),
            memories_by_kind,
            items_by_status: told.items.iter().map(|(status, n)| (status.to_string(), *n)).collect(),
        }
    }
}

impl From<&OneDay> for Day {
    fn from(one: &OneDay) -> Day {
        Day {
            day: day(one.day.start()),
            sessions: one.sessions,
            events: one.events,
            tokens: one.tokens,
            tokens_injected: one.tokens_injected,
            tokens_saved: one.tokens_saved,
        }
    }
}

impl From<Active> for Agent {
    fn from(active: Active) -> Agent {
        Agent { actor: active.actor.to_string(), events: active.events, last_at: Second(active.last_at) }
    }
}

impl From<EngineUnfinished> for Unfinished {
    fn from(unfinished: EngineUnfinished) -> Unfinished {
        Unfinished {
            why: unfinished.reason.to_string(),
            text: unfinished.text,
            since: Second(unfinished.since),
            session_id: unfinished.session.to_string(),
        }
    }
}

/// What the database holds.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Stats {
    pub(crate) version: &'static str,
    /// `sqlite` or `postgres`
    pub(crate) database: &'static str,
    pub(crate) projects: usize,
    pub(crate) events: i64,
    /// Background jobs by their state.
    pub(crate) jobs: BTreeMap<String, i64>,
}
