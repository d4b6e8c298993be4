//! Was this text drawn at random, or did a person write it? Counts instead of logarithms: how often the kind
//! of character changes tells keys from words, identifiers, versions and paths.

use super::bytes::{ALNUM, DIGIT, LETTER, LOWER, UPPER};

/// Not a row of `x`, stars or a short repeated pattern.
pub(super) fn is_varied(text: &str) -> bool {
    distinct(text) >= (text.len() / 3).min(8)
}

/// Looks like a key: long, varied, and changing between kinds of characters as words never do.
pub(super) fn is_random(text: &str) -> bool {
    let changes = changes(text);
    let dense = match text.len() {
        0..8 => return false,
        8..16 => changes >= 4 && DIGIT.touches(text) && LETTER.touches(text),
        _ => changes * 6 >= text.len() && changes >= 4,
    };
    dense && is_varied(text) && distinct(text) >= 6 && !is_wordy(text)
}

/// Made of words: every piece is letters, digits, or letters and a short number (`text-embedding-3-small`,
/// `oauth2.example.com`, `2024-01-31`).
pub(super) fn is_wordy(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).all(is_word)
}

fn is_word(piece: &str) -> bool {
    let stem = piece.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.is_empty() {
        return piece.len() <= 8;
    }
    piece.len() - stem.len() <= 4 && !DIGIT.touches(stem) && humps(stem) * 4 <= stem.len()
}

/// Case changes as in `camelCase`; random letters have one every fourth character or more.
fn humps(stem: &str) -> usize {
    stem.as_bytes().windows(2).filter(|pair| LOWER.has(pair[0]) && UPPER.has(pair[1])).count()
}

/// How often a letter meets a digit, or a small letter a capital one. `Word` does not count.
fn changes(text: &str) -> usize {
    text.as_bytes().windows(2).filter(|pair| is_change(pair[0], pair[1])).count()
}

fn is_change(left: u8, right: u8) -> bool {
    let kinds = ALNUM.has(left) && ALNUM.has(right) && DIGIT.has(left) != DIGIT.has(right);
    kinds || (LOWER.has(left) && UPPER.has(right))
}

fn distinct(text: &str) -> usize {
    let mut seen = [0u64; 4];
    for byte in text.bytes() {
        seen[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }
    seen.iter().map(|word| word.count_ones() as usize).sum()
}
