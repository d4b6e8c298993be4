//! A text as the pieces of an uncased BERT vocabulary: the same ids as the vocabulary's own tokenizer, without
//! its special tokens. Which vocabulary, and what a piece is worth, is the caller's.

use std::ops::ControlFlow;

use unicode_normalization::char::decompose_canonical;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// A longer word is unknown as a whole; this also bounds the work that one word can cause.
const MAX_WORD_CHARS: usize = 100;

const CONTINUED: &str = "##";

/// Calls `each` with the pieces of `text` in order, until it breaks: the id of a piece, or `None` for a word that
/// the vocabulary cannot spell. `lookup` is asked for `word` and, inside a word, for `##rest`.
pub fn pieces(
    text: &str,
    lookup: impl Fn(&str) -> Option<u32>,
    each: impl FnMut(Option<u32>) -> ControlFlow<()>,
) {
    let mut words =
        Words { lookup, each, word: Word::default(), tail: CONTINUED.to_owned(), ids: Vec::new() };
    // A break of `each` has nothing more to tell here: the caller made it.
    let _stopped = words.read(text);
}

#[derive(Default)]
struct Word {
    text: String,
    chars: usize,
}

impl Word {
    fn push(&mut self, letter: char) {
        self.chars += 1;
        if self.chars <= MAX_WORD_CHARS {
            self.text.push(letter);
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.chars = 0;
    }
}

struct Words<L, E> {
    lookup: L,
    each: E,
    word: Word,
    /// `##` and the rest of the word, kept to spare an allocation for each piece.
    tail: String,
    ids: Vec<u32>,
}

impl<L: Fn(&str) -> Option<u32>, E: FnMut(Option<u32>) -> ControlFlow<()>> Words<L, E> {
    fn read(&mut self, text: &str) -> ControlFlow<()> {
        for letter in text.chars() {
            if letter.is_ascii() {
                self.read_folded(letter.to_ascii_lowercase())?;
            } else if is_ideograph(letter) {
                self.end_word()?;
                self.read_folding(letter)?;
                self.end_word()?;
            } else {
                self.read_folding(letter)?;
            }
        }
        self.end_word()
    }

    /// Takes a letter apart, drops its accents and its case.
    fn read_folding(&mut self, letter: char) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        decompose_canonical(letter, |part| {
            for lower in part.to_lowercase() {
                if flow.is_continue() {
                    flow = self.read_folded(lower);
                }
            }
        });
        flow
    }

    fn read_folded(&mut self, letter: char) -> ControlFlow<()> {
        match class(letter) {
            Class::Letter => self.word.push(letter),
            Class::Space => self.end_word()?,
            Class::Mark => {
                self.end_word()?;
                self.word.push(letter);
                self.end_word()?;
            }
            Class::Dropped => {}
        }
        ControlFlow::Continue(())
    }

    fn end_word(&mut self) -> ControlFlow<()> {
        if self.word.chars == 0 {
            return ControlFlow::Continue(());
        }
        let known = self.word.chars <= MAX_WORD_CHARS && self.spell();
        self.word.clear();
        if !known {
            return (self.each)(None);
        }
        self.ids.iter().try_for_each(|&id| (self.each)(Some(id)))
    }

    /// Fills `ids` with the longest piece that begins the word, then the longest that goes on, and so forth.
    fn spell(&mut self) -> bool {
        self.ids.clear();
        let Some((id, mut read)) = longest(&self.lookup, &self.word.text, 0) else { return false };
        self.ids.push(id);
        while read < self.word.text.len() {
            self.tail.truncate(CONTINUED.len());
            self.tail.push_str(&self.word.text[read..]);
            let Some((id, end)) = longest(&self.lookup, &self.tail, CONTINUED.len()) else { return false };
            self.ids.push(id);
            read += end - CONTINUED.len();
        }
        true
    }
}

/// The longest known beginning of `text` that reaches past `after`, and where it ends.
fn longest(lookup: impl Fn(&str) -> Option<u32>, text: &str, after: usize) -> Option<(u32, usize)> {
    (after + 1..=text.len())
        .rev()
        .filter(|&end| text.is_char_boundary(end))
        .find_map(|end| lookup(&text[..end]).map(|id| (id, end)))
}

enum Class {
    Letter,
    Space,
    /// A word of its own wherever it stands.
    Mark,
    Dropped,
}

fn class(letter: char) -> Class {
    match letter {
        'a'..='z' | '0'..='9' => Class::Letter,
        ' ' | '\t' | '\n' | '\r' => Class::Space,
        '\0'..='\x7F' if letter.is_ascii_control() => Class::Dropped,
        '\0'..='\x7F' => Class::Mark,
        char::REPLACEMENT_CHARACTER => Class::Dropped,
        _ => class_of_category(letter),
    }
}

fn class_of_category(letter: char) -> Class {
    match letter.general_category_group() {
        GeneralCategoryGroup::Separator => Class::Space,
        GeneralCategoryGroup::Punctuation => Class::Mark,
        GeneralCategoryGroup::Other => Class::Dropped,
        GeneralCategoryGroup::Mark if letter.general_category() == GeneralCategory::NonspacingMark => {
            Class::Dropped
        }
        GeneralCategoryGroup::Mark
        | GeneralCategoryGroup::Letter
        | GeneralCategoryGroup::Number
        | GeneralCategoryGroup::Symbol => Class::Letter,
    }
}

/// What the tokenizer sets apart as Chinese characters.
fn is_ideograph(letter: char) -> bool {
    matches!(letter,
        '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{2A6DF}' | '\u{2A700}'..='\u{2B73F}' | '\u{2B740}'..='\u{2B81F}'
        | '\u{2B820}'..='\u{2CEAF}' | '\u{2F800}'..='\u{2FA1F}')
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::pieces;

    const VOCABULARY: &[&str] = &[
        "cafe", "un", "##aff", "##able", "##1", "don", "'", "t", "_", "记", "=", "a", "b", "aa", "##a", "i",
    ];

    fn spelled(text: &str) -> String {
        let mut out = Vec::new();
        let lookup = |piece: &str| VOCABULARY.iter().position(|&known| known == piece).map(|id| id as u32);
        pieces(text, lookup, |id| {
            out.push(id.map_or("?", |id| VOCABULARY[id as usize]));
            ControlFlow::Continue(())
        });
        out.join(" ")
    }

    #[test]
    fn texts_are_spelled_as_bert_does() {
        let cases = [
            ("", ""),
            ("Café CAFE\u{301}", "cafe cafe"),
            ("unaffable1 unknown", "un ##aff ##able ##1 ?"),
            ("don't a_b", "don ' t a _ b"),
            ("a记记b", "a 记 记 b"),
            ("a≠b İ", "a = b i"),
            ("a\u{0}\u{200D}a\u{A0}b\u{2003}a\nb", "aa b a b"),
        ];
        for (text, expected) in cases {
            assert_eq!(spelled(text), expected, "{text}");
        }
    }

    #[test]
    fn a_word_of_more_than_a_hundred_characters_is_unknown() {
        assert_eq!(spelled(&"a".repeat(100)).split(' ').count(), 99);
        assert_eq!(spelled(&format!("{} b", "a".repeat(101))), "? b");
    }

    #[test]
    fn reading_ends_where_the_caller_breaks() {
        let mut read = 0;
        pieces(
            "a b a b",
            |_| Some(0),
            |_| {
                read += 1;
                if read == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(read, 2);
    }
}
