//! What changed of an agent's HOT entries since it looked last, by the hashes of their contents.

use std::collections::{BTreeMap, HashSet};

use throughline_store::Connection;
use throughline_store::context_entry::{self as record, ContextEntry, Holder, State, Tier};
use throughline_store::id::EntryId;

use super::Scored;
use crate::{Caller, Engine, Result};

/// What the agent has: as it says itself, by id and hash, or as it was given to it last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    Said(BTreeMap<String, String>),
    GivenLast,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Diff {
    pub added: Vec<Scored>,
    pub changed: Vec<Scored>,
    /// No longer HOT, put aside, or deleted.
    pub removed: Vec<EntryId>,
    pub unchanged: usize,
}

impl Engine {
    /// What to take in and what to drop; after it the agent has what is HOT.
    pub fn diff_entries(&self, caller: &Caller, agent: &str, known: &Known) -> Result<Diff> {
        let now = self.now();
        self.write(caller, |tx| {
            let holder = Holder { project: &caller.project, agent };
            let before = record::list(tx, holder)?;
            let mut hot = self.tiered(tx, holder, &before, now)?;
            hot.retain(|one| one.entry.tier == Tier::Hot);
            let has = match known {
                Known::Said(said) => said.clone(),
                Known::GivenLast => given(&before),
            };
            note_given(tx, holder, &before, &hot)?;
            Ok(compare(hot, has))
        })
    }
}

/// The agent's context is these and nothing else.
pub(super) fn note_given(
    tx: &mut dyn Connection,
    holder: Holder<'_>,
    entries: &[ContextEntry],
    hot: &[Scored],
) -> Result<()> {
    let hot: HashSet<&EntryId> = hot.iter().map(|one| &one.entry.id).collect();
    let is_hot = |entry: &ContextEntry| hot.contains(&entry.id);
    let has_it = |entry: &ContextEntry| entry.loaded_hash.as_ref() == Some(&entry.content_hash);
    let ids = |wanted: &dyn Fn(&ContextEntry) -> bool| -> Vec<&EntryId> {
        entries.iter().filter(|entry| wanted(entry)).map(|entry| &entry.id).collect()
    };
    let loaded = ids(&|entry| is_hot(entry) && !has_it(entry));
    let gone = ids(&|entry| entry.state == State::Gone);
    let dropped = ids(&|entry| !is_hot(entry) && entry.state != State::Gone && entry.loaded_hash.is_some());
    record::note_loaded(tx, holder, &loaded)?;
    record::note_dropped(tx, holder, &dropped)?;
    Ok(record::delete(tx, holder, &gone)?)
}

fn given(entries: &[ContextEntry]) -> BTreeMap<String, String> {
    let loaded = entries.iter().filter_map(|entry| Some((entry.id.to_string(), entry.loaded_hash.clone()?)));
    loaded.collect()
}

fn compare(hot: Vec<Scored>, mut has: BTreeMap<String, String>) -> Diff {
    let mut diff = Diff::default();
    for one in hot {
        match has.remove(one.entry.id.as_str()) {
            None => diff.added.push(one),
            // A long hash may be told by its beginning.
            Some(hash) if !hash.is_empty() && one.entry.content_hash.starts_with(&hash) => {
                diff.unchanged += 1;
            }
            Some(_) => diff.changed.push(one),
        }
    }
    diff.removed = has.into_keys().map(EntryId::from).collect();
    diff
}
