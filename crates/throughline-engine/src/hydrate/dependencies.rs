//! What must come first: the whole chain that an item waits for, and what waits for it.

use std::collections::{HashMap, HashSet};

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Item};
use throughline_store::link::{self, End, Kind, Node};

use super::answer::{Brief, Dependency, Entity, Relation};
use super::found::Found;
use super::relations::Candidates;
use crate::{Caller, Result};

/// What blocks comes first, the nearest of it first; then what is done already, and what waits.
pub(super) fn chain(
    conn: &mut dyn Connection,
    caller: &Caller,
    focal: &Item,
    limit: usize,
    found: &mut Found,
) -> Result<Candidates<Dependency>> {
    let mut upstream = upstream(conn, caller, focal)?;
    upstream.sort_by_key(|(item, ..)| item.status.is_finished());
    let mut known: HashSet<ItemId> = upstream.iter().map(|(item, ..)| item.id.clone()).collect();
    known.extend(found.ids().cloned());
    let mut total = 0;
    let mut list = vec![];
    for (item, of, steps) in upstream {
        // Who has another place, the parent, is not missing.
        if found.contains(&item.id) {
            continue;
        }
        total += 1;
        if list.len() < limit
            && let Some(place) = found.place(&item)
        {
            let graph_depth = (steps > 1).then_some(steps);
            let entity = Entity { graph_depth, ..Entity::new(place, item, Brief::Summary) };
            list.push(Dependency { entity, relation: Relation::DependsOn, of });
        }
    }
    let room = limit.saturating_sub(list.len());
    let waiting = waiting(conn, caller, focal, (room, &known), found)?;
    total += waiting.total;
    list.extend(waiting.list);
    Ok(Candidates { list, total })
}

/// Everything that an item waits for, with whom it is the dependency of and how many steps away. What is finished
/// does not wait any more, so the chain ends there.
fn upstream(conn: &mut dyn Connection, caller: &Caller, focal: &Item) -> Result<Vec<(Item, ItemId, usize)>> {
    let mut seen: HashSet<ItemId> = HashSet::from([focal.id.clone()]);
    let mut level = vec![focal.id.clone()];
    let mut upstream = vec![];
    for steps in 1.. {
        let mut of: HashMap<ItemId, ItemId> = HashMap::new();
        let mut order = vec![];
        for (item, first) in link::among(conn, &caller.project, level.iter(), Kind::DependsOn)? {
            if seen.insert(first.clone()) {
                of.insert(first.clone(), item);
                order.push(first);
            }
        }
        let mut items: HashMap<ItemId, Item> = item::by_ids(conn, &caller.project, order.iter())?
            .into_iter()
            .map(|item| (item.id.clone(), item))
            .collect();
        level = vec![];
        for id in order {
            let (Some(item), Some(of)) = (items.remove(&id), of.remove(&id)) else { continue };
            if !item.status.is_finished() {
                level.push(id);
            }
            upstream.push((item, of, steps));
        }
        if level.is_empty() {
            break;
        }
    }
    Ok(upstream)
}

/// The newest first, without those that are known for another reason.
fn waiting(
    conn: &mut dyn Connection,
    caller: &Caller,
    focal: &Item,
    (limit, known): (usize, &HashSet<ItemId>),
    found: &mut Found,
) -> Result<Candidates<Dependency>> {
    let node = Node::item(&focal.id);
    let all = link::count_to(conn, &caller.project, (&node, Kind::DependsOn), End::Item)?;
    let links = link::among(conn, &caller.project, known.iter(), Kind::DependsOn)?;
    let elsewhere = links.iter().filter(|(_, first)| *first == focal.id).count();
    let asked = i64::try_from(limit + elsewhere).unwrap_or(i64::MAX);
    let nodes = link::to(conn, &caller.project, (&node, Kind::DependsOn), (End::Item, asked))?;
    let ids: Vec<ItemId> = nodes.into_iter().map(|node| ItemId::from(node.id)).collect();
    let mut items = item::by_ids(conn, &caller.project, ids.iter().filter(|id| !known.contains(*id)))?;
    items.sort_by_key(|item| std::cmp::Reverse(item.number));
    let mut list = vec![];
    for item in items.into_iter().take(limit) {
        if let Some(place) = found.place(&item) {
            let entity = Entity::new(place, item, Brief::Summary);
            list.push(Dependency { entity, relation: Relation::Blocks, of: focal.id.clone() });
        }
    }
    let total = usize::try_from(all).unwrap_or(0).saturating_sub(elsewhere);
    Ok(Candidates { total: total.max(list.len()), list })
}
