//! Which file a memory belongs to, and what a bullet in a file is when it does not say so itself.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use throughline_store::memory::{Kind, Memory, Scope};

/// Where memory files lie, and which memories they show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Below the project's root.
    pub folder: PathBuf,
    /// How often files and memories are brought in step by themselves; never without one.
    pub every: Option<Duration>,
    /// By name: `project` is the file `project.memory.md`.
    pub shelves: BTreeMap<String, Shelf>,
}

/// What a file shows. Tags tell more than state keys, and those more than kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shelf {
    pub kinds: Vec<Kind>,
    pub tags: Vec<String>,
    /// What state keys begin with.
    pub state_keys: Vec<String>,
}

impl Default for Policy {
    fn default() -> Policy {
        let shelf = |kinds: &[Kind], tags: &[&str], state_keys: &[&str]| Shelf {
            kinds: kinds.to_vec(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            state_keys: state_keys.iter().map(|key| (*key).to_owned()).collect(),
        };
        let rest = [Kind::Fact, Kind::Rule, Kind::Skill, Kind::Preference, Kind::Belief];
        let shelves = [
            ("anti-patterns", shelf(&[], &["anti-pattern", "anti-patterns", "pitfall"], &[])),
            ("architecture-decisions", shelf(&[Kind::Decision], &["architecture"], &[])),
            ("domain-glossary", shelf(&[], &["glossary", "term"], &["glossary"])),
            ("phase-status", shelf(&[Kind::Context], &["phase", "status"], &["phase", "status"])),
            ("project", shelf(&rest, &[], &[])),
            ("service-catalog", shelf(&[], &["service", "services"], &["service"])),
        ];
        Policy {
            folder: ".claude/memory".into(),
            every: None,
            shelves: shelves.into_iter().map(|(name, shelf)| (name.to_owned(), shelf)).collect(),
        }
    }
}

impl Policy {
    /// The name of the file that shows a memory; nothing for those that concern a person or a session alone.
    pub(super) fn shelf_of(&self, memory: &Memory) -> Option<&str> {
        if memory.scope != Scope::App {
            return None;
        }
        let tagged = |shelf: &Shelf| shelf.tags.iter().any(|tag| memory.tags.contains(tag));
        let keyed = |shelf: &Shelf| {
            let key = memory.state_key.as_deref().unwrap_or_default().to_lowercase();
            shelf.state_keys.iter().any(|prefix| key.starts_with(&prefix.to_lowercase()))
        };
        let of_kind = |shelf: &Shelf| shelf.kinds.contains(&memory.kind);
        let first = |wants: &dyn Fn(&Shelf) -> bool| self.shelves.iter().find(|(_, shelf)| wants(shelf));
        let found = first(&tagged).or_else(|| first(&keyed)).or_else(|| first(&of_kind));
        found.map(|(name, _)| name.as_str())
    }
}

impl Shelf {
    /// What a bullet is that stands under no heading of ours.
    pub(super) fn usual_kind(&self) -> Kind {
        self.kinds.first().copied().unwrap_or(Kind::Fact)
    }

    /// What makes a memory of this kind belong here.
    pub(super) fn usual_tags(&self, kind: Kind) -> Vec<String> {
        if self.kinds.contains(&kind) { vec![] } else { self.tags.first().cloned().into_iter().collect() }
    }
}
