//! What lasts: statements become memories that can be found, replaced, doubted and forgotten, each with where it
//! came from.

pub(crate) mod alternatives;
pub mod consolidate;
pub mod extract;
pub mod files;

mod belief;
mod cite;
mod consult;
mod decay;
mod decide;
mod expand;
mod feedback;
mod forget;
pub(crate) mod generate;
mod history;
mod likely;
mod look;
mod note;
mod review;
mod shape;
mod similar;
mod statement;
mod trace;

use throughline_store::Connection;
use throughline_store::id::text_enum;
use throughline_store::index_page::{Collection, Index};
use throughline_store::memory::{self, Ended, Memory, Origin, Source, Standing, Status};
use throughline_store::time::Timestamp;

pub use belief::{Adjustment, Believed, Effect, Evidence, Moved};
pub use cite::{Citation, Code, citations, cited_in};
pub use consult::Consulted;
pub use decay::Archiving;
pub use decide::{Decided, Decision, USUAL_CONFIDENCE, subject_key};
pub use expand::{Entry, Expanded, Full};
pub use feedback::{FeedbackOutcome, Judged};
pub use forget::Forgotten;
pub use generate::{Generation, LEDGER_TARGET};
pub use history::MemoryHistory;
pub use look::{Listed, Shown};
pub use review::{Queue, Reviewed, Waiting, Word};
pub use statement::Statement;
pub(crate) use statement::{document, meaningful};
pub use trace::Step;

use consolidate::Verdict;
use similar::Similar;
use statement::{Draft, check_tags};

use crate::capture::{Opening, SessionRef};
use crate::index::{self, After, embed, merge};
use crate::span::Operation;
use crate::{Caller, Engine, Result};

/// A statement that is a memory now.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// The memory that holds the statement now.
    pub memory: Memory,
    pub action: Action,
    /// The memories that it took the place of.
    pub superseded: Vec<Memory>,
    /// How many secrets were taken out of it.
    pub redactions: i64,
}

text_enum! {
    /// What became of a statement.
    Action {
        Created = "created",
        /// The same was known already and is surer now.
        Corroborated = "corroborated",
        /// It took the place of an older memory.
        Superseded = "superseded",
        /// Kept, but not to be found before somebody approves it or says the same.
        Quarantined = "quarantined",
    }
}

/// The target of the events that say what became of memories.
pub const EVENT_TARGET: &str = "memory";

impl Engine {
    /// Remembers statements, all or none; when this returns, they are found.
    pub fn remember(&self, caller: &Caller, statements: Vec<Statement>) -> Result<Vec<Remembered>> {
        let span = Operation::Upsert.begin(caller);
        span.records(statements.len());
        span.ended(self.remember_all(caller, statements))
    }

    fn remember_all(&self, caller: &Caller, statements: Vec<Statement>) -> Result<Vec<Remembered>> {
        let now = self.now();
        let drafts = statements
            .into_iter()
            .map(|statement| self.draft(caller, statement, now))
            .collect::<Result<Vec<_>>>()?;
        self.write(caller, |tx| {
            let mut additions = vec![];
            let remembered = drafts
                .iter()
                .map(|draft| self.keep(tx, caller, draft, &mut additions))
                .collect::<Result<Vec<_>>>()?;
            self.make_findable(tx, caller, additions)?;
            Ok(remembered)
        })
    }

    fn keep(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        let known = match draft.supersedes {
            Some(_) => None,
            None => memory::same(tx, &caller.project, &draft.memory)?,
        };
        let known = known.filter(|known| known.status_at(draft.memory.created_at) != Status::Expired);
        match known {
            Some(known) if draft.memory.source == Source::ToolOutput => {
                self.witness(tx, caller, draft, known)
            }
            Some(known) => self.say_again(tx, caller, draft, known, additions),
            None => self.consolidate(tx, caller, draft, additions),
        }
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
        let Similar { nearest, untrue, doubles } = self.similar(tx, caller, draft)?;
        let mut remembered = match nearest {
            None | Some((_, Verdict::Create)) => {
                self.create(tx, caller, (draft, &draft.memory), draft.supersedes.as_deref(), additions)?
            }
            Some((known, Verdict::Corroborate)) => self.say_again(tx, caller, draft, known, additions)?,
            Some((known, Verdict::Supersede)) => {
                self.create(tx, caller, (draft, &draft.memory), Some(known.id.as_str()), additions)?
            }
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
        for old in untrue.into_iter().chain(doubles) {
            self.end_superseded(tx, caller, (&old, &remembered.memory), additions)?;
            remembered.superseded.push(old);
        }
        Ok(remembered)
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

    /// A memory that somebody contradicts waits for a word on who is right.
    fn doubt(&self, tx: &mut dyn Connection, caller: &Caller, draft: &Draft, known: &Memory) -> Result<()> {
        let standing = Standing { status: Status::Quarantined, ..Standing::of(known) };
        memory::set_standing(tx, &caller.project, &known.id, &standing)?;
        let why = format!("contradicted by {}", draft.memory.id);
        self.note_doubt(tx, caller, draft, known, &why)
    }

    /// A tool says what is known: that is noted, and changes nothing of what people said.
    fn witness(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        memory: Memory,
    ) -> Result<Remembered> {
        self.note_memory(tx, caller, draft, &memory, Action::Corroborated)?;
        let (action, redactions) = (Action::Corroborated, draft.redactions);
        Ok(Remembered { memory, action, superseded: vec![], redactions })
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
        Ok(remembered)
    }

    fn create(
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
            supersedes: superseded.first().map(|old| old.id.clone()),
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
        Ok(Remembered { memory, action, superseded, redactions: draft.redactions })
    }

    /// The same statement again: one memory, surer, with one origin more. What a tool said becomes trusted when
    /// somebody else says it too.
    fn corroborate(
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
        Ok(Remembered { memory, action: Action::Corroborated, superseded, redactions: draft.redactions })
    }

    /// How a memory stands once its statement was made again.
    fn said_again(&self, draft: &Draft, known: &Memory) -> Standing {
        Standing {
            status: Status::Active,
            confidence: surer(known.confidence.max(draft.memory.confidence)),
            importance: known.importance.max(draft.memory.importance),
            // What is said without an end, or with a later one, holds that long.
            expires_at: known.expires_at.zip(draft.memory.expires_at).map(|(one, other)| one.max(other)),
            superseded_by: None,
            ended: None,
        }
    }

    /// Ends the memories that a new one takes the place of: the one it names, and the present value of its state key.
    fn supersede(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (new, named): (&Memory, Option<&str>),
        additions: &mut Vec<index::Document>,
    ) -> Result<Vec<Memory>> {
        let now = self.now();
        let mut old: Vec<Memory> = vec![];
        if let Some(name) = named {
            old.push(look::replaceable(tx, caller, name, now)?);
        }
        if let Some(key) = &new.state_key
            && let Some(present) = memory::of_state_key(tx, &caller.project, new.scope, key)?
            && !old.iter().any(|other| other.id == present.id)
        {
            old.push(present);
        }
        for memory in &old {
            self.end_superseded(tx, caller, (memory, new), additions)?;
        }
        Ok(old)
    }

    fn end_superseded(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (old, new): (&Memory, &Memory),
        additions: &mut Vec<index::Document>,
    ) -> Result<()> {
        let standing = Standing {
            superseded_by: Some(new.id.clone()),
            ..ended(old, Status::Superseded, self.now(), &format!("superseded by {}", new.id))
        };
        memory::set_standing(tx, &caller.project, &old.id, &standing)?;
        additions.retain(|document| document.number != old.number);
        Ok(index::remove(tx, memories(caller), old.number)?)
    }

    fn make_findable(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        documents: Vec<index::Document>,
    ) -> Result<()> {
        if documents.is_empty() {
            return Ok(());
        }
        match index::add(tx, memories(caller), documents)? {
            After::Nothing => {}
            After::MergeDue => merge::request(tx, self, memories(caller))?,
        }
        embed::request(tx, self, memories(caller))
    }
}

/// A memory that turns out to say what another says leaves it where it came from, and its words.
fn hand_over(tx: &mut dyn Connection, caller: &Caller, (from, to): (&Memory, &Memory)) -> Result<()> {
    for origin in memory::origins(tx, &caller.project, &from.id)? {
        let said = origin.said.or_else(|| Some(from.content.clone()));
        memory::add_origin(tx, &caller.project, &to.id, &Origin { said, ..origin })?;
    }
    Ok(())
}

/// What was done to a memory, by whom it was asked for and why.
struct Change<'a> {
    what: &'a str,
    why: Option<&'a str>,
    session: &'a SessionRef,
    opening: &'a Opening,
}

pub(crate) fn memories(caller: &Caller) -> Index<'_> {
    Index { project: &caller.project, collection: Collection::Memories }
}

/// A step of the way to certainty.
fn surer(confidence: f64) -> f64 {
    (confidence + (1.0 - confidence) * 0.3).min(0.99)
}

/// A memory as it stands once it has ended.
fn ended(memory: &Memory, status: Status, at: Timestamp, reason: &str) -> Standing {
    Standing { status, ended: Some(Ended { at, reason: reason.to_owned() }), ..Standing::of(memory) }
}

#[cfg(test)]
mod tests;
