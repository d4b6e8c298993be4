//! What to do when a command fails, in the words of `extract/fix.rs` and `mine/fix.rs`, which learn it from what helped. It is
//! compared with its like alone, and by what failed: what else is said of the command does not touch it.

use std::collections::BTreeSet;

use super::{Related, Relation, related};
use crate::shell::Command;

struct Cure<'a> {
    command: &'a str,
    error: Option<&'a str>,
}

/// What the two are to each other as far as that is certain; nothing where neither is a cure, or both may be of one failure.
pub(super) fn compared(known: &str, new: &str) -> Option<Related> {
    let apart = |why| Some(related(Relation::Unrelated, 0.95, why));
    let (one, other) = match (Cure::read(known), Cure::read(new)) {
        (None, None) => return None,
        (Some(one), Some(other)) => (one, other),
        _ => return apart("only one says what to do when a command fails"),
    };
    let act = |line| Command::last(line).map(|command| command.act());
    if act(one.command) != act(other.command) {
        return apart("different commands fail");
    }
    let differ = one.error.zip(other.error).is_some_and(|(one, other)| !are_alike(one, other));
    if differ { apart("the command fails in different ways") } else { None }
}

/// The command that a cure is for.
pub(in crate::remember) fn command_that_fails(text: &str) -> Option<&str> {
    Cure::read(text).map(|cure| cure.command)
}

impl Cure<'_> {
    fn read(text: &str) -> Option<Cure<'_>> {
        let (command, rest) = text.strip_prefix("When `")?.split_once('`')?;
        let said = rest.strip_prefix(" fails")?;
        let quoted = said.strip_prefix(" with ").and_then(|said| said.strip_prefix(['"', '“']));
        let error = quoted.and_then(|said| said.split_once(['"', '”'])).map(|(error, _)| error);
        Some(Cure { command, error })
    }
}

/// Half of their words, where numbers are no words: places, times and addresses are others each time.
fn are_alike(one: &str, other: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1);
        parts.map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    2 * one.intersection(&other).count() >= one.len().max(other.len())
}
