//! Taking an item out of the backlog: what was below it moves up, what waited for it no longer does.

use serde_json::json;
use throughline_store::Connection;
use throughline_store::event::Kind as EventKind;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Item};
use throughline_store::link::{self, Node};

use super::{Act, Patch, Set, depend, items, look, record, tree};
use crate::capture::During;
use crate::{Caller, Engine, Result, index};

/// What became of a deletion.
#[derive(Debug, Clone, PartialEq)]
pub struct Deleted {
    pub item: Item,
    /// What was below it and is now where it was.
    pub moved: Vec<ItemId>,
    /// What no longer waits for it.
    pub released: Vec<ItemId>,
}

impl Engine {
    pub fn delete_item(&self, caller: &Caller, name: &str, during: &During) -> Result<Deleted> {
        self.write(caller, |tx| {
            let item = look::named(tx, caller, name)?;
            let item = self.out_of_ring(tx, caller, item, during)?;
            let depends_on = depend::first(tx, caller, &item.id)?;
            let released = depend::waiting_for(tx, caller, &item.id)?;
            let moved = self.move_children_up(tx, caller, &item, during)?;
            // Its counts changed as the children moved.
            let item = item::by_id(tx, &caller.project, &item.id)?.unwrap_or(item);
            tree::unhang(tx, caller, &item)?;
            let node = Node::item(&item.id);
            for waiting in &released {
                self.release(tx, caller, (waiting, &item.id), during)?;
            }
            link::remove_from(tx, &caller.project, &node)?;
            index::remove(tx, items(caller), item.document)?;
            item::delete(tx, &caller.project, &item.id)?;
            let act = Act {
                kind: EventKind::ItemDeleted,
                summary: format!("deleted {}: {}", item.id, item.title),
                content: None,
                parts: json!({ "item": record(&item, &depends_on, &released) }),
                during,
            };
            self.note_act(tx, caller, &item.id, act)?;
            Ok(Deleted { item, moved, released })
        })
    }

    /// What waited for an item no longer does, which is a change of its own.
    fn release(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (waiting, gone): (&ItemId, &ItemId),
        during: &During,
    ) -> Result<()> {
        let first = depend::first(tx, caller, waiting)?;
        let left = first.iter().filter(|id| *id != gone).map(ItemId::to_string).collect();
        let item = look::named(tx, caller, waiting.as_str())?;
        let patch = Patch { depends_on: Some(left), ..Patch::default() };
        self.change_item(tx, caller, item, patch, during).map(|_| ())
    }

    /// In a ring an item is below those that are to take its place.
    fn out_of_ring(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        item: Item,
        during: &During,
    ) -> Result<Item> {
        if tree::ring(tx, caller, &item)?.is_empty() {
            return Ok(item);
        }
        self.change_item(tx, caller, item, Patch { parent: Set::Clear, ..Patch::default() }, during)
    }

    fn move_children_up(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        item: &Item,
        during: &During,
    ) -> Result<Vec<ItemId>> {
        let children = item::children_of(tx, &caller.project, std::iter::once(&item.id))?;
        let moved = children.iter().map(|child| child.id.clone()).collect();
        for child in children {
            let parent = item.parent.as_ref().map_or(Set::Clear, |parent| Set::To(parent.to_string()));
            self.change_item(tx, caller, child, Patch { parent, ..Patch::default() }, during)?;
        }
        Ok(moved)
    }
}
