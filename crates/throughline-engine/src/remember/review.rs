//! The review queue: memories that wait for somebody's word, with why, and what that word does. Every word is in the log.

use throughline_store::Connection;
use throughline_store::memory::{self, Filter, Memory, Source, Standing, Status};
use throughline_store::time::Timestamp;

use super::decay::is_archived;
use super::trace::{Step, steps};
use super::{Change, ended, look, memories};
use crate::capture::{During, redacted};
use crate::index;
use crate::span::Operation;
use crate::{Caller, Engine, Error, Result, mine};

/// Memories in quarantine, newest first, and how many there are.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    pub waiting: Vec<Waiting>,
    pub total: i64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    pub memory: Memory,
    pub why: String,
    pub since: Timestamp,
}

/// What somebody says about a memory that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Approve,
    Reject,
}

/// A memory after the review, and what it took the place of.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewed {
    pub memory: Memory,
    pub superseded: Vec<Memory>,
}

/// Somebody's word makes a memory at least this sure.
pub(crate) const APPROVED: f64 = 0.7;

impl Engine {
    pub fn review_queue(&self, caller: &Caller, limit: i64) -> Result<Queue> {
        self.review_queue_before(caller, None, limit)
    }

    /// The same from the memory of a number on, which is not in it.
    pub fn review_queue_before(&self, caller: &Caller, number: Option<i64>, limit: i64) -> Result<Queue> {
        let filter = Filter { status: Some(Status::Quarantined), before_number: number, ..Filter::default() };
        self.store.read(|conn| {
            let mut waiting = vec![];
            for memory in memory::list(conn, &caller.project, &filter, limit)? {
                let steps = steps(conn, caller, &memory)?;
                let (why, since) = reason(&memory, &steps);
                waiting.push(Waiting { memory, why, since });
            }
            Ok(Queue { waiting, total: memory::count(conn, &caller.project, &filter)? })
        })
    }

    /// Approves or rejects memories, all or none. What was archived or forgotten, and what another took the place of, comes back
    /// when it is approved; the other stays.
    pub fn review(
        &self,
        caller: &Caller,
        names: &[String],
        word: Word,
        why: Option<&str>,
        during: &During,
    ) -> Result<Vec<Reviewed>> {
        let why = why.map(|why| redacted(why.to_owned(), &mut 0));
        let span = Operation::Update.begin(caller).named(names);
        span.ended(self.write(caller, |tx| {
            let mut reviewed = vec![];
            for name in names {
                let memory = look::named(tx, caller, name)?;
                check(&memory, word)?;
                reviewed.push(match word {
                    Word::Approve => self.approve(tx, caller, &memory, (why.as_deref(), during))?,
                    Word::Reject => self.reject(tx, caller, &memory, (why.as_deref(), during))?,
                });
            }
            Ok(reviewed)
        }))
    }

    fn approve(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        memory: &Memory,
        (why, during): (Option<&str>, &During),
    ) -> Result<Reviewed> {
        let mut additions = vec![];
        if comes_back(memory) {
            self.find_by_all_words(tx, caller, memory.clone(), &mut additions)?;
        }
        let superseded = self.supersede(tx, caller, (memory, None), &mut additions)?;
        let standing = Standing {
            status: Status::Active,
            confidence: memory.confidence.max(APPROVED),
            superseded_by: None,
            ended: None,
            ..Standing::of(memory)
        };
        memory::set_standing(tx, &caller.project, &memory.id, &standing)?;
        memory::note_verified(tx, &caller.project, &memory.id, self.now())?;
        self.make_findable(tx, caller, additions)?;
        let change = Change { what: "approved", why, session: &during.session, opening: &during.opening };
        self.note_memory_change(tx, caller, memory, &change)?;
        Ok(Reviewed { memory: look::named(tx, caller, memory.id.as_str())?, superseded })
    }

    fn reject(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        memory: &Memory,
        (why, during): (Option<&str>, &During),
    ) -> Result<Reviewed> {
        let reason = why.map_or_else(|| "rejected in review".to_owned(), |why| format!("rejected: {why}"));
        let standing = ended(memory, Status::Forgotten, self.now(), &reason);
        memory::set_standing(tx, &caller.project, &memory.id, &standing)?;
        index::remove(tx, memories(caller), memory.document)?;
        let change = Change { what: "rejected", why, session: &during.session, opening: &during.opening };
        self.note_memory_change(tx, caller, memory, &change)?;
        Ok(Reviewed { memory: look::named(tx, caller, memory.id.as_str())?, superseded: vec![] })
    }
}

/// Whether it is not found any more, and would be if somebody approved it: also where the same or the opposite was seen in
/// what is neither.
fn comes_back(memory: &Memory) -> bool {
    let is_forgotten = memory.status == Status::Forgotten && !memory.is_erased();
    memory.status == Status::Superseded || is_forgotten || is_archived(memory)
}

fn check(memory: &Memory, word: Word) -> Result<()> {
    let waits = memory.status == Status::Quarantined || is_archived(memory);
    match (waits, word) {
        (true, _) => Ok(()),
        (false, Word::Approve) if comes_back(memory) => Ok(()),
        (false, Word::Approve) => Err(Error::Conflict(format!(
            "memory {} is {} and waits for nobody's word; `throughline memory review` shows those that do",
            memory.id, memory.status
        ))),
        (false, Word::Reject) => Err(Error::Conflict(format!(
            "memory {} is {} and does not wait for review; `throughline forget` takes it away",
            memory.id, memory.status
        ))),
    }
}

/// Why a memory is in quarantine: the last thing that put it there, else where it came from.
fn reason(memory: &Memory, steps: &[Step]) -> (String, Timestamp) {
    let doubts = |step: &&Step| {
        let doubts = ["quarantined", "misleading", "outdated", "not_helpful", "contradicted", "adjusted"];
        step.before.is_some() && doubts.contains(&step.action.as_str())
    };
    match steps.iter().rfind(doubts) {
        Some(step) => {
            let reason = step.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
            let said = match step.action.as_str() {
                "quarantined" => {
                    step.reason.clone().unwrap_or_else(|| "it was put into quarantine".to_owned())
                }
                "adjusted" => format!("its conviction was set to {:.2}{reason}", step.after),
                action => format!("it was judged {action}{reason}"),
            };
            (said, step.at.unwrap_or(memory.created_at))
        }
        None if is_suggested(memory) => (suggestion(steps), memory.created_at),
        None if memory.source == Source::ToolOutput => {
            ("a tool or a file said it, and nobody has confirmed it".to_owned(), memory.created_at)
        }
        None => ("it disagrees with what is known".to_owned(), memory.created_at),
    }
}

fn is_suggested(memory: &Memory) -> bool {
    memory.source == Source::Implicit && memory.tags.iter().any(|tag| tag == mine::TAG)
}

/// How often it held when it was counted last.
fn suggestion(steps: &[Step]) -> String {
    let counted = steps.iter().rev().find_map(|step| step.reason.as_deref());
    let cases = counted.map(|cases| cases.trim_start_matches("stated in ")).unwrap_or("some cases");
    format!("mining finished sessions suggested it: it held in {cases}, and nobody has approved it")
}
