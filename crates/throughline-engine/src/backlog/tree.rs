//! The tree: an item hangs below one other, never below itself, and each knows how many are below it.

use std::collections::HashSet;

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Below, Item};

use crate::{Caller, Error, Result};

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

/// Counts an item, with what is below it, where it hangs.
pub(super) fn hang(tx: &mut dyn Connection, caller: &Caller, item: &Item) -> Result<()> {
    let Below { children, grandchildren, .. } = item.below;
    add_above(
        tx,
        caller,
        item,
        Below { children: 1, grandchildren: children, great_grandchildren: grandchildren },
    )
}

/// No longer counts an item, with what is below it, where it hung.
pub(super) fn unhang(tx: &mut dyn Connection, caller: &Caller, item: &Item) -> Result<()> {
    let Below { children, grandchildren, .. } = item.below;
    add_above(
        tx,
        caller,
        item,
        Below { children: -1, grandchildren: -children, great_grandchildren: -grandchildren },
    )
}

/// Changes the counts above an item: `more` at its parent, one step deeper at each item further up.
fn add_above(tx: &mut dyn Connection, caller: &Caller, item: &Item, more: Below) -> Result<()> {
    let above = item::above(tx, &caller.project, (&item.id, item.parent.as_ref()), 3)?;
    let mut more = more;
    for parent in above {
        item::add_below(tx, &caller.project, &parent.id, more)?;
        more = Below { children: 0, grandchildren: more.children, great_grandchildren: more.grandchildren };
    }
    Ok(())
}
