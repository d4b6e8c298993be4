//! A document as the index takes it in: its terms, its length, its words, its vector.

use std::collections::HashMap;

use throughline_store::Result;

use super::bytes::{Reader, put_text, put_varint};
use super::terms::{Sort, TermId, terms};
use super::vectors::Vector;

/// A document that waits to become part of a partition, and is searched one by one until then.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Document {
    pub(crate) number: i64,
    /// How many words it has, stop words left out.
    pub(crate) length: u32,
    /// Each term once, in order, with how often it occurs.
    pub(crate) terms: Vec<(TermId, u8)>,
    /// Words that a misspelt one may have meant.
    pub(crate) words: Vec<String>,
    pub(crate) vector: Option<Vector>,
}

/// A document's text by what its parts are worth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) title: &'a str,
    pub(crate) body: &'a str,
}

/// Shorter words are not corrected, longer ones are not mistyped words.
pub(super) const CORRECTABLE_CHARS: std::ops::RangeInclusive<usize> = 4..=24;

impl Document {
    pub(crate) fn new(number: i64, text: Text<'_>, labels: &[TermId], vector: Option<Vector>) -> Document {
        let mut counts: HashMap<TermId, u32> = HashMap::new();
        let mut words: Vec<String> = vec![];
        let mut length = 0;
        for part in [text.title, text.body] {
            terms(part, |term| {
                if term.sort == Sort::Stop {
                    return;
                }
                *counts.entry(term.id).or_default() += 1;
                length += u32::from(term.sort != Sort::Whole);
                if matches!(term.sort, Sort::Word | Sort::Whole) && is_correctable(&term.word) {
                    words.push(term.word);
                }
            });
        }
        words.sort_unstable();
        words.dedup();
        let counted = counts.into_iter().map(|(id, count)| (id, u8::try_from(count).unwrap_or(u8::MAX)));
        let mut terms: Vec<(TermId, u8)> = counted.chain(labels.iter().map(|label| (*label, 1))).collect();
        terms.sort_unstable();
        terms.dedup_by_key(|(id, _)| *id);
        Document { number, length, terms, words, vector }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.terms.len() * 9 + 600);
        out.extend_from_slice(&self.length.to_le_bytes());
        out.extend_from_slice(&(self.terms.len() as u32).to_le_bytes());
        for (id, _) in &self.terms {
            out.extend_from_slice(&id.to_le_bytes());
        }
        out.extend(self.terms.iter().map(|(_, count)| count));
        put_varint(&mut out, u64::from(self.vector.is_some()));
        if let Some(vector) = &self.vector {
            vector.encode(&mut out);
        }
        put_varint(&mut out, self.words.len() as u64);
        self.words.iter().for_each(|word| put_text(&mut out, word));
        out
    }
}

/// A pending document's page, read only as far as a search needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pending<'a> {
    pub(crate) number: i64,
    pub(crate) length: u32,
    ids: &'a [u8],
    counts: &'a [u8],
    rest: Reader<'a>,
}

impl<'a> Pending<'a> {
    pub(crate) fn read(number: i64, page: &'a [u8]) -> Result<Pending<'a>> {
        let mut reader = Reader(page);
        let (length, count) = (reader.u32()?, reader.u32()? as usize);
        let ids = reader.take(count.saturating_mul(8))?;
        let counts = reader.take(count)?;
        Ok(Pending { number, length, ids, counts, rest: reader })
    }

    /// How often the document has the term.
    pub(crate) fn count(&self, term: TermId) -> u8 {
        let at =
            |place: usize| TermId::from_le_bytes(self.ids[place * 8..][..8].try_into().unwrap_or_default());
        let (mut low, mut high) = (0, self.counts.len());
        while low < high {
            let middle = low.midpoint(high);
            match at(middle).cmp(&term) {
                std::cmp::Ordering::Equal => return self.counts[middle],
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        0
    }

    /// How near the document's vector is to another of the same model.
    pub(crate) fn cosine(&self, query: &Vector) -> Result<Option<f32>> {
        let mut reader = self.rest;
        match reader.varint()? {
            0 => Ok(None),
            _ => query.cosine_to(&mut reader),
        }
    }

    pub(crate) fn words(&self) -> Result<Vec<&'a str>> {
        let mut reader = self.rest;
        vector(&mut reader)?;
        let count: usize = reader.number()?;
        (0..count).map(|_| reader.text()).collect()
    }

    pub(super) fn document(&self) -> Result<Document> {
        let ids = self.ids.chunks_exact(8).map(|id| TermId::from_le_bytes(id.try_into().unwrap_or_default()));
        Ok(Document {
            number: self.number,
            length: self.length,
            terms: ids.zip(self.counts.iter().copied()).collect(),
            words: self.words()?.into_iter().map(str::to_owned).collect(),
            vector: vector(&mut self.rest.clone())?,
        })
    }
}

fn vector(reader: &mut Reader<'_>) -> Result<Option<Vector>> {
    match reader.varint()? {
        0 => Ok(None),
        _ => Vector::decode(reader).map(Some),
    }
}

pub(super) fn is_correctable(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
        && word.chars().all(char::is_alphanumeric)
        && CORRECTABLE_CHARS.contains(&word.chars().count())
}
