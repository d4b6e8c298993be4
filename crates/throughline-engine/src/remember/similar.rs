//! Which known memory a statement is about, when it does not say so itself: of the same kind and scope, found by its
//! words, and related to it.

use throughline_store::Connection;
use throughline_store::actor::ActorKind;
use throughline_store::memory::{self, Memory, Source};

use super::consolidate::{Related, Relation, SURE, Standpoint, Verdict, is_unsure, relation, verdict};
use super::statement::{Cause, Draft};
use crate::recall::{Breadth, By, Found, Kind, Query};
use crate::{Caller, Engine, Result};

/// So many of the nearest are looked at.
const LOOKED_AT: usize = 10;
/// Every statement pays for this search, so only its most telling words are looked up.
const TELLING: Breadth = Breadth::Telling { words: 12, documents: 1 };
/// Longer texts are no statements, and their words tell too little about what they say.
const MAX_WORDS: usize = 60;

impl Engine {
    /// The live memory that the statement says again, makes more exact or contradicts, and what follows from it.
    pub(super) fn similar(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
    ) -> Result<Option<(Memory, Verdict)>> {
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
        let query = Query {
            kinds: vec![Kind::Memory],
            memory_kinds: kinds(draft),
            scope: Some(new.scope),
            floor: Some(0.0),
            // A chosen model may be slow, and nobody else can write meanwhile.
            by: By::Words,
            breadth: TELLING,
            ..Query::of(new.content.as_str(), LOOKED_AT)
        };
        let hits = self.recall_within(conn, caller, &query)?.hits.into_iter();
        let memories = hits.filter_map(|hit| match hit.found {
            Found::Memory(memory) => Some(*memory),
            _ => None,
        });
        let is_comparable = |memory: &Memory| {
            memory.state_key.is_none() && memory.occurred_at.is_none() && is_statement(&memory.content)
        };
        Ok(memories.filter(is_comparable).collect())
    }
}

/// What says the same comes first, then what contradicts, then what is less exact.
fn nearest(known: Vec<Memory>, draft: &Draft) -> Option<(Memory, Verdict)> {
    let related = known.into_iter().map(|memory| {
        let related = related(&memory, draft);
        (memory, related)
    });
    let sure =
        related.filter(|(_, related)| related.relation != Relation::Unrelated && related.score >= SURE);
    let (memory, Related { relation, .. }) = sure.max_by(|(_, one), (_, other)| {
        let weight = |related: &Related| (urgency(related.relation), related.score);
        weight(one).partial_cmp(&weight(other)).unwrap_or(std::cmp::Ordering::Equal)
    })?;
    let verdict = verdict(relation, standpoint(&memory), standpoint(&draft.memory));
    Some((memory, verdict))
}

/// By the rules; where they are not sure, by what a model said beforehand.
fn related(memory: &Memory, draft: &Draft) -> Related {
    let by_rules = relation(&memory.content, &draft.memory.content);
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
