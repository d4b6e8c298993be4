//! The other words that a memory was said in: it is compared with all of them, and found by all of them.

use throughline_store::Connection;
use throughline_store::id::MemoryId;
use throughline_store::memory::{self, Memory, Status};

use super::statement::document;
use super::take_out;
use crate::{Caller, Engine, Result, index};

/// So many other words for a memory are compared with and searched, the oldest first.
const WORDINGS: usize = 8;
/// Longer texts are no statements, and their words tell too little about what they say.
const MAX_WORDS: usize = 60;

/// A memory, and the other words that it was said in.
#[derive(Debug)]
pub(crate) struct Worded {
    pub(crate) memory: Memory,
    pub(crate) wordings: Vec<String>,
}

pub(crate) fn with_wordings(
    conn: &mut dyn Connection,
    caller: &Caller,
    memories: Vec<Memory>,
) -> throughline_store::Result<Vec<Worded>> {
    let ids: Vec<&MemoryId> = memories.iter().map(|memory| &memory.id).collect();
    let said = memory::wordings(conn, &caller.project, &ids)?;
    let worded = memories.into_iter().map(|memory| {
        let own = said.iter().filter(|(id, _)| *id == memory.id).map(|(_, words)| words);
        Worded { wordings: told_apart(own), memory }
    });
    Ok(worded.collect())
}

fn told_apart<'a>(said: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut wordings: Vec<String> = vec![];
    for words in said.filter(|words| is_statement(words)) {
        if wordings.len() < WORDINGS && !wordings.contains(words) {
            wordings.push(words.clone());
        }
    }
    wordings
}

/// Whether searches go through memories of this status.
pub(crate) fn is_findable(status: Status) -> bool {
    matches!(status, Status::Active | Status::Quarantined)
}

pub(super) fn is_statement(content: &str) -> bool {
    content.split_whitespace().take(MAX_WORDS + 1).count() <= MAX_WORDS
}

impl Engine {
    /// Makes a memory found by the words that it was said in just now, unless it is, or was said in many already.
    pub(super) fn find_by_words(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (memory, said): (Memory, &str),
        additions: &mut Vec<index::Document>,
    ) -> Result<Memory> {
        let all = memory::wordings(tx, &caller.project, &[&memory.id])?;
        let is_first = all.iter().filter(|(_, words)| words == said).count() == 1;
        let wordings = told_apart(all.iter().map(|(_, words)| words));
        if is_first && wordings.iter().any(|words| words == said) {
            find_by(tx, caller, (memory, &wordings), additions)
        } else {
            Ok(memory)
        }
    }

    /// Puts a memory into the index with all its words, in the place of what was there of it.
    pub(super) fn find_by_all_words(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        memory: Memory,
        additions: &mut Vec<index::Document>,
    ) -> Result<Memory> {
        let all = memory::wordings(tx, &caller.project, &[&memory.id])?;
        let wordings = told_apart(all.iter().map(|(_, words)| words));
        find_by(tx, caller, (memory, &wordings), additions)
    }
}

fn find_by(
    tx: &mut dyn Connection,
    caller: &Caller,
    (memory, wordings): (Memory, &[String]),
    additions: &mut Vec<index::Document>,
) -> Result<Memory> {
    take_out(tx, caller, &memory, additions)?;
    let memory = Memory { document: memory::next_document(tx, &caller.project)?, ..memory };
    memory::set_document(tx, &caller.project, &memory.id, memory.document)?;
    additions.push(document(&memory, wordings));
    Ok(memory)
}
