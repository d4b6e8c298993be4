//! A session that has grown too long: its older part gives way to a summary that names the range it replaces. The log keeps
//! everything; what is replaced is what is held before a model.

mod boundary;
mod correction;
mod digest;
mod due;
mod policy;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use serde_json::{Value as Json, json};
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::checkpoint::Reason;
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::id::{CheckpointId, EventId};
use throughline_store::session::Session;
use throughline_store::{Connection, text_enum};

pub use digest::{Digest, Line};
pub use policy::Policy;

use crate::capture::Note;
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
        let held = self.store.read(|conn| held(conn, caller, session.clone()))?;
        let Some(plan) = Plan::of(&held, cause, policy) else { return Ok(None) };
        let now = self.now();
        let (id, checkpoint): (EventId, CheckpointId) = (self.ids.next(now), self.ids.next(now));
        self.write(caller, |tx| {
            let newest = newest_summary(tx, caller, session)?;
            if newest.as_ref().map(|event| &event.id) != held.summary.as_ref().map(|event| &event.id) {
                // Somebody else has compacted it meanwhile.
                return Ok(None);
            }
            let reason = if cause == Cause::Gate { Reason::Gate } else { Reason::Compaction };
            let title = format!("before compaction ({cause})");
            let kept =
                policy.checkpoints(cause).then(|| Wish::of(session, checkpoint.clone(), reason, title));
            let kept = kept.map(|wish| self.make_checkpoint(tx, caller, wish)).transpose()?;
            self.note(tx, caller, plan.note(self, &held, id.clone()))?;
            Ok(Some(plan.outcome(id.clone(), kept.map(|kept| kept.id))))
        })
    }
}

/// What is to be replaced, and by what.
struct Plan {
    cause: Cause,
    strategy: Strategy,
    from: i64,
    to: i64,
    to_position: i64,
    events: usize,
    digest: Digest,
    text: String,
    tokens_before: i64,
    tokens_after: i64,
}

impl Plan {
    fn of(held: &Held, cause: Cause, policy: &Policy) -> Option<Plan> {
        let strategy = policy.strategy_for(cause);
        let cut = boundary::whole(&held.events, policy.cut(&held.events, cause));
        let replaced = &held.events[..cut];
        let last = replaced.last()?;
        let tokens: i64 = replaced.iter().map(|event| event.tokens).sum();
        if tokens < policy.min_tokens {
            return None;
        }
        let mut digest = held.summary.as_ref().map(digest_of).unwrap_or_default();
        digest.follow(replaced.iter());
        let detail = match strategy {
            Strategy::SlidingWindow | Strategy::TokenTruncation => text::Detail::Essential,
            Strategy::RecursiveSummarization => text::Detail::Story,
        };
        let body = text::of(&digest, &blockers(&held.session), detail);
        let text = format!("Events 1 to {} of this session in short.\n{body}", last.sequence);
        let cost = i64::try_from(throughline_inference::tokens::estimate(&text)).unwrap_or(i64::MAX);
        Some(Plan {
            cause,
            strategy,
            from: 1,
            to: last.sequence,
            to_position: last.position,
            events: cut,
            tokens_before: held.tokens,
            tokens_after: held.tokens - tokens - held.summary.as_ref().map_or(0, |event| event.tokens) + cost,
            digest,
            text,
        })
    }

    fn note<'a>(&self, engine: &Engine, held: &'a Held, id: EventId) -> Note<'a> {
        Note {
            session: &held.session.id,
            actor: Actor { kind: ActorKind::Agent, name: "throughline".to_owned() },
            // A note about silence does not break it.
            at: if self.cause == Cause::Idle { held.session.last_event_at } else { engine.now() },
            kind: Kind::SystemEvent,
            id,
            target: SUMMARY_TARGET,
            summary: format!(
                "events {} to {} in short ({}): {} tokens became {}",
                self.from, self.to, self.cause, self.tokens_before, self.tokens_after
            ),
            content: Some(self.text.clone()),
            parts: Some(self.parts(held)),
            triggered_by: None,
            informs: None,
            redactions: 0,
        }
    }

    fn parts(&self, held: &Held) -> Json {
        json!({
            "from": self.from,
            "to": self.to,
            "to_position": self.to_position,
            "cause": self.cause.as_str(),
            "strategy": self.strategy,
            "events": self.events,
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
            "replaces": held.summary.as_ref().map(|event| event.id.as_str()),
            "digest": self.digest.written(),
        })
    }

    fn outcome(&self, summary: EventId, checkpoint: Option<CheckpointId>) -> Compacted {
        Compacted {
            summary,
            range: (self.from, self.to),
            cause: self.cause,
            strategy: self.strategy,
            events: self.events,
            tokens_before: self.tokens_before,
            tokens_after: self.tokens_after,
            checkpoint,
        }
    }
}

/// What must not be lost of a session, up to its newest event.
pub(crate) fn digest_now(conn: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Digest> {
    let held = held(conn, caller, session.clone())?;
    let mut digest = held.summary.as_ref().map(digest_of).unwrap_or_default();
    digest.follow(held.events.iter());
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
    let summary = newest_summary(conn, caller, &session)?;
    let filter = after(&session, summary.as_ref());
    let mut events = event::list(conn, &caller.project, &filter, Order::OldestFirst, i64::MAX)?;
    events.retain(|event| !is_own(event));
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
