//! Who stands around an item in the tree: above, below, beside.

use std::collections::{HashMap, HashSet};

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Item};

use super::answer::{Brief, Entity, Summary};
use super::found::Found;
use super::request::{Depth, Limits};
use crate::{Caller, Result};

/// Candidates of a role, and how many there are in truth.
#[derive(Debug)]
pub(super) struct Candidates<T> {
    pub(super) list: Vec<T>,
    pub(super) total: usize,
}

impl<T> Default for Candidates<T> {
    fn default() -> Candidates<T> {
        Candidates { list: vec![], total: 0 }
    }
}

impl<T> Candidates<T> {
    pub(super) fn all(list: Vec<T>) -> Candidates<T> {
        Candidates { total: list.len(), list }
    }

    /// At most so many, where there may be more in truth.
    pub(super) fn capped(mut list: Vec<T>, limit: usize, total: usize) -> Candidates<T> {
        list.truncate(limit);
        Candidates { total: total.max(list.len()), list }
    }
}

#[derive(Debug)]
pub(super) struct Relations {
    pub(super) children: Candidates<Entity>,
    pub(super) siblings: Candidates<Entity>,
    pub(super) ancestors: Candidates<Entity>,
    pub(super) descendants: Candidates<Entity>,
}

/// The chain above an item as far as it is asked for: the parent, and those further up.
pub(super) fn above(
    conn: &mut dyn Connection,
    caller: &Caller,
    focal: &Item,
    depth: Depth,
    found: &mut Found,
) -> Result<(Option<Summary>, Vec<Item>)> {
    let mut chain = item::above(conn, &caller.project, (&focal.id, focal.parent.as_ref()), depth.steps())?
        .into_iter()
        .collect::<std::collections::VecDeque<_>>();
    let parent = chain.pop_front().and_then(|item| {
        let place = found.place(&item)?;
        Some(Summary { item: Box::new(item), place })
    });
    Ok((parent, chain.into()))
}

pub(super) fn expand(
    conn: &mut dyn Connection,
    caller: &Caller,
    (focal, parent, further_up): (&Item, Option<&Item>, Vec<Item>),
    (depth, limits): (Depth, &Limits),
    found: &mut Found,
) -> Result<Relations> {
    let (children, below) = children(conn, caller, focal, limits.children, found)?;
    let siblings = match parent {
        Some(parent) => siblings(conn, caller, parent, limits.siblings, found)?,
        None => Candidates::default(),
    };
    // Where a way leads back, who is above may be a child too.
    let is_child = |item: &Item| item.parent.as_ref() == Some(&focal.id);
    let ancestors = (2..)
        .zip(further_up)
        .filter(|(_, item)| !is_child(item))
        .filter_map(|(steps, item)| distant(found, item, steps))
        .collect();
    let descendants = if depth.steps() > 1 {
        descendants(conn, caller, (focal, below), (depth, limits), found)?
    } else {
        Candidates::default()
    };
    Ok(Relations { children, siblings, ancestors: Candidates::all(ancestors), descendants })
}

/// An item that is more than one step away.
fn distant(found: &mut Found, item: Item, steps: usize) -> Option<Entity> {
    let place = found.place(&item)?;
    Some(Entity { graph_depth: Some(steps), ..Entity::new(place, item, Brief::Reference) })
}

fn placed(found: &mut Found, items: Vec<Item>, limit: usize) -> Vec<Entity> {
    let mut entities = vec![];
    for item in items {
        if entities.len() == limit {
            break;
        }
        let place = found.place(&item);
        entities.extend(place.map(|place| Entity::new(place, item, Brief::Summary)));
    }
    entities
}

/// The children that have no other place, and all that were read, whose children are descendants.
fn children(
    conn: &mut dyn Connection,
    caller: &Caller,
    focal: &Item,
    limit: usize,
    found: &mut Found,
) -> Result<(Candidates<Entity>, Vec<Item>)> {
    if focal.below.children == 0 {
        return Ok((Candidates::default(), vec![]));
    }
    let elsewhere = found.below(&focal.id);
    let items = item::children(conn, &caller.project, &focal.id, rows(limit + elsewhere))?;
    let total = truth(focal.below.children, elsewhere);
    Ok((Candidates::capped(placed(found, items.clone(), limit), limit, total), items))
}

fn siblings(
    conn: &mut dyn Connection,
    caller: &Caller,
    parent: &Item,
    limit: usize,
    found: &mut Found,
) -> Result<Candidates<Entity>> {
    // The focal item is one of those below its parent.
    let elsewhere = found.below(&parent.id);
    let items = item::children(conn, &caller.project, &parent.id, rows(limit + elsewhere))?;
    let total = truth(parent.below.children, elsewhere);
    Ok(Candidates::capped(placed(found, items, limit), limit, total))
}

/// Level by level; of a wide parent only the first children are followed.
fn descendants(
    conn: &mut dyn Connection,
    caller: &Caller,
    (focal, children): (&Item, Vec<Item>),
    (depth, limits): (Depth, &Limits),
    found: &mut Found,
) -> Result<Candidates<Entity>> {
    let before = found.clone();
    let mut seen: HashSet<ItemId> = HashSet::from([focal.id.clone()]);
    let mut complete = children.len() as i64 >= focal.below.children;
    let mut level: Vec<Item> = children.into_iter().filter(|item| seen.insert(item.id.clone())).collect();
    let (mut list, mut beyond) = (vec![], 0);
    for steps in 2..=depth.steps() {
        let room = limits.descendants - list.len() + before.len() + 1;
        let (items, all) = next_level(conn, caller, &level, (limits.per_parent, room))?;
        complete &= all;
        level = items.into_iter().filter(|item| seen.insert(item.id.clone())).collect();
        for item in level.iter().filter(|item| !before.contains(&item.id)) {
            if list.len() < limits.descendants {
                list.extend(distant(found, item.clone(), steps));
            } else {
                beyond += 1;
            }
        }
        if beyond > 0 && steps < depth.steps() {
            complete = false;
            break;
        }
    }
    let total =
        if complete { list.len() + beyond } else { count_below(conn, caller, (focal, depth), &before)? };
    Ok(Candidates { total: total.max(list.len()), list })
}

/// The children of several items, parent by parent until there is room for no more, and whether these are all.
fn next_level(
    conn: &mut dyn Connection,
    caller: &Caller,
    level: &[Item],
    (per_parent, room): (usize, usize),
) -> Result<(Vec<Item>, bool)> {
    let (mut narrow, mut wide, mut asked) = (vec![], vec![], 0);
    let mut parents = level.iter().filter(|item| item.below.children > 0);
    while asked < room
        && let Some(parent) = parents.next()
    {
        let children = usize::try_from(parent.below.children).unwrap_or(0);
        asked += children.min(per_parent);
        if children > per_parent { &mut wide } else { &mut narrow }.push(&parent.id);
    }
    let all = wide.is_empty() && parents.next().is_none();
    let mut items = item::children_of(conn, &caller.project, narrow.into_iter())?;
    for parent in wide {
        items.extend(item::children(conn, &caller.project, parent, rows(per_parent))?);
    }
    let place: HashMap<&ItemId, usize> = level.iter().map(|item| &item.id).zip(0..).collect();
    items.sort_by_key(|item| item.parent.as_ref().and_then(|parent| place.get(parent)).copied());
    Ok((items, all))
}

/// How many have no other place, also below what was not followed.
fn count_below(
    conn: &mut dyn Connection,
    caller: &Caller,
    (focal, depth): (&Item, Depth),
    before: &Found,
) -> Result<usize> {
    let elsewhere = count_elsewhere(conn, caller, (focal, depth), before)?;
    let all = if is_below_itself(conn, caller, focal)? {
        counted_one_by_one(conn, caller, focal, depth)?
    } else {
        let deeper = if depth.steps() > 2 { focal.below.great_grandchildren } else { 0 };
        focal.below.grandchildren + deeper
    };
    Ok(truth(all, elsewhere))
}

/// How many of those that have a place are two steps or more below an item.
fn count_elsewhere(
    conn: &mut dyn Connection,
    caller: &Caller,
    (focal, depth): (&Item, Depth),
    before: &Found,
) -> Result<usize> {
    let mut count = 0;
    // Where a way leads back, the item itself is below it too.
    let others = before.with_parents().filter(|(id, parent)| **id != focal.id && **parent != focal.id);
    let mut above: Vec<ItemId> = others.map(|(_, parent)| parent.clone()).collect();
    for _ in 2..=depth.steps() {
        let items = item::by_ids(conn, &caller.project, above.iter())?;
        let parents: HashMap<&ItemId, &ItemId> =
            items.iter().filter_map(|item| Some((&item.id, item.parent.as_ref()?))).collect();
        let next: Vec<ItemId> =
            above.iter().filter_map(|id| parents.get(id)).map(|id| (*id).clone()).collect();
        count += next.iter().filter(|id| **id == focal.id).count();
        above = next.into_iter().filter(|id| *id != focal.id).collect();
    }
    Ok(count)
}

/// Counts that are kept with an item know nothing of a way that leads back to it.
fn is_below_itself(conn: &mut dyn Connection, caller: &Caller, focal: &Item) -> Result<bool> {
    let chain = item::above(conn, &caller.project, (&focal.id, focal.parent.as_ref()), usize::MAX)?;
    let top = chain.last().and_then(|item| item.parent.as_ref());
    Ok(top == Some(&focal.id) || focal.parent.as_ref() == Some(&focal.id))
}

fn counted_one_by_one(conn: &mut dyn Connection, caller: &Caller, focal: &Item, depth: Depth) -> Result<i64> {
    let mut seen = HashSet::from([focal.id.clone()]);
    let mut level = vec![focal.id.clone()];
    let mut count = 0;
    for steps in 1..=depth.steps() {
        let items = item::children_of(conn, &caller.project, level.iter())?;
        level = items.into_iter().map(|item| item.id).filter(|id| seen.insert(id.clone())).collect();
        count += if steps > 1 { rows(level.len()) } else { 0 };
    }
    Ok(count)
}

fn rows(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn truth(count: i64, elsewhere: usize) -> usize {
    usize::try_from(count).unwrap_or(0).saturating_sub(elsewhere)
}
