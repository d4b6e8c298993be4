//! What becomes of memories with time: the unused and unsure ones go to an archive, from which they come back when approved.
//! How sure a memory is at a moment is the record's to say (`Memory::confidence_at`).

use std::time::Duration;

use throughline_store::Connection;
use throughline_store::memory::{self, Memory, Source, Status};
use throughline_store::time::Timestamp;

use super::uses::told_uncounted;
use super::{Change, ended, look, memories};
use crate::capture::{During, redacted};
use crate::index;
use crate::{Caller, Engine, Error, Result};

/// Less sure than this, and never used, is not worth finding.
const ARCHIVE_BELOW: f64 = 0.2;
const ARCHIVE_AFTER: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// So many are read at a time.
const PAGE: i64 = 500;
const ARCHIVED: &str = "archived: ";

/// Whether to do it, or only to say what would be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archiving {
    Do,
    Tell,
}

impl Engine {
    /// Puts away what was never used and is hardly believed any more; says what.
    pub fn archive_memories(
        &self,
        caller: &Caller,
        archiving: Archiving,
        during: &During,
    ) -> Result<Vec<Memory>> {
        let now = self.now();
        if archiving == Archiving::Do {
            self.count_told(caller)?;
        }
        let unused = self.unused(caller, now)?;
        if archiving == Archiving::Tell || unused.is_empty() {
            return Ok(unused);
        }
        self.write(caller, |tx| {
            let mut archived = vec![];
            for memory in &unused {
                // Somebody may have used or confirmed it meanwhile.
                let Some(memory) = memory::by_id(tx, &caller.project, &memory.id)? else { continue };
                if !is_worn(&memory, now) {
                    continue;
                }
                let why = format!("never used, confidence {:.2}", memory.confidence_at(now));
                self.put_away(tx, caller, &memory, (&why, during))?;
                archived.push(memory);
            }
            Ok(archived)
        })
    }

    /// Puts away a memory that holds, because somebody says so.
    pub fn archive_memory(
        &self,
        caller: &Caller,
        name: &str,
        why: Option<&str>,
        during: &During,
    ) -> Result<Memory> {
        let why = redacted(why.unwrap_or("by request").to_owned(), &mut 0);
        self.write(caller, |tx| {
            let memory = look::named(tx, caller, name)?;
            let status = memory.status_at(self.now());
            if status != Status::Active {
                return Err(Error::Conflict(format!(
                    "memory {} is {status}, and only what holds can be put away; `throughline memory list` shows what holds",
                    memory.id
                )));
            }
            self.put_away(tx, caller, &memory, (&why, during))?;
            look::named(tx, caller, memory.id.as_str())
        })
    }

    fn put_away(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        memory: &Memory,
        (why, during): (&str, &During),
    ) -> Result<()> {
        let why = format!("{ARCHIVED}{why}");
        let standing = ended(memory, Status::Expired, self.now(), &why);
        memory::set_standing(tx, &caller.project, &memory.id, &standing)?;
        index::remove(tx, memories(caller), memory.document)?;
        let change =
            Change { what: "archived", why: Some(&why), session: &during.session, opening: &during.opening };
        self.note_memory_change(tx, caller, memory, &change)
    }

    fn unused(&self, caller: &Caller, now: Timestamp) -> Result<Vec<Memory>> {
        self.store.read(|conn| {
            let told = told_uncounted(conn, caller)?;
            let (mut worn, mut after) = (vec![], 0);
            loop {
                let page = memory::after(conn, &caller.project, after, PAGE)?;
                let Some(last) = page.last() else { return Ok(worn) };
                after = last.number;
                worn.extend(
                    page.into_iter().filter(|memory| is_worn(memory, now) && !told.contains(&memory.id)),
                );
            }
        })
    }
}

/// Archived memories are expired ones that say so, and can come back.
pub(super) fn is_archived(memory: &Memory) -> bool {
    memory.status == Status::Expired
        && memory.ended.as_ref().is_some_and(|ended| ended.reason.starts_with(ARCHIVED))
}

fn is_worn(memory: &Memory, now: Timestamp) -> bool {
    memory.status_at(now) == Status::Active
        && memory.source != Source::Explicit
        && memory.use_count == 0
        && now.since(memory.created_at) > ARCHIVE_AFTER
        && memory.confidence_at(now) < ARCHIVE_BELOW
}
