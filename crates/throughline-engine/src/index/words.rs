//! Which words there are, by first letter, so that a misspelt one finds those it may have meant.

use std::collections::BTreeMap;

use throughline_store::Result;

use super::bytes::{Reader, put_varint};

/// The page of a word: one for each small Latin letter, the rest share a few.
pub(super) fn part_of(word: &str) -> i64 {
    match word.chars().next() {
        Some(c @ 'a'..='z') => i64::from(u32::from(c) - u32::from('a')),
        Some(c) => 26 + i64::from(u32::from(c) % 6),
        None => 0,
    }
}

/// Sorted words by page.
pub(super) fn encode<'a>(words: impl Iterator<Item = &'a str>) -> Vec<(i64, Vec<u8>)> {
    let mut by_part: BTreeMap<i64, Vec<&str>> = BTreeMap::new();
    words.for_each(|word| by_part.entry(part_of(word)).or_default().push(word));
    by_part
        .into_iter()
        .map(|(part, mut words)| {
            words.sort_unstable();
            words.dedup();
            (part, page(&words))
        })
        .collect()
}

/// Each word as what it shares with the one before and what follows.
fn page(words: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut before = "";
    for word in words {
        let shared = before.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        put_varint(&mut out, shared as u64);
        put_varint(&mut out, (word.len() - shared) as u64);
        out.extend_from_slice(&word.as_bytes()[shared..]);
        before = word;
    }
    out
}

pub(super) fn each(page: &[u8], mut each: impl FnMut(&str)) -> Result<()> {
    let mut reader = Reader(page);
    let mut word: Vec<u8> = Vec::new();
    while !reader.is_empty() {
        let (shared, rest): (usize, usize) = (reader.number()?, reader.number()?);
        word.truncate(shared);
        word.extend_from_slice(reader.take(rest)?);
        // A page cut in the middle of a letter would be damage, and the page would not have been read whole.
        if let Ok(word) = std::str::from_utf8(&word) {
            each(word);
        }
    }
    Ok(())
}
