//! What to do when a command of a tool fails, once the project has another tool: it does not fail any more.

use throughline_store::Connection;
use throughline_store::memory::{Kind, Memory, Status};

use super::alternatives::{self, Value};
use super::statement::Draft;
use super::{Remembered, consolidate};
use crate::recall::Wanted;
use crate::{Caller, Engine, Result, index};

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
        Ok(remembered)
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
