//! Who has a place in an answer already: an id has one role only.

use std::collections::{HashMap, HashSet};

use throughline_store::id::ItemId;
use throughline_store::item::Item;

/// The right of an item to be in an answer, in one role.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(unreachable_pub, reason = "public types hold one")]
pub struct Place(ItemId);

/// The items that have a place.
#[derive(Debug, Clone, Default)]
pub(super) struct Found(HashMap<ItemId, Standing>);

/// What is remembered of an item that has a place.
#[derive(Debug, Clone)]
struct Standing {
    parent: Option<ItemId>,
    document: i64,
}

impl Found {
    /// A place for an item, unless it has one.
    pub(super) fn place(&mut self, item: &Item) -> Option<Place> {
        if self.0.contains_key(&item.id) {
            return None;
        }
        let standing = Standing { parent: item.parent.clone(), document: item.document };
        self.0.insert(item.id.clone(), standing);
        Some(Place(item.id.clone()))
    }

    pub(super) fn contains(&self, id: &ItemId) -> bool {
        self.0.contains_key(id)
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = &ItemId> {
        self.0.keys()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Those that have a place, each with what it is below.
    pub(super) fn with_parents(&self) -> impl Iterator<Item = (&ItemId, &ItemId)> {
        self.0.iter().filter_map(|(id, standing)| Some((id, standing.parent.as_ref()?)))
    }

    /// How many of those that have a place are directly below an item.
    pub(super) fn below(&self, parent: &ItemId) -> usize {
        self.with_parents().filter(|(_, above)| *above == parent).count()
    }

    /// What the search index calls them.
    pub(super) fn documents(&self) -> HashSet<i64> {
        self.0.values().map(|standing| standing.document).collect()
    }
}
