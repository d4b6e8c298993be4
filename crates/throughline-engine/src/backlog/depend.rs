//! What must come first: one kind of link, read from both its ends. `blocks` is `depends_on` seen from the other side.

use std::collections::{HashMap, HashSet, VecDeque};

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::Item;
use throughline_store::link::{self, End, Kind, Node, Origin};

use super::look;
use crate::{Caller, Error, Result};

/// The items of these names, each once and never the item itself.
pub(super) fn resolve(
    conn: &mut dyn Connection,
    caller: &Caller,
    own: &ItemId,
    names: &[String],
) -> Result<Vec<ItemId>> {
    let mut ids: Vec<ItemId> = vec![];
    for name in names {
        let id = look::named(conn, caller, name)?.id;
        if id == *own {
            return Err(Error::Invalid(format!(
                "{own} cannot depend on itself: {own} → {own}; name another item"
            )));
        }
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// Makes an item depend on these and on no others.
pub(super) fn set(tx: &mut dyn Connection, caller: &Caller, item: &Item, on: &[ItemId]) -> Result<()> {
    let node = Node::item(&item.id);
    let origin = Origin { node: &node, number: item.number };
    // Without its own links, which may be on the way round and are replaced.
    link::set(tx, &caller.project, origin, Kind::DependsOn, &[])?;
    // A way round leads through somebody who waits for the item.
    if link::count_to(tx, &caller.project, (&node, Kind::DependsOn), End::Item)? > 0 {
        on.iter().try_for_each(|first| refuse_cycle(tx, caller, &item.id, first))?;
    }
    let nodes: Vec<Node> = on.iter().map(Node::item).collect();
    Ok(link::set(tx, &caller.project, origin, Kind::DependsOn, &nodes)?)
}

/// Makes these, and no others, depend on an item.
pub(super) fn set_blocks(
    tx: &mut dyn Connection,
    caller: &Caller,
    item: &Item,
    waiting: &[ItemId],
) -> Result<()> {
    let node = Node::item(&item.id);
    for present in waiting_for(tx, caller, &item.id)? {
        if !waiting.contains(&present) {
            link::remove(tx, &caller.project, &Node::item(&present), Kind::DependsOn, &node)?;
        }
    }
    for id in waiting {
        refuse_cycle(tx, caller, id, &item.id)?;
        let other = look::named(tx, caller, id.as_str())?;
        let origin = Node::item(id);
        let origin = Origin { node: &origin, number: other.number };
        link::add(tx, &caller.project, origin, Kind::DependsOn, &node)?;
    }
    Ok(())
}

/// What an item depends on, in the order given.
pub(super) fn first(conn: &mut dyn Connection, caller: &Caller, id: &ItemId) -> Result<Vec<ItemId>> {
    let nodes = link::from(conn, &caller.project, &Node::item(id), Kind::DependsOn)?;
    Ok(nodes.into_iter().map(|node| ItemId::from(node.id)).collect())
}

/// What waits for an item, the newest first.
pub(super) fn waiting_for(conn: &mut dyn Connection, caller: &Caller, id: &ItemId) -> Result<Vec<ItemId>> {
    let node = Node::item(id);
    let nodes = link::to(conn, &caller.project, (&node, Kind::DependsOn), (End::Item, i64::MAX))?;
    Ok(nodes.into_iter().map(|node| ItemId::from(node.id)).collect())
}

/// What an item depends on, and what waits for it.
pub(super) fn both(
    conn: &mut dyn Connection,
    caller: &Caller,
    id: &ItemId,
) -> Result<(Vec<ItemId>, Vec<ItemId>)> {
    Ok((first(conn, caller, id)?, waiting_for(conn, caller, id)?))
}

/// Refuses that `item` waits for `first` when `first` waits for `item` already, showing the way round.
fn refuse_cycle(conn: &mut dyn Connection, caller: &Caller, item: &ItemId, first: &ItemId) -> Result<()> {
    let Some(way) = way(conn, caller, first, item)? else { return Ok(()) };
    let shown: Vec<&str> = std::iter::once(item).chain(&way).map(ItemId::as_str).collect();
    Err(Error::Invalid(format!(
        "{item} cannot depend on {first}: that would be a cycle, {}; remove one of these first",
        shown.join(" → ")
    )))
}

/// The shortest way along dependencies from one item to another, both included.
fn way(
    conn: &mut dyn Connection,
    caller: &Caller,
    from: &ItemId,
    to: &ItemId,
) -> Result<Option<Vec<ItemId>>> {
    let mut reached_from: HashMap<ItemId, ItemId> = HashMap::new();
    let mut seen: HashSet<ItemId> = HashSet::from([from.clone()]);
    let mut frontier: VecDeque<ItemId> = VecDeque::from([from.clone()]);
    while !frontier.is_empty() && !seen.contains(to) {
        let level: Vec<ItemId> = frontier.drain(..).collect();
        for (item, first) in link::among(conn, &caller.project, level.iter(), Kind::DependsOn)? {
            if seen.insert(first.clone()) {
                reached_from.insert(first.clone(), item);
                frontier.push_back(first);
            }
        }
    }
    if !seen.contains(to) {
        return Ok(None);
    }
    let mut way = vec![to.clone()];
    while let Some(before) = way.last().and_then(|last| reached_from.get(last)) {
        way.push(before.clone());
    }
    way.reverse();
    Ok(Some(way))
}
