//! Which of the memories that are told cite code that has changed since: nobody may rely on them without looking.

use std::collections::HashSet;

use throughline_store::id::MemoryId;
use throughline_store::memory::Memory;

use super::TurnContext;
use crate::recall::{Files, Found};
use crate::remember::citations;

/// A prompt waits, so that no more citations are looked at than these.
const LOOKED_AT: usize = 4;

pub(super) fn stale(context: &TurnContext, files: &Files) -> HashSet<MemoryId> {
    let Files::In(root) = files else { return HashSet::new() };
    let relevant = context.relevant.iter().filter_map(|hit| match &hit.found {
        Found::Memory(memory) => Some(memory.as_ref()),
        Found::Event(_) | Found::Item(_) | Found::Resource(_) | Found::Code(_) => None,
    });
    let cited = |memory: &Memory| {
        let id = memory.id.clone();
        citations(memory.cites.as_deref()).into_iter().map(move |citation| (id.clone(), citation))
    };
    let looked_at = relevant.chain(&context.rules).flat_map(cited).take(LOOKED_AT);
    looked_at.filter(|(_, citation)| citation.now(root).is_stale()).map(|(id, _)| id).collect()
}
