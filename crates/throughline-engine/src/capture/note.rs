//! What the product itself has to say in a session: its end, a summary, a changed scratchpad, what a model was told.

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::actor::Actor;
use throughline_store::event::{Event, Kind, Role};
use throughline_store::id::{EventId, SessionId};
use throughline_store::session::Which;
use throughline_store::time::Timestamp;

use crate::{Caller, Engine, Result};

/// An event that the product itself records in a session, in a transaction that is already open.
pub(crate) struct Note<'a> {
    pub(crate) session: &'a SessionId,
    pub(crate) actor: Actor,
    pub(crate) at: Timestamp,
    pub(crate) kind: Kind,
    pub(crate) id: EventId,
    pub(crate) target: &'a str,
    pub(crate) summary: String,
    pub(crate) content: Option<String>,
    pub(crate) parts: Option<Json>,
    pub(crate) triggered_by: Option<EventId>,
    /// The memory that it is about.
    pub(crate) informs: Option<String>,
    /// How many secrets were taken out of it.
    pub(crate) redactions: i64,
}

impl Engine {
    /// Records a note at the end of its session.
    pub(crate) fn note(&self, tx: &mut dyn Connection, caller: &Caller, note: Note<'_>) -> Result<()> {
        let tokens =
            throughline_inference::tokens::estimate(note.content.as_deref().unwrap_or(&note.summary));
        let event = Event {
            position: 0,
            id: note.id,
            session_id: note.session.clone(),
            sequence: 0,
            at: note.at,
            actor: note.actor,
            kind: note.kind,
            role: Role::System,
            target: Some(note.target.to_owned()),
            summary: note.summary,
            content: note.content,
            parts: note.parts.map(|parts| parts.to_string()),
            item_id: None,
            triggered_by: note.triggered_by,
            informs: note.informs,
            rationale: None,
            client_key: None,
            tokens: i64::try_from(tokens).unwrap_or(i64::MAX),
            redactions: note.redactions,
            purge: None,
        };
        self.place(tx, caller, vec![event], Which::All)?;
        Ok(())
    }
}
