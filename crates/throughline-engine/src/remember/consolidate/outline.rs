//! A statement at a glance: by the beginnings of its words, without reading it. Long statements that are not about the same
//! are told apart by this, which costs a tenth of a comparison.

use std::collections::HashSet;

use super::vocabulary;

#[derive(Debug)]
pub(super) struct Outline(HashSet<Beginning>);

/// So many letters of a word; shorter words are wholly in it.
type Beginning = [u8; 4];

/// Shorter statements can say the same, or the opposite, with few words in common.
const LONG: usize = 10;
/// Whatever two statements are to each other, they have half of their words in common; some of those look different.
const IN_COMMON: f64 = 0.4;

impl Outline {
    pub(super) fn of(text: &str) -> Outline {
        Outline(beginnings(text).collect())
    }

    /// Both are long, and hardly share a word.
    pub(super) fn is_far_from(&self, text: &str) -> bool {
        if self.0.len() < LONG {
            return false;
        }
        let other: HashSet<Beginning> = beginnings(text).collect();
        let fewer = self.0.len().min(other.len());
        let common = other.iter().filter(|beginning| self.0.contains(*beginning)).count();
        fewer >= LONG && (common as f64) < IN_COMMON * fewer as f64
    }
}

fn beginnings(text: &str) -> impl Iterator<Item = Beginning> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.filter_map(|word| {
        let mut beginning = Beginning::default();
        for (place, byte) in beginning.iter_mut().zip(word.bytes()) {
            *place = byte.to_ascii_lowercase();
        }
        let whole = std::str::from_utf8(&beginning[..word.len().min(4)]).unwrap_or("\u{fffd}");
        (word.len() > 4 || !vocabulary::is_empty(whole)).then_some(beginning)
    })
}
