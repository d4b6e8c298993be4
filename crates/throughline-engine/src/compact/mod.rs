//! A session that has grown too long: its older part gives way to a summary that names the range it replaces. The log keeps
//! everything; what is replaced is what is held before a model.

mod boundary;
mod consult;
mod correction;
mod digest;
mod due;
mod pages;
mod plan;
mod policy;
mod shown;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod told;

use serde_json::Value as Json;
use throughline_store::checkpoint::Reason;
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::id::{CheckpointId, EventId};
use throughline_store::session::Session;
use throughline_store::{Connection, text_enum};

pub(crate) use correction::resolutions;
pub use digest::{Digest, Line};
pub use policy::Policy;

use pages::Since;
use plan::Plan;

use crate::ask::{is_purged_since, position};
use crate::hold::checkpoint::Wish;
use crate::session::{Strategy, find};
use crate::{Caller, Engine, Result};

text_enum! {
    /// What makes a session be compacted.
    Cause {
        Turns = "turns",
        Tokens = "tokens",
        Idle = "idle",
        Gate = "validation_gate",
        /// Somebody asked for it.
        Request = "request",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compacted {
    pub summary: EventId,
    /// The first and the last event of the session that it replaces.
    pub range: (i64, i64),
    pub cause: Cause,
    pub strategy: Strategy,
    pub events: usize,
    pub tokens_before: i64,
    pub tokens_after: i64,
    pub checkpoint: Option<CheckpointId>,
    pub writer: Writer,
}

/// Who wrote a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writer {
    /// The rules; where a model was chosen, with the reason why it was not that one.
    BuiltIn { without: Option<String> },
    /// The model of this name, and what the rules do not leave to it.
    Model(String),
}

/// What a model needs before it to go on with a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    pub session: Session,
    pub summary: Option<Event>,
    /// What is after the summary's range, the oldest first.
    pub events: Vec<Event>,
    pub tokens: i64,
}

/// The target of the note that replaces a part of a session.
pub const SUMMARY_TARGET: &str = "compaction_summary";

impl Engine {
    pub fn held(&self, caller: &Caller, name: Option<&str>) -> Result<Held> {
        self.store.read(|conn| {
            let session = find(conn, caller, name)?;
            held(conn, caller, session)
        })
    }

    /// Compacts now, whatever is due; nothing when there is too little to be worth it.
    pub fn compact_session(
        &self,
        caller: &Caller,
        name: Option<&str>,
        strategy: Option<Strategy>,
    ) -> Result<Option<Compacted>> {
        let session = self.session(caller, name)?;
        let policy = self.compaction_of(&session);
        let policy = Policy { strategy: strategy.or(policy.strategy), min_tokens: 0, ..policy };
        self.compact(caller, &session, Cause::Request, &policy)
    }

    /// Compacts the session for this cause. The work is done on a snapshot; what comes meanwhile is after the range.
    pub(crate) fn compact(
        &self,
        caller: &Caller,
        session: &Session,
        cause: Cause,
        policy: &Policy,
    ) -> Result<Option<Compacted>> {
        let (position, since, plan) = self.store.read(|conn| -> Result<_> {
            let since = Since::newest_summary(conn, caller, session)?;
            let plan = Plan::of(conn, &since, cause, policy)?;
            Ok((position(conn, caller)?, since, plan))
        })?;
        let Some(plan) = plan else { return Ok(None) };
        let plan = self.told_by_model(&since, plan)?;
        match self.replace((&since, position), &plan, policy)? {
            Replaced::Done(compacted) => Ok(Some(compacted)),
            Replaced::Overtaken => Ok(None),
            // What a model was asked about for long is not all there any more.
            Replaced::Purged => self.compact(caller, session, cause, policy),
        }
    }

    fn replace(
        &self,
        (since, position): (&Since<'_>, i64),
        plan: &Plan,
        policy: &Policy,
    ) -> Result<Replaced> {
        let now = self.now();
        let (caller, session, cause) = (since.caller, since.session, plan.cause);
        let (id, checkpoint): (EventId, CheckpointId) = (self.ids.next(now), self.ids.next(now));
        self.write(caller, |tx| {
            if is_purged_since(tx, caller, position)? {
                return Ok(Replaced::Purged);
            }
            let newest = newest_summary(tx, caller, session)?;
            if newest.as_ref().map(|event| &event.id) != since.summary.as_ref().map(|event| &event.id) {
                // Somebody else has compacted it meanwhile.
                return Ok(Replaced::Overtaken);
            }
            let reason = if cause == Cause::Gate { Reason::Gate } else { Reason::Compaction };
            let title = format!("before compaction ({cause})");
            let kept =
                policy.checkpoints(cause).then(|| Wish::of(session, checkpoint.clone(), reason, title));
            let kept = kept.map(|wish| self.make_checkpoint(tx, caller, wish)).transpose()?;
            self.note(tx, caller, plan.note(since, (id.clone(), self.now())))?;
            Ok(Replaced::Done(plan.outcome(id.clone(), kept.map(|kept| kept.id))))
        })
    }
}

/// What became of the attempt to put a summary in the place of events.
enum Replaced {
    Done(Compacted),
    Overtaken,
    Purged,
}

impl Writer {
    pub fn as_str(&self) -> &'static str {
        match self {
            Writer::BuiltIn { .. } => "built_in",
            Writer::Model(_) => "model",
        }
    }

    /// Why no model wrote it, where one was chosen.
    pub fn without(&self) -> Option<&str> {
        match self {
            Writer::BuiltIn { without } => without.as_deref(),
            Writer::Model(_) => None,
        }
    }
}

/// What must not be lost of a session, up to its newest event.
pub(crate) fn digest_now(conn: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Digest> {
    let since = Since::newest_summary(conn, caller, session)?;
    let mut digest = since.digest();
    let mut pages = since.pages(Order::OldestFirst);
    while let Some(page) = pages.next(conn)? {
        digest.follow(page.iter());
    }
    Ok(digest)
}

/// What the session says holds it up.
pub(crate) fn blockers(session: &Session) -> Vec<String> {
    let scratchpad: Json = serde_json::from_str(&session.scratchpad).unwrap_or_default();
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    scratchpad["blockers"].as_array().into_iter().flatten().map(text).collect()
}

pub(crate) fn newest_summary(
    conn: &mut dyn Connection,
    caller: &Caller,
    session: &Session,
) -> Result<Option<Event>> {
    let filter = summaries(session);
    let newest = event::list(conn, &caller.project, &filter, Order::NewestFirst, 1)?.pop();
    Ok(newest.filter(|event| event.purge.is_none()))
}

pub(crate) fn summaries(session: &Session) -> Filter {
    Filter {
        sessions: vec![session.id.clone()],
        kinds: vec![Kind::SystemEvent],
        target: Some(SUMMARY_TARGET.to_owned()),
        ..Filter::default()
    }
}

/// The events after what a summary replaces, but for the summaries themselves.
pub(crate) fn after(session: &Session, summary: Option<&Event>) -> Filter {
    let position = summary.and_then(|event| parts(event)["to_position"].as_i64());
    Filter { sessions: vec![session.id.clone()], after_position: position, ..Filter::default() }
}

fn held(conn: &mut dyn Connection, caller: &Caller, session: Session) -> Result<Held> {
    let since = Since::newest_summary(conn, caller, &session)?;
    let mut pages = since.pages(Order::OldestFirst);
    let mut events = vec![];
    while let Some(page) = pages.next(conn)? {
        events.extend(page);
    }
    let summary = since.summary;
    let tokens = events.iter().chain(&summary).map(|event| event.tokens).sum();
    Ok(Held { session, summary, events, tokens })
}

/// What the product keeps for itself in the log is before no model.
fn is_own(event: &Event) -> bool {
    event.kind == Kind::Checkpoint || event.target.as_deref() == Some(SUMMARY_TARGET)
}

/// How many events and tokens came after what a summary replaces, without our own notes.
pub(crate) fn since(
    conn: &mut dyn Connection,
    caller: &Caller,
    session: &Session,
    summary: Option<&Event>,
) -> Result<(i64, i64)> {
    let all = after(session, summary);
    let checkpoints = Filter { kinds: vec![Kind::Checkpoint], ..all.clone() };
    let summaries = Filter { after_position: all.after_position, ..summaries(session) };
    let mut weigh = |filter: &Filter| -> Result<(i64, i64)> {
        let count = event::count(conn, &caller.project, filter)?;
        Ok((count, event::tokens(conn, &caller.project, filter)?))
    };
    let (all, kept, told) = (weigh(&all)?, weigh(&checkpoints)?, weigh(&summaries)?);
    Ok((all.0 - kept.0 - told.0, all.1 - kept.1 - told.1))
}

fn digest_of(summary: &Event) -> Digest {
    Digest::read(&parts(summary)["digest"])
}

/// What was written with a note is JSON; an older program's may lack something, which then is not there.
pub(crate) fn parts(event: &Event) -> Json {
    event.parts.as_deref().and_then(|parts| serde_json::from_str(parts).ok()).unwrap_or_default()
}
