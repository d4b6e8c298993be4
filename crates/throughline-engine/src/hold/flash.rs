//! Flash save: the whole working set goes into a checkpoint, what is COLD is put aside, and the agent goes on with what is
//! HOT. One transaction, so that a crash leaves the old state or the new one.

use throughline_store::Connection;
use throughline_store::checkpoint::Reason;
use throughline_store::context_entry::{self as record, Holder, State, Tier};
use throughline_store::id::{CheckpointId, EntryId};
use throughline_store::session::Session;

use super::checkpoint::Wish;
use super::{Scored, diff};
use crate::capture::During;
use crate::{Caller, Engine, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Flashed {
    pub checkpoint: CheckpointId,
    /// What was held before, and what is before the agent after it.
    pub tokens_before: i64,
    pub tokens_after: i64,
    pub archived: usize,
    /// What the agent goes on with, the most important first.
    pub hot: Vec<Scored>,
}

impl Engine {
    pub fn flash_save(&self, caller: &Caller, agent: &str, during: &During) -> Result<Flashed> {
        let id: CheckpointId = self.ids.next(self.now());
        self.write(caller, |tx| {
            let session = self.enter(tx, caller, during, "flash save")?;
            self.flash(tx, caller, agent, (&session, id.clone()))
        })
    }

    /// The same in a transaction that is already open.
    pub(crate) fn flash(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        agent: &str,
        (session, id): (&Session, CheckpointId),
    ) -> Result<Flashed> {
        let holder = Holder { project: &caller.project, agent };
        let before = record::list(tx, holder)?;
        let entries = self.tiered(tx, holder, &before, self.now())?;
        let title = "flash save".to_owned();
        let wish = Wish { agent: agent.to_owned(), ..Wish::of(session, id, Reason::Flash, title) };
        let checkpoint = self.make_checkpoint(tx, caller, wish)?;
        let is_cold = |one: &&Scored| one.entry.state == State::Held && one.entry.tier == Tier::Cold;
        let cold: Vec<&EntryId> = entries.iter().filter(is_cold).map(|one| &one.entry.id).collect();
        record::set_state(tx, holder, &cold, State::Archived)?;
        let archived = cold.len();
        let hot: Vec<Scored> = entries.into_iter().filter(|one| one.entry.tier == Tier::Hot).collect();
        diff::note_given(tx, holder, &before, &hot)?;
        Ok(Flashed {
            checkpoint: checkpoint.id,
            tokens_before: checkpoint.tokens,
            tokens_after: hot.iter().map(|one| one.entry.tokens).sum(),
            archived,
            hot,
        })
    }
}
