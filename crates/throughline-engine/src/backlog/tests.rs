//! What the backlog does, from the outside.

mod change;
mod create;
mod delete;
mod depend;
mod events;
mod found;
mod import;
mod look;
mod mention;
mod recent;
mod resource;
mod tree;
mod uri;

use std::collections::BTreeMap;

use throughline_store::event::Event;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Below, Item};
use throughline_store::link::{self, Kind as LinkKind, Node, Origin};

use super::{Entry, NewItem, Patch, Set};
use crate::Result;
use crate::capture::{During, Opening};
use crate::testing::{Fixture, of};

fn during() -> During {
    During { session: of("run"), opening: Opening::default() }
}

fn add(fixture: &Fixture, new: NewItem) -> Entry {
    fixture.engine.create_item(&fixture.caller, new, &during()).unwrap()
}

/// Creates an item and answers with its id.
fn titled(fixture: &Fixture, title: &str) -> String {
    add(fixture, NewItem::of(title)).item.id.to_string()
}

fn below(fixture: &Fixture, parent: &str, title: &str) -> String {
    add(fixture, NewItem { parent: Some(parent.into()), ..NewItem::of(title) }).item.id.to_string()
}

fn update(fixture: &Fixture, id: &str, patch: Patch) -> Result<Entry> {
    fixture.engine.update_item(&fixture.caller, id, &patch, &during())
}

fn moved(fixture: &Fixture, id: &str, parent: &str) -> Result<Entry> {
    update(fixture, id, Patch { parent: Set::To(parent.into()), ..Patch::default() })
}

fn depending(fixture: &Fixture, id: &str, on: &[&str]) -> Result<Entry> {
    update(fixture, id, Patch { depends_on: Some(texts(on)), ..Patch::default() })
}

fn entry(fixture: &Fixture, id: &str) -> Entry {
    fixture.engine.item(&fixture.caller, id).unwrap()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn ids(ids: &[ItemId]) -> Vec<&str> {
    ids.iter().map(ItemId::as_str).collect()
}

/// Every item, in the order of creation.
fn all(fixture: &Fixture) -> Vec<Item> {
    fixture.engine.store().read(|conn| item::after(conn, &fixture.caller.project, 0, i64::MAX)).unwrap()
}

/// What the log says happened since it had so many events.
fn since(fixture: &Fixture, events: usize) -> Vec<Event> {
    fixture.log().split_off(events)
}

/// Hangs an item below another without asking, as broken data would have it.
fn force_parent(fixture: &Fixture, id: &str, parent: &str) {
    let item = Item { parent: Some(ItemId::from(parent.to_owned())), ..entry(fixture, id).item };
    fixture.write(|tx| item::update(tx, &fixture.caller.project, &item));
}

/// Makes an item depend on another without asking.
fn force_dependency(fixture: &Fixture, id: &str, on: &str) {
    let item = entry(fixture, id).item;
    let (from, to) = (Node::item(&item.id), Node::item(&ItemId::from(on.to_owned())));
    let origin = Origin { node: &from, number: item.number };
    fixture.write(|tx| link::add(tx, &fixture.caller.project, origin, LinkKind::DependsOn, &to));
}

/// Each item counts what is below it, as counting one by one does.
fn assert_counts_are_true(fixture: &Fixture) {
    let items = all(fixture);
    let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for item in &items {
        children.entry(item.parent.as_ref().map_or("", ItemId::as_str)).or_default().push(item.id.as_str());
    }
    let step = |ids: &[&str]| -> Vec<&str> {
        ids.iter().flat_map(|id| children.get(id).cloned().unwrap_or_default()).collect()
    };
    for item in &items {
        let first = step(&[item.id.as_str()]);
        let second = step(&first);
        let third = step(&second);
        let counted = Below {
            children: first.len() as i64,
            grandchildren: second.len() as i64,
            great_grandchildren: third.len() as i64,
        };
        assert_eq!(item.below, counted, "below {}", item.id);
    }
}
