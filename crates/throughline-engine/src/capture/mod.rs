//! What happened: an observation becomes an event in the log, its session opened or continued, in one
//! transaction.

pub mod mark;
pub mod redact;

mod append;
mod classify;
mod named;
mod note;
mod past;
mod place;
mod session;

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::actor::Actor;
use throughline_store::event::{Event, Kind, Role};
use throughline_store::id::{EventId, SessionId};
use throughline_store::time::Timestamp;

pub(crate) use classify::{one_line, shortened, without_controls};
pub(crate) use note::Note;
pub use session::{CLI, DEFAULT_CHATMODE, Opening, SessionRef};

use session::Run;

use crate::{Caller, Engine, Error, Result};

/// What somebody saw happen, before it is an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    pub session: SessionRef,
    /// What is known about the session, should this be its first event.
    pub opening: Opening,
    /// Who did it, when it was not the caller.
    pub actor: Option<Actor>,
    /// Now, unless it happened earlier.
    pub at: Option<Timestamp>,
    pub kind: Kind,
    /// Follows from the kind unless given.
    pub role: Option<Role>,
    pub target: Option<String>,
    /// The first line of the content unless given.
    pub summary: Option<String>,
    pub content: Option<String>,
    pub parts: Option<Json>,
    pub item_id: Option<String>,
    pub triggered_by: Option<EventId>,
    pub informs: Option<String>,
    pub rationale: Option<String>,
    /// The same key twice is one event.
    pub client_key: Option<String>,
    pub then: Then,
}

/// In which session something is done, and what is known about it should that open it.
#[derive(Debug, Clone, PartialEq)]
pub struct During {
    pub session: SessionRef,
    pub opening: Opening,
}

/// What becomes of the session after an event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Then {
    #[default]
    GoesOn,
    /// The client says that this was the end.
    Ends,
}

impl Observation {
    pub fn of(kind: Kind, session: SessionRef) -> Observation {
        Observation {
            session,
            opening: Opening::default(),
            actor: None,
            at: None,
            kind,
            role: None,
            target: None,
            summary: None,
            content: None,
            parts: None,
            item_id: None,
            triggered_by: None,
            informs: None,
            rationale: None,
            client_key: None,
            then: Then::GoesOn,
        }
    }
}

/// Where an observation stands in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub id: EventId,
    pub session_id: SessionId,
    pub sequence: i64,
    pub position: i64,
    pub redactions: i64,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Appended,
    /// An event with this client key was there before.
    AlreadyThere,
}

impl Engine {
    /// Records observations, all or none; when this returns, they are durable.
    pub fn capture(&self, caller: &Caller, observations: Vec<Observation>) -> Result<Vec<Recorded>> {
        let prepared = self.prepared(caller, observations)?;
        self.write(caller, |tx| append::all(self, tx, caller, &prepared))
    }

    /// What can be done about observations before a transaction.
    pub(crate) fn prepared(&self, caller: &Caller, observations: Vec<Observation>) -> Result<Vec<Prepared>> {
        let now = self.now();
        observations.into_iter().map(|observation| self.prepare(caller, observation, now)).collect()
    }

    /// Records what was prepared, in a transaction that is already open.
    pub(crate) fn append(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        prepared: &[Prepared],
    ) -> Result<Vec<Recorded>> {
        append::all(self, tx, caller, prepared)
    }

    /// Records one observation in a transaction that is already open.
    pub(crate) fn capture_within(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        observation: Observation,
    ) -> Result<Recorded> {
        let recorded = self.capture_all_within(tx, caller, vec![observation])?;
        recorded.into_iter().next().ok_or_else(|| Error::Invalid("nothing was recorded".to_owned()))
    }

    /// Records observations in a transaction that is already open.
    pub(crate) fn capture_all_within(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        observations: Vec<Observation>,
    ) -> Result<Vec<Recorded>> {
        append::all(self, tx, caller, &self.prepared(caller, observations)?)
    }

    /// Everything that can be done before the transaction: checks, redaction, classification.
    fn prepare(&self, caller: &Caller, observation: Observation, now: Timestamp) -> Result<Prepared> {
        self.check_observation(&observation)?;
        let at = observation.at.unwrap_or(now);
        let mut redactions = 0;
        let mut clean = |text: Option<String>| text.map(|text| redacted(text, &mut redactions));
        let target = clean(observation.target);
        let content = clean(observation.content);
        let rationale = clean(observation.rationale);
        let summary = clean(observation.summary);
        let parts = observation.parts.map(|mut parts| {
            redactions += i64::from(redact::json(&mut parts));
            parts.to_string()
        });
        let summary = classify::summary(observation.kind, summary, content.as_deref(), target.as_deref());
        let said = [content.as_deref().unwrap_or(&summary), parts.as_deref().unwrap_or_default()];
        let tokens: u64 = said.into_iter().map(throughline_inference::tokens::estimate).sum();
        let actor = observation.actor.unwrap_or_else(|| caller.actor.clone());
        let run = observation.session.run(&actor);
        let event = Event {
            position: 0,
            id: self.ids.next(at),
            session_id: SessionId::from(String::new()),
            sequence: 0,
            at,
            role: observation.role.unwrap_or_else(|| classify::role(observation.kind, actor.kind)),
            actor,
            kind: observation.kind,
            target,
            summary,
            content,
            parts,
            item_id: observation.item_id,
            triggered_by: observation.triggered_by,
            informs: observation.informs,
            rationale,
            client_key: observation.client_key,
            tokens: i64::try_from(tokens).unwrap_or(i64::MAX),
            redactions,
            purge: None,
        };
        let opening = observation.opening.redacted();
        let fresh_session_id = self.ids.next(at);
        Ok(Prepared { run, opening, fresh_session_id, event, silence: Silence::Ends, then: observation.then })
    }

    /// Whether an observation could be recorded, before anything is done about it.
    pub fn check_observation(&self, observation: &Observation) -> Result<()> {
        observation.session.check()?;
        observation.opening.check()?;
        let limit = self.settings.max_content_bytes;
        let parts = observation.parts.as_ref().map(|parts| parts.to_string().len());
        let content = observation.content.as_ref().map(String::len);
        for (what, size) in [("content", content), ("parts", parts)] {
            if let Some(size) = size.filter(|size| *size > limit) {
                return Err(Error::Invalid(format!(
                    "the event's {what} has {size} bytes and the limit is {limit}; record a shorter text with a \
                     reference to the file, or raise log.max_content_bytes"
                )));
            }
        }
        let short = [
            ("target", &observation.target, 4096),
            ("summary", &observation.summary, 4096),
            ("rationale", &observation.rationale, 65536),
            ("item", &observation.item_id, 200),
            ("informs", &observation.informs, 200),
            ("key", &observation.client_key, 500),
        ];
        for (what, text, limit) in short {
            if text.as_ref().is_some_and(|text| text.len() > limit) {
                return Err(Error::Invalid(format!(
                    "the event's {what} is longer than {limit} bytes; put long text into the content"
                )));
            }
        }
        let triggered_by = observation.triggered_by.as_ref().map(EventId::as_str);
        check_names(&[
            ("item", observation.item_id.as_deref()),
            ("informs", observation.informs.as_deref()),
            ("key", observation.client_key.as_deref()),
            ("triggered_by", triggered_by),
        ])
    }
}

/// An observation that has only its place in the log still to get.
#[derive(Debug)]
pub(crate) struct Prepared {
    run: Run,
    opening: Opening,
    /// The id of the session, should this open one; made here because a transaction may run twice.
    fresh_session_id: SessionId,
    event: Event,
    silence: Silence,
    then: Then,
}

/// What a long silence before an event does to its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Silence {
    Ends,
    /// Nothing: whoever tells it knows that the session went on.
    IsPartOfIt,
}

impl Recorded {
    fn of(event: &Event, outcome: Outcome) -> Recorded {
        Recorded {
            id: event.id.clone(),
            session_id: event.session_id.clone(),
            sequence: event.sequence,
            position: event.position,
            redactions: event.redactions,
            outcome,
        }
    }
}

/// Names are refused, not cleaned: a changed name would name something else.
pub(crate) fn check_names(names: &[(&str, Option<&str>)]) -> Result<()> {
    for (what, name) in names {
        if name.is_some_and(|name| name.len() > 500 || name.contains(char::is_control)) {
            return Err(Error::Invalid(format!(
                "the event's {what} must have at most 500 bytes and no line breaks or control characters"
            )));
        }
        name.map_or(Ok(()), |name| refuse_secret(what, name))?;
    }
    Ok(())
}

/// A name cannot be redacted, so one that holds a secret is refused.
pub(crate) fn refuse_secret(what: &str, name: &str) -> Result<()> {
    if redact::text(name).count == 0 {
        return Ok(());
    }
    Err(Error::Invalid(format!("the {what} looks like a secret; use a plain name")))
}

/// Text that may reach the disk.
pub(crate) fn redacted(text: String, redactions: &mut i64) -> String {
    let clean = match redact::text(&text) {
        found if found.count > 0 => {
            *redactions += i64::from(found.count);
            found.text.into_owned()
        }
        _ => text,
    };
    without_nul(clean)
}

/// PostgreSQL's text cannot hold U+0000; its picture says that it was there, on both databases alike.
fn without_nul(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{2400}") } else { text }
}

#[cfg(test)]
mod tests;
