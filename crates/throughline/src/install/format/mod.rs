//! The formats of settings files. Each changes a few places of a text and leaves every other byte as it is; none writes
//! a document anew.

pub(super) mod json;
pub(super) mod toml;
pub(super) mod yaml;

use std::ops::Range;

/// What becomes of a container that loses its last entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Emptied {
    Stays,
    Goes,
}

/// Replaces each range by its text. The ranges do not overlap.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (range, insert) in edits {
        out.push_str(&text[done..range.start]);
        out.push_str(&insert);
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// As the lines of the file end.
fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Where a byte lies, for people: line and column from 1.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}
