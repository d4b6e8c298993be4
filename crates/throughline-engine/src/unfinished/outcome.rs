//! Whether a line tells how a check in it ended: after `pytest || true` nobody knows.

use crate::shell::cut_at;
use crate::words::is_in;

/// A statement of a line in its parts, each run if the one before it passed, and whether another statement comes after it.
pub(super) struct Statement<'a> {
    pub(super) parts: Vec<&'a str>,
    pub(super) next: Option<&'a str>,
}

/// They pass, and say nothing of what was before them.
const PASSING: &str = "true : /bin/true";
const PASSES: &str = "exit 0";

pub(super) fn statements(line: &str) -> Vec<Statement<'_>> {
    let all = cut_at(line, &["\n", ";"]);
    let nexts = all.iter().skip(1).map(|next| Some(*next)).chain([None]);
    all.iter().zip(nexts).map(|(text, next)| Statement { parts: cut_at(text, &["&&"]), next }).collect()
}

impl Statement<'_> {
    /// Whether nobody can know how this part ended: its failure is made a success, it goes on behind the line, or the line
    /// goes on whatever came of it and nobody saw what it said.
    pub(super) fn throws_away(&self, part: usize) -> bool {
        let excuses: Vec<&str> =
            self.parts[part..].iter().flat_map(|part| cut_at(part, &["||"]).split_off(1)).collect();
        let is_forgotten = !excuses.is_empty() || self.next.is_some();
        let is_excused = excuses.into_iter().chain(self.next).any(passes);
        is_excused || is_forgotten && is_silent(self.parts[part]) || self.parts[part].ends_with(" &")
    }
}

fn passes(command: &str) -> bool {
    let command = command.trim_end_matches([')', ' ']);
    is_in(PASSING, command) || command == PASSES
}

/// Whether all that it says goes nowhere.
fn is_silent(part: &str) -> bool {
    let plain = part.replace("> ", ">").replace("2>/dev/null", "");
    plain.contains(">/dev/null")
}
