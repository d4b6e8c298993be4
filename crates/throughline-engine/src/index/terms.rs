//! What a text is found by: words and their stems, identifiers whole and in parts, pairs of characters in scripts
//! without spaces, and pictures.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization as _, is_nfc};

/// What a term is called in the index: stable over processes, machines and versions.
pub(crate) type TermId = u64;

/// One thing that a text can be found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) id: TermId,
    pub(crate) sort: Sort,
    /// The word as it is written, in small letters.
    pub(crate) word: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A word by its stem.
    Word,
    /// A word that says little by itself.
    Stop,
    /// An identifier, path or dotted name as a whole; its parts are terms too.
    Whole,
    /// A character or a pair of characters of a script without spaces, or a picture.
    Sign,
}

/// Words of more characters are not words: encoded data, for the most part.
const MAX_WORD_CHARS: usize = 64;
/// Wholes of more bytes are found by their parts alone.
const MAX_WHOLE_BYTES: usize = 200;

/// Hands out the terms of a text in order, each as often as it occurs.
pub(crate) fn terms(text: &str, mut each: impl FnMut(Term)) {
    let stems = Stems::new();
    // Letters and syllables that were taken apart, as some systems write file names, are put together.
    let text: Cow<'_, str> =
        if is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) };
    let mut rest = text.as_ref();
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || is_picture(c)) {
        rest = &rest[start..];
        let first = rest.chars().next().unwrap_or(' ');
        let end = if is_picture(first) {
            each(sign(&first.to_string()));
            first.len_utf8()
        } else if is_unspaced(first) {
            let end = run(rest, is_unspaced);
            pairs(&rest[..end], &mut each);
            end
        } else {
            let end = compound_end(rest);
            compound(&rest[..end], &stems, &mut each);
            end
        };
        rest = &rest[end..];
    }
}

/// A term that no text contains, for finding documents by what they are: `tag`, `infra`.
pub(crate) fn label(name: &str, value: &str) -> TermId {
    term_id(&format!("\u{1}{name}\u{1}{value}"))
}

/// FNV-1a with a last stir, so that the high bits, which choose the bucket, are as good as the low ones.
pub(crate) fn term_id(text: &str) -> TermId {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    hash = (hash ^ (hash >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    hash ^ (hash >> 32)
}

/// The stem that a word is found by.
pub(crate) fn stem_id(word: &str) -> TermId {
    term_id(&Stems::new().stem(word))
}

struct Stems {
    english: Stemmer,
    russian: Stemmer,
}

impl Stems {
    fn new() -> Stems {
        Stems { english: Stemmer::create(Algorithm::English), russian: Stemmer::create(Algorithm::Russian) }
    }

    fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        let first = word.chars().next().unwrap_or(' ');
        match first {
            'a'..='z' if word.len() > 2 && word.is_ascii() => self.english.stem(word),
            'а'..='я' | 'ё' => self.russian.stem(word),
            _ => Cow::Borrowed(word),
        }
    }
}

/// Letters joined by signs that names are made with: `parse_http`, `src/main.rs`, `std::vec`, `well-known`.
fn compound_end(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if is_spaced(c) {
            end = at + c.len_utf8();
        } else if !is_joint(c) {
            break;
        } else if c == ':' && chars.peek().is_some_and(|(_, next)| *next == ':') {
            chars.next();
            if !chars.peek().is_some_and(|(_, next)| is_spaced(*next)) {
                break;
            }
        } else if !chars.peek().is_some_and(|(_, next)| is_spaced(*next)) {
            break;
        }
    }
    end
}

fn compound(text: &str, stems: &Stems, each: &mut impl FnMut(Term)) {
    let mut segments = 0;
    for segment in text.split(|c| !is_spaced(c) && !matches!(c, '_' | '-' | '\'' | '’')) {
        segments += usize::from(!segment.is_empty());
        identifier(segment, stems, each);
    }
    let text = without_line(text);
    if segments > 1 && text.contains(is_joint) && text.len() <= MAX_WHOLE_BYTES {
        each(whole(&folded(text)));
        // A file is also called by its name alone.
        if let Some((_, name)) = text.rsplit_once('/').filter(|(_, name)| name.contains('.')) {
            each(whole(&folded(name)));
        }
    }
}

/// A path without the line and column that a message puts behind it: `src/main.rs:12:5`.
fn without_line(text: &str) -> &str {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.rsplit_once(':') {
        Some((path, line)) if number(line) => without_line(path),
        _ => text,
    }
}

/// `parse_http_request`, `parseHttpRequest` and `parse-http-request` are one name.
fn identifier(text: &str, stems: &Stems, each: &mut impl FnMut(Term)) {
    let mut parts = 0;
    for piece in text.split(['_', '-']) {
        let mut words = piece.split(['\'', '’']);
        let first = words.next();
        // Little follows an apostrophe in English, and is an ending: it's, don't, we'll.
        for piece in first.into_iter().chain(words.filter(|word| word.chars().count() > 2)) {
            for part in humps(piece) {
                parts += 1;
                word(part, stems, each);
            }
        }
    }
    if parts > 1 && text.len() <= MAX_WHOLE_BYTES {
        let joined: String = text.chars().filter(|c| !matches!(c, '_' | '-' | '\'' | '’')).collect();
        // By its stem like any word, because others write it as one.
        let joined = folded(&joined);
        each(Term { id: term_id(&stems.stem(&joined)), sort: Sort::Whole, word: joined.into_owned() });
    }
}

fn word(text: &str, stems: &Stems, each: &mut impl FnMut(Term)) {
    if text.chars().count() > MAX_WORD_CHARS {
        return;
    }
    let word = folded(text).into_owned();
    let sort = if STOP_WORDS.binary_search(&word.as_str()).is_ok() { Sort::Stop } else { Sort::Word };
    each(Term { id: term_id(&stems.stem(&word)), sort, word });
}

/// The parts of a name that is written with humps: `parseHTTPRequest` has `parse`, `HTTP` and `Request`.
pub(crate) fn humps(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (part, after) = rest.split_at(hump_end(rest));
        rest = after;
        Some(part)
    })
}

fn hump_end(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, c)) = chars.next() {
        let next_is_small = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
        let starts = c.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && next_is_small));
        if at > 0 && starts {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Every character and every pair of neighbours: words are not marked in these scripts.
fn pairs(text: &str, each: &mut impl FnMut(Term)) {
    let mut before: Option<&str> = None;
    for (at, c) in text.char_indices() {
        let one = &text[at..at + c.len_utf8()];
        each(sign(one));
        if let Some(before) = before {
            each(sign(&text[at - before.len()..at + one.len()]));
        }
        before = Some(one);
    }
}

fn sign(text: &str) -> Term {
    Term { id: term_id(text), sort: Sort::Sign, word: text.to_owned() }
}

fn whole(text: &str) -> Term {
    Term { id: term_id(text), sort: Sort::Whole, word: text.to_owned() }
}

/// Small letters, and Latin ones without their marks.
fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        // A mark that is written after its letter goes as well.
        if is_combining_mark(c) && folded.ends_with(|before: char| before.is_ascii()) {
            continue;
        }
        let bare = std::iter::once(c).nfkd().find(|c| !is_combining_mark(*c)).unwrap_or(c);
        folded.push(if bare.is_ascii() { bare } else { c });
    }
    Cow::Owned(folded)
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

fn is_wordy(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

/// A letter or digit of a script that puts spaces between words.
fn is_spaced(c: char) -> bool {
    is_wordy(c) && !is_unspaced(c)
}

/// Vowel signs and the like, which belong to the letter before them.
fn is_mark(c: char) -> bool {
    !c.is_ascii() && is_combining_mark(c)
}

fn is_joint(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '/' | '\\' | ':' | '@' | '#' | '\'' | '’')
}

/// Han, Kana, Hangul, Thai, Lao, Khmer, Burmese.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1100..=0x11FF | 0x1780..=0x17FF | 0x3005..=0x3007
        | 0x3040..=0x30FF | 0x3130..=0x318F | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x2_0000..=0x3_FFFF)
}

fn is_picture(c: char) -> bool {
    matches!(u32::from(c), 0x2190..=0x21FF | 0x2300..=0x23FF | 0x2600..=0x27BF | 0x2B00..=0x2BFF
        | 0x1_F100..=0x1_F3FA | 0x1_F400..=0x1_FAFF)
}

/// Sorted. Words that questions are made of, and that nearly every text has.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "before", "being", "but", "by", "can", "could", "did", "do", "does", "doing", "for", "from",
    "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in",
    "into", "is", "it", "its", "just", "me", "my", "of", "on", "or", "our", "ours", "she", "should", "so",
    "some", "such", "than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they",
    "this", "those", "to", "too", "us", "very", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "yours",
];

#[cfg(test)]
mod tests {
    use super::{STOP_WORDS, Sort, stem_id, term_id, terms};

    fn found_by(text: &str) -> Vec<String> {
        let mut found = vec![];
        terms(text, |term| match term.sort {
            Sort::Whole => found.push(format!("[{}]", term.word)),
            Sort::Word | Sort::Stop | Sort::Sign => found.push(term.word),
        });
        found
    }

    fn shows(text: &str, expected: &str) {
        assert_eq!(found_by(text).join(" "), expected, "{text}");
    }

    #[test]
    fn names_are_found_whole_and_in_parts() {
        shows("parseHttpRequest", "parse http request [parsehttprequest]");
        shows("parse_http_request", "parse http request [parsehttprequest]");
        shows("parse-http-request", "parse http request [parsehttprequest]");
        shows("HTTPServer2 XMLHttp", "http server2 [httpserver2] xml http [xmlhttp]");
        shows("src/recall/fuse.rs:12", "src recall fuse rs 12 [src/recall/fuse.rs] [fuse.rs]");
        shows("std::vec::Vec.", "std vec vec [std::vec::vec]");
        shows("see e.g. utf-8, utf8", "see e g [e.g] utf 8 [utf8] utf8");
    }

    #[test]
    fn apostrophes_and_sentence_ends_are_not_part_of_words() {
        shows("Don't stop. It's Anna's!", "don stop it anna");
        shows("end.", "end");
        shows("a - b -- c", "a b c");
    }

    #[test]
    fn scripts_without_spaces_are_found_by_pairs() {
        shows("记住数据库", "记 住 记住 数 住数 据 数据 库 据库");
        shows("数据库DB連接", "数 据 数据 库 据库 db 連 接 連接");
        shows("Ёлка Café naïve", "ёлка cafe naive");
        shows("ship it 🚀✅", "ship it 🚀 ✅");
    }

    #[test]
    fn what_is_no_word_is_no_term() {
        for text in ["", " \u{0}\u{7}\n", "-- '' \" ( ) * : ^", "🏽\u{200d}\u{fe0f}"] {
            assert_eq!(found_by(text), Vec::<String>::new(), "{text:?}");
        }
        assert_eq!(found_by(&"x".repeat(65)), Vec::<String>::new());
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (one, other) in [("deploy", "deployed"), ("migration", "migrations"), ("книга", "книги")]
        {
            assert_eq!(stem_id(one), stem_id(other), "{one}");
        }
        assert_ne!(stem_id("deploy"), stem_id("delete"));
    }

    #[test]
    fn identities_of_terms_never_change() {
        assert_eq!(term_id("deploy"), 0xD8FF_A087_5E57_4F20, "stored indexes would become unreadable");
        assert!(STOP_WORDS.is_sorted());
    }
}
