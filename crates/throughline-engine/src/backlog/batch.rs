//! Items put in, one or many at once: what each would write to the same rows is written once for all.
//!
//! A database keeps every version of a row until a transaction ends; ten thousand versions of one counter are slow.

use std::collections::HashMap;

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Below, Item};

use super::draft::Draft;
use super::{ITEM_DOCUMENT, tree};
use crate::capture::Observation;
use crate::index::Document;
use crate::{Caller, Result};

#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) documents: Vec<Document>,
    pub(super) observations: Vec<Observation>,
    /// The last number of each sort that was given out.
    last: HashMap<&'static str, i64>,
    below: HashMap<ItemId, Below>,
}

impl Batch {
    /// A draft with the numbers it will be known by.
    pub(super) fn numbered(
        &mut self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
    ) -> Result<Item> {
        let prefix = draft.item.item_type.prefix();
        let id = match &draft.id {
            Some((id, number)) => {
                let last = self.last(tx, caller, prefix)?;
                *last = (*last).max(*number);
                id.clone()
            }
            None => ItemId::from(format!("{prefix}-{:04}", self.take(tx, caller, prefix)?)),
        };
        let (number, document) = (self.take(tx, caller, "item")?, self.take(tx, caller, ITEM_DOCUMENT)?);
        Ok(Item { number, id, document, ..draft.item.clone() })
    }

    /// Counts an item where it hangs.
    pub(super) fn hang(&mut self, tx: &mut dyn Connection, caller: &Caller, item: &Item) -> Result<()> {
        for (id, more) in tree::counts_above(tx, caller, item)? {
            let below = self.below.entry(id).or_default();
            below.children += more.children;
            below.grandchildren += more.grandchildren;
            below.great_grandchildren += more.great_grandchildren;
        }
        Ok(())
    }

    /// Writes the numbers and counts, so that others may go on from them.
    pub(super) fn settle(&mut self, tx: &mut dyn Connection, caller: &Caller) -> Result<()> {
        for (name, last) in self.last.drain() {
            item::note_number(tx, &caller.project, name, last)?;
        }
        for (id, more) in self.below.drain() {
            item::add_below(tx, &caller.project, &id, more)?;
        }
        Ok(())
    }

    fn take(&mut self, tx: &mut dyn Connection, caller: &Caller, name: &'static str) -> Result<i64> {
        let last = self.last(tx, caller, name)?;
        *last += 1;
        Ok(*last)
    }

    fn last(&mut self, tx: &mut dyn Connection, caller: &Caller, name: &'static str) -> Result<&mut i64> {
        if !self.last.contains_key(name) {
            let last = item::last_number(tx, &caller.project, name)?;
            self.last.insert(name, last);
        }
        Ok(self.last.entry(name).or_default())
    }
}
