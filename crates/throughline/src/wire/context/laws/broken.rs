//! What the engine refuses and data may have all the same: items below each other in a circle, items that wait for each
//! other, items that the log knows nothing of, and names of what was deleted.

use std::collections::HashMap;

use throughline_engine::store::id::ItemId;
use throughline_engine::store::item::{self, Below, Item};
use throughline_engine::store::link::{self, Kind as LinkKind, Node, Origin};

use super::backlog::{Backlog, own};
use super::chance::Chance;

pub(super) fn make(backlog: &mut Backlog, chance: &mut Chance) {
    if backlog.ids.len() > 4 {
        delete(backlog, chance);
    }
    if backlog.ids.len() > 1 && chance.percent(60) {
        circle_of_parents(backlog, chance);
        circle_of_dependencies(backlog, chance);
    }
    if chance.percent(50) {
        unlogged(backlog, chance);
    }
    count_again(backlog);
}

fn delete(backlog: &mut Backlog, chance: &mut Chance) {
    let id = backlog.ids.remove(2 + chance.below(backlog.ids.len() - 2));
    backlog.engine.delete_item(&backlog.caller, &id, &own()).unwrap();
    backlog.depends_on.remove(&id);
    backlog.depends_on.values_mut().for_each(|first| first.retain(|first| *first != id));
}

/// One to three items, each below the next.
fn circle_of_parents(backlog: &Backlog, chance: &mut Chance) {
    let length = 1 + chance.below(3.min(backlog.ids.len()));
    let start = chance.below(backlog.ids.len() - length + 1);
    let ring = &backlog.ids[start..start + length];
    for (place, id) in ring.iter().enumerate() {
        hang(backlog, id, &ring[(place + 1) % length]);
    }
}

/// Puts an item below another, whoever is below whom.
pub(super) fn hang(backlog: &Backlog, id: &str, parent: &str) {
    let parent = Some(ItemId::from(parent.to_owned()));
    let item = Item { parent, ..backlog.engine.item(&backlog.caller, id).unwrap().item };
    write(backlog, |tx| item::update(tx, &backlog.caller.project, &item));
}

fn circle_of_dependencies(backlog: &mut Backlog, chance: &mut Chance) {
    let length = 1 + chance.below(3.min(backlog.ids.len()));
    let ring = backlog.ids[..length].to_vec();
    for (place, id) in ring.iter().enumerate() {
        let first = ring[(place + 1) % length].clone();
        let number = backlog.engine.item(&backlog.caller, id).unwrap().item.number;
        let (from, to) = (Node::item(&ItemId::from(id.clone())), Node::item(&ItemId::from(first.clone())));
        let origin = Origin { node: &from, number };
        write(backlog, |tx| link::add(tx, &backlog.caller.project, origin, LinkKind::DependsOn, &to));
        let known = backlog.depends_on.entry(id.clone()).or_default();
        if !known.contains(&first) {
            known.push(first);
        }
    }
}

/// An item to which nothing ever happened.
fn unlogged(backlog: &mut Backlog, chance: &mut Chance) {
    let like = chance.pick(&backlog.ids).clone();
    let like = backlog.engine.item(&backlog.caller, &like).unwrap().item;
    let id = format!("TASK-{}", 50_000 + chance.below(1000));
    let item = write(backlog, |tx| {
        let number = item::take_number(tx, &backlog.caller.project, "item")?;
        let item = Item {
            number,
            id: ItemId::from(id.clone()),
            description: String::new(),
            references: vec![],
            evidence: vec![],
            below: Below::default(),
            source_key: None,
            document: -number,
            ..like.clone()
        };
        item::insert(tx, &backlog.caller.project, &item)?;
        Ok(item)
    });
    backlog.depends_on.insert(item.id.to_string(), vec![]);
    backlog.ids.push(item.id.to_string());
}

/// The counts that items keep, as the engine would have kept them.
pub(super) fn count_again(backlog: &Backlog) {
    let project = &backlog.caller.project;
    let items = backlog.engine.store().read(|conn| item::after(conn, project, 0, i64::MAX)).unwrap();
    let parent: HashMap<&ItemId, &ItemId> =
        items.iter().filter_map(|item| Some((&item.id, item.parent.as_ref()?))).collect();
    let mut counts: HashMap<&ItemId, [i64; 3]> = HashMap::new();
    for item in &items {
        let above = std::iter::successors(parent.get(&item.id), |id| parent.get(**id)).take(3);
        above.enumerate().for_each(|(steps, id)| counts.entry(id).or_default()[steps] += 1);
    }
    for item in &items {
        let [children, grandchildren, great] = counts.get(&item.id).copied().unwrap_or_default();
        let more = Below {
            children: children - item.below.children,
            grandchildren: grandchildren - item.below.grandchildren,
            great_grandchildren: great - item.below.great_grandchildren,
        };
        if more != Below::default() {
            write(backlog, |tx| item::add_below(tx, project, &item.id, more));
        }
    }
}

fn write<T>(
    backlog: &Backlog,
    body: impl Fn(&mut dyn throughline_engine::store::Connection) -> throughline_engine::store::Result<T>,
) -> T {
    backlog.engine.store().write(body).unwrap()
}
