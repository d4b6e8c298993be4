//! What using a memory showed: it becomes surer, or less sure, and one that misleads goes to review.

use throughline_store::actor::ActorKind;
use throughline_store::id::text_enum;
use throughline_store::memory::{self, Memory, Standing, Status};

use super::confidence::{check_movable, standing, surer};
use super::{Change, look};
use crate::capture::{Opening, SessionRef, redacted};
use crate::span::Operation;
use crate::{Caller, Engine, Result};

text_enum! {
    /// How useful a memory was.
    FeedbackOutcome {
        Helpful = "helpful",
        NotHelpful = "not_helpful",
        Misleading = "misleading",
        Outdated = "outdated",
    }
}

/// A memory after somebody judged it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    pub memory: Memory,
    pub confidence_before: f64,
}

impl FeedbackOutcome {
    fn judge(self, confidence: f64) -> f64 {
        match self {
            FeedbackOutcome::Helpful => surer(confidence),
            FeedbackOutcome::NotHelpful => confidence * 0.9,
            FeedbackOutcome::Outdated => confidence * 0.5,
            FeedbackOutcome::Misleading => confidence * 0.4,
        }
    }
}

/// What misled a person waits for a word on it, however sure it was. An agent's word does not take a person's rule out of use.
fn judged_by(caller: &Caller, memory: &Memory, outcome: FeedbackOutcome) -> Standing {
    let judgement = standing(memory, outcome.judge(memory.confidence));
    let is_peer = caller.actor.kind == ActorKind::User || memory.actor.kind == ActorKind::Agent;
    match (outcome, judgement.status) {
        (FeedbackOutcome::Misleading, Status::Active) if is_peer => {
            Standing { status: Status::Quarantined, ..judgement }
        }
        _ => judgement,
    }
}

impl Engine {
    /// Notes how useful memories were, all or none.
    pub fn feedback(
        &self,
        caller: &Caller,
        names: &[String],
        outcome: FeedbackOutcome,
        note: Option<&str>,
        (session, opening): (&SessionRef, &Opening),
    ) -> Result<Vec<Judged>> {
        let now = self.now();
        let note = note.map(|note| redacted(note.to_owned(), &mut 0));
        let change = Change { what: outcome.as_str(), why: note.as_deref(), session, opening };
        let span = Operation::Update.begin(caller).named(names);
        span.ended(self.write(caller, |tx| {
            let mut judged = vec![];
            for name in names {
                let memory = look::named(tx, caller, name)?;
                check_movable(&memory)?;
                let judgement = judged_by(caller, &memory, outcome);
                memory::set_standing(tx, &caller.project, &memory.id, &judgement)?;
                if outcome == FeedbackOutcome::Helpful {
                    memory::note_use(tx, &caller.project, &memory.id, now)?;
                    memory::note_verified(tx, &caller.project, &memory.id, now)?;
                }
                self.note_memory_change(tx, caller, &memory, &change)?;
                let confidence_before = memory.confidence;
                judged
                    .push(Judged { memory: look::named(tx, caller, memory.id.as_str())?, confidence_before });
            }
            Ok(judged)
        }))
    }
}
