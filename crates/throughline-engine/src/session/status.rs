//! How a session stands: its size, its state, its settings.

use std::time::Duration;

use throughline_store::Connection;
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::session::{self as record, Session};

use super::workflow::{self, Loaded};
use super::{Scratchpad, State, find};
use crate::compact::{self, Cause};
use crate::project::Folder;
use crate::settings::Role;
use crate::turn::{Given, INJECTION_TARGET};
use crate::{Caller, Engine, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    pub scratchpad: Scratchpad,
    pub state: State,
    /// From its first event to its last, or to now while it is open.
    pub duration: Duration,
    pub events: i64,
    pub tokens: i64,
    pub by_kind: Vec<(Kind, i64)>,
    pub memories_recalled: i64,
    pub injections: Injections,
    pub compaction: Compaction,
    /// What the project sets for the session's role.
    pub role: Option<Role>,
    pub workflow: Option<Loaded>,
}

/// What its model was told, over all.
#[derive(Debug, Clone, PartialEq)]
pub struct Injections {
    pub count: i64,
    pub tokens: i64,
    pub memories: i64,
    /// The notes of the newest, the last first.
    pub newest: Vec<Event>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compaction {
    /// How many summaries replace parts of the log.
    pub summaries: i64,
    /// The last event of the session that the newest replaces.
    pub replaced_to: Option<i64>,
    pub events_since: i64,
    pub turns_since: i64,
    pub tokens_since: i64,
    /// What is held before a model: the newest summary and what came after its range.
    pub tokens_held: i64,
    /// Where the next one comes: at so many turns or tokens.
    pub turns_limit: usize,
    pub tokens_limit: i64,
    /// What is due and waits for a worker.
    pub due: Option<Cause>,
}

/// So many notes of injections are shown.
const NEWEST: i64 = 10;

impl Engine {
    pub fn session_status(&self, caller: &Caller, name: Option<&str>, folder: &Folder) -> Result<Status> {
        let (session, tally, injections, compaction) = self.store.read(|conn| {
            let session = find(conn, caller, name)?;
            let tally = event::tally(conn, &caller.project, &session.id)?;
            let injections = injections(conn, caller, &session)?;
            let compaction = compaction(conn, caller, &session)?;
            Ok::<_, crate::Error>((session, tally, injections, compaction))
        })?;
        let policy = self.compaction_of(&session);
        let compaction = Compaction {
            turns_limit: policy.turns,
            tokens_limit: policy.most_tokens(),
            due: self.causes(caller, &session, &policy)?.first().copied(),
            ..compaction
        };
        let state = self.session_state(&session);
        let until = match state {
            State::Open => self.now().max(session.last_event_at),
            State::Idle | State::Ended(_) => session.last_event_at,
        };
        let (events, tokens) =
            tally.iter().fold((0, 0), |(n, t), (_, count, tokens)| (n + count, t + tokens));
        Ok(Status {
            state,
            duration: until.since(session.started_at),
            events,
            tokens,
            by_kind: tally.iter().map(|(kind, count, _)| (*kind, *count)).collect(),
            // What clients note themselves is one each; our own notes say how many there were.
            memories_recalled: of_kind(&tally, Kind::MemoryRecall) - injections.count + injections.memories,
            injections,
            compaction,
            role: self.settings.roles.get(&session.chatmode).cloned(),
            workflow: session
                .workflow
                .as_deref()
                .map(|name| workflow::load(&folder.root, &self.settings.workflow_folders, name)),
            scratchpad: super::scratchpad::read(session)?,
        })
    }
}

fn compaction(conn: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Compaction> {
    let project = &caller.project;
    let newest = compact::newest_summary(conn, caller, session)?;
    let since = compact::after(session, newest.as_ref());
    let turns = Filter { kinds: vec![Kind::UserMessage], ..since };
    let (events, tokens) = compact::since(conn, caller, session, newest.as_ref())?;
    Ok(Compaction {
        summaries: event::count(conn, project, &compact::summaries(session))?,
        replaced_to: newest.as_ref().and_then(|summary| compact::parts(summary)["to"].as_i64()),
        events_since: events,
        turns_since: event::count(conn, project, &turns)?,
        tokens_since: tokens,
        tokens_held: tokens + newest.map_or(0, |summary| summary.tokens),
        turns_limit: 0,
        tokens_limit: 0,
        due: None,
    })
}

fn injections(conn: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Injections> {
    let given = Given::read(record::given(conn, &caller.project, &session.id)?.as_deref());
    let notes = Filter {
        sessions: vec![session.id.clone()],
        kinds: vec![Kind::MemoryRecall],
        target: Some(INJECTION_TARGET.to_owned()),
        ..Filter::default()
    };
    Ok(Injections {
        count: given.times,
        tokens: given.tokens,
        memories: given.memories,
        newest: event::list(conn, &caller.project, &notes, Order::NewestFirst, NEWEST)?,
    })
}

fn of_kind(tally: &[(Kind, i64, i64)], wanted: Kind) -> i64 {
    tally.iter().filter(|(kind, ..)| *kind == wanted).map(|(_, count, _)| count).sum()
}
