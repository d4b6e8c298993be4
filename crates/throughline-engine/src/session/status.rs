//! How a session stands: its size, its state, its settings.

use std::time::Duration;

use throughline_store::event::{self, Kind};

use super::workflow::{self, Loaded};
use super::{Scratchpad, State, find};
use crate::project::Folder;
use crate::settings::Role;
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
    pub compaction: Compaction,
    /// What the project sets for the session's role.
    pub role: Option<Role>,
    pub workflow: Option<Loaded>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compaction {
    /// How many summaries replace parts of the log.
    pub summaries: i64,
    pub events_since: i64,
    pub tokens_since: i64,
}

impl Engine {
    pub fn session_status(&self, caller: &Caller, name: Option<&str>, folder: &Folder) -> Result<Status> {
        let (session, tally) = self.store.read(|conn| {
            let session = find(conn, caller, name)?;
            let tally = event::tally(conn, &caller.project, &session.id)?;
            Ok::<_, crate::Error>((session, tally))
        })?;
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
            memories_recalled: of_kind(&tally, Kind::MemoryRecall),
            compaction: Compaction { summaries: 0, events_since: events, tokens_since: tokens },
            role: self.settings.roles.get(&session.chatmode).cloned(),
            workflow: session
                .workflow
                .as_deref()
                .map(|name| workflow::load(&folder.root, &self.settings.workflow_folders, name)),
            scratchpad: super::scratchpad::read(session)?,
        })
    }
}

fn of_kind(tally: &[(Kind, i64, i64)], wanted: Kind) -> i64 {
    tally.iter().filter(|(kind, ..)| *kind == wanted).map(|(_, count, _)| count).sum()
}
