//! Which known memory a statement is about, when it does not say so itself: of the same kind and scope, found by its
//! words, and related to it.

use throughline_store::Connection;
use throughline_store::actor::ActorKind;
use throughline_store::memory::{self, Memory, Source};

use super::consolidate::{New, Origin, Related, Relation, SURE, Standpoint, Verdict, is_unsure, verdict};
use super::statement::{Cause, Draft};
use crate::{Caller, Engine, Result};

/// So many of the nearest are looked at.
const LOOKED_AT: usize = 10;
/// Longer texts are no statements, and their words tell too little about what they say.
const MAX_WORDS: usize = 60;

/// What a statement is about, and what else it makes untrue.
#[derive(Debug, Default)]
pub(super) struct Similar {
    /// The live memory that it says again, makes more exact or contradicts, and what follows from it.
    pub(super) nearest: Option<(Memory, Verdict)>,
    /// Others that it contradicts, and takes the place of.
    pub(super) untrue: Vec<Memory>,
}

impl Engine {
    pub(super) fn similar(&self, tx: &mut dyn Connection, caller: &Caller, draft: &Draft) -> Result<Similar> {
        let near = self.near(tx, caller, draft)?;
        Ok(nearest(near, draft))
    }

    /// The live memories that the statement may be about.
    pub(super) fn near(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
    ) -> Result<Vec<Memory>> {
        let new = &draft.memory;
        // What happened at a time is not made untrue by what happened at another.
        let speaks_for_itself =
            draft.supersedes.is_some() || new.state_key.is_some() || new.occurred_at.is_some();
        if speaks_for_itself || new.source == Source::ToolOutput || !is_statement(&new.content) {
            return Ok(vec![]);
        }
        let kinds = kinds(draft);
        let is_comparable = |memory: &Memory| {
            kinds.contains(&memory.kind)
                && memory.scope == new.scope
                && memory.state_key.is_none()
                && memory.occurred_at.is_none()
                && is_statement(&memory.content)
        };
        self.sharing_words(conn, caller, &new.content, (LOOKED_AT, is_comparable))
    }
}

/// What says the same comes first, then what contradicts, then what is less exact.
fn nearest(known: Vec<Memory>, draft: &Draft) -> Similar {
    if known.is_empty() {
        return Similar::default();
    }
    let new = New::of(&draft.memory.content, origin(draft));
    let related = known.into_iter().map(|memory| {
        let related = related(&memory, (&new, draft));
        (memory, related)
    });
    let mut sure: Vec<(Memory, Related)> = related
        .filter(|(_, related)| related.relation != Relation::Unrelated && related.score >= SURE)
        .collect();
    sure.sort_by(|(_, one), (_, other)| {
        let weight = |related: &Related| (urgency(related.relation), related.score);
        weight(other).partial_cmp(&weight(one)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let judged = |memory: &Memory, relation| verdict(relation, standpoint(memory), standpoint(&draft.memory));
    let mut sure = sure.into_iter();
    let nearest = sure.next().map(|(memory, Related { relation, .. })| {
        let verdict = judged(&memory, relation);
        (memory, verdict)
    });
    let is_untrue = |(memory, related): &(Memory, Related)| {
        related.relation == Relation::Opposite && judged(memory, related.relation) == Verdict::Supersede
    };
    Similar { nearest, untrue: sure.filter(is_untrue).map(|(memory, _)| memory).collect() }
}

/// By the rules; where they are not sure, by what a model said beforehand.
fn related(memory: &Memory, (new, draft): (&New<'_>, &Draft)) -> Related {
    let by_rules = new.relation_to(&memory.content);
    let advice = draft.advice.iter().find(|(id, _)| *id == memory.id);
    match advice {
        Some((_, relation)) if is_unsure(&by_rules) => {
            Related { relation: *relation, score: SURE, reasons: vec!["a model says so"] }
        }
        _ => by_rules,
    }
}

/// Who makes a statement says of which kind it is. Where it was found, that is a guess: what is told as a fact at one time
/// is told as a rule, a decision or a way to do something at another.
fn kinds(draft: &Draft) -> Vec<memory::Kind> {
    use memory::Kind::{Belief, Context, Decision, Fact, Preference, Rule, Skill};
    let kind = draft.memory.kind;
    match (&draft.cause, kind) {
        (Cause::Found { .. }, Fact | Rule | Skill | Decision) => vec![Fact, Rule, Skill, Decision],
        (Cause::Found { .. }, Preference | Context | Belief) | (Cause::Said { .. }, _) => vec![kind],
    }
}

fn origin(draft: &Draft) -> Origin {
    match draft.cause {
        Cause::Found { .. } => Origin::Found,
        Cause::Said { .. } => Origin::Stated,
    }
}

fn urgency(relation: Relation) -> u8 {
    match relation {
        Relation::Same => 3,
        Relation::Opposite => 2,
        Relation::Refines => 1,
        Relation::Unrelated => 0,
    }
}

fn standpoint(memory: &Memory) -> Standpoint {
    let by_person = memory.actor.kind == ActorKind::User;
    Standpoint { source: memory.source, confidence: memory.confidence, by_person }
}

fn is_statement(content: &str) -> bool {
    content.split_whitespace().take(MAX_WORDS + 1).count() <= MAX_WORDS
}
