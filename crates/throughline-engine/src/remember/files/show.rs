//! From the memories to the files: what took the place of a memory is shown in its place, what ended goes, what no file shows
//! yet is added to the one that it belongs to.

use std::collections::HashSet;

use throughline_store::id::MemoryId;
use throughline_store::memory::{Filter, Memory, Scope};

use super::What;
use super::reading::rank;
use super::round::{Current, Round};
use super::sheet::{Sheet, Shows, Tag, hash, plain};
use crate::Result;

impl Round<'_> {
    /// What stands beside a text in conflict may have been replaced by another bullet since that text was looked at.
    pub(super) fn show_conflicts(&mut self) -> Result<()> {
        for file in 0..self.files.len() {
            for at in 0..self.files[file].sheet.pieces.len() {
                let block = self.files[file].sheet.pieces[at].block();
                let tag =
                    block.and_then(|block| block.tag.clone()).filter(|tag| tag.shows == Shows::Conflict);
                if let Some(tag) = tag {
                    self.show_conflict((file, at), &tag.key)?;
                }
            }
        }
        Ok(())
    }

    fn show_conflict(&mut self, (file, at): (usize, usize), key: &str) -> Result<()> {
        let stored = self.current(key)?.text();
        let sheet = &mut self.files[file].sheet;
        let (Some(block), Some(beside)) =
            (sheet.pieces[at].block().cloned(), sheet.place_of(key, Shows::Stored))
        else {
            return Ok(());
        };
        if block.text == stored {
            self.let_go_of_stored((file, beside))?;
            self.unchange((file, at), &block);
        } else if let Some(other) = sheet.block_mut(beside).filter(|other| !other.is_changed()) {
            let tag = Tag::of(Shows::Stored, key, &stored);
            other.show(stored, tag);
        }
        Ok(())
    }

    pub(super) fn show_known(&mut self) -> Result<()> {
        self.shown = self.held()?;
        for file in 0..self.files.len() {
            for at in 0..self.files[file].sheet.pieces.len() {
                let block = self.files[file].sheet.pieces[at].block();
                let tag = block.and_then(|block| block.tag.clone()).filter(|tag| tag.shows == Shows::Memory);
                let (Some(tag), false) = (tag, self.done.contains(&(file, at))) else { continue };
                self.show_block((file, at), &tag)?;
            }
        }
        Ok(())
    }

    /// Memories that stand beside another text, those whose block is dealt with, and those of files that are left alone.
    fn held(&self) -> Result<HashSet<MemoryId>> {
        let mut shown = HashSet::new();
        for tag in self.unmerged.iter().flat_map(Sheet::blocks).filter_map(|block| block.tag.as_ref()) {
            shown.extend(self.current(&tag.key)?.id().cloned());
        }
        for (file, of) in self.files.iter().enumerate() {
            for (at, piece) in of.sheet.pieces.iter().enumerate() {
                let Some(tag) = piece.block().and_then(|block| block.tag.as_ref()) else { continue };
                if tag.shows == Shows::Conflict || self.done.contains(&(file, at)) {
                    shown.extend(self.current(&tag.key)?.id().cloned());
                }
            }
        }
        Ok(shown)
    }

    fn show_block(&mut self, at: (usize, usize), tag: &Tag) -> Result<()> {
        let current = self.current(&tag.key)?;
        let line = self.files[at.0].sheet.pieces[at.1].block().map_or(0, |block| block.line);
        let text = current.text();
        match &current {
            Current::Unknown => {}
            Current::Ended(id) => {
                let text = self.files[at.0].sheet.pieces[at.1]
                    .block()
                    .map_or(String::new(), |block| block.text.clone());
                self.blank(at);
                self.tell(What::Removed, (at.0, line), Some(id), &text);
            }
            Current::Active(memory) | Current::Waits(memory) if !self.shown.insert(memory.id.clone()) => {
                self.blank(at);
                self.tell(What::Merged, (at.0, line), Some(&memory.id), &text);
            }
            Current::Waits(_) => {}
            Current::Active(memory) => {
                if hash(&text) != tag.hash {
                    self.tell(What::Updated, (at.0, line), Some(&memory.id), &text);
                }
                let tag = Tag::of(Shows::Memory, &tag.key, &text);
                if let Some(block) = self.files[at.0].sheet.block_mut(at.1) {
                    block.show(text, tag);
                }
            }
        }
        Ok(())
    }

    /// In the order of their kinds, then of their making.
    pub(super) fn add_missing(&mut self) -> Result<()> {
        let filter =
            Filter { scope: Some(Scope::App), active_at: Some(self.engine.now()), ..Filter::default() };
        let mut memories = self.engine.memories(&self.caller, &filter, i64::MAX)?.memories;
        memories.extend(self.left_over());
        memories.retain(|memory| {
            let is_dealt_with = self.gone.contains(&memory.id) || self.shown.contains(&memory.id);
            !is_dealt_with && !self.would_end(&memory.id)
        });
        // What would be made now comes last.
        memories.sort_by_key(|memory| (rank(memory.kind), memory.number == 0, memory.number));
        memories.iter().for_each(|memory| self.add(memory));
        Ok(())
    }

    fn add(&mut self, memory: &Memory) {
        let shelf = self.engine.settings.files.shelf_of(memory);
        let Some(file) = self.files.iter().position(|file| Some(file.name.as_str()) == shelf) else { return };
        let text = plain(&memory.content);
        if text.is_empty() {
            return;
        }
        let tag = Tag::of(Shows::Memory, memory.id.as_str(), &text);
        self.tell(What::Added, (file, 0), Some(&memory.id), &text);
        self.files[file].sheet.add(memory.kind, text, tag);
    }
}
