//! What keeps an item from being worked on: everything unfinished that it waits for, however far away.

use std::collections::{HashSet, VecDeque};

use throughline_store::id::ItemId;
use throughline_store::item::{self, Item};

use super::{depend, named};
use crate::{Caller, Engine, Result};

/// Something that has to be finished first.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocking {
    pub item: Item,
    /// What waits for it.
    pub waiting: ItemId,
    /// How many steps away: 1 for what the item itself waits for.
    pub depth: usize,
}

/// More would be no chain that anybody reads.
const MOST: usize = 500;

impl Engine {
    /// The nearest first.
    pub fn blocking(&self, caller: &Caller, name: &str) -> Result<Vec<Blocking>> {
        self.store.read(|conn| {
            let item = named(conn, caller, name)?;
            let mut seen = HashSet::from([item.id.clone()]);
            let mut next = VecDeque::from([(item.id, 1)]);
            let mut found = vec![];
            while let Some((waiting, depth)) = next.pop_front() {
                for id in depend::first(conn, caller, &waiting)? {
                    let fresh = seen.insert(id.clone()) && found.len() < MOST;
                    let Some(item) =
                        fresh.then(|| item::by_id(conn, &caller.project, &id)).transpose()?.flatten()
                    else {
                        continue;
                    };
                    if !item.status.is_finished() {
                        found.push(Blocking { item, waiting: waiting.clone(), depth });
                        next.push_back((id, depth + 1));
                    }
                }
            }
            Ok(found)
        })
    }
}
