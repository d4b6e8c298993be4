//! What was taken away stays away from who has less to say: a tool does not bring back what an agent or a person took away, and an
//! agent not what a person did. Whoever has as much to say does, by saying it again.

use throughline_store::Connection;
use throughline_store::actor::ActorKind;
use throughline_store::memory::{self, Memory, Source, Status};

use super::statement::Draft;
use super::trace::steps;
use super::{Action, Remembered};
use crate::{Caller, Engine, Result};

/// The last word on a memory, where it is one of these, speaks against it.
const AGAINST: [&str; 4] = ["forgotten", "rejected", "misleading", "outdated"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Speaker {
    Tool,
    Agent,
    Person,
}

impl Speaker {
    fn of(kind: ActorKind) -> Speaker {
        match kind {
            ActorKind::Agent => Speaker::Agent,
            ActorKind::User => Speaker::Person,
        }
    }
}

impl Engine {
    /// What says the same as the statement and may not come back by it: a memory that was forgotten, or one that waits for review.
    pub(super) fn taken_back(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        known: Option<&Memory>,
    ) -> Result<Option<Memory>> {
        let is_tools = draft.memory.source == Source::ToolOutput;
        let speaker = if is_tools { Speaker::Tool } else { Speaker::of(caller.actor.kind) };
        let said_before = match known {
            Some(known) => Some(known.clone()).filter(|known| known.status == Status::Quarantined),
            None => memory::forgotten(tx, &caller.project, &draft.memory.content_hash)?,
        };
        match said_before {
            Some(memory) if is_overruled(tx, caller, &memory, speaker)? => Ok(Some(memory)),
            _ => Ok(None),
        }
    }

    /// That it was said again is noted, and changes nothing.
    pub(super) fn refuse(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        memory: Memory,
    ) -> Result<Remembered> {
        let why = "it was taken away, by somebody who has more to say about it";
        self.note_effect(tx, caller, draft, &memory, (Action::Refused, why))?;
        Ok(draft.left(memory, Action::Refused))
    }
}

/// Whether the last word of those who have more to say speaks against it.
fn is_overruled(conn: &mut dyn Connection, caller: &Caller, memory: &Memory, by: Speaker) -> Result<bool> {
    let steps = steps(conn, caller, memory)?;
    let mut words = steps.iter().rev().filter(|step| step.action != Action::Refused.as_str());
    let last = words.find(|step| step.actor.as_ref().is_some_and(|actor| Speaker::of(actor.kind) > by));
    Ok(last.is_some_and(|step| AGAINST.contains(&step.action.as_str())))
}
