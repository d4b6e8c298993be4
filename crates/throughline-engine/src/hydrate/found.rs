//! Who has a place in an answer already: an id has one role only.

use std::collections::HashMap;

use throughline_store::id::ItemId;
use throughline_store::item::Item;

/// The right of an item to be in an answer, in one role.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(unreachable_pub, reason = "public types hold one")]
pub struct Place(ItemId);

/// The items that have a place, with what each is below.
#[derive(Debug, Default)]
pub(super) struct Found(HashMap<ItemId, Option<ItemId>>);

impl Found {
    /// A place for an item, unless it has one.
    pub(super) fn place(&mut self, item: &Item) -> Option<Place> {
        if self.0.contains_key(&item.id) {
            return None;
        }
        self.0.insert(item.id.clone(), item.parent.clone());
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

    /// How many of those that have a place are directly below an item.
    pub(super) fn below(&self, parent: &ItemId) -> usize {
        self.0.values().filter(|above| above.as_ref() == Some(parent)).count()
    }
}
