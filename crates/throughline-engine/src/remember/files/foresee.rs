//! What would become of a bullet, where that is only to be told: as `remember` would keep it, without keeping it.

use throughline_store::id::MemoryId;
use throughline_store::memory::{self, Memory, Scope, Status};

use super::round::Round;
use crate::Result;
use crate::remember::consolidate::Verdict;
use crate::remember::rest::left_of;
use crate::remember::similar::Similar;
use crate::remember::statement::Draft;
use crate::remember::{Action, Statement};

impl Round<'_> {
    pub(super) fn foresee(&mut self, statement: Statement) -> Result<(Action, Memory)> {
        let mut draft = self.engine.draft(&self.caller, statement, self.engine.now())?;
        draft.beside = self.beside.clone();
        let named = draft.supersedes.clone().map(MemoryId::from);
        match (self.same_as(&draft.memory)?, named) {
            (Some(known), None) => Ok(self.said_again(&draft, known)),
            (Some(known), Some(old)) if known.id != old => {
                let (_, memory) = self.said_again(&draft, known);
                self.end(&old, &memory)?;
                Ok((Action::Superseded, memory))
            }
            (_, Some(old)) => self.in_place_of(&draft, &old),
            (None, None) => self.beside_known(&draft),
        }
    }

    fn same_as(&self, new: &Memory) -> Result<Option<Memory>> {
        let is_same = |memory: &&Memory| {
            memory.content_hash == new.content_hash
                && (memory.kind, memory.scope) == (new.kind, new.scope)
                && memory.is_of_key_of(new)
        };
        let foreseen = self.foreseen.values().filter(is_same);
        if let Some(memory) =
            foreseen.filter(|memory| memory.status == Status::Active).max_by_key(|one| one.number)
        {
            return Ok(Some(memory.clone()));
        }
        let known = self.engine.store.read(|conn| memory::same(conn, &self.caller.project, new))?;
        let is_live = |known: &Memory| {
            let is_ended = self.gone.contains(&known.id) || self.would_end(&known.id);
            !is_ended && known.status_at(new.created_at) != Status::Expired
        };
        Ok(known.filter(is_live))
    }

    fn beside_known(&mut self, draft: &Draft) -> Result<(Action, Memory)> {
        let Similar { nearest, untrue, doubles, .. } =
            self.engine.store.read(|conn| self.engine.similar(conn, &self.caller, draft))?;
        let (action, memory) = match nearest {
            None | Some((_, Verdict::Create)) => (Action::Created, self.would_be(draft.memory.clone())),
            Some((known, Verdict::Corroborate)) => self.said_again(draft, known),
            Some((known, Verdict::Supersede)) => {
                let kept = self.in_place_of(draft, &known.id)?;
                self.foresee_rest(draft, &known)?;
                kept
            }
            Some((_, Verdict::QuarantineNew | Verdict::Outdated)) => return Ok(self.would_wait(draft)),
            Some((known, Verdict::Review)) => {
                self.would_be(Memory { status: Status::Quarantined, ..known });
                return Ok(self.would_wait(draft));
            }
        };
        let going = self
            .engine
            .store
            .read(|conn| self.engine.going_by_what_is_gone(conn, &self.caller, (draft, &memory)))?;
        let going = going.iter().filter(|old| !self.would_end(&old.id)).cloned().collect::<Vec<_>>();
        for old in untrue.iter().chain(&going) {
            self.foresee_rest(draft, old)?;
        }
        for old in untrue.iter().chain(&doubles).chain(&going) {
            self.end(&old.id, &memory)?;
        }
        Ok((action, memory))
    }

    /// What is left of a memory of several statements is a memory of its own.
    fn foresee_rest(&mut self, draft: &Draft, old: &Memory) -> Result<()> {
        let Some(rest) = left_of(old, &draft.memory.content) else { return Ok(()) };
        let rest = self.engine.draft(&self.caller, rest, draft.memory.created_at)?.memory;
        if self.same_as(&rest)?.is_none() {
            self.would_be(Memory { created_at: old.created_at, ..rest });
        }
        Ok(())
    }

    /// What would be a memory that no bullet stands for.
    pub(super) fn left_over(&self) -> Vec<Memory> {
        let is_left = |memory: &&Memory| {
            memory.number == 0 && memory.status == Status::Active && memory.scope == Scope::App
        };
        self.foreseen.values().filter(is_left).cloned().collect()
    }

    /// One memory, under all tags: a new one where some are new.
    fn said_again(&mut self, draft: &Draft, known: Memory) -> (Action, Memory) {
        let again = Memory { status: Status::Active, ..known.clone() };
        if draft.memory.tags.iter().all(|tag| known.tags.contains(tag)) {
            return (Action::Corroborated, self.would_be(again));
        }
        let mut tags = [known.tags.clone(), draft.memory.tags.clone()].concat();
        tags.sort_unstable();
        tags.dedup();
        let memory = self.would_be(Memory { id: draft.memory.id.clone(), number: 0, tags, ..again });
        self.would_be(replaced(known, &memory));
        (Action::Superseded, memory)
    }

    fn in_place_of(&mut self, draft: &Draft, old: &MemoryId) -> Result<(Action, Memory)> {
        let memory = self.would_be(Memory { supersedes: Some(old.clone()), ..draft.memory.clone() });
        self.end(old, &memory)?;
        Ok((Action::Superseded, memory))
    }

    fn end(&mut self, old: &MemoryId, new: &Memory) -> Result<()> {
        let known = self.engine.store.read(|conn| self.known(conn, old))?;
        self.stands(old);
        if let Some(known) = known {
            self.would_be(replaced(known, new));
        }
        Ok(())
    }

    fn would_wait(&mut self, draft: &Draft) -> (Action, Memory) {
        let memory = Memory { status: Status::Quarantined, ..draft.memory.clone() };
        (Action::Quarantined, self.would_be(memory))
    }

    fn would_be(&mut self, memory: Memory) -> Memory {
        self.foreseen.insert(memory.id.clone(), memory.clone());
        memory
    }

    pub(super) fn would_end(&self, id: &MemoryId) -> bool {
        self.foreseen.get(id).is_some_and(|memory| memory.status != Status::Active)
    }

    /// A memory that is not there yet has no number.
    pub(super) fn is_only_foreseen(&self, id: &MemoryId) -> bool {
        self.foreseen.get(id).is_some_and(|memory| memory.number == 0)
    }
}

fn replaced(old: Memory, by: &Memory) -> Memory {
    Memory { status: Status::Superseded, superseded_by: Some(by.id.clone()), ..old }
}
