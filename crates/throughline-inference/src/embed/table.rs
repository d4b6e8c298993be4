//! A vector for each token of a vocabulary; a text's vector is the mean of its tokens' vectors, at unit length.
//! Where the table comes from, how it was measured and its file format: `evals/embedding`.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::sync::LazyLock;

use super::wordpiece;

/// What follows is not read: about 16 kB of prose. Together with the length of a word this bounds the time of a text:
/// 50 kB of prose take under a millisecond, of nonsense words a few.
const MAX_PIECES: usize = 4096;

const MAGIC: &[u8] = b"TLSTATIC";
const VERSION: u32 = 1;
const NAME: Range<usize> = 24..64;

/// Why bytes are not a table.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    #[error("this is no embedding table")]
    Magic,
    #[error("this embedding table has format version {0}; this program reads version {VERSION}")]
    Version(u32),
    #[error("this embedding table's header is not valid")]
    Header,
    #[error("this embedding table has {found} bytes where its header tells of {expected}")]
    Length { expected: usize, found: usize },
}

#[derive(Debug)]
pub struct Table {
    bytes: Cow<'static, [u8]>,
    model: String,
    dimensions: usize,
    /// The tokens of one byte, of two, and so on.
    lengths: Vec<Group>,
    scales: usize,
    rows: usize,
}

/// Tokens of one length, in order of their bytes.
#[derive(Debug)]
struct Group {
    count: usize,
    first_row: usize,
    at: usize,
}

impl Table {
    /// The table inside this program.
    pub fn built_in() -> &'static Table {
        static BUILT_IN: LazyLock<Table> = LazyLock::new(|| {
            Table::parse(&include_bytes!("../../assets/embedding.bin")[..])
                .expect("the table in this program was read by its tests")
        });
        &BUILT_IN
    }

    /// Reads the header alone; the tokens and rows stay where they are.
    pub fn parse(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Table, Malformed> {
        let bytes = bytes.into();
        if !bytes.starts_with(MAGIC) {
            return Err(Malformed::Magic);
        }
        let header = |at: usize| u32_at(&bytes, at).ok_or(Malformed::Header);
        if header(8)? != VERSION {
            return Err(Malformed::Version(header(8)?));
        }
        let (dimensions, rows, longest) = (header(12)? as usize, header(16)? as usize, header(20)? as usize);
        let model = name(&bytes).ok_or(Malformed::Header)?;
        let lengths = groups(&bytes, longest).ok_or(Malformed::Header)?;
        let scales = lengths.last().map_or(NAME.end, |last| last.at + last.count * lengths.len());
        let counted: usize = lengths.iter().map(|group| group.count).sum();
        if counted != rows || dimensions == 0 {
            return Err(Malformed::Header);
        }
        let expected = rows.saturating_mul(dimensions).saturating_add(scales + 4 * rows);
        if bytes.len() != expected {
            return Err(Malformed::Length { expected, found: bytes.len() });
        }
        Ok(Table { model, dimensions, lengths, scales, rows: scales + 4 * rows, bytes })
    }

    /// Vectors of different models cannot be compared.
    pub fn model(&self) -> &str {
        &self.model
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many rows there are.
    pub fn words(&self) -> usize {
        (self.rows - self.scales) / 4
    }

    /// Whether a word, in small letters, is common enough to have a row of its own.
    pub fn knows(&self, word: &str) -> bool {
        self.row_of(word.as_bytes()).is_some()
    }

    /// A vector of unit length, or `None` when no part of the text is known.
    pub fn embed(&self, text: &str) -> Option<Vec<f32>> {
        self.embed_weighed([(text, 1.0)])
    }

    /// The same for a text in parts, of which some count more than others.
    pub fn embed_weighed<'a>(&self, parts: impl IntoIterator<Item = (&'a str, f32)>) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.dimensions];
        let mut read = 0;
        for (text, weight) in parts {
            if read < MAX_PIECES {
                self.add_text(text, weight, &mut read, &mut sum);
            }
        }
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        if !length.is_normal() {
            return None;
        }
        sum.iter_mut().for_each(|x| *x /= length);
        Some(sum)
    }

    fn add_text(&self, text: &str, weight: f32, read: &mut usize, sum: &mut [f32]) {
        wordpiece::pieces(
            &self.split_identifiers(text),
            |piece| self.row_of(piece.as_bytes()),
            |row| {
                if let Some(row) = row {
                    self.add(row as usize, weight, sum);
                }
                *read += 1;
                if *read < MAX_PIECES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
    }

    /// Which rows the parts of a text have, in order: those of the first `at_most` that are known.
    pub fn rows_of(&self, text: &str, at_most: usize) -> Vec<u32> {
        let mut rows = vec![];
        wordpiece::pieces(
            &self.split_identifiers(text),
            |piece| self.row_of(piece.as_bytes()),
            |row| {
                rows.extend(row);
                if rows.len() < at_most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        rows
    }

    /// The vector of a row.
    pub fn row(&self, row: u32) -> Vec<f32> {
        let mut vector = vec![0.0; self.dimensions];
        self.add(row as usize, 1.0, &mut vector);
        vector
    }

    fn row_of(&self, token: &[u8]) -> Option<u32> {
        let group = self.lengths.get(token.len().checked_sub(1)?)?;
        let tokens = &self.bytes[group.at..group.at + group.count * token.len()];
        let (mut low, mut high) = (0, group.count);
        while low < high {
            let middle = low.midpoint(high);
            match tokens[middle * token.len()..(middle + 1) * token.len()].cmp(token) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return u32::try_from(group.first_row + middle).ok(),
            }
        }
        None
    }

    fn add(&self, row: usize, weight: f32, sum: &mut [f32]) {
        let at = self.scales + 4 * row;
        let scale = weight * u32_at(&self.bytes, at).map_or(0.0, f32::from_bits);
        let at = self.rows + row * self.dimensions;
        for (sum, &value) in sum.iter_mut().zip(&self.bytes[at..at + self.dimensions]) {
            *sum += scale * f32::from(value.cast_signed());
        }
    }

    /// `parseHttpRequest` becomes three words; `YouTube`, a word of the vocabulary, stays one.
    fn split_identifiers<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut split = String::new();
        let mut copied = 0;
        for word in words_with_inner_capitals(text) {
            if self.row_of(text[word.clone()].to_ascii_lowercase().as_bytes()).is_some() {
                continue;
            }
            for at in word.clone().skip(1).filter(|&at| begins_word(text.as_bytes(), at, word.end)) {
                split.push_str(&text[copied..at]);
                split.push(' ');
                copied = at;
            }
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        split.push_str(&text[copied..]);
        Cow::Owned(split)
    }
}

/// Where the words of ASCII letters and digits with a capital inside are.
fn words_with_inner_capitals(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at + bytes[at..].iter().position(u8::is_ascii_alphanumeric)?;
            let length = bytes[start..].iter().position(|b| !b.is_ascii_alphanumeric());
            at = length.map_or(bytes.len(), |length| start + length);
            if (start + 1..at).any(|inner| begins_word(bytes, inner, at)) {
                return Some(start..at);
            }
        }
        None
    })
}

/// As `H` and `R` do in `parseHttpRequest`, and `S` in `HTTPServer`; `at` is inside a word that ends at `end`.
fn begins_word(bytes: &[u8], at: usize, end: usize) -> bool {
    let before = bytes[at - 1];
    bytes[at].is_ascii_uppercase()
        && (before.is_ascii_lowercase()
            || (before.is_ascii_uppercase() && at + 1 < end && bytes[at + 1].is_ascii_lowercase()))
}

fn name(bytes: &[u8]) -> Option<String> {
    let name = bytes.get(NAME)?.split(|&byte| byte == 0).next()?;
    Some(std::str::from_utf8(name).ok()?.to_owned())
}

/// `None` if they would not lie within the bytes.
fn groups(bytes: &[u8], longest: usize) -> Option<Vec<Group>> {
    let mut at = NAME.end.checked_add(longest.checked_mul(4)?)?;
    bytes.get(..at)?;
    let mut first_row = 0;
    let mut lengths = Vec::with_capacity(longest);
    for length in 1..=longest {
        let count = u32_at(bytes, NAME.end + 4 * (length - 1))? as usize;
        lengths.push(Group { count, first_row, at });
        at = at.checked_add(count.checked_mul(length)?)?;
        first_row = first_row.checked_add(count)?;
        bytes.get(..at)?;
    }
    Some(lengths)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests;
