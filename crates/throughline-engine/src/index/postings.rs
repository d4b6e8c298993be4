//! In which documents a term occurs and how often: written once, read from the beginning.
//!
//! A bucket is a page of many terms: a directory by their ids, then their postings. The high bits of an id say which
//! bucket it is in, so that buckets of a larger partition are parts of those of a smaller one.

use throughline_store::Result;

use super::bytes::{Reader, damaged, put_varint};
use super::terms::TermId;

/// A document within its partition: its number less the partition's first.
pub(crate) type Ordinal = u32;

/// A bucket of so many bytes is read as fast as a smaller one.
const BUCKET_BYTES: usize = 4096;
pub(super) const MAX_BUCKET_BITS: u32 = 16;
/// A term's id and where its postings end.
const ENTRY_BYTES: usize = 12;

/// One term of one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    pub(super) term: TermId,
    pub(super) ordinal: Ordinal,
    pub(super) count: u8,
}

/// How many bits of a term's id choose its bucket, for an index of so many postings.
pub(super) fn bucket_bits(postings: usize) -> u32 {
    // About two bytes for a posting and two for its share of the directory.
    (postings * 4 / BUCKET_BYTES).max(1).ilog2().min(MAX_BUCKET_BITS)
}

pub(super) fn bucket_of(term: TermId, bits: u32) -> i64 {
    if bits == 0 { 0 } else { (term >> (TermId::BITS - bits)) as i64 }
}

/// A bucket of postings that are sorted by term and document.
pub(super) fn encode(postings: &[Posting]) -> Vec<u8> {
    let mut directory = Vec::new();
    let mut data = Vec::with_capacity(postings.len() * 2);
    for of_term in postings.chunk_by(|a, b| a.term == b.term) {
        put_varint(&mut data, of_term.len() as u64);
        let mut before = 0;
        for posting in of_term {
            let step = u64::from(posting.ordinal - before);
            before = posting.ordinal;
            put_varint(&mut data, step << 1 | u64::from(posting.count > 1));
            if posting.count > 1 {
                data.push(posting.count);
            }
        }
        directory.extend_from_slice(&of_term[0].term.to_le_bytes());
        directory.extend_from_slice(&(data.len() as u32).to_le_bytes());
    }
    let mut page = Vec::with_capacity(4 + directory.len() + data.len());
    page.extend_from_slice(&((directory.len() / ENTRY_BYTES) as u32).to_le_bytes());
    page.extend(directory);
    page.extend(data);
    page
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bucket<'a> {
    directory: &'a [u8],
    data: &'a [u8],
}

impl<'a> Bucket<'a> {
    pub(crate) fn read(page: &'a [u8]) -> Result<Bucket<'a>> {
        let mut reader = Reader(page);
        let terms = reader.u32()? as usize;
        Ok(Bucket { directory: reader.take(terms.saturating_mul(ENTRY_BYTES))?, data: reader.0 })
    }

    /// The postings of a term; nothing when the bucket does not have it.
    pub(crate) fn find(&self, term: TermId) -> Result<Option<Postings<'a>>> {
        let (mut low, mut high) = (0, self.directory.len() / ENTRY_BYTES);
        while low < high {
            let middle = low.midpoint(high);
            match self.entry(middle).0.cmp(&term) {
                std::cmp::Ordering::Equal => return self.postings(middle).map(Some),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    pub(super) fn all(&self, mut each: impl FnMut(Posting)) -> Result<()> {
        for place in 0..self.directory.len() / ENTRY_BYTES {
            let term = self.entry(place).0;
            self.postings(place)?.each(|ordinal, count| each(Posting { term, ordinal, count }))?;
        }
        Ok(())
    }

    /// A term and where its postings end.
    fn entry(&self, place: usize) -> (TermId, usize) {
        let (term, end) = self.directory[place * ENTRY_BYTES..][..ENTRY_BYTES].split_at(8);
        let end = u32::from_le_bytes(end.try_into().unwrap_or_default());
        (TermId::from_le_bytes(term.try_into().unwrap_or_default()), end as usize)
    }

    fn postings(&self, place: usize) -> Result<Postings<'a>> {
        let start = if place == 0 { 0 } else { self.entry(place - 1).1 };
        let mut reader = Reader(self.data.get(start..self.entry(place).1).ok_or_else(damaged)?);
        Ok(Postings { documents: reader.number()?, data: reader.0 })
    }
}

/// The postings of one term in one partition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Postings<'a> {
    /// In how many documents the term occurs.
    pub(crate) documents: u32,
    data: &'a [u8],
}

impl Postings<'_> {
    /// Written out by hand: a search spends most of its time here.
    pub(crate) fn each(&self, mut each: impl FnMut(Ordinal, u8)) -> Result<()> {
        let mut bytes = self.data.iter();
        let mut ordinal: Ordinal = 0;
        while let Some(first) = bytes.next() {
            let mut step = Ordinal::from(first & 0x7F);
            let mut more = first & 0x80 != 0;
            let mut shift = 7;
            while more {
                let byte = bytes.next().ok_or_else(damaged)?;
                step |= Ordinal::from(byte & 0x7F).checked_shl(shift).ok_or_else(damaged)?;
                shift += 7;
                more = byte & 0x80 != 0;
            }
            ordinal = ordinal.wrapping_add(step >> 1);
            let count = if step & 1 == 0 { 1 } else { *bytes.next().ok_or_else(damaged)? };
            each(ordinal, count);
        }
        Ok(())
    }
}
