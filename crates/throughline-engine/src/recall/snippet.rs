//! The part of a text that shows why it was found.

use std::collections::HashSet;

use crate::index::terms::{Sort, TermId, terms};

/// At most `chars` characters of a text around the words of the query, on one line.
pub fn snippet(text: &str, query: &str, chars: usize) -> String {
    let mut wanted: HashSet<TermId> = HashSet::new();
    terms(query, |term| {
        if term.sort != Sort::Stop {
            wanted.insert(term.id);
        }
    });
    let words: Vec<&str> = text.split_whitespace().collect();
    let hits: Vec<bool> = words.iter().map(|word| has_any(word, &wanted)).collect();
    let start = best_start(&words, &hits, chars);
    let mut shown = String::new();
    for word in &words[start..] {
        if shown.chars().count() + word.chars().count() + 1 > chars && !shown.is_empty() {
            shown.push('…');
            break;
        }
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.push_str(word);
    }
    let shown = if start > 0 { format!("…{shown}") } else { shown };
    crate::capture::shortened(&shown, chars + 2)
}

fn has_any(word: &str, wanted: &HashSet<TermId>) -> bool {
    let mut found = false;
    terms(word, |term| found |= wanted.contains(&term.id));
    found
}

/// Where a window of so many characters has the most of the words that were asked for; the earliest of equals.
fn best_start(words: &[&str], hits: &[bool], chars: usize) -> usize {
    let total: usize = words.iter().map(|word| word.chars().count() + 1).sum();
    if total <= chars {
        return 0;
    }
    let (mut best, mut best_count) = (0, 0);
    let (mut end, mut size, mut count) = (0, 0, 0);
    for start in 0..words.len() {
        while end < words.len() && size + words[end].chars().count() < chars {
            size += words[end].chars().count() + 1;
            count += usize::from(hits[end]);
            end += 1;
        }
        if count > best_count {
            (best, best_count) = (start, count);
        }
        if end == start {
            end += 1;
        } else {
            size -= words[start].chars().count() + 1;
            count -= usize::from(hits[start]);
        }
    }
    // A little of what stands before the first word that was asked for.
    let first_hit = (best..words.len()).find(|at| hits[*at]).unwrap_or(best);
    best.max(first_hit.saturating_sub(4))
}
