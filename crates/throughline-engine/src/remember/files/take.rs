//! From the files to the memories: what somebody deleted is forgotten, what somebody changed takes the place of the memory,
//! what is new is remembered like any other statement.

use throughline_store::memory::{self, Memory, Source};

use super::compare::{Step, step};
use super::round::{Current, Round};
use super::sheet::{Block, Piece, Sheet, Shows, Tag, hash, plain};
use super::{Aim, FORGOTTEN, MAX_SUCCESSORS, Prefer, What};
use crate::remember::consolidate::Verdict;
use crate::remember::{Action, Statement, citations};
use crate::{Error, Result};

impl Round<'_> {
    /// What a file that comes from the last one does not show any more.
    pub(super) fn take_deletions(&mut self) -> Result<()> {
        self.drop_emptied();
        for file in 0..self.files.len() {
            if !self.files[file].is_of_the_last() {
                continue;
            }
            for row in self.files[file].rows.clone() {
                if !self.is_shown(&row.key) {
                    self.take_deletion(file, &row.key, &row.hash)?;
                }
            }
        }
        Ok(())
    }

    fn take_deletion(&mut self, file: usize, key: &str, shown: &str) -> Result<()> {
        let current = self.current(key)?;
        let text = current.text();
        let Current::Active(memory) = current else { return Ok(()) };
        if hash(&text) != shown {
            self.tell(What::BroughtBack, (file, 0), Some(&memory.id), &text);
            return Ok(());
        }
        if self.request.aim == Aim::Do {
            let why = format!("deleted from {}", self.files[file].path);
            let during = (&self.request.during.session, &self.request.during.opening);
            self.engine.forget(&self.caller, &[memory.id.to_string()], Some(&why), during)?;
        }
        self.tell(What::Forgotten, (file, 0), Some(&memory.id), &text);
        self.gone.insert(memory.id);
        Ok(())
    }

    /// A bullet of which only the tag is left was deleted.
    fn drop_emptied(&mut self) {
        for file in &mut self.files {
            for piece in &mut file.sheet.pieces {
                if piece.block().is_some_and(|block| block.text.is_empty()) {
                    *piece = Piece::Other(String::new());
                }
            }
        }
    }

    fn is_shown(&self, key: &str) -> bool {
        let mut tags = self.sheets().flat_map(Sheet::blocks).filter_map(|block| block.tag.as_ref());
        tags.any(|tag| tag.key == key)
    }

    pub(super) fn take_texts(&mut self) -> Result<()> {
        for file in 0..self.files.len() {
            let mut at = 0;
            while at < self.files[file].sheet.pieces.len() {
                if let Some(block) = self.files[file].sheet.pieces[at].block().cloned() {
                    self.take_block((file, at), block)?;
                }
                at += 1;
            }
        }
        Ok(())
    }

    fn take_block(&mut self, at: (usize, usize), block: Block) -> Result<()> {
        let Some(tag) = block.tag.clone() else { return self.take_statement(at, &block, None) };
        let sheet = &self.files[at.0].sheet;
        match tag.shows {
            Shows::Stored if sheet.place_of(&tag.key, Shows::Conflict).is_some() => Ok(()),
            Shows::Stored if block.text == FORGOTTEN => {
                self.blank(at);
                Ok(())
            }
            Shows::Conflict => self.take_conflict(at, &block, &tag),
            Shows::Stored | Shows::Memory => {
                // A bullet that was copied and then changed is a new one.
                let is_copy = sheet.place_of(&tag.key, Shows::Memory).is_some_and(|first| first < at.1);
                if is_copy && block.is_changed() {
                    return self.take_statement(at, &block, None);
                }
                self.become_memory(at);
                self.take_change(at, &block, &tag)
            }
        }
    }

    fn become_memory(&mut self, (file, at): (usize, usize)) {
        if let Some(Block { tag: Some(tag), raw, .. }) = self.files[file].sheet.block_mut(at)
            && tag.shows != Shows::Memory
        {
            tag.shows = Shows::Memory;
            *raw = None;
        }
    }

    fn take_change(&mut self, at: (usize, usize), block: &Block, tag: &Tag) -> Result<()> {
        let current = self.current(&tag.key)?;
        let now = hash(&current.text());
        let base = self.base(at.0, (block, tag), &current)?;
        match (step(&base, &block.hash(), current.stored(&now)), &current) {
            (_, Current::Unknown) => self.take_statement(at, block, Some(&tag.key)),
            (Step::Take, Current::Active(memory) | Current::Waits(memory)) => {
                self.take_in_place(at, (block, &tag.key), memory)
            }
            (Step::Conflict, _) => self.meet_conflict(at, (block, tag), &current),
            (Step::Nothing | Step::Show | Step::Drop | Step::Take, _) => Ok(()),
        }
    }

    /// What the block said when it was last in step: what its tag says, unless somebody else's memories wrote that.
    fn base(&self, file: usize, (block, tag): (&Block, &Tag), current: &Current) -> Result<String> {
        let Current::Active(memory) = current else { return Ok(tag.hash.clone()) };
        if block.is_changed() || self.has_said(memory, &tag.hash)? {
            return Ok(tag.hash.clone());
        }
        Ok(self.files[file].row(&tag.key).map(|row| row.hash.clone()).unwrap_or_default())
    }

    /// Both have changed: both texts are shown, or the preferred one holds.
    fn meet_conflict(
        &mut self,
        at: (usize, usize),
        (block, tag): (&Block, &Tag),
        current: &Current,
    ) -> Result<()> {
        match (self.request.prefer, current) {
            (Some(Prefer::File), _) => return self.keep_mine(at, (block, &tag.key), current),
            (Some(Prefer::Memory), _) => {
                self.unchange(at, block);
                return Ok(());
            }
            (None, _) => {}
        }
        let (file, place) = at;
        let stored = current.text();
        let sheet = &mut self.files[file].sheet;
        let beside = Block::beside(block, stored.clone(), Tag::of(Shows::Stored, &tag.key, &stored));
        if let Some(Block { tag: Some(tag), raw, .. }) = sheet.block_mut(place) {
            tag.shows = Shows::Conflict;
            *raw = None;
        }
        sheet.pieces.insert(place + 1, Piece::Block(beside));
        self.tell(What::Conflict, (file, block.line), current.id(), &block.text);
        Ok(())
    }

    /// The text of the memory will be shown in its place.
    pub(super) fn unchange(&mut self, (file, at): (usize, usize), block: &Block) {
        if let Some(Block { tag: Some(tag), raw, .. }) = self.files[file].sheet.block_mut(at) {
            (tag.shows, tag.hash, *raw) = (Shows::Memory, block.hash(), None);
        }
    }

    /// A conflict that was shown before: one of the two texts may have been deleted since.
    fn take_conflict(&mut self, at: (usize, usize), block: &Block, tag: &Tag) -> Result<()> {
        let current = self.current(&tag.key)?;
        let stored = current.text();
        let Some(beside) = self.files[at.0].sheet.place_of(&tag.key, Shows::Stored) else {
            let shown = self.files[at.0].row(&tag.key).map(|row| row.hash.clone());
            return match shown == Some(hash(&stored)) {
                true => self.keep_mine(at, (block, &tag.key), &current),
                false => self.meet_conflict(at, (block, tag), &current),
            };
        };
        if block.text == stored || self.request.prefer.is_some() {
            self.let_go_of_stored((at.0, beside))?;
            return match (block.text == stored, self.request.prefer) {
                (false, Some(Prefer::File)) => self.keep_mine(at, (block, &tag.key), &current),
                _ => {
                    self.unchange(at, block);
                    Ok(())
                }
            };
        }
        self.tell(What::Conflict, (at.0, block.line), current.id(), &block.text);
        Ok(())
    }

    /// The memory's text beside a block goes, unless somebody has written into it what the file is to be kept for.
    pub(super) fn let_go_of_stored(&mut self, at: (usize, usize)) -> Result<()> {
        let is_kept = |block: &&Block| block.is_changed() && self.request.prefer == Some(Prefer::File);
        match self.files[at.0].sheet.pieces[at.1].block().filter(is_kept).cloned() {
            Some(written) => self.take_statement(at, &written, None),
            None => {
                self.blank(at);
                Ok(())
            }
        }
    }

    fn keep_mine(
        &mut self,
        at: (usize, usize),
        (block, key): (&Block, &str),
        current: &Current,
    ) -> Result<()> {
        match current {
            Current::Active(memory) | Current::Waits(memory) => self.take_in_place(at, (block, key), memory),
            Current::Ended(_) | Current::Unknown => self.take_statement(at, block, None),
        }
    }

    /// Whether the memory, or one that it took the place of, has this text.
    pub(super) fn has_said(&self, memory: &Memory, text: &str) -> Result<bool> {
        let mut older = Some(memory.clone());
        for _ in 0..MAX_SUCCESSORS {
            let Some(memory) = older else { break };
            if hash(&plain(&memory.content)) == text {
                return Ok(true);
            }
            let project = &self.caller.project;
            let before = |id| self.engine.store.read(|conn| memory::by_id(conn, project, id));
            older = memory.supersedes.as_ref().map(before).transpose()?.flatten();
        }
        Ok(false)
    }

    /// The text is a new memory in place of the one that it was.
    fn take_in_place(
        &mut self,
        at: (usize, usize),
        (block, key): (&Block, &str),
        old: &Memory,
    ) -> Result<()> {
        let statement = Statement {
            kind: old.kind,
            scope: old.scope,
            tags: old.tags.clone(),
            importance: Some(old.importance),
            state_key: old.state_key.clone(),
            supersedes: Some(old.id.to_string()),
            occurred_at: old.occurred_at,
            expires_at: old.expires_at,
            cites: citations(old.cites.as_deref()),
            ..self.statement(at.0, block)
        };
        self.remember(at, (block, Some(key)), statement)
    }

    /// A bullet that is not known here; one that somebody else's memories know keeps its name.
    fn take_statement(&mut self, at: (usize, usize), block: &Block, key: Option<&str>) -> Result<()> {
        let shelf = &self.files[at.0].shelf;
        let kind = block.kind.unwrap_or_else(|| shelf.usual_kind());
        let tags = shelf.usual_tags(kind);
        let statement = Statement { kind, tags, ..self.statement(at.0, block) };
        self.remember(at, (block, key), statement)
    }

    fn statement(&self, file: usize, block: &Block) -> Statement {
        let during = self.request.during;
        Statement {
            source: Source::Explicit,
            from: Some(format!("{}:{}", self.files[file].path, block.line)),
            session: during.session.clone(),
            opening: during.opening.clone(),
            ..Statement::of(block.text.clone())
        }
    }

    fn remember(
        &mut self,
        at: (usize, usize),
        (block, key): (&Block, Option<&str>),
        statement: Statement,
    ) -> Result<()> {
        let line = (at.0, block.line);
        let statement = self.of_whoever_says_it(at.0, statement)?;
        let (action, memory, contradicted) = match self.keep_statement(statement) {
            Ok(kept) => kept,
            Err(Error::Invalid(why) | Error::Conflict(why)) => {
                self.done.insert(at);
                let place = format!("{}:{}", self.files[at.0].path, block.line);
                self.synced.problems.push(format!("{place}: {why}"));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        self.stands(&memory.id);
        let key = key.unwrap_or(memory.id.as_str()).to_owned();
        self.aliases.insert(key.clone(), memory.id.clone());
        let text = plain(&memory.content);
        if let Some(block) = self.files[at.0].sheet.block_mut(at.1) {
            let tag = Tag::of(Shows::Memory, &key, &text);
            block.show(text, tag);
        }
        self.tell(what_of(action), line, Some(&memory.id), &block.text);
        for other in contradicted {
            self.tell(What::Contradicts, line, Some(&other.id), &plain(&other.content));
        }
        Ok(())
    }

    /// What became of it or would, and which bullets say the opposite.
    fn keep_statement(&mut self, statement: Statement) -> Result<(Action, Memory, Vec<Memory>)> {
        let statement = self.whole(statement)?;
        let mut contradicted = self.contradicted(&statement)?;
        let (action, memory) = match self.request.aim {
            Aim::Tell => self.foresee(statement)?,
            Aim::Do => {
                let mut kept = self.engine.remember_beside(&self.caller, vec![statement], &self.beside)?;
                let kept = kept.swap_remove(0);
                (kept.action, kept.memory)
            }
        };
        contradicted.retain(|other| other.id != memory.id);
        Ok((action, memory, contradicted))
    }

    /// What is known in fewer lines gives way to a bullet with what stands below it, which would be lost otherwise.
    fn whole(&self, statement: Statement) -> Result<Statement> {
        if statement.supersedes.is_some() || !statement.content.contains('\n') {
            return Ok(statement);
        }
        let mut draft = self.engine.draft(&self.caller, statement.clone(), self.engine.now())?;
        draft.beside = self.beside.clone();
        let similar = self.engine.store.read(|conn| self.engine.similar(conn, &self.caller, &draft))?;
        let Some((known, Verdict::Corroborate)) = similar.nearest else { return Ok(statement) };
        if statement.content.lines().all(|line| known.content.contains(line.trim())) {
            return Ok(statement);
        }
        Ok(Statement {
            tags: [statement.tags.as_slice(), known.tags.as_slice()].concat(),
            importance: Some(known.importance),
            cites: citations(known.cites.as_deref()),
            supersedes: Some(known.id.to_string()),
            ..statement
        })
    }

    pub(super) fn blank(&mut self, (file, at): (usize, usize)) {
        self.files[file].sheet.pieces[at] = Piece::Other(String::new());
    }
}

fn what_of(action: Action) -> What {
    match action {
        Action::Created => What::Created,
        Action::Corroborated => What::Corroborated,
        Action::Superseded => What::Superseded,
        // What a file says is never older than what it is compared with, and is a person's word.
        Action::Quarantined | Action::Outdated | Action::Refused => What::Quarantined,
    }
}
