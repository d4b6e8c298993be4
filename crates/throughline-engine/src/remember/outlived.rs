//! What ends with a thing that the project has no more: what to do when a command of a tool fails, once there is another tool, and
//! whatever goes by what somebody says is gone.

use throughline_store::Connection;
use throughline_store::memory::{Kind, Memory, Status};

use super::Remembered;
use super::alternatives::{self, Value};
use super::consolidate::{self, Relation, Verdict, verdict};
use super::similar::standpoint;
use super::statement::Draft;
use crate::recall::Wanted;
use crate::{Caller, Engine, Result, index};

/// What is told of a project as it is.
const LASTING: [Kind; 5] = [Kind::Fact, Kind::Rule, Kind::Skill, Kind::Decision, Kind::Preference];
/// So many of the cures that name the tool are looked at.
const WANTED: Wanted = Wanted { sharing: 16, meaning: 0, status: Status::Active };

impl Engine {
    /// Ends the cures for commands of tools that a memory has just taken the place of.
    pub(super) fn end_outlived(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        mut remembered: Remembered,
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        for tool in replaced(&remembered) {
            let is_of_it = |memory: &Memory| {
                memory.kind == Kind::Skill
                    && consolidate::command_that_fails(&memory.content)
                        .is_some_and(|command| words(command).contains(&tool))
            };
            for cure in self.about(tx, caller, &format!("when {tool} fails"), (WANTED, is_of_it))? {
                self.replace_too(tx, caller, draft, (cure, &mut remembered), additions)?;
            }
        }
        self.end_with_what_is_gone(tx, caller, draft, remembered, additions)
    }

    /// "We've retired NATS; messages go over SQS" ends "background jobs go over NATS", and leaves what else that says.
    fn end_with_what_is_gone(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        mut remembered: Remembered,
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        for old in self.going_by_what_is_gone(tx, caller, (draft, &remembered.memory))? {
            self.keep_rest(tx, caller, draft, (&old, &remembered.memory), additions)?;
            self.replace_too(tx, caller, draft, (old, &mut remembered), additions)?;
        }
        Ok(remembered)
    }

    /// What names a thing that a new memory says is gone.
    pub(super) fn going_by_what_is_gone(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        (draft, kept): (&Draft, &Memory),
    ) -> Result<Vec<Memory>> {
        let mut going = vec![];
        if kept.status != Status::Active || draft.memory.occurred_at.is_some() {
            return Ok(going);
        }
        let new = standpoint(kept);
        for thing in consolidate::gone(&draft.memory.content) {
            let goes_by_it = |memory: &Memory| {
                LASTING.contains(&memory.kind)
                    && memory.id != kept.id
                    && memory.occurred_at.is_none()
                    && !draft.beside.contains(&memory.id)
                    && !draft.is_older_than(memory.created_at)
                    && verdict(Relation::Opposite, standpoint(memory), new) == Verdict::Supersede
                    && consolidate::goes_by(&memory.content, &thing)
            };
            going.extend(self.about(conn, caller, &thing, (WANTED, goes_by_it))?);
        }
        Ok(going)
    }
}

/// The tools of what was superseded that another stands in the place of now.
fn replaced(remembered: &Remembered) -> Vec<String> {
    let told = &remembered.memory.content;
    let now = alternatives::values(&words(&consolidate::outcome(told).unwrap_or_else(|| told.clone())));
    let is_replaced = |value: &Value| {
        now.iter().any(|other| other.of == value.of)
            && !now.iter().any(|other| other.of == value.of && other.name == value.name)
    };
    let before = remembered.superseded.iter().flat_map(|old| alternatives::values(&words(&old.content)));
    let mut gone: Vec<String> = before.filter(is_replaced).map(|value| value.name.to_owned()).collect();
    gone.dedup();
    gone
}

fn words(text: &str) -> Vec<String> {
    let parts =
        text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '.' | '`' | '!' | '"'));
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
