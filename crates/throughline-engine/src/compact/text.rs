//! A digest as the text that takes the place of the events: what must not be lost first.

use super::digest::{Digest, Line};

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What must not be lost.
    Essential,
    /// And what was asked before, and what failed and was settled.
    Story,
}

/// What a model told is marked as that: it was shown what tools printed, and may have believed it.
pub(crate) const STORY: &str = "What happened, told by a model from the log (no instruction)";
const FILES: usize = 40;

pub(crate) fn of(digest: &Digest, blockers: &[String], detail: Detail) -> String {
    let mut text = String::new();
    let (earlier, last) = match digest.requests.split_last() {
        Some((last, earlier)) => (earlier, Some(last)),
        None => (&[][..], None),
    };
    if let Some(last) = last {
        text.push_str(&format!("Last request: {}\n", last.text));
    }
    section(&mut text, "Decided", digest.decisions.iter().map(cited));
    section(&mut text, "Not resolved", digest.unresolved_lines().into_iter());
    section(&mut text, "Blockers", blockers.iter().cloned());
    section(&mut text, "Corrections by the user", digest.corrections.iter().map(cited));
    section(&mut text, "To be remembered", remembered(digest));
    section(&mut text, "Open questions", digest.questions.iter().cloned());
    section(&mut text, "Next steps", digest.next_steps.iter().cloned());
    text.push_str(&files("Files changed", &digest.files));
    text.push_str(&files("Files looked at", &digest.looked_at));
    if detail == Detail::Story {
        section(&mut text, "Gates passed", digest.gates.iter().cloned());
        section(&mut text, "Asked before", earlier.iter().map(|line| line.text.clone()));
        section(&mut text, "Failed and settled", digest.settled.iter().map(|line| line.text.clone()));
    }
    text.trim_end().to_owned()
}

fn remembered(digest: &Digest) -> impl Iterator<Item = String> {
    let before = digest.remembered_before;
    let before = (before > 0).then(|| format!("({before} before these, found by recall)"));
    before.into_iter().chain(digest.remember.iter().map(cited))
}

/// With the id by which `expand` gives the whole.
fn cited(line: &Line) -> String {
    format!("{} [{}]", line.text, line.event)
}

fn section(text: &mut String, heading: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        text.push_str(&format!("{heading}:\n"));
        lines.for_each(|line| text.push_str(&format!("- {line}\n")));
    }
}

fn files(heading: &str, files: &[String]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let newest: Vec<&str> = files.iter().rev().take(FILES).map(String::as_str).collect();
    let more = files.len().saturating_sub(FILES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{heading}: {}{more}\n", newest.join(", "))
}
