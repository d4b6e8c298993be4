//! Sessions as a person sees them: found, listed, ended, resumed.

mod history;
pub(crate) mod privacy;
mod scratchpad;
mod status;
pub(crate) mod summary;
pub(crate) mod workflow;

use throughline_store::actor::Actor;
use throughline_store::event::Kind;
use throughline_store::id::EventId;
use throughline_store::session::{self as record, EndReason, Ended, Session};
use throughline_store::time::Timestamp;
use throughline_store::{Connection, event};

pub use history::History;
pub use scratchpad::{Scratchpad, Update};
pub use status::{Compaction, Injections, Status};
pub use workflow::{CompactionPart, Loaded, Strategy, Trigger, Workflow, problems as workflow_problems};

use crate::capture::{CLI, Note, SessionRef};
use crate::mine::job as tend;
use crate::work::COMPACT_SESSION;
use crate::{Caller, Engine, Error, Result};

/// The target of the note that closes a session.
pub const SUMMARY_TARGET: &str = "session_summary";
/// A session of fewer events is its own summary.
const WORTH_A_LOOK: i64 = 8;
const RESUMED_TARGET: &str = "session_resumed";
/// A shorter session shows no pattern.
const TELLS_PATTERNS: i64 = 20;

/// A page of sessions and how many there are in truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub sessions: Vec<Session>,
    pub total: i64,
}

/// Whether a session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Open,
    /// Silent for so long that the next worker will close it.
    Idle,
    Ended(EndReason),
}

impl Engine {
    pub fn sessions(&self, caller: &Caller, filter: &record::Filter, limit: i64) -> Result<Page> {
        self.store.read(|conn| {
            let sessions = record::list(conn, &caller.project, filter, limit)?;
            Ok(Page { sessions, total: record::count(conn, &caller.project, filter)? })
        })
    }

    /// By our id, the client's own, or an unambiguous beginning of either; the newest when not named.
    pub fn session(&self, caller: &Caller, name: Option<&str>) -> Result<Session> {
        self.store.read(|conn| find(conn, caller, name))
    }

    /// The session that a caller would write to, where there is one yet.
    pub fn known_session(&self, caller: &Caller, session: &SessionRef) -> Result<Option<Session>> {
        let run = session.clone().run(&caller.actor);
        Ok(self
            .store
            .read(|conn| record::present(conn, &caller.project, run.client.as_deref(), &run.name))?)
    }

    /// All sessions that `name` means: one by our id or its beginning, every role of a client's run by its name.
    pub fn sessions_named(&self, caller: &Caller, name: &str) -> Result<Vec<Session>> {
        self.store.read(|conn| {
            let filter =
                record::Filter { client_session: Some(name.to_owned()), ..record::Filter::default() };
            let run = record::list(conn, &caller.project, &filter, i64::MAX)?;
            if run.is_empty() { Ok(vec![find(conn, caller, Some(name))?]) } else { Ok(run) }
        })
    }

    pub fn session_state(&self, session: &Session) -> State {
        match session.ended {
            Some(ended) => State::Ended(ended.reason),
            None if session.last_event_at.plus(self.settings.idle_after) <= self.now() => State::Idle,
            None => State::Open,
        }
    }

    /// Ends a session and writes its summary; a session that has ended stays as it is.
    pub fn end_session(&self, caller: &Caller, name: Option<&str>, reason: EndReason) -> Result<Session> {
        let now = self.now();
        self.write(caller, |tx| {
            let session = find(tx, caller, name)?;
            if session.ended.is_none() {
                self.close(tx, caller, &session, reason, now)?;
            }
            find(tx, caller, Some(session.id.as_str()))
        })
    }

    /// Opens an ended session again, where it stopped.
    pub fn resume_session(&self, caller: &Caller, name: Option<&str>) -> Result<Session> {
        let now = self.now();
        let id: EventId = self.ids.next(now);
        self.write(caller, |tx| {
            let session = find(tx, caller, name)?;
            if session.ended.is_some() {
                self.reopen(tx, caller, &session, now)?;
                let note = Note {
                    session: &session.id,
                    actor: caller.actor.clone(),
                    at: now,
                    kind: Kind::SystemEvent,
                    id: id.clone(),
                    target: RESUMED_TARGET,
                    summary: "session resumed".to_owned(),
                    content: None,
                    parts: None,
                    triggered_by: None,
                    informs: None,
                    redactions: 0,
                };
                self.note(tx, caller, note)?;
            }
            find(tx, caller, Some(session.id.as_str()))
        })
    }

    /// Writes the summary and ends the session, in a transaction that is already open.
    pub(crate) fn close(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        session: &Session,
        reason: EndReason,
        at: Timestamp,
    ) -> Result<()> {
        let summary = summary::of(tx, caller, session)?;
        // Silence is not part of the session: its last moment stays that of its last event.
        let last_moment = if reason == EndReason::Idle { session.last_event_at } else { at };
        let note = Note {
            session: &session.id,
            actor: self.closing_actor(tx, caller, session)?,
            at: last_moment,
            kind: Kind::SystemEvent,
            id: self.ids.next(at),
            target: SUMMARY_TARGET,
            summary: format!("session ended ({reason}): {}", summary.headline),
            content: Some(summary.text),
            parts: None,
            triggered_by: None,
            informs: None,
            redactions: 0,
        };
        self.note(tx, caller, note)?;
        record::end(tx, &caller.project, &session.id, Ended { at, reason })?;
        let is_long = session.last_sequence >= WORTH_A_LOOK;
        if (reason == EndReason::Idle && is_long) || session.workflow.is_some() {
            self.ask_for(tx, &caller.project, COMPACT_SESSION, session.id.as_str())?;
        }
        if session.client != CLI && session.last_sequence >= TELLS_PATTERNS {
            tend::request(tx, self, caller)?;
        }
        self.request_file_sync(tx, caller, session.workspace.as_deref())?;
        self.request_generation(tx, caller, &session.id)
    }

    /// The session's own actor, whoever it was that noticed its end.
    fn closing_actor(&self, tx: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Actor> {
        let filter = event::Filter { sessions: vec![session.id.clone()], ..event::Filter::default() };
        let newest = event::list(tx, &caller.project, &filter, event::Order::NewestFirst, 1)?;
        Ok(newest.into_iter().next().map_or_else(|| caller.actor.clone(), |event| event.actor))
    }
}

pub(crate) fn find(conn: &mut dyn Connection, caller: &Caller, name: Option<&str>) -> Result<Session> {
    let project = &caller.project;
    let Some(name) = name else {
        let newest = record::list(conn, project, &record::Filter::default(), 1)?;
        return newest.into_iter().next().ok_or_else(|| {
            Error::NotFound(
                "this project has no sessions yet; record one with `throughline log append`".to_owned(),
            )
        });
    };
    if let Some(session) = record::present(conn, project, None, name)? {
        return Ok(session);
    }
    let mut matching = record::by_prefix(conn, project, name)?.into_iter();
    match (matching.next(), matching.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => {
            Err(Error::Invalid(format!("several sessions begin with {name:?}; give more of the id")))
        }
        (None, _) => Err(Error::NotFound(format!(
            "there is no session {name:?} in this project; `throughline session list` shows those there are"
        ))),
    }
}

#[cfg(test)]
mod tests;
