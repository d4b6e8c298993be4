//! What a compaction is to replace, and by what: the built-in summary first, a model's in its place where one was told.

use serde_json::{Value as Json, json};
use throughline_inference::tokens;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::event::Kind;
use throughline_store::id::{CheckpointId, EventId};
use throughline_store::time::Timestamp;

use super::digest::Digest;
use super::told::{Story, Told};
use super::{
    Cause, Compacted, Held, Policy, SUMMARY_TARGET, Writer, blockers, boundary, digest_of, parts, text,
};
use crate::capture::Note;
use crate::session::Strategy;

pub(super) struct Plan {
    pub(super) cause: Cause,
    strategy: Strategy,
    from: i64,
    to: i64,
    to_position: i64,
    /// So many of the held events are replaced.
    pub(super) events: usize,
    /// What the next summary goes on with; never what a model made of it.
    pub(super) digest: Digest,
    /// What a model told of the session last, also where it did not write this one.
    pub(super) story: Option<Story>,
    pub(super) writer: Writer,
    blockers: Vec<String>,
    detail: text::Detail,
    text: String,
    tokens_before: i64,
    /// What is held beside the summary.
    tokens_kept: i64,
}

impl Plan {
    pub(super) fn of(held: &Held, cause: Cause, policy: &Policy) -> Option<Plan> {
        let strategy = policy.strategy_for(cause);
        let cut = boundary::whole(&held.events, policy.cut(&held.events, cause));
        let replaced = &held.events[..cut];
        let last = replaced.last()?;
        if replaced.iter().map(|event| event.tokens).sum::<i64>() < policy.min_tokens {
            return None;
        }
        let mut digest = held.summary.as_ref().map(digest_of).unwrap_or_default();
        digest.follow(replaced.iter());
        let detail = match strategy {
            Strategy::SlidingWindow | Strategy::TokenTruncation => text::Detail::Essential,
            Strategy::RecursiveSummarization => text::Detail::Story,
        };
        let plan = Plan {
            cause,
            strategy,
            from: 1,
            to: last.sequence,
            to_position: last.position,
            events: cut,
            digest,
            story: held.summary.as_ref().and_then(|summary| Story::read(&parts(summary)["story"])),
            writer: Writer::BuiltIn { without: None },
            blockers: blockers(&held.session),
            detail,
            text: String::new(),
            tokens_before: held.tokens,
            tokens_kept: held.events[cut..].iter().map(|event| event.tokens).sum(),
        };
        Some(Plan { text: plan.written(&plan.digest, None), ..plan })
    }

    /// With what a model told in the place of the built-in wording.
    pub(super) fn told(self, told: Told, model: String) -> Plan {
        Plan {
            text: self.written(&told.digest, Some(&told.story)),
            story: Some(Story { text: told.story, to: self.to }),
            writer: Writer::Model(model),
            ..self
        }
    }

    pub(super) fn without(self, why: String) -> Plan {
        Plan { writer: Writer::BuiltIn { without: Some(why) }, ..self }
    }

    /// What a model may add, so that what is held gets shorter.
    pub(super) fn tokens_to_spare(&self) -> u64 {
        u64::try_from(self.tokens_before - self.tokens_after()).unwrap_or(0)
    }

    fn tokens_after(&self) -> i64 {
        self.tokens_kept + i64::try_from(tokens::estimate(&self.text)).unwrap_or(i64::MAX / 2)
    }

    fn written(&self, digest: &Digest, story: Option<&str>) -> String {
        let body = text::of(digest, &self.blockers, self.detail);
        let story = story.map(|story| format!("{}: {story}\n", text::STORY)).unwrap_or_default();
        format!("Events 1 to {} of this session in short.\n{story}{body}", self.to)
    }

    pub(super) fn note<'a>(&self, held: &'a Held, (id, now): (EventId, Timestamp)) -> Note<'a> {
        Note {
            session: &held.session.id,
            actor: Actor { kind: ActorKind::Agent, name: "throughline".to_owned() },
            // A note about silence does not break it.
            at: if self.cause == Cause::Idle { held.session.last_event_at } else { now },
            kind: Kind::SystemEvent,
            id,
            target: SUMMARY_TARGET,
            summary: self.summary(),
            content: Some(self.text.clone()),
            parts: Some(self.parts(held)),
            triggered_by: None,
            informs: None,
            redactions: 0,
        }
    }

    fn summary(&self) -> String {
        let (before, after) = (self.tokens_before, self.tokens_after());
        let told = match &self.writer {
            Writer::BuiltIn { without: None } => String::new(),
            Writer::BuiltIn { without: Some(why) } => format!("; without the model: {why}"),
            Writer::Model(model) => format!("; written by {model}"),
        };
        let (from, to, cause) = (self.from, self.to, self.cause);
        format!("events {from} to {to} in short ({cause}): {before} tokens became {after}{told}")
    }

    fn parts(&self, held: &Held) -> Json {
        let mut parts = json!({
            "from": self.from,
            "to": self.to,
            "to_position": self.to_position,
            "cause": self.cause.as_str(),
            "strategy": self.strategy,
            "events": self.events,
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after(),
            "replaces": held.summary.as_ref().map(|event| event.id.as_str()),
            "written_by": self.writer.as_str(),
            "digest": self.digest.written(),
        });
        match &self.writer {
            Writer::Model(model) => parts["model"] = json!(model),
            Writer::BuiltIn { without: Some(why) } => parts["without"] = json!(why),
            Writer::BuiltIn { without: None } => {}
        }
        if let Some(story) = &self.story {
            parts["story"] = story.written();
        }
        parts
    }

    pub(super) fn outcome(&self, summary: EventId, checkpoint: Option<CheckpointId>) -> Compacted {
        Compacted {
            summary,
            range: (self.from, self.to),
            cause: self.cause,
            strategy: self.strategy,
            events: self.events,
            tokens_before: self.tokens_before,
            tokens_after: self.tokens_after(),
            checkpoint,
            writer: self.writer.clone(),
        }
    }
}
