//! What an agent holds while it works: entries in tiers that follow from what they are, how old they are and how much they
//! are used; put aside when they get too many, and brought back exactly.

pub mod checkpoint;
mod diff;
mod flash;
pub mod handoff;
mod importance;
mod kept;
mod look;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};
use throughline_inference::tokens;
use throughline_store::context_entry::{self as record, ContextEntry, Holder, State, Tier};
use throughline_store::id::EntryId;
use throughline_store::time::Timestamp;
use throughline_store::{Connection, follow};

pub use diff::{Diff, Known};
pub use flash::Flashed;
pub use importance::{HOT, Policy, TASK, WARM, Weight, tier_of};

use crate::capture::{check_names, redacted};
use crate::{Caller, Engine, Error, Result};

/// What an agent wants to keep.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    pub entry_type: String,
    pub content: String,
    /// In place of the type's weight.
    pub importance: Option<f64>,
    /// The item that it is about.
    pub item: Option<String>,
    /// The entry whose content this replaces.
    pub replaces: Option<String>,
}

/// An entry and what it counts now.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    pub entry: ContextEntry,
    pub importance: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    pub scored: Scored,
    pub action: Action,
    /// The working set has grown so much that a flash save is due.
    pub flash_due: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Created,
    /// The content is another.
    Changed,
    /// It was there; this was an access.
    Known,
}

/// Which entries to load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// What was put aside comes with COLD.
    Tier(Tier),
    All,
    /// By ids, which is an access of each.
    Ids(Vec<String>),
}

/// How entries are distributed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    pub hot: Share,
    pub warm: Share,
    pub cold: Share,
    pub archived: Share,
    pub token_limit: u64,
    pub flash_due: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    pub entries: i64,
    pub tokens: i64,
}

/// What a recomputation of tiers changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moves {
    pub moved: Vec<(EntryId, Tier, Tier)>,
    pub stats: Stats,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// Put aside, and there for who asks.
    Archive,
    Delete,
}

const MAX_CONTENT_BYTES: usize = 256 * 1024;
const MAX_ENTRIES: usize = 10_000;

impl Engine {
    pub fn save_entry(&self, caller: &Caller, agent: &str, draft: &Draft) -> Result<Saved> {
        check(agent, draft)?;
        let now = self.now();
        let content = redacted(draft.content.clone(), &mut 0);
        let fresh = ContextEntry {
            id: self.ids.next(now),
            entry_type: draft.entry_type.clone(),
            content_hash: hash(&content),
            tokens: i64::try_from(tokens::count(&content)).unwrap_or(i64::MAX),
            content,
            importance: draft.importance,
            item_id: draft.item.clone(),
            tier: Tier::Warm,
            state: State::Held,
            access_count: 0,
            created_at: now,
            last_accessed_at: now,
            loaded_hash: None,
        };
        self.write(caller, |tx| {
            let holder = Holder { project: &caller.project, agent };
            let entries = record::list(tx, holder)?;
            let (mut entry, action) = placed(&entries, fresh.clone(), draft)?;
            entry.tier = self.settings.hold.tier(&entry, now);
            record::put(tx, holder, &entry)?;
            follow::set_changed(tx, holder.project, agent)?;
            let held = entries.iter().filter(|other| other.state == State::Held && other.id != entry.id);
            let tokens = held.map(|other| other.tokens).sum::<i64>() + entry.tokens;
            let flash_due = self.settings.hold.is_flash_due(tokens);
            Ok(Saved { scored: self.scored(entry, now), action, flash_due })
        })
    }

    /// The most important first. What is named is accessed; what comes by its tier is only shown, or HOT would keep itself
    /// hot.
    pub fn load_entries(&self, caller: &Caller, agent: &str, wanted: &Wanted) -> Result<Vec<Scored>> {
        let now = self.now();
        self.write(caller, |tx| {
            let holder = Holder { project: &caller.project, agent };
            let before = record::list(tx, holder)?;
            let entries = self.tiered(tx, holder, &before, now)?;
            let chosen = match wanted {
                Wanted::Ids(names) => self.accessed(tx, holder, &entries, names)?,
                Wanted::Tier(tier) => entries.into_iter().filter(|one| one.entry.tier == *tier).collect(),
                Wanted::All => entries,
            };
            if *wanted == Wanted::Tier(Tier::Hot) {
                diff::note_given(tx, holder, &before, &chosen)?;
            }
            Ok(chosen)
        })
    }

    /// Recomputes every tier and says which changed.
    pub fn update_tiers(&self, caller: &Caller, agent: &str) -> Result<Moves> {
        let now = self.now();
        self.write(caller, |tx| {
            let holder = Holder { project: &caller.project, agent };
            let before = record::list(tx, holder)?;
            let after = self.tiered(tx, holder, &before, now)?;
            let was: HashMap<&EntryId, Tier> = before.iter().map(|entry| (&entry.id, entry.tier)).collect();
            let moved = after.iter().filter_map(|one| {
                let from = was.get(&one.entry.id).copied().filter(|from| *from != one.entry.tier)?;
                Some((one.entry.id.clone(), from, one.entry.tier))
            });
            Ok(Moves { moved: moved.collect(), stats: self.stats(&after) })
        })
    }

    pub fn set_stats(&self, caller: &Caller, agent: &str) -> Result<Stats> {
        let now = self.now();
        self.store.read(|conn| {
            let entries = record::list(conn, Holder { project: &caller.project, agent })?;
            let scored: Vec<Scored> = entries.into_iter().map(|entry| self.scored(entry, now)).collect();
            Ok(self.stats(&scored))
        })
    }

    /// Who holds anything in the project, and how many entries.
    pub fn holders(&self, caller: &Caller) -> Result<Vec<(String, i64)>> {
        Ok(self.store.read(|conn| record::agents(conn, &caller.project))?)
    }

    /// Takes entries out of the working set.
    pub fn remove_entries(
        &self,
        caller: &Caller,
        agent: &str,
        names: &[String],
        removal: Removal,
    ) -> Result<Vec<EntryId>> {
        self.write(caller, |tx| {
            let holder = Holder { project: &caller.project, agent };
            let entries = record::list(tx, holder)?;
            let found = names.iter().map(|name| named(&entries, name)).collect::<Result<Vec<_>>>()?;
            match removal {
                Removal::Archive => {
                    let ids: Vec<&EntryId> = found.iter().map(|entry| &entry.id).collect();
                    record::set_state(tx, holder, &ids, State::Archived)?;
                }
                Removal::Delete => delete(tx, holder, &found)?,
            }
            Ok(found.into_iter().map(|entry| entry.id.clone()).collect())
        })
    }

    /// What follows for working sets when an item is done: it is nobody's task any more, and tiers are seen to.
    pub(crate) fn settle_task(&self, tx: &mut dyn Connection, caller: &Caller, item: &str) -> Result<()> {
        record::archive_of_item(tx, &caller.project, TASK, item)?;
        let agent = caller.actor.to_string();
        let holder = Holder { project: &caller.project, agent: &agent };
        let entries = record::list(tx, holder)?;
        self.tiered(tx, holder, &entries, self.now()).map(|_| ())
    }

    /// What of these is held or put aside, each with its tier of now, which is written down where it changed.
    pub(crate) fn tiered(
        &self,
        tx: &mut dyn Connection,
        holder: Holder<'_>,
        before: &[ContextEntry],
        now: Timestamp,
    ) -> Result<Vec<Scored>> {
        let kept = before.iter().filter(|entry| entry.state != State::Gone);
        let mut scored: Vec<Scored> = kept.cloned().map(|entry| self.scored(entry, now)).collect();
        for tier in Tier::ALL {
            let moved = before.iter().filter(|entry| entry.tier != *tier && entry.state != State::Gone);
            let moved: Vec<&EntryId> = moved
                .filter(|entry| self.settings.hold.tier(entry, now) == *tier)
                .map(|entry| &entry.id)
                .collect();
            record::set_tier(tx, holder, &moved, *tier)?;
        }
        scored
            .sort_by(|a, b| b.importance.total_cmp(&a.importance).then_with(|| a.entry.id.cmp(&b.entry.id)));
        Ok(scored)
    }

    fn scored(&self, entry: ContextEntry, now: Timestamp) -> Scored {
        let importance = self.settings.hold.importance(&entry, now);
        let tier = self.settings.hold.tier(&entry, now);
        Scored { entry: ContextEntry { tier, ..entry }, importance }
    }

    fn accessed(
        &self,
        tx: &mut dyn Connection,
        holder: Holder<'_>,
        entries: &[Scored],
        names: &[String],
    ) -> Result<Vec<Scored>> {
        let now = self.now();
        let records: Vec<ContextEntry> = entries.iter().map(|one| one.entry.clone()).collect();
        let mut found = names.iter().map(|name| named(&records, name)).collect::<Result<Vec<_>>>()?;
        found.sort_by(|a, b| a.id.cmp(&b.id));
        found.dedup();
        let ids: Vec<&EntryId> = found.iter().map(|entry| &entry.id).collect();
        record::note_access(tx, holder, &ids, now)?;
        record::set_state(tx, holder, &ids, State::Held)?;
        let changed = record::list(tx, holder)?;
        let after = self.tiered(tx, holder, &changed, now)?;
        Ok(after.into_iter().filter(|one| ids.contains(&&one.entry.id)).collect())
    }

    fn stats(&self, scored: &[Scored]) -> Stats {
        let policy = &self.settings.hold;
        let mut stats = Stats { token_limit: policy.token_limit, ..Stats::default() };
        for one in scored.iter().filter(|one| one.entry.state != State::Gone) {
            let share = match (one.entry.state, one.entry.tier) {
                (State::Archived | State::Gone, _) => &mut stats.archived,
                (State::Held, Tier::Hot) => &mut stats.hot,
                (State::Held, Tier::Warm) => &mut stats.warm,
                (State::Held, Tier::Cold) => &mut stats.cold,
            };
            share.entries += 1;
            share.tokens += one.entry.tokens;
        }
        stats.flash_due = policy.is_flash_due(stats.tokens());
        stats
    }
}

impl Stats {
    /// What is held.
    pub fn entries(&self) -> i64 {
        self.hot.entries + self.warm.entries + self.cold.entries
    }

    pub fn tokens(&self) -> i64 {
        self.hot.tokens + self.warm.tokens + self.cold.tokens
    }
}

/// The entry to write: a new one, or the one it replaces or repeats.
fn placed(entries: &[ContextEntry], fresh: ContextEntry, draft: &Draft) -> Result<(ContextEntry, Action)> {
    let earlier = match &draft.replaces {
        Some(name) => Some(named(entries, name)?),
        None => entries.iter().find(|entry| {
            entry.state != State::Gone
                && entry.entry_type == fresh.entry_type
                && entry.content_hash == fresh.content_hash
        }),
    };
    let Some(earlier) = earlier else {
        return if entries.len() < MAX_ENTRIES {
            Ok((fresh, Action::Created))
        } else {
            Err(Error::Invalid(format!("an agent holds {MAX_ENTRIES} entries at most; delete some first")))
        };
    };
    let action = if earlier.content_hash == fresh.content_hash { Action::Known } else { Action::Changed };
    let entry = ContextEntry {
        id: earlier.id.clone(),
        created_at: earlier.created_at,
        access_count: earlier.access_count + 1,
        importance: fresh.importance.or(earlier.importance),
        item_id: fresh.item_id.clone().or_else(|| earlier.item_id.clone()),
        loaded_hash: earlier.loaded_hash.clone(),
        ..fresh
    };
    Ok((entry, action))
}

/// By its id or an unambiguous beginning of it.
fn named<'a>(entries: &'a [ContextEntry], name: &str) -> Result<&'a ContextEntry> {
    let is_meant = |entry: &&ContextEntry| entry.state != State::Gone && entry.id.as_str().starts_with(name);
    let mut matching = entries.iter().filter(is_meant);
    match (matching.next(), matching.next()) {
        (Some(only), None) if !name.is_empty() => Ok(only),
        (Some(_), _) => {
            Err(Error::Invalid(format!("several entries begin with {name:?}; give more of the id")))
        }
        (None, _) => Err(Error::NotFound(format!(
            "this agent holds no entry {name:?}; `throughline set load --all` shows those there are"
        ))),
    }
}

/// What the agent has before it stays known until it is told that it is gone.
fn delete(tx: &mut dyn Connection, holder: Holder<'_>, found: &[&ContextEntry]) -> Result<()> {
    for entry in found {
        if entry.loaded_hash.is_some() {
            let gone =
                ContextEntry { state: State::Gone, content: String::new(), tokens: 0, ..(*entry).clone() };
            record::put(tx, holder, &gone)?;
        } else {
            record::delete(tx, holder, &[&entry.id])?;
        }
    }
    Ok(())
}

fn check(agent: &str, draft: &Draft) -> Result<()> {
    let invalid = |text: String| Err(Error::Invalid(text));
    check_names(&[("agent", Some(agent)), ("item", draft.item.as_deref())])?;
    if agent.trim().is_empty() {
        return invalid("say whose working set it is: the agent's name is empty".to_owned());
    }
    let name = &draft.entry_type;
    let is_name = (1..=40).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    if !is_name {
        return invalid(format!(
            "{name:?} is no type of entry; write it in capitals: TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION or another name"
        ));
    }
    if draft.content.trim().is_empty() || draft.content.len() > MAX_CONTENT_BYTES {
        return invalid(format!("an entry has a content of 1 to {MAX_CONTENT_BYTES} bytes"));
    }
    match draft.importance {
        Some(share) if !(0.0..=1.0).contains(&share) => {
            invalid("the entry's importance must be between 0 and 1".to_owned())
        }
        _ => Ok(()),
    }
}

pub(crate) fn hash(content: &str) -> String {
    Sha256::digest(content.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
