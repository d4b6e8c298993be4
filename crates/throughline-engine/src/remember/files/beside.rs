//! What stands in the files at the same time holds at the same time: no bullet ends another, or becomes one with it, because
//! of what it says.

use std::collections::BTreeMap;
use std::sync::Arc;

use throughline_store::id::MemoryId;
use throughline_store::memory::Memory;

use super::round::{Current, Round};
use super::sheet::{Block, Sheet, Shows, hash};
use crate::Result;
use crate::remember::Statement;
use crate::remember::consolidate::{New, Related, Relation};
use crate::remember::similar::stated;

/// Where a bullet stands: its file and its piece.
type Place = (usize, usize);

impl Round<'_> {
    /// A bullet that was copied with its comment, and says something else than the one it was copied from, is a new one.
    pub(super) fn part_copies(&mut self) -> Result<()> {
        for (key, places) in self.places() {
            if places.len() > 1 {
                self.part_copies_of(&key, &places)?;
            }
        }
        Ok(())
    }

    fn places(&self) -> BTreeMap<String, Vec<Place>> {
        let mut places: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        for (file, of) in self.files.iter().enumerate() {
            for (at, piece) in of.sheet.pieces.iter().enumerate() {
                let tag = piece.block().and_then(|block| block.tag.as_ref());
                if let Some(tag) = tag.filter(|tag| tag.shows == Shows::Memory) {
                    places.entry(tag.key.clone()).or_default().push((file, at));
                }
            }
        }
        places
    }

    fn part_copies_of(&mut self, key: &str, places: &[Place]) -> Result<()> {
        let current = self.current(key)?;
        let blocks: Vec<Block> = places.iter().filter_map(|at| self.block(*at)).cloned().collect();
        let shown = hash(&current.text());
        let original = blocks.iter().find(|block| block.hash() == shown);
        let original = original.or_else(|| blocks.iter().find(|block| !block.is_changed()));
        let Some(original) = original.or(blocks.first()).map(|block| block.text.clone()) else {
            return Ok(());
        };
        for ((file, at), block) in places.iter().zip(&blocks) {
            if block.text != original
                && !self.is_outdated(block, &current)?
                && let Some(block) = self.files[*file].sheet.block_mut(*at)
            {
                block.tag = None;
            }
        }
        Ok(())
    }

    /// It says what the memory said before.
    fn is_outdated(&self, block: &Block, current: &Current) -> Result<bool> {
        match current {
            Current::Active(memory) => Ok(!block.is_changed() && self.has_said(memory, &block.hash())?),
            Current::Waits(_) | Current::Ended(_) | Current::Unknown => Ok(false),
        }
    }

    fn block(&self, (file, at): Place) -> Option<&Block> {
        self.files[file].sheet.pieces[at].block()
    }

    /// What the files show once what was deleted is gone.
    pub(super) fn see_what_stands(&mut self) -> Result<()> {
        let mut beside = self.gone.clone();
        let mut unchanged = vec![];
        for block in self.sheets().flat_map(Sheet::blocks) {
            let Some(tag) = &block.tag else { continue };
            let current = self.current(&tag.key)?;
            if hash(&current.text()) == block.hash() {
                unchanged.extend(current.id().cloned());
            }
            beside.extend(current.id().cloned());
        }
        self.beside = Arc::new(beside);
        self.unchanged.extend(unchanged);
        Ok(())
    }

    /// From here on, no other bullet is compared with it.
    pub(super) fn stands(&mut self, memory: &MemoryId) {
        Arc::make_mut(&mut self.beside).insert(memory.clone());
    }

    /// What bullets say that stay as they are, and cannot be true if this is.
    pub(super) fn contradicted(&self, statement: &Statement) -> Result<Vec<Memory>> {
        if self.unchanged.is_empty() || statement.supersedes.is_some() {
            return Ok(vec![]);
        }
        let draft = self.engine.draft(&self.caller, statement.clone(), self.engine.now())?;
        let near = self.engine.store.read(|conn| self.engine.near(conn, &self.caller, &draft))?;
        let related = New::of(&draft.memory.content).relations_to(&stated(&near));
        let is_opposite = |related: &Related| related.relation == Relation::Opposite && related.is_sure();
        let opposite = near.into_iter().zip(related).filter(|(_, related)| is_opposite(related));
        let memories = opposite.map(|(near, _)| near.memory);
        Ok(memories.filter(|memory| self.unchanged.contains(&memory.id)).collect())
    }
}
