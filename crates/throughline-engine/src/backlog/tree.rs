//! The tree: an item hangs below one other, never below itself, and each knows how many are below it.

use std::collections::HashSet;

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Below, Item};

use crate::{Caller, Error, Result};

/// So far up is counted.
const STEPS: usize = 3;

/// Refuses a parent that is below the item, showing the way round.
pub(super) fn refuse_cycle(conn: &mut dyn Connection, caller: &Caller, item: &Item) -> Result<()> {
    let mut way = vec![item.id.clone()];
    let mut seen = HashSet::new();
    let mut next = item.parent.clone();
    while let Some(id) = next {
        way.push(id.clone());
        if id == item.id {
            let shown: Vec<&str> = way.iter().map(ItemId::as_str).collect();
            return Err(Error::Invalid(format!(
                "{} cannot be below {}: that would be a cycle, {}; choose a parent that is not below it",
                item.id,
                way[1],
                shown.join(" → ")
            )));
        }
        // Data that has a cycle already is not made worse, and does not keep us here.
        next = item::by_id(conn, &caller.project, &id)?.and_then(|above| above.parent);
        if !seen.insert(id) {
            break;
        }
    }
    Ok(())
}

/// The items of the ring that broken data has an item in; none when its chain ends.
pub(super) fn ring(conn: &mut dyn Connection, caller: &Caller, item: &Item) -> Result<Vec<ItemId>> {
    let above = item::above(conn, &caller.project, (&item.id, item.parent.as_ref()), usize::MAX)?;
    let last = above.last().unwrap_or(item);
    if last.parent.as_ref() != Some(&item.id) {
        return Ok(vec![]);
    }
    Ok(std::iter::once(&item.id).chain(above.iter().map(|above| &above.id)).cloned().collect())
}

/// Counts again what is below an item that was taken out of a ring, below the others of it, and where it hangs.
pub(super) fn recount(
    tx: &mut dyn Connection,
    caller: &Caller,
    item: &Item,
    ring: Vec<ItemId>,
) -> Result<()> {
    let above = item::above(tx, &caller.project, (&item.id, item.parent.as_ref()), STEPS)?;
    let ids: HashSet<ItemId> = ring.into_iter().chain(above.into_iter().map(|above| above.id)).collect();
    for present in item::by_ids(tx, &caller.project, ids.iter())? {
        let counted = counted(tx, caller, &present.id)?;
        let more = Below {
            children: counted.children - present.below.children,
            grandchildren: counted.grandchildren - present.below.grandchildren,
            great_grandchildren: counted.great_grandchildren - present.below.great_grandchildren,
        };
        item::add_below(tx, &caller.project, &present.id, more)?;
    }
    Ok(())
}

fn counted(tx: &mut dyn Connection, caller: &Caller, id: &ItemId) -> Result<Below> {
    let mut level = vec![id.clone()];
    let mut counts = [0; STEPS];
    for count in &mut counts {
        let below = item::children_of(tx, &caller.project, level.iter())?;
        level = below.into_iter().map(|item| item.id).collect();
        *count = i64::try_from(level.len()).unwrap_or(i64::MAX);
    }
    let [children, grandchildren, great_grandchildren] = counts;
    Ok(Below { children, grandchildren, great_grandchildren })
}

/// Counts an item, with what is below it, where it hangs.
pub(super) fn hang(tx: &mut dyn Connection, caller: &Caller, item: &Item) -> Result<()> {
    for (id, more) in counts_above(tx, caller, item)? {
        item::add_below(tx, &caller.project, &id, more)?;
    }
    Ok(())
}

/// No longer counts an item, with what is below it, where it hung.
pub(super) fn unhang(tx: &mut dyn Connection, caller: &Caller, item: &Item) -> Result<()> {
    for (id, Below { children, grandchildren, great_grandchildren }) in counts_above(tx, caller, item)? {
        let less = Below {
            children: -children,
            grandchildren: -grandchildren,
            great_grandchildren: -great_grandchildren,
        };
        item::add_below(tx, &caller.project, &id, less)?;
    }
    Ok(())
}

/// What an item adds to the counts of each item above it: its own at its parent, one step deeper at each further up.
pub(super) fn counts_above(
    conn: &mut dyn Connection,
    caller: &Caller,
    item: &Item,
) -> Result<Vec<(ItemId, Below)>> {
    let above = item::above(conn, &caller.project, (&item.id, item.parent.as_ref()), STEPS)?;
    let Below { children, grandchildren, .. } = item.below;
    let mut more = Below { children: 1, grandchildren: children, great_grandchildren: grandchildren };
    let mut counts = vec![];
    for parent in above {
        counts.push((parent.id, more));
        more = Below { children: 0, grandchildren: more.children, great_grandchildren: more.grandchildren };
    }
    Ok(counts)
}
