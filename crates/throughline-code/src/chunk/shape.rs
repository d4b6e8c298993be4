//! From spans to chunks: gaps between them become spans too, small neighbours one chunk, large ones several.

use std::ops::Range;

use super::lines::Lines;
use super::{Chunk, Symbol};

/// Lines that belong together, from 0 and the last not included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) lines: Range<usize>,
    pub(super) symbols: Vec<Symbol>,
    pub(super) signature: String,
    pub(super) doc: String,
    /// What it stands in: only neighbours in the same thing become one chunk.
    pub(super) within: usize,
}

/// Longer chunks mean too many things at once.
const MAX_LINES: usize = 64;
const MAX_BYTES: usize = 3000;
/// Shorter ones say too little.
const SMALL_BYTES: usize = 240;
/// What small neighbours become together.
const JOINED_BYTES: usize = 1200;
/// No more symbols are told of a chunk.
const MAX_SYMBOLS: usize = 24;

/// The spans are in order; one that begins inside another begins after it.
pub(super) fn chunks(lines: &Lines<'_>, spans: Vec<Span>) -> Vec<Chunk> {
    let filled = filled(lines, spans);
    let mut chunks = vec![];
    for span in joined(lines, filled) {
        for part in parts(lines, &span.lines) {
            let Some(part) = trimmed(lines, part) else { continue };
            let first = part.start == span.lines.start;
            chunks.push(Chunk {
                symbols: span.symbols.clone(),
                signature: span.signature.clone(),
                doc: if first { span.doc.clone() } else { String::new() },
                first_line: part.start + 1,
                last_line: part.end,
            });
        }
    }
    chunks
}

fn filled(lines: &Lines<'_>, spans: Vec<Span>) -> Vec<Span> {
    let mut filled: Vec<Span> = vec![];
    let mut at = 0;
    for mut span in spans {
        span.lines.start = span.lines.start.max(at);
        if span.lines.start >= span.lines.end {
            // Two definitions on one line are told as one.
            if let Some(before) = filled.last_mut() {
                before.symbols.extend(span.symbols);
            }
            continue;
        }
        fill(lines, at..span.lines.start, span.within, &mut filled);
        at = span.lines.end;
        filled.push(span);
    }
    fill(lines, at..lines.count(), 0, &mut filled);
    filled
}

fn fill(lines: &Lines<'_>, range: Range<usize>, within: usize, filled: &mut Vec<Span>) {
    let Some(range) = trimmed(lines, range) else { return };
    let says_something = lines.slice(range.start, range.end).contains(char::is_alphanumeric);
    match filled.last_mut() {
        // What closes a definition belongs to it.
        Some(before) if !says_something => before.lines.end = range.end,
        _ => filled.push(Span {
            lines: range,
            symbols: vec![],
            signature: String::new(),
            doc: String::new(),
            within,
        }),
    }
}

fn trimmed(lines: &Lines<'_>, mut range: Range<usize>) -> Option<Range<usize>> {
    while range.start < range.end && lines.is_blank(range.start) {
        range.start += 1;
    }
    while range.start < range.end && lines.is_blank(range.end - 1) {
        range.end -= 1;
    }
    (!range.is_empty()).then_some(range)
}

fn joined(lines: &Lines<'_>, spans: Vec<Span>) -> Vec<Span> {
    let bytes = |range: &Range<usize>| lines.slice(range.start, range.end).len();
    let mut joined: Vec<Span> = vec![];
    for span in spans {
        let neighbour = joined.last_mut().filter(|before| {
            let one_is_small = bytes(&before.lines) < SMALL_BYTES || bytes(&span.lines) < SMALL_BYTES;
            let both = before.lines.start..span.lines.end;
            one_is_small
                && before.within == span.within
                && bytes(&both) <= JOINED_BYTES
                && both.len() <= MAX_LINES
        });
        match neighbour {
            Some(before) => before.absorb(span),
            None => joined.push(span),
        }
    }
    joined
}

impl Span {
    fn absorb(&mut self, next: Span) {
        self.lines.end = next.lines.end;
        self.symbols.extend(next.symbols);
        self.symbols.truncate(MAX_SYMBOLS);
        if self.signature.is_empty() {
            self.signature = next.signature;
        }
        match (self.doc.is_empty(), next.doc.is_empty()) {
            (_, true) => {}
            (true, false) => self.doc = next.doc,
            (false, false) => self.doc = format!("{} {}", self.doc, next.doc),
        }
    }
}

/// Cuts what is too long, where that hurts least: at an empty line, else at the least indented.
fn parts(lines: &Lines<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut parts = vec![];
    let mut start = range.start;
    while start < range.end {
        let mut end = start;
        while end < range.end && end - start < MAX_LINES && lines.slice(start, end + 1).len() <= MAX_BYTES {
            end += 1;
        }
        end = end.max(start + 1);
        if end < range.end {
            end = best_cut(lines, start, end);
        }
        parts.push(start..end);
        start = end;
    }
    parts
}

fn best_cut(lines: &Lines<'_>, start: usize, end: usize) -> usize {
    let candidates = (start + (end - start) * 2 / 3).max(start + 1)..=end;
    let cost = |line: &usize| match lines.indent(*line) {
        _ if lines.is_blank(line - 1) => 0,
        Some(indent) => indent + 1,
        None => 0,
    };
    candidates.rev().min_by_key(cost).unwrap_or(end)
}
