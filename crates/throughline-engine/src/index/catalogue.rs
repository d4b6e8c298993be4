//! Which partitions an index has, and how far its collection is indexed.

use throughline_store::index_page::{self, Area, Index, Page};
use throughline_store::{Connection, Result};

use super::bytes::{Reader, damaged, put_varint};
use super::partition::MAX_LEVEL;
use super::postings::{MAX_BUCKET_BITS, bucket_of};
use super::renew;
use super::terms::TermId;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Catalogue {
    /// How often the index was made again: what was read from an earlier one must not come into this one.
    pub(crate) generation: u64,
    /// Every record up to this number is in a partition, pending, or not to be found at all.
    pub(crate) indexed_to: i64,
    /// In the order of their documents.
    pub(crate) partitions: Vec<Partition>,
}

/// A run of documents, indexed together and not changed any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Partition {
    /// The number of its first document, which its pages are found by together with the level.
    pub(crate) first: i64,
    pub(crate) last: i64,
    /// How often its documents were merged; a level up has eight times as many.
    pub(crate) level: u8,
    pub(crate) documents: u64,
    /// The sum of the documents' lengths.
    pub(crate) length: u64,
    pub(crate) bucket_bits: u32,
}

/// The way in which everything in the index is written. Another number, and the index is made again.
const FORMAT: u8 = 1;
const LEVELS: i64 = 16;
/// A partition that is wider is a damaged page.
const MAX_WIDTH: i64 = 1 << 32;

impl Partition {
    /// What its pages are called: levels of the same first document are apart while one replaces the other.
    pub(super) fn page_number(&self) -> i64 {
        self.first * LEVELS + i64::from(self.level)
    }

    /// Whether such a partition can follow a document of that number. Events that are not found leave gaps, so that
    /// a partition may be wider than it has documents.
    fn is_possible(&self, after: i64) -> bool {
        self.first > after
            && self.last >= self.first
            && self.last - self.first < MAX_WIDTH
            && self.level <= MAX_LEVEL
            && self.documents <= self.width() as u64
            && self.bucket_bits <= MAX_BUCKET_BITS
    }

    /// Where the postings of a term are, if any.
    pub(crate) fn bucket_of(&self, term: TermId) -> i64 {
        bucket_of(term, self.bucket_bits)
    }

    pub(crate) fn width(&self) -> usize {
        (self.last - self.first + 1) as usize
    }
}

impl Catalogue {
    pub(crate) fn read(conn: &mut dyn Connection, index: Index<'_>) -> Result<Catalogue> {
        match index_page::get(conn, index, Area::Catalogue, 0, 0)? {
            Some(page) => Catalogue::decode(&page),
            None => Ok(Catalogue::default()),
        }
    }

    pub(super) fn write(&self, tx: &mut dyn Connection, index: Index<'_>) -> Result<()> {
        index_page::put(tx, index, Area::Catalogue, &Page { number: 0, part: 0, data: self.encode() })
    }

    /// Empties the index; whoever still works on the old one finds out.
    pub(super) fn renew(tx: &mut dyn Connection, index: Index<'_>) -> Result<()> {
        // A damaged catalogue is one of the reasons to make an index again.
        let generation = Catalogue::read(tx, index).map_or(0, |catalogue| catalogue.generation);
        index_page::clear(tx, index)?;
        Catalogue { generation: generation + 1, ..Catalogue::default() }.write(tx, index)?;
        renew::set_current(tx, index)
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = vec![FORMAT];
        put_varint(&mut out, self.generation);
        put_varint(&mut out, self.indexed_to as u64);
        for partition in &self.partitions {
            let span = [partition.first as u64, partition.last as u64, u64::from(partition.level)];
            let size = [partition.documents, partition.length, u64::from(partition.bucket_bits)];
            span.into_iter().chain(size).for_each(|n| put_varint(&mut out, n));
        }
        out
    }

    fn decode(page: &[u8]) -> Result<Catalogue> {
        let mut reader = Reader(page);
        if reader.take(1)? != [FORMAT] {
            return Err(damaged());
        }
        let (generation, indexed_to) = (reader.number()?, reader.number()?);
        let mut catalogue = Catalogue { generation, indexed_to, partitions: vec![] };
        while !reader.is_empty() {
            let partition = Partition {
                first: reader.number()?,
                last: reader.number()?,
                level: reader.number()?,
                documents: reader.number()?,
                length: reader.number()?,
                bucket_bits: reader.number()?,
            };
            let after = catalogue.partitions.last().map_or(0, |before| before.last);
            if !partition.is_possible(after) {
                return Err(damaged());
            }
            catalogue.partitions.push(partition);
        }
        Ok(catalogue)
    }
}
