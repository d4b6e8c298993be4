//! Where a text is split before its bytes are merged to tokens: `cl100k_base`'s expression, written out by hand
//! because a compiled one would take milliseconds at each start.
//!
//! `'(?i:[sdmt]|ll|ve|re) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n]* | \s+$ | \s*[\r\n] |
//! \s+(?!\S) | \s`, the first that matches.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// The pieces of a text, in order; together they are the text.
pub(super) struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Pieces { rest: text }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let first = self.rest.chars().next()?;
        let (piece, rest) = self.rest.split_at(end(self.rest, first));
        self.rest = rest;
        Some(piece)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Number,
    Space,
    Break,
    Mark,
}

fn end(text: &str, first: char) -> usize {
    let class = Class::of(first);
    let width = first.len_utf8();
    match class {
        Class::Letter => return run(text, width, |class| class == Class::Letter),
        Class::Number => return number(text),
        Class::Break => return blank(text),
        Class::Space | Class::Mark => {}
    }
    if let Some(contraction) = contraction(text) {
        return contraction;
    }
    let next = text[width..].chars().next().map(Class::of);
    if next == Some(Class::Letter) {
        return run(text, width, |class| class == Class::Letter);
    }
    if class == Class::Mark || (first == ' ' && next == Some(Class::Mark)) {
        let marks = run(text, width, |class| class == Class::Mark);
        return run(text, marks, |class| class == Class::Break);
    }
    blank(text)
}

/// Where the characters of a class end that start at `from`.
fn run(text: &str, from: usize, belongs: impl Fn(Class) -> bool) -> usize {
    let rest = &text[from..];
    rest.char_indices().find(|(_, c)| !belongs(Class::of(*c))).map_or(text.len(), |(at, _)| from + at)
}

fn number(text: &str) -> usize {
    let digits = text.chars().take(3).take_while(|c| Class::of(*c) == Class::Number);
    digits.map(char::len_utf8).sum()
}

fn contraction(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('\'')?;
    let mut letters = rest.chars();
    let first = letters.next()?;
    match first.to_ascii_lowercase() {
        // The long s is an s to an expression that ignores case.
        's' | 'd' | 'm' | 't' | 'ſ' => Some(1 + first.len_utf8()),
        'l' => letters.next().filter(|c| c.eq_ignore_ascii_case(&'l')).map(|_| 3),
        'v' | 'r' => letters.next().filter(|c| c.eq_ignore_ascii_case(&'e')).map(|_| 3),
        _ => None,
    }
}

/// White space that no word or mark takes along: to its last line break; else all but the last character, which
/// belongs to what follows; at the end of the text all.
fn blank(text: &str) -> usize {
    let end = run(text, 0, |class| matches!(class, Class::Space | Class::Break));
    if end == text.len() {
        return end;
    }
    let space = &text[..end];
    if let Some(last) = space.rfind(['\r', '\n']) {
        return last + 1;
    }
    match space.char_indices().next_back() {
        Some((0, _)) | None => end,
        Some((last, _)) => last,
    }
}

impl Class {
    fn of(c: char) -> Class {
        match c {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            '0'..='9' => Class::Number,
            '\r' | '\n' => Class::Break,
            '\t' | '\x0B' | '\x0C' | ' ' => Class::Space,
            '\0'..='\x7F' => Class::Mark,
            _ => Class::beyond_ascii(c),
        }
    }

    fn beyond_ascii(c: char) -> Class {
        match c.general_category_group() {
            GeneralCategoryGroup::Letter => Class::Letter,
            GeneralCategoryGroup::Number => Class::Number,
            _ if c.is_whitespace() => Class::Space,
            _ => Class::Mark,
        }
    }
}
