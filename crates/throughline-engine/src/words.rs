//! Lists of words that are written as one text.

/// Whether a list, whose words have spaces between them, has a word.
pub(crate) fn is_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}
