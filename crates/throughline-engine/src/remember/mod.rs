//! What lasts: statements become memories that can be found, replaced, doubted and forgotten, each with where it
//! came from.

pub(crate) mod alternatives;
mod amend;
pub mod consolidate;
pub mod extract;
pub mod files;

mod belief;
mod cite;
mod confidence;
mod confirm;
mod consult;
mod decay;
mod decide;
mod expand;
mod feedback;
mod forget;
pub(crate) mod generate;
mod heard;
mod hearsay;
mod history;
mod keep;
mod likely;
mod look;
mod note;
mod outlived;
mod past;
mod repeated;
mod rest;
mod review;
mod shape;
mod similar;
mod statement;
mod taken_back;
mod trace;
mod uses;
mod wordings;

use throughline_store::Connection;
use throughline_store::id::text_enum;
use throughline_store::index_page::{Collection, Index};
use throughline_store::memory::{self, Ended, Memory, Standing, Status};
use throughline_store::time::Timestamp;

pub(crate) use belief::COUNTED_AGAIN;
pub use belief::{Adjustment, Believed, Effect, Evidence, Moved};
pub use cite::{Citation, Code, citations, cited_in};
pub use consult::Consulted;
pub use decay::Archiving;
pub use decide::{Decided, Decision, USUAL_CONFIDENCE, subject_key};
pub use expand::{Entry, Expanded, Full};
pub use feedback::{FeedbackOutcome, Judged};
pub use forget::Forgotten;
pub(crate) use generate::looked_at_to;
pub use generate::{Generation, LEDGER_TARGET};
pub use hearsay::{ORDERS, orders_in};
pub use history::MemoryHistory;
pub use look::{Listed, Shown};
pub(crate) use note::was_to_wait;
pub use rest::is_reason;
pub(crate) use review::APPROVED;
pub use review::{Queue, Reviewed, Waiting, Word};
use statement::{Beside, Draft};
pub use statement::{Statement, state_key};
pub(crate) use statement::{document, meaningful};
pub use trace::Step;
pub(crate) use trace::steps;
pub(crate) use wordings::{Worded, is_findable, with_wordings};

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
    /// Memories that it may say again or contradict: whoever knows tells by stating it in their place.
    pub perhaps: Vec<Memory>,
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
        /// Kept as what was before: what stands was said later.
        Outdated = "outdated",
        /// Not kept: the same was taken away, by somebody who has more to say than whoever says it now.
        Refused = "refused",
    }
}

/// The target of the events that say what became of memories.
pub const EVENT_TARGET: &str = "memory";

impl Engine {
    /// Remembers statements, all or none; when this returns, they are found.
    pub fn remember(&self, caller: &Caller, statements: Vec<Statement>) -> Result<Vec<Remembered>> {
        self.remember_beside(caller, statements, &Beside::default())
    }

    /// Where some memories are known to hold at the same time.
    fn remember_beside(
        &self,
        caller: &Caller,
        statements: Vec<Statement>,
        beside: &Beside,
    ) -> Result<Vec<Remembered>> {
        let span = Operation::Upsert.begin(caller);
        span.records(statements.len());
        span.ended(self.remember_all(caller, statements, beside))
    }

    fn remember_all(
        &self,
        caller: &Caller,
        statements: Vec<Statement>,
        beside: &Beside,
    ) -> Result<Vec<Remembered>> {
        let now = self.now();
        let drafts = statements
            .into_iter()
            .map(|statement| self.draft_beside(caller, statement, (now, beside)))
            .collect::<Result<Vec<_>>>()?;
        self.read_beforehand(drafts.iter().map(|draft| (caller, draft)))?;
        self.write(caller, |tx| {
            let mut additions = vec![];
            let remembered = drafts
                .iter()
                .map(|draft| {
                    let kept = self.keep(tx, caller, draft, &mut additions)?;
                    self.renew_citations(tx, caller, (draft, kept))
                })
                .collect::<Result<Vec<_>>>()?;
            self.make_findable(tx, caller, additions)?;
            Ok(remembered)
        })
    }

    fn draft_beside(
        &self,
        caller: &Caller,
        statement: Statement,
        (now, beside): (Timestamp, &Beside),
    ) -> Result<Draft> {
        let statement = self.attributed(caller, statement)?;
        let mut draft = self.draft(caller, statement, now)?;
        draft.beside = beside.clone();
        Ok(draft)
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
        take_out(tx, caller, old, additions)
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

/// Takes a memory's document out of the index, or out of what is to be added to it.
fn take_out(
    tx: &mut dyn Connection,
    caller: &Caller,
    memory: &Memory,
    additions: &mut Vec<index::Document>,
) -> Result<()> {
    additions.retain(|document| document.number != memory.document);
    Ok(index::remove(tx, memories(caller), memory.document)?)
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

/// A memory as it stands once it has ended.
fn ended(memory: &Memory, status: Status, at: Timestamp, reason: &str) -> Standing {
    Standing { status, ended: Some(Ended { at, reason: reason.to_owned() }), ..Standing::of(memory) }
}

#[cfg(test)]
mod tests;
