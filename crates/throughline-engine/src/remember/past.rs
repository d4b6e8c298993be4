//! What a memory took the place of: who contradicts that speaks of what the memory is about, however the change was told. And what
//! it was said beside.

use throughline_store::Connection;
use throughline_store::id::MemoryId;
use throughline_store::memory::{self, Memory, Status};
use throughline_store::time::Timestamp;

use super::consolidate::Stated;
use super::decide::chosen;
use super::statement::Draft;
use super::wordings::{Worded, with_wordings};
use crate::Caller;

/// So many memories before one are looked at, each the one that the next took the place of.
const BEFORE: usize = 2;

/// A memory in all its words, and in which words what held before it was said.
#[derive(Debug)]
pub(super) struct WithPast {
    pub(super) memory: Memory,
    /// When it was said last.
    pub(super) said_at: Timestamp,
    /// It became known by the message that the statement is from: nobody contradicts himself in one.
    pub(super) is_said_beside: bool,
    wordings: Vec<String>,
    before: Vec<String>,
}

impl WithPast {
    pub(super) fn stated(&self) -> Stated<'_> {
        Stated { text: chosen(&self.memory.content), wordings: &self.wordings, before: &self.before }
    }
}

pub(super) fn with_past(
    conn: &mut dyn Connection,
    caller: &Caller,
    (memories, draft): (Vec<Memory>, &Draft),
) -> throughline_store::Result<Vec<WithPast>> {
    let ids: Vec<&MemoryId> = memories.iter().map(|memory| &memory.id).collect();
    // What is stated now is younger than all of them.
    let said = if draft.is_heard() { memory::last_said(conn, &caller.project, &ids)? } else { vec![] };
    let beside = said_beside(conn, caller, &memories, draft)?;
    let worded = with_wordings(conn, caller, memories)?;
    let mut all: Vec<WithPast> = worded
        .into_iter()
        .map(|Worded { memory, wordings }| WithPast {
            said_at: said_at(&said, &memory),
            is_said_beside: beside.contains(&memory.id),
            memory,
            wordings,
            before: vec![],
        })
        .collect();
    let mut last: Vec<Option<MemoryId>> = all.iter().map(|one| one.memory.supersedes.clone()).collect();
    for _ in 0..BEFORE {
        let ids: Vec<&MemoryId> = last.iter().flatten().collect();
        let mut ended = memory::by_ids(conn, &caller.project, &ids)?;
        // What was forgotten says nothing any more, and what was brought back speaks for itself.
        ended.retain(|memory| memory.status == Status::Superseded);
        let ended = with_wordings(conn, caller, ended)?;
        for (one, last) in all.iter_mut().zip(&mut last) {
            let ended = last.take().and_then(|id| ended.iter().find(|ended| ended.memory.id == id));
            let Some(Worded { memory, wordings }) = ended else { continue };
            one.before.push(memory.content.clone());
            one.before.extend_from_slice(wordings);
            last.clone_from(&memory.supersedes);
        }
    }
    Ok(all)
}

/// Those that became known by the same message.
fn said_beside(
    conn: &mut dyn Connection,
    caller: &Caller,
    memories: &[Memory],
    draft: &Draft,
) -> throughline_store::Result<Vec<MemoryId>> {
    let is_as_old = |memory: &&Memory| memory.created_at == draft.known_since();
    let as_old: Vec<&MemoryId> = memories.iter().filter(is_as_old).map(|memory| &memory.id).collect();
    match draft.heard_in() {
        Some(event) if !as_old.is_empty() => memory::said_in(conn, &caller.project, event, &as_old),
        _ => Ok(vec![]),
    }
}

fn said_at(said: &[(MemoryId, Timestamp)], memory: &Memory) -> Timestamp {
    said.iter().find(|(id, _)| *id == memory.id).map_or(memory.created_at, |(_, at)| *at)
}
