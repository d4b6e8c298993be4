//! Which known memory a statement is about, when it does not say so itself: of the same kind and scope, found by its
//! words and its meaning, and related to it.

use throughline_store::Connection;
use throughline_store::actor::ActorKind;
use throughline_store::memory::{Kind, Memory, Source, Status};

use super::consolidate::{
    AGAIN_OR_OTHERWISE, AND_MORE, BY_WEIGHT, New, Related, Relation, SURE, Standpoint, Stated, Verdict,
    are_under_one_title, is_unsure, name_the_same_values, names_more, verdict,
};
use super::decide::chosen;
use super::past::{WithPast, with_past};
use super::rest::rest_of;
use super::statement::Draft;
use super::wordings::is_statement;
use crate::recall::Wanted;
use crate::{Caller, Engine, Result};

/// So many of those that share its words are looked at, and so many others that mean something like it.
pub(super) const SHARING: usize = 10;
pub(super) const MEANING: usize = 16;

/// What may not last itself has to be so sure of it to end what is known.
const ENDS_IN_DOUBT: f64 = 0.9;

/// So many of those that it may be about are named to whoever made the statement.
const ASKED_ABOUT: usize = 3;

/// What a statement is about, and what follows for others.
#[derive(Debug, Default)]
pub(super) struct Similar {
    /// The live memory that it says again, makes more exact or contradicts, and what follows from it.
    pub(super) nearest: Option<(Memory, Verdict)>,
    /// How sure that is.
    score: f64,
    /// Whether it says again what it takes the place of, in its own words or more exactly.
    pub(super) restates: bool,
    /// Others that it contradicts, and takes the place of.
    pub(super) untrue: Vec<Memory>,
    /// Others that it says again too: they and the nearest are one.
    pub(super) doubles: Vec<Memory>,
    /// Where nothing is surely the same or the opposite: what may be.
    pub(super) perhaps: Vec<Memory>,
}

impl Engine {
    pub(super) fn similar(&self, tx: &mut dyn Connection, caller: &Caller, draft: &Draft) -> Result<Similar> {
        let near = self.near(tx, caller, draft)?;
        Ok(nearest(near, draft))
    }

    /// Whether it says again, or takes the place of, what is known.
    pub(super) fn is_about_known(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
    ) -> Result<bool> {
        let similar = self.similar(tx, caller, draft)?;
        Ok(similar.nearest.is_some_and(|(_, verdict)| match verdict {
            Verdict::Corroborate => true,
            Verdict::Supersede => similar.score >= ENDS_IN_DOUBT,
            Verdict::QuarantineNew | Verdict::Outdated | Verdict::Review | Verdict::Create => false,
        }))
    }

    /// Compares statements with what is known before the database is locked: what is read closely takes milliseconds, and is
    /// kept for the time when it is.
    pub(super) fn read_beforehand<'a>(
        &self,
        drafts: impl Iterator<Item = (&'a Caller, &'a Draft)>,
    ) -> Result<()> {
        for (caller, draft) in drafts {
            let similar = self.store.read(|conn| self.similar(conn, caller, draft))?;
            similar.ended().for_each(|old| drop(rest_of(&old.content, &draft.memory.content)));
            drop(self.store.read(|conn| self.waiting_for(conn, caller, draft))?);
        }
        Ok(())
    }

    /// The live memories that the statement may be about.
    pub(super) fn near(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
    ) -> Result<Vec<WithPast>> {
        let new = &draft.memory;
        // What happened at a time is not made untrue by what happened at another.
        let speaks_for_itself = draft.supersedes.is_some() || new.occurred_at.is_some();
        if speaks_for_itself || new.source == Source::ToolOutput || !is_statement(chosen(&new.content)) {
            return Ok(vec![]);
        }
        let kinds = kinds(draft);
        // Who wishes something today and calls it a rule tomorrow speaks of one thing.
        let is_heard = draft.is_heard();
        let is_comparable = |memory: &Memory| {
            let is_one_of = kinds.contains(&memory.kind) || is_lasting(new.kind) && is_guessed(memory);
            let is_own = (is_heard || is_guessed(memory)) && memory.actor == new.actor;
            is_one_of
                && (memory.scope == new.scope || is_own)
                && memory.occurred_at.is_none()
                && is_statement(chosen(&memory.content))
                && !draft.beside.contains(&memory.id)
        };
        let wanted = Wanted { sharing: SHARING, meaning: MEANING, status: Status::Active };
        let memories = self.about(conn, caller, chosen(&new.content), (wanted, is_comparable))?;
        Ok(with_past(conn, caller, (memories, draft))?)
    }
}

impl Similar {
    /// What does not hold any more by what is said now.
    fn ended(&self) -> impl Iterator<Item = &Memory> {
        let nearest = self.nearest.iter().filter(|(_, verdict)| *verdict == Verdict::Supersede);
        nearest.map(|(memory, _)| memory).chain(&self.untrue)
    }

    /// What a decision takes the place of: what it says again too, since it says why.
    pub(super) fn told_before(self) -> Vec<Memory> {
        let is_about_it = |verdict: &Verdict| matches!(verdict, Verdict::Corroborate | Verdict::Supersede);
        let nearest =
            self.nearest.filter(|(memory, verdict)| is_about_it(verdict) && memory.kind == Kind::Decision);
        nearest.map(|(memory, _)| memory).into_iter().chain(self.untrue).chain(self.doubles).collect()
    }
}

/// What says the same comes first, then what contradicts, then what is less exact.
fn nearest(known: Vec<WithPast>, draft: &Draft) -> Similar {
    if known.is_empty() {
        return Similar::default();
    }
    let relations = New::of(chosen(&draft.memory.content)).relations_to(&stated(&known));
    let related = known.into_iter().zip(relations).map(|(near, related)| {
        let related = of_its_kind(advised(related, &near.memory, draft), &near.memory, draft);
        let related = of_its_message(of_its_key(related, &near.memory, draft), &near);
        (near, related)
    });
    let (mut sure, unsure): (Vec<_>, Vec<_>) = related.partition(|(_, related)| related.is_sure());
    let perhaps = unsure.into_iter().filter(|(_, related)| related.perhaps).map(|(near, _)| near.memory);
    let perhaps = perhaps.take(ASKED_ABOUT).collect();
    // What seems to be said again, and names what that does not, ends first what it contradicts.
    let weight = |(near, related): &(WithPast, Related)| {
        let said = near.stated();
        let told = std::iter::once(said.text).chain(said.wordings.iter().map(String::as_str));
        let names_more = is_a_guess(related) && names_more(told, &draft.memory.content);
        (if names_more { 0 } else { urgency(related) }, related.score)
    };
    sure.sort_by(|one, other| weight(other).partial_cmp(&weight(one)).unwrap_or(std::cmp::Ordering::Equal));
    let judged = |near: &WithPast, relation| match relation {
        Relation::Opposite if draft.is_older_than(near.said_at) => Verdict::Outdated,
        _ => verdict(relation, standpoint(&near.memory), standpoint(&draft.memory)),
    };
    let mut sure = sure.into_iter();
    let Some((first, to_first)) = sure.next() else {
        return Similar { perhaps, ..Similar::default() };
    };
    let (mut untrue, mut doubles) = (vec![], vec![]);
    // What stood beside it so far stands beside it when it is said again, unless a rule knows better.
    let is_again = to_first.relation == Relation::Same || to_first.tells_more();
    for (near, related) in sure {
        let is_untrue = related.relation == Relation::Opposite
            && !(is_again && is_a_guess(&related))
            && judged(&near, Relation::Opposite) == Verdict::Supersede;
        if is_untrue {
            untrue.push(near.memory);
        } else if to_first.is_mutual()
            && (related.is_mutual() || related.tells_more())
            && is_replaceable(&near.memory, &first.memory)
        {
            doubles.push(near.memory);
        }
    }
    let verdict = judged(&first, to_first.relation);
    let restates = to_first.restates() && name_the_same_values(&first.memory.content, &draft.memory.content)
        || to_first.relation == Relation::Refines;
    let (nearest, score) = (Some((first.memory, verdict)), to_first.score);
    Similar { nearest, score, restates, untrue, doubles, perhaps: vec![] }
}

/// Whether nothing is lost when one memory stands for another that says the same.
fn is_replaceable(double: &Memory, by: &Memory) -> bool {
    let trusted = |memory: &Memory| standpoint(memory).trust();
    double.kind == by.kind
        && trusted(double) <= trusted(by)
        && double.tags.iter().all(|tag| by.tags.contains(tag))
        && double.cites.is_none()
        && double.expires_at == by.expires_at
}

pub(super) fn stated(near: &[WithPast]) -> Vec<Stated<'_>> {
    near.iter().map(WithPast::stated).collect()
}

/// Where it is not sure what they are to each other, a model has the word that was asked beforehand.
fn advised(related: Related, known: &Memory, draft: &Draft) -> Related {
    let advice = draft.advice.iter().find(|(id, _)| *id == known.id);
    match advice {
        Some((_, relation)) if is_unsure(&related) => {
            Related { relation: *relation, score: SURE, reasons: vec!["a model says so"], perhaps: false }
        }
        _ => related,
    }
}

/// Who makes a statement says of which kind it is, so the same as another kind is another memory; but what a decision ends
/// does not hold any more because it was called a fact. Where one of the two was only heard, its kind is a guess.
fn of_its_kind(related: Related, known: &Memory, draft: &Draft) -> Related {
    let is_repeated = matches!(related.relation, Relation::Same | Relation::Refines);
    // What somebody asks to be remembered is not left inside of what was decided.
    let is_asked_for = known.kind == Kind::Decision && draft.memory.source == Source::Explicit;
    let is_guess = (draft.is_heard() || is_guessed(known)) && !is_asked_for;
    let is_another = is_repeated && !is_guess && known.kind != draft.memory.kind;
    match is_another || related.relation == Relation::Opposite && are_of_one_list(known, &draft.memory) {
        true => Related { relation: Relation::Unrelated, perhaps: true, ..related },
        false => related,
    }
}

/// A key says what surely replaces what. Under two keys only what contradicts in so many words is about one thing; the value of
/// a key is only said again in the same words; and what has a key says it, so that it is not left with a memory without one.
fn of_its_key(related: Related, known: &Memory, draft: &Draft) -> Related {
    let apart = |related: Related| Related { relation: Relation::Unrelated, perhaps: false, ..related };
    let is_said = related.reasons != [BY_WEIGHT];
    let is_one_key = known.is_of_key_of(&draft.memory);
    match (&known.state_key, &draft.memory.state_key) {
        (None, None) | (Some(_), None) => related,
        (Some(_), Some(_)) => match related.relation {
            Relation::Same if is_one_key && is_said && draft.is_heard() => related,
            Relation::Opposite if !is_one_key && is_said && draft.decision.is_none() => related,
            Relation::Same | Relation::Refines | Relation::Opposite | Relation::Unrelated => apart(related),
        },
        (None, Some(_)) => match related.relation {
            Relation::Same if !draft.is_heard() && related.is_mutual() => {
                Related { relation: Relation::Refines, ..related }
            }
            Relation::Same if !draft.is_heard() => apart(related),
            Relation::Same | Relation::Refines | Relation::Opposite | Relation::Unrelated => related,
        },
    }
}

/// What stands beside each other in one message holds at once, unless a rule knows better.
fn of_its_message(related: Related, known: &WithPast) -> Related {
    let is_replaced = matches!(related.relation, Relation::Opposite | Relation::Refines);
    match known.is_said_beside && is_a_guess(&related) && is_replaced {
        true => Related { relation: Relation::Unrelated, perhaps: false, ..related },
        false => related,
    }
}

fn is_a_guess(related: &Related) -> bool {
    matches!(related.reasons[..], [BY_WEIGHT | AGAIN_OR_OTHERWISE | AND_MORE])
}

/// What a document has under one heading held at once.
fn are_of_one_list(known: &Memory, new: &Memory) -> bool {
    let is_document = |memory: &Memory| memory.source == Source::Bootstrap;
    is_document(known) && is_document(new) && are_under_one_title(&known.content, &new.content)
}

/// What is told as a fact at one time is told as a rule, a decision or a way to do something at another; and as a wish, where
/// it was only heard: who calls it one means that others may do otherwise.
fn kinds(draft: &Draft) -> Vec<Kind> {
    use Kind::{Decision, Fact, Preference, Rule, Skill};
    match draft.memory.kind {
        Fact | Rule | Skill | Decision | Preference if draft.is_heard() => {
            vec![Fact, Rule, Skill, Decision, Preference]
        }
        Fact | Rule | Skill | Decision => vec![Fact, Rule, Skill, Decision],
        kind => vec![kind],
    }
}

/// Which kind it is, and for whom it holds, nobody has said.
fn is_guessed(memory: &Memory) -> bool {
    memory.source == Source::Implicit && is_lasting(memory.kind)
}

fn is_lasting(kind: Kind) -> bool {
    matches!(kind, Kind::Fact | Kind::Rule | Kind::Skill | Kind::Decision | Kind::Preference)
}

fn urgency(related: &Related) -> u8 {
    match related.relation {
        Relation::Same => 3,
        Relation::Refines if related.tells_more() => 3,
        Relation::Opposite => 2,
        Relation::Refines => 1,
        Relation::Unrelated => 0,
    }
}

pub(super) fn standpoint(memory: &Memory) -> Standpoint {
    let by_person = memory.actor.kind == ActorKind::User;
    // What a tool said and is in use, somebody has confirmed.
    let is_confirmed = memory.source == Source::ToolOutput && memory.status == Status::Active;
    let source = if is_confirmed { Source::Implicit } else { memory.source };
    Standpoint { source, confidence: memory.confidence, by_person }
}
