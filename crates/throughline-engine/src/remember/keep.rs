//! What becomes of a statement beside what is known: a memory of its own, one that is surer, or one that takes the place of
//! others.

use throughline_store::Connection;
use throughline_store::actor::ActorKind;
use throughline_store::memory::{self, Ended, Kind, Memory, Origin, Source, Standing, Status};

use super::confidence::surer;
use super::consolidate::Verdict;
use super::similar::Similar;
use super::statement::{Draft, check_tags};
use super::{Action, Remembered, look};
use crate::{Caller, Engine, Result, index};

impl Engine {
    pub(super) fn keep(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        let known = memory::same(tx, &caller.project, &draft.memory)?;
        let known = known.filter(|known| known.status_at(draft.memory.created_at) != Status::Expired);
        if let Some(gone) = self.taken_back(tx, caller, draft, known.as_ref())? {
            return self.refuse(tx, caller, draft, gone);
        }
        let by_tool = draft.memory.source == Source::ToolOutput;
        let kept = match (known, draft.supersedes.as_deref()) {
            (Some(known), None) if by_tool => self.witness(tx, caller, draft, known),
            (Some(known), _) if waits_for_a_person(draft, &known) => self.repeat(tx, caller, draft, known),
            (Some(known), None) => self.say_again(tx, caller, draft, known, additions),
            (Some(known), Some(old)) if !by_tool => {
                self.say_instead(tx, caller, draft, (known, old), additions)
            }
            _ => self.consolidate(tx, caller, draft, additions),
        }?;
        self.confirm(tx, caller, draft, kept, additions)
    }

    /// A statement in new words: beside, into or instead of what is known.
    fn consolidate(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        let quarantined = || Memory { status: Status::Quarantined, ..draft.memory.clone() };
        if let Some(present) = said_since(tx, caller, draft)? {
            return self.keep_as_past(tx, caller, draft, &present);
        }
        let Similar { nearest, restates, untrue, doubles, perhaps, .. } = self.similar(tx, caller, draft)?;
        let mut remembered = match nearest {
            None | Some((_, Verdict::Create)) => {
                self.create(tx, caller, (draft, &draft.memory), draft.supersedes.as_deref(), additions)?
            }
            Some((known, Verdict::Corroborate)) => self.say_again(tx, caller, draft, known, additions)?,
            Some((known, Verdict::Supersede)) => {
                let new = in_place_of(&known, draft, restates);
                let kept = self.create(tx, caller, (draft, &new), Some(known.id.as_str()), additions)?;
                self.keep_rest(tx, caller, draft, (&known, &kept.memory), additions)?;
                if restates { self.take_over(tx, caller, (&known, kept), additions)? } else { kept }
            }
            Some((known, Verdict::Outdated)) => return self.keep_as_past(tx, caller, draft, &known),
            Some((_, Verdict::QuarantineNew)) => {
                return self.create(tx, caller, (draft, &quarantined()), None, additions);
            }
            Some((known, Verdict::Review)) => {
                self.doubt(tx, caller, draft, &known)?;
                return self.create(tx, caller, (draft, &quarantined()), None, additions);
            }
        };
        for double in &doubles {
            hand_over(tx, caller, (double, &remembered.memory))?;
        }
        if !doubles.is_empty() {
            remembered.memory = self.find_by_all_words(tx, caller, remembered.memory, additions)?;
        }
        for old in &untrue {
            self.keep_rest(tx, caller, draft, (old, &remembered.memory), additions)?;
        }
        for old in untrue.into_iter().chain(doubles) {
            self.replace_too(tx, caller, draft, (old, &mut remembered), additions)?;
        }
        self.end_outlived(tx, caller, draft, Remembered { perhaps, ..remembered }, additions)
    }

    /// What a memory rested on, that which says it again or more exactly rests on too.
    fn take_over(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (known, kept): (&Memory, Remembered),
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        hand_over(tx, caller, (known, &kept.memory))?;
        let memory = self.find_by_all_words(tx, caller, kept.memory, additions)?;
        Ok(Remembered { memory, ..kept })
    }

    /// What is a memory already takes the place of another that is named.
    fn say_instead(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        (known, old): (Memory, &str),
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        let old = look::named(tx, caller, old)?;
        if old.superseded_by.as_ref() == Some(&known.id) {
            return self.say_again(tx, caller, draft, known, additions);
        }
        if old.id == known.id {
            return self.consolidate(tx, caller, draft, additions);
        }
        let old = look::not_ended(old, draft.memory.created_at)?;
        let mut remembered = self.say_again(tx, caller, draft, known, additions)?;
        self.replace_too(tx, caller, draft, (old, &mut remembered), additions)?;
        Ok(Remembered { action: Action::Superseded, ..remembered })
    }

    /// A memory that is kept takes the place of one more.
    pub(super) fn replace_too(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        (old, kept): (Memory, &mut Remembered),
        additions: &mut Vec<index::Document>,
    ) -> Result<()> {
        self.end_superseded(tx, caller, (&old, &kept.memory), additions)?;
        self.note_superseded(tx, caller, draft, (&old, &kept.memory))?;
        kept.superseded.push(old);
        Ok(())
    }

    /// The same in other words: one memory, under all its tags.
    fn say_again(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        known: Memory,
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        if draft.memory.tags.iter().all(|tag| known.tags.contains(tag)) {
            self.corroborate(tx, caller, draft, known, additions)
        } else {
            self.retag(tx, caller, draft, &known, additions)
        }
    }

    /// What was said before that which stands now.
    fn keep_as_past(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        since: &Memory,
    ) -> Result<Remembered> {
        let reason = format!("superseded by {}", since.id);
        let memory = Memory {
            number: memory::next_number(tx, &caller.project)?,
            document: memory::next_document(tx, &caller.project)?,
            status: Status::Superseded,
            superseded_by: Some(since.id.clone()),
            ended: Some(Ended { at: draft.memory.created_at, reason }),
            ..draft.memory.clone()
        };
        memory::insert(tx, &caller.project, &memory)?;
        self.note_memory(tx, caller, draft, &memory, Action::Outdated)?;
        Ok(draft.left(memory, Action::Outdated))
    }

    /// A memory that somebody contradicts waits for a word on who is right.
    fn doubt(&self, tx: &mut dyn Connection, caller: &Caller, draft: &Draft, known: &Memory) -> Result<()> {
        let standing = Standing { status: Status::Quarantined, ..Standing::of(known) };
        memory::set_standing(tx, &caller.project, &known.id, &standing)?;
        let why = format!("contradicted by {}", draft.memory.id);
        self.note_effect(tx, caller, draft, known, (Action::Quarantined, &why))
    }

    /// A tool says what is known: that is noted, and changes nothing of what people said.
    pub(super) fn witness(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        memory: Memory,
    ) -> Result<Remembered> {
        self.note_memory(tx, caller, draft, &memory, Action::Corroborated)?;
        Ok(draft.left(memory, Action::Corroborated))
    }

    /// An agent says what waits for a person's word: that is noted, and it waits on.
    pub(super) fn repeat(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        waiting: Memory,
    ) -> Result<Remembered> {
        let noted = self.witness(tx, caller, draft, waiting)?;
        Ok(Remembered { action: Action::Quarantined, ..noted })
    }

    /// The same statement under further tags, which a memory is found by: a new memory with all that is known.
    fn retag(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        known: &Memory,
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        let mut tags = known.tags.clone();
        tags.extend(draft.memory.tags.iter().filter(|tag| !known.tags.contains(tag)).cloned());
        tags.sort_unstable();
        check_tags(&tags)?;
        let again = Memory {
            id: draft.memory.id.clone(),
            created_at: draft.memory.created_at,
            tags,
            ..self.said_again(draft, known).applied_to(known.clone())
        };
        let remembered = self.create(tx, caller, (draft, &again), Some(known.id.as_str()), additions)?;
        for origin in memory::origins(tx, &caller.project, &known.id)? {
            memory::add_origin(tx, &caller.project, &remembered.memory.id, &origin)?;
        }
        let memory = self.find_by_all_words(tx, caller, remembered.memory, additions)?;
        Ok(Remembered { memory, ..remembered })
    }

    pub(super) fn create(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (draft, new): (&Draft, &Memory),
        named: Option<&str>,
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        let superseded = match (new.status, named) {
            // What is in quarantine replaces nothing, not even what it names.
            (Status::Quarantined, Some(name)) => {
                look::replaceable(tx, caller, name, new.created_at)?;
                vec![]
            }
            (Status::Quarantined, None) => vec![],
            _ => self.supersede(tx, caller, (new, named), additions)?,
        };
        let memory = Memory {
            number: memory::next_number(tx, &caller.project)?,
            document: memory::next_document(tx, &caller.project)?,
            supersedes: superseded.first().map(|old| old.id.clone()),
            created_at: draft.known_since(),
            ..new.clone()
        };
        memory::insert(tx, &caller.project, &memory)?;
        additions.push(draft.document(&memory));
        let action = match (memory.status, superseded.is_empty()) {
            (Status::Quarantined, _) => Action::Quarantined,
            (_, true) => Action::Created,
            (_, false) => Action::Superseded,
        };
        self.note_memory(tx, caller, draft, &memory, action)?;
        for old in superseded.iter().skip(1) {
            self.note_superseded(tx, caller, draft, (old, &memory))?;
        }
        Ok(Remembered { memory, action, superseded, perhaps: vec![], redactions: draft.redactions })
    }

    /// The event of a new memory names the first that it takes the place of; each other has one of its own.
    fn note_superseded(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        (old, new): (&Memory, &Memory),
    ) -> Result<()> {
        self.note_effect(tx, caller, draft, old, (Action::Superseded, &format!("superseded by {}", new.id)))
    }

    /// The same statement again: one memory, surer, with one origin more. What a tool said becomes trusted when
    /// somebody else says it too.
    pub(super) fn corroborate(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        known: Memory,
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        let standing = self.said_again(draft, &known);
        let superseded = match known.status {
            Status::Quarantined => self.supersede(tx, caller, (&known, None), additions)?,
            _ => vec![],
        };
        memory::set_standing(tx, &caller.project, &known.id, &standing)?;
        let now = self.now();
        memory::note_verified(tx, &caller.project, &known.id, now)?;
        let memory = Memory { last_verified_at: Some(now), ..standing.applied_to(known) };
        self.note_memory(tx, caller, draft, &memory, Action::Corroborated)?;
        let memory = match draft.words_beside(&memory) {
            Some(said) => self.find_by_words(tx, caller, (memory, said), additions)?,
            None => memory,
        };
        for old in &superseded {
            self.note_superseded(tx, caller, draft, (old, &memory))?;
        }
        Ok(Remembered {
            memory,
            action: Action::Corroborated,
            superseded,
            perhaps: vec![],
            redactions: draft.redactions,
        })
    }

    /// How a memory stands once its statement was made again.
    fn said_again(&self, draft: &Draft, known: &Memory) -> Standing {
        Standing {
            status: Status::Active,
            confidence: surer(sure_before(known, &draft.memory)),
            importance: known.importance.max(draft.memory.importance),
            // What is said without an end, or with a later one, holds that long.
            expires_at: known.expires_at.zip(draft.memory.expires_at).map(|(one, other)| one.max(other)),
            superseded_by: None,
            ended: None,
        }
    }
}

impl Draft {
    /// What became of it, where all others stay as they are.
    pub(super) fn left(&self, memory: Memory, action: Action) -> Remembered {
        Remembered { memory, action, superseded: vec![], perhaps: vec![], redactions: self.redactions }
    }
}

/// Whether an agent says what is in review, and does not lift it out of it.
pub(super) fn waits_for_a_person(draft: &Draft, known: &Memory) -> bool {
    draft.memory.actor.kind == ActorKind::Agent && known.status == Status::Quarantined
}

/// The statement as it stands in the place of a known memory: under its key, and at least as sure where it says it again.
fn in_place_of(known: &Memory, draft: &Draft, restates: bool) -> Memory {
    let new = &draft.memory;
    // What was decided is the value of its subject, which nothing but a decision is.
    let takes_key = new.scope == known.scope && (known.kind != Kind::Decision || new.kind == Kind::Decision);
    let state_key = new.state_key.clone().or_else(|| known.state_key.clone().filter(|_| takes_key));
    let confidence = if restates { sure_before(known, new) } else { new.confidence };
    Memory { state_key, confidence, ..new.clone() }
}

/// How sure what is said again was. A belief is as sure as what was seen of it: saying it adds to that, and outweighs nothing.
fn sure_before(known: &Memory, again: &Memory) -> f64 {
    if known.kind == Kind::Belief { known.confidence } else { known.confidence.max(again.confidence) }
}

/// The present value of its state key, where that was said after it.
fn said_since(tx: &mut dyn Connection, caller: &Caller, draft: &Draft) -> Result<Option<Memory>> {
    let new = &draft.memory;
    let Some(key) = new.state_key.as_ref().filter(|_| draft.is_heard()) else { return Ok(None) };
    let Some(present) = memory::of_state_key(tx, &caller.project, new.scope, key)? else { return Ok(None) };
    let said = memory::last_said(tx, &caller.project, &[&present.id])?;
    Ok(said.first().is_some_and(|(_, at)| draft.is_older_than(*at)).then_some(present))
}

/// A memory that turns out to say what another says leaves it where it came from, and its words.
fn hand_over(tx: &mut dyn Connection, caller: &Caller, (from, to): (&Memory, &Memory)) -> Result<()> {
    for origin in memory::origins(tx, &caller.project, &from.id)? {
        let said = origin.said.or_else(|| Some(from.content.clone()));
        memory::add_origin(tx, &caller.project, &to.id, &Origin { said, ..origin })?;
    }
    Ok(())
}
