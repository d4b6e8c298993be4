//! Erasing what events say, for privacy: the tombstones stay, and the log says who did it and why.

use serde_json::json;
use throughline_store::Error as StoreError;
use throughline_store::event::{self, Filter, Kind, Order, Purge};
use throughline_store::id::{EventId, MemoryId};
use throughline_store::link::{self, End, Kind as LinkKind, Node};
use throughline_store::memory::{self, Ended};
use throughline_store::{Connection, checkpoint, handoff, model_answer, model_call, session};

use crate::capture::{Observation, SessionRef, redacted};
use crate::compact;
use crate::session::SUMMARY_TARGET;
use crate::{Caller, Engine, Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purged {
    /// How many events were erased now.
    pub count: u64,
    /// Checkpoints of their sessions, which quote what was said and were deleted with them.
    pub checkpoints: u64,
    pub traces: Traces,
}

/// Whether the erased text may still lie in the database's side files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traces {
    None,
    /// Somebody is reading an older state; the text goes when they are done.
    UntilReadersEnd,
}

/// The target of the events that say that something was purged.
pub(crate) const PURGE_TARGET: &str = "purge";
/// So many events are findable again when a purge returns; the rest follows in the background.
const INDEXED_AGAIN: i64 = 20_000;

impl Engine {
    /// Refuses what `purge` would refuse.
    pub fn check_purge(&self, caller: &Caller, filter: &Filter) -> Result<()> {
        self.store.read(|conn| filter.ids.iter().try_for_each(|id| existing(conn, caller, id)))
    }

    pub fn purge(&self, caller: &Caller, filter: &Filter, reason: &str) -> Result<Purged> {
        if *filter == Filter::default() {
            return Err(Error::Invalid(
                "say which events to purge: by id, session, item, kind, actor or time".into(),
            ));
        }
        let reason = redacted(reason.to_owned(), &mut 0);
        let tombstone = Purge { at: self.now(), by: caller.actor.clone(), reason: reason.clone() };
        let (count, checkpoints) = self.write(caller, |tx| {
            filter.ids.iter().try_for_each(|id| existing(tx, caller, id))?;
            let sessions = event::sessions(tx, &caller.project, filter)?;
            let count = event::purge(tx, &caller.project, filter, &tombstone)?;
            if *filter == whole_sessions(filter) {
                for session in &filter.sessions {
                    session::purge(tx, &caller.project, session)?;
                }
            }
            let mut checkpoints = 0;
            for session in sessions {
                // Summaries, checkpoints and handoffs quote what was said, so they go with what they quote.
                checkpoints += checkpoint::purge(tx, &caller.project, &session)?;
                handoff::purge(tx, &caller.project, &session)?;
                let of_session = Filter { sessions: vec![session], ..Filter::default() };
                let of_target =
                    |target: &str| Filter { target: Some(target.to_owned()), ..of_session.clone() };
                let checkpoints = Filter { kinds: vec![Kind::Checkpoint], ..of_session.clone() };
                for quoting in [of_target(SUMMARY_TARGET), of_target(compact::SUMMARY_TARGET), checkpoints] {
                    event::purge(tx, &caller.project, &quoting, &tombstone)?;
                }
            }
            if count > 0 {
                // Words that were said stand in the index in plain text.
                self.forget_event_index(tx, caller)?;
                self.rebuild_backlog_index(tx, caller)?;
                self.erase_memories_of_purged(tx, caller, &tombstone)?;
                // What a model was asked and answered quotes it.
                model_answer::purge(tx, &caller.project)?;
                model_call::purge(tx, &caller.project)?;
                let observation = Observation {
                    target: Some(PURGE_TARGET.to_owned()),
                    summary: Some(format!("purged {count} events: {reason}")),
                    parts: Some(json!({ "count": count, "reason": reason })),
                    ..Observation::of(Kind::SystemEvent, SessionRef::Own)
                };
                self.capture_within(tx, caller, observation)?;
            }
            Ok((count, checkpoints))
        })?;
        if count > 0 {
            self.index_events(caller, INDEXED_AGAIN)?;
        }
        let traces = match self.store.checkpoint() {
            Ok(()) => Traces::None,
            Err(StoreError::Busy { .. }) => Traces::UntilReadersEnd,
            Err(error) => return Err(error.into()),
        };
        Ok(Purged { count, checkpoints, traces })
    }
}

/// Who asks for something to be erased must not believe that it was when nothing is called so.
fn existing(tx: &mut dyn Connection, caller: &Caller, id: &EventId) -> Result<()> {
    if event::by_id(tx, &caller.project, id)?.is_some() {
        return Ok(());
    }
    let memory = memory::by_id(tx, &caller.project, &MemoryId::from(id.to_string()))?;
    Err(Error::NotFound(match memory {
        Some(_) => format!(
            "{id} is a memory, not an event; `throughline memory show {id}` names its events. Nothing was purged"
        ),
        None => {
            format!("there is no event {id}; `throughline log tail --json` shows ids. Nothing was purged")
        }
    }))
}

impl Engine {
    /// A memory whose every origin was purged goes with them, and words that others spoke for too: also from the index.
    fn erase_memories_of_purged(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        purge: &Purge,
    ) -> Result<()> {
        let wordings = memory::erase_purged_wordings(tx, &caller.project)?;
        let erased = memory::without_origin(tx, &caller.project)?;
        for id in &erased {
            let ended = Ended { at: purge.at, reason: format!("purged: {}", purge.reason) };
            let notes = Filter { ids: notes_of(tx, caller, id)?, ..Filter::default() };
            if !notes.ids.is_empty() {
                event::purge(tx, &caller.project, &notes, purge)?;
            }
            link::remove_from(tx, &caller.project, &Node::memory(id))?;
            memory::erase(tx, &caller.project, id, &ended)?;
            // The notes of what became of it say what it said.
            let notes = Filter { informs: Some(id.to_string()), ..Filter::default() };
            event::purge(tx, &caller.project, &notes, purge)?;
        }
        if erased.is_empty() && wordings == 0 { Ok(()) } else { self.rebuild_memory_index(tx, caller) }
    }
}

/// The notes that quote a memory: of what was done to it, and of what it did to beliefs as a decision.
fn notes_of(conn: &mut dyn Connection, caller: &Caller, id: &MemoryId) -> Result<Vec<EventId>> {
    let origins: Vec<EventId> =
        memory::origins(conn, &caller.project, id)?.into_iter().map(|origin| origin.event).collect();
    let mut nodes = vec![Node::memory(id)];
    for kind in [LinkKind::Supports, LinkKind::Contradicts] {
        nodes.extend(link::from(conn, &caller.project, &Node::memory(id), kind)?);
    }
    let mut ids = vec![];
    for node in &nodes {
        for kind in [LinkKind::Informs, LinkKind::Supports, LinkKind::Contradicts] {
            let events = link::to(conn, &caller.project, (node, kind), (End::Event, i64::MAX))?;
            ids.extend(events.into_iter().map(|event| EventId::from(event.id)));
        }
    }
    if ids.is_empty() {
        return Ok(ids);
    }
    let filter = Filter { ids, ..Filter::default() };
    let mut notes = event::list(conn, &caller.project, &filter, Order::OldestFirst, i64::MAX)?;
    notes.retain(|note| {
        note.informs.as_deref() == Some(id.as_str())
            || note.triggered_by.as_ref().is_some_and(|cause| origins.contains(cause))
    });
    Ok(notes.into_iter().map(|note| note.id).collect())
}

/// The same sessions without further conditions.
fn whole_sessions(filter: &Filter) -> Filter {
    Filter { sessions: filter.sessions.clone(), ..Filter::default() }
}
