//! What a compaction is to replace, and by what: the built-in summary first, a model's in its place where one was told.

use serde_json::{Value as Json, json};
use throughline_inference::tokens;
use throughline_store::Connection;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::event::{Event, Kind, Order};
use throughline_store::id::{CheckpointId, EventId};
use throughline_store::time::Timestamp;

use super::digest::Digest;
use super::pages::Since;
use super::told::{Story, Told};
use super::{Cause, Compacted, Policy, SUMMARY_TARGET, Writer, blockers, boundary, parts, policy, text};
use crate::Result;
use crate::capture::Note;
use crate::session::Strategy;

pub(super) struct Plan {
    pub(super) cause: Cause,
    strategy: Strategy,
    from: i64,
    pub(super) to: i64,
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
    /// Nothing where there is too little to replace.
    pub(super) fn of(
        conn: &mut dyn Connection,
        since: &Since<'_>,
        cause: Cause,
        policy: &Policy,
    ) -> Result<Option<Plan>> {
        let strategy = policy.strategy_for(cause);
        let wanted = policy.cut(conn, since, cause)?;
        if wanted == policy::NOWHERE {
            return Ok(None);
        }
        let cut = boundary::whole(conn, since, wanted)?;
        let parted = Parted::at(conn, since, cut)?;
        let Some((to, to_position)) = parted.last.filter(|_| parted.tokens_replaced >= policy.min_tokens)
        else {
            return Ok(None);
        };
        let tokens_of_summary = since.summary.as_ref().map_or(0, |summary| summary.tokens);
        let detail = match strategy {
            Strategy::SlidingWindow | Strategy::TokenTruncation => text::Detail::Essential,
            Strategy::RecursiveSummarization => text::Detail::Story,
        };
        let plan = Plan {
            cause,
            strategy,
            from: 1,
            to,
            to_position,
            events: parted.events,
            digest: parted.digest,
            story: since.summary.as_ref().and_then(|summary| Story::read(&parts(summary)["story"])),
            writer: Writer::BuiltIn { without: None },
            blockers: blockers(since.session),
            detail,
            text: String::new(),
            tokens_before: parted.tokens_replaced + parted.tokens_kept + tokens_of_summary,
            tokens_kept: parted.tokens_kept,
        };
        Ok(Some(Plan { text: plan.written(&plan.digest, None), ..plan }))
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

    pub(super) fn note<'a>(&self, since: &Since<'a>, (id, now): (EventId, Timestamp)) -> Note<'a> {
        Note {
            session: &since.session.id,
            actor: Actor { kind: ActorKind::Agent, name: "throughline".to_owned() },
            // A note about silence does not break it.
            at: if self.cause == Cause::Idle { since.session.last_event_at } else { now },
            kind: Kind::SystemEvent,
            id,
            target: SUMMARY_TARGET,
            summary: self.summary(),
            content: Some(self.text.clone()),
            parts: Some(self.parts(since)),
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

    fn parts(&self, since: &Since<'_>) -> Json {
        let mut parts = json!({
            "from": self.from,
            "to": self.to,
            "to_position": self.to_position,
            "cause": self.cause.as_str(),
            "strategy": self.strategy,
            "events": self.events,
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after(),
            "replaces": since.summary.as_ref().map(|event| event.id.as_str()),
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

/// What came since the last summary, parted at a place: what is replaced, and what stays as it is.
struct Parted {
    digest: Digest,
    /// How many are replaced.
    events: usize,
    /// Sequence and position of the last one that is.
    last: Option<(i64, i64)>,
    tokens_replaced: i64,
    tokens_kept: i64,
}

impl Parted {
    fn at(conn: &mut dyn Connection, since: &Since<'_>, cut: i64) -> Result<Parted> {
        let mut parted =
            Parted { digest: since.digest(), events: 0, last: None, tokens_replaced: 0, tokens_kept: 0 };
        let mut pages = since.pages(Order::OldestFirst);
        while let Some(page) = pages.next(conn)? {
            let (replaced, kept) = page.split_at(page.partition_point(|event| event.sequence < cut));
            parted.digest.follow(replaced.iter());
            parted.events += replaced.len();
            parted.last = replaced.last().map(|event| (event.sequence, event.position)).or(parted.last);
            parted.tokens_replaced += tokens_of(replaced);
            parted.tokens_kept += tokens_of(kept);
        }
        Ok(parted)
    }
}

fn tokens_of(events: &[Event]) -> i64 {
    events.iter().map(|event| event.tokens).sum()
}
