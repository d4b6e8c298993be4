//! Forgetting: a memory stays in the database with when and why it ended, and is found no more.

use throughline_store::memory::{self, Memory, Status};

use super::{Change, ended, look, memories};
use crate::capture::{Opening, SessionRef, redacted};
use crate::index;
use crate::span::Operation;
use crate::{Caller, Engine, Result};

/// What became of a memory that was to be forgotten.
#[derive(Debug, Clone, PartialEq)]
pub struct Forgotten {
    pub memory: Memory,
    /// It had been forgotten before.
    pub already: bool,
}

impl Engine {
    /// Forgets memories by id, all or none.
    pub fn forget(
        &self,
        caller: &Caller,
        names: &[String],
        reason: Option<&str>,
        (session, opening): (&SessionRef, &Opening),
    ) -> Result<Vec<Forgotten>> {
        let now = self.now();
        let reason = reason.map(|reason| redacted(reason.to_owned(), &mut 0));
        let change = Change { what: "forgotten", why: reason.as_deref(), session, opening };
        let span = Operation::Delete.begin(caller).named(names);
        span.ended(self.write(caller, |tx| {
            let mut forgotten = vec![];
            for name in names {
                let memory = look::named(tx, caller, name)?;
                let already = memory.status == Status::Forgotten;
                if !already {
                    let why = reason.as_deref().unwrap_or("forgotten on request");
                    let standing = ended(&memory, Status::Forgotten, now, why);
                    memory::set_standing(tx, &caller.project, &memory.id, &standing)?;
                    index::remove(tx, memories(caller), memory.document)?;
                    self.note_memory_change(tx, caller, &memory, &change)?;
                }
                forgotten.push(Forgotten { memory, already });
            }
            Ok(forgotten)
        }))
    }
}
