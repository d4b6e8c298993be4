//! Who names whom: items that the focal item and its parent refer to, items that refer to the focal one, and the
//! documents among them.

use std::collections::{HashMap, HashSet};

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Item};
use throughline_store::link::{self, End, Kind, Node};
use throughline_store::resource::{self, Resource};

use super::answer::{Brief, Document, Entity};
use super::found::Found;
use super::relations::Candidates;
use super::request::Limits;
use crate::{Caller, Result};

#[derive(Debug)]
pub(super) struct References {
    pub(super) forward: Candidates<Entity>,
    pub(super) reverse: Candidates<Entity>,
}

pub(super) fn follow(
    conn: &mut dyn Connection,
    caller: &Caller,
    (focal, parent): (&Item, Option<&Item>),
    limits: &Limits,
    found: &mut Found,
) -> Result<References> {
    let forward = forward(conn, caller, (focal, parent), limits.cross_referenced, found)?;
    let reverse = reverse(conn, caller, focal, limits.referenced_by, found)?;
    Ok(References { forward, reverse })
}

/// In the order in which the focal item names them, then its parent.
fn forward(
    conn: &mut dyn Connection,
    caller: &Caller,
    (focal, parent): (&Item, Option<&Item>),
    limit: usize,
    found: &mut Found,
) -> Result<Candidates<Entity>> {
    let mut ids: Vec<ItemId> = vec![];
    for from in std::iter::once(focal).chain(parent) {
        let nodes = link::from(conn, &caller.project, &Node::item(&from.id), Kind::References)?;
        let named = nodes.into_iter().filter(|node| node.end == End::Item).map(|node| ItemId::from(node.id));
        ids.extend(named.filter(|id| !found.contains(id)));
    }
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    let mut items: HashMap<ItemId, Item> = item::by_ids(conn, &caller.project, ids.iter())?
        .into_iter()
        .map(|item| (item.id.clone(), item))
        .collect();
    let existing: Vec<Item> = ids.iter().filter_map(|id| items.remove(id)).collect();
    let total = existing.len();
    Ok(Candidates::capped(entities(found, existing, limit), limit, total))
}

/// The newest first.
fn reverse(
    conn: &mut dyn Connection,
    caller: &Caller,
    focal: &Item,
    limit: usize,
    found: &mut Found,
) -> Result<Candidates<Entity>> {
    let node = Node::item(&focal.id);
    let all = link::count_to(conn, &caller.project, (&node, Kind::References), End::Item)?;
    if all == 0 {
        return Ok(Candidates::default());
    }
    let placed = link::among(conn, &caller.project, found.ids(), Kind::References)?;
    let elsewhere = placed.iter().filter(|(_, to)| *to == focal.id).count();
    let asked = i64::try_from(limit + elsewhere).unwrap_or(i64::MAX);
    let nodes = link::to(conn, &caller.project, (&node, Kind::References), (End::Item, asked))?;
    let ids: Vec<ItemId> = nodes.into_iter().map(|node| ItemId::from(node.id)).collect();
    let mut items = item::by_ids(conn, &caller.project, ids.iter())?;
    items.sort_by_key(|item| std::cmp::Reverse(item.number));
    let total = usize::try_from(all).unwrap_or(0).saturating_sub(elsewhere);
    Ok(Candidates::capped(entities(found, items, limit), limit, total))
}

fn entities(found: &mut Found, items: Vec<Item>, limit: usize) -> Vec<Entity> {
    let mut entities = vec![];
    for item in items {
        if entities.len() < limit
            && let Some(place) = found.place(&item)
        {
            entities.push(Entity::new(place, item, Brief::Summary));
        }
    }
    entities
}

/// Documents that name the focal item or lie in its folder, and documents that it names; what was written last first.
pub(super) fn documents(
    conn: &mut dyn Connection,
    caller: &Caller,
    focal: &Item,
    limit: usize,
) -> Result<Candidates<Document>> {
    let node = Node::item(&focal.id);
    let asked = i64::try_from(limit).unwrap_or(i64::MAX);
    let naming = link::to(conn, &caller.project, (&node, Kind::References), (End::Resource, asked))?;
    let all = link::count_to(conn, &caller.project, (&node, Kind::References), End::Resource)?;
    let named = link::from(conn, &caller.project, &node, Kind::References)?;
    let named = named.into_iter().filter(|node| node.end == End::Resource);
    let mut paths: Vec<String> = named.chain(naming.iter().cloned()).map(|node| node.id).collect();
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    let mut resources: Vec<Resource> =
        resource::by_paths(conn, &caller.project, paths.iter().map(String::as_str))?;
    resources.sort_by_key(|resource| std::cmp::Reverse((resource.updated_at, resource.number)));
    let unread = usize::try_from(all).unwrap_or(0).saturating_sub(naming.len());
    let total = resources.len() + unread;
    let document =
        |resource| Document { resource: Box::new(resource), fidelity: Brief::Summary, relevance: None };
    Ok(Candidates::capped(resources.into_iter().map(document).collect(), limit, total))
}
