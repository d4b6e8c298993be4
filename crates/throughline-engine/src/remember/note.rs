//! Every change of a memory is an event of the log, found from the memory: as its origin, or by a link.

use serde_json::{Value as Json, json};
use throughline_store::Connection;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::event::{Event, Kind as EventKind};
use throughline_store::id::EventId;
use throughline_store::link::{self, Kind as LinkKind, Node, Origin as LinkOrigin};
use throughline_store::memory::{self, Memory, Origin, Status};

use super::decide::Spoken;
use super::statement::{Cause, Draft};
use super::{Action, Change, EVENT_TARGET};
use crate::capture::{Note, Observation};
use crate::{Caller, Engine, Result};

/// What a change says about the memory, and the event that led to it.
pub(super) struct Because {
    pub(super) kind: LinkKind,
    pub(super) event: Option<EventId>,
}

/// Whether what an event says was to wait for a person's word: nobody is told it as what holds.
pub(crate) fn was_to_wait(event: &Event) -> bool {
    let parts = event.parts.as_deref().and_then(|parts| serde_json::from_str::<Json>(parts).ok());
    parts.is_some_and(|parts| parts["status"] == Status::Quarantined.as_str())
}

impl Engine {
    /// Every change of a memory is an event of the session it happened in, and the memory says where it came from: from
    /// that event, or from those in which it was found.
    pub(super) fn note_memory(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        memory: &Memory,
        action: Action,
    ) -> Result<()> {
        let summary = format!("{}: {}", action.as_str(), memory.title);
        let why = draft.from.as_ref().map(|from| format!("stated in {from}"));
        let (cause, parts) = ((&draft.cause, draft.decision.as_ref()), draft.record(memory, action));
        let note = self.note_of(tx, caller, cause, (memory, summary, why), parts)?;
        let mut origins = match &draft.cause {
            Cause::Said { .. } => vec![note],
            Cause::Found { evidence, .. } => {
                link_note(tx, caller, &note.event, memory)?;
                evidence.clone()
            }
        };
        if let Some(last) = origins.last_mut() {
            last.said = draft.words_beside(memory).map(str::to_owned);
        }
        for origin in &origins {
            memory::add_origin(tx, &caller.project, &memory.id, origin)?;
        }
        Ok(())
    }

    /// What a statement did to a memory that it is not kept as.
    pub(super) fn note_effect(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        known: &Memory,
        (action, why): (Action, &str),
    ) -> Result<()> {
        let action = action.as_str();
        let parts = json!({ "action": action, "memory_id": known.id.as_str(), "reason": why });
        let summary = format!("{action}: {}", known.title);
        // A decision is told by the event of its own memory.
        let note = self.note_of(tx, caller, (&draft.cause, None), (known, summary, None), parts)?;
        link_note(tx, caller, &note.event, known)
    }

    fn note_of(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (cause, decision): (&Cause, Option<&Spoken>),
        (memory, summary, rationale): (&Memory, String, Option<String>),
        parts: Json,
    ) -> Result<Origin> {
        match cause {
            Cause::Said { session, opening } => {
                let observation = Observation {
                    opening: opening.as_ref().clone(),
                    summary: Some(summary),
                    parts: Some(parts.clone()),
                    informs: Some(memory.id.to_string()),
                    target: Some(EVENT_TARGET.to_owned()),
                    rationale,
                    ..Observation::of(EventKind::SystemEvent, session.clone())
                };
                let observation = match decision {
                    Some(decision) => decision.observed(observation, parts),
                    None => observation,
                };
                let recorded = self.capture_within(tx, caller, observation)?;
                Ok(Origin { event: recorded.id, session: recorded.session_id, said: None })
            }
            Cause::Found { session, at, evidence, .. } => {
                let id: EventId = self.ids.next(self.now());
                let note = Note {
                    session,
                    actor: Actor { kind: ActorKind::Agent, name: "throughline".to_owned() },
                    at: *at,
                    kind: EventKind::SystemEvent,
                    id: id.clone(),
                    target: EVENT_TARGET,
                    summary,
                    content: None,
                    parts: Some(parts),
                    triggered_by: evidence.last().map(|origin| origin.event.clone()),
                    informs: Some(memory.id.to_string()),
                    redactions: 0,
                };
                self.note(tx, caller, note)?;
                Ok(Origin { event: id, session: session.clone(), said: None })
            }
        }
    }

    /// Records what was done to a memory outside any statement; it stands as it was left.
    pub(super) fn note_memory_change(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        before: &Memory,
        change: &Change<'_>,
    ) -> Result<()> {
        self.note_step(tx, caller, (before, change), Because { kind: LinkKind::Informs, event: None })
    }

    /// The same for what an event says about it.
    pub(super) fn note_step(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (before, change): (&Memory, &Change<'_>),
        because: Because,
    ) -> Result<()> {
        let after = memory::by_id(tx, &caller.project, &before.id)?;
        let after = after.as_ref().unwrap_or(before);
        let parts = json!({
            "action": change.what,
            "memory_id": before.id.as_str(),
            "reason": change.why,
            "status": after.status.as_str(),
            "confidence_before": before.confidence,
            "confidence": after.confidence,
        });
        let observation = Observation {
            opening: change.opening.clone(),
            summary: Some(format!("{}: {}", change.what, before.title)),
            parts: Some(parts),
            informs: Some(before.id.to_string()),
            target: Some(EVENT_TARGET.to_owned()),
            triggered_by: because.event,
            ..Observation::of(EventKind::SystemEvent, change.session.clone())
        };
        let recorded = self.capture_within(tx, caller, observation)?;
        let (from, to) = (Node::event(&recorded.id), Node::memory(&before.id));
        let origin = LinkOrigin { node: &from, number: recorded.position };
        Ok(link::add(tx, &caller.project, origin, because.kind, &to)?)
    }
}

/// A note that is no origin of the memory is found from it all the same.
fn link_note(tx: &mut dyn Connection, caller: &Caller, note: &EventId, memory: &Memory) -> Result<()> {
    let node = Node::event(note);
    let origin = LinkOrigin { node: &node, number: memory.number };
    Ok(link::add(tx, &caller.project, origin, LinkKind::Informs, &Node::memory(&memory.id))?)
}
