//! Partitions: pending documents become one, and eight of a size become one of the next.

use throughline_store::index_page::{self, Area, Index, Page};
use throughline_store::{Connection, Result};

use super::bytes::damaged;
use super::catalogue::{Catalogue, Partition};
use super::document::Document;
use super::postings::{self, Bucket, Posting, bucket_bits, bucket_of};
use super::removed::Removed;
use super::{vectors, words};

/// So many partitions of one level become one of the next.
pub(super) const FAN_IN: usize = 8;
/// Larger ones would take longer to merge than they save when searched.
pub(super) const MAX_LEVEL: u8 = 4;

/// Where a partition's pages are.
pub(super) const AREAS: [Area<'static>; 3] = [Area::Postings, Area::Words, Area::Lengths];

/// A partition's pages, before they are written.
pub(super) struct Built {
    pub(super) partition: Partition,
    postings: Vec<Page>,
    words: Vec<Page>,
    lengths: Page,
}

/// A partition of documents, in the order of their numbers.
pub(super) fn build(documents: &[Document]) -> Option<Built> {
    let (first, last) = (documents.first()?.number, documents.last()?.number);
    let mut all: Vec<Posting> = vec![];
    let mut lengths = vec![0; (last - first + 1) as usize];
    for document in documents {
        let ordinal = (document.number - first) as u32;
        lengths[ordinal as usize] = quantised(document.length);
        all.extend(document.terms.iter().map(|(term, count)| Posting {
            term: *term,
            ordinal,
            count: *count,
        }));
    }
    all.sort_unstable();
    let bits = bucket_bits(all.len());
    let partition = Partition {
        first,
        last,
        level: 0,
        documents: documents.len() as u64,
        length: documents.iter().map(|document| u64::from(document.length)).sum(),
        bucket_bits: bits,
    };
    let words = documents.iter().flat_map(|document| document.words.iter().map(String::as_str));
    Some(Built {
        postings: buckets(&partition, &all),
        words: pages(&partition, words::encode(words)),
        lengths: Page { number: partition.page_number(), part: 0, data: lengths },
        partition,
    })
}

/// A part of a partition's pages, small enough to be written in one go.
pub(super) struct Step<'a> {
    area: Area<'a>,
    pages: &'a [Page],
}

impl Built {
    pub(super) fn steps(&self, bytes: usize) -> impl Iterator<Item = Step<'_>> {
        let areas = [
            (Area::Postings, self.postings.as_slice()),
            (Area::Words, self.words.as_slice()),
            (Area::Lengths, std::slice::from_ref(&self.lengths)),
        ];
        areas.into_iter().flat_map(move |(area, pages)| {
            let mut size = 0;
            let together = move |a: &Page, _: &Page| {
                size += a.data.len();
                let full = size >= bytes;
                size = if full { 0 } else { size };
                !full
            };
            pages.chunk_by(together).map(move |pages| Step { area, pages })
        })
    }
}

impl Built {
    /// Whether every page is there: a worker that took this one for dead may have cleaned up behind it.
    pub(super) fn is_whole(&self, conn: &mut dyn Connection, index: Index<'_>) -> Result<bool> {
        let number = self.partition.page_number();
        for (area, count) in AREAS.into_iter().zip([self.postings.len(), self.words.len(), 1]) {
            if index_page::count(conn, index, area, number)? != count as i64 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Step<'_> {
    pub(super) fn write(&self, tx: &mut dyn Connection, index: Index<'_>) -> Result<()> {
        index_page::put_all(tx, index, self.area, self.pages)
    }
}

pub(super) fn write(tx: &mut dyn Connection, index: Index<'_>, built: &Built) -> Result<()> {
    built.steps(usize::MAX).try_for_each(|step| step.write(tx, index))
}

pub(super) fn erase(tx: &mut dyn Connection, index: Index<'_>, partition: &Partition) -> Result<()> {
    let number = partition.page_number();
    for area in AREAS {
        index_page::remove(tx, index, area, number, number)?;
    }
    Ok(())
}

/// The partitions that should become one: a full set of neighbours of one level, the lowest first.
pub(super) fn due(catalogue: &Catalogue, up_to: u8) -> Option<&[Partition]> {
    (0..up_to.min(MAX_LEVEL)).find_map(|level| {
        let of_level = catalogue.partitions.chunk_by(|a, b| a.level == b.level);
        of_level.filter(|run| run[0].level == level).find_map(|run| run.get(..FAN_IN))
    })
}

/// One partition of the next level, made of neighbours; what is gone stays out.
pub(super) fn merge(
    conn: &mut dyn Connection,
    index: Index<'_>,
    parts: &[Partition],
) -> Result<Option<Built>> {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return Ok(None) };
    let removed = Removed::read(conn, index)?;
    let mut merged = Partition {
        first: first.first,
        last: last.last,
        level: first.level + 1,
        documents: 0,
        length: 0,
        bucket_bits: 0,
    };
    let lengths = merged_lengths(conn, index, parts, &removed, &mut merged)?;
    let postings = merged_postings(conn, index, parts, &removed, &mut merged)?;
    let words = merged_words(conn, index, parts, &merged)?;
    let lengths = Page { number: merged.page_number(), part: 0, data: lengths };
    Ok(Some(Built { partition: merged, postings, words, lengths }))
}

fn merged_lengths(
    conn: &mut dyn Connection,
    index: Index<'_>,
    parts: &[Partition],
    removed: &Removed,
    merged: &mut Partition,
) -> Result<Vec<u8>> {
    let mut lengths = vec![0; merged.width()];
    for part in parts {
        let page = lengths_of(conn, index, part)?;
        for (number, length) in (part.first..).zip(page).filter(|(_, length)| *length > 0) {
            if !removed.contains(number) {
                lengths[(number - merged.first) as usize] = length;
                merged.documents += 1;
                merged.length += u64::from(spread(length));
            }
        }
    }
    Ok(lengths)
}

/// By ranges of terms that are whole buckets in every part, so that memory stays small.
fn merged_postings(
    conn: &mut dyn Connection,
    index: Index<'_>,
    parts: &[Partition],
    removed: &Removed,
    merged: &mut Partition,
) -> Result<Vec<Page>> {
    let common = parts.iter().map(|part| part.bucket_bits).min().unwrap_or(0);
    // As many postings to a bucket as in the parts, which were right for their size.
    let growth = parts.len().max(1).ilog2();
    merged.bucket_bits = (common + growth).min(postings::MAX_BUCKET_BITS);
    let mut pages = vec![];
    for range in 0..1_i64 << common {
        let mut all: Vec<Posting> = vec![];
        for part in parts {
            let finer = part.bucket_bits - common;
            let buckets = (range << finer)..((range + 1) << finer);
            for bucket in buckets {
                collect(conn, index, (part, bucket), (removed, merged.first), &mut all)?;
            }
        }
        all.sort_unstable();
        pages.extend(buckets_of(merged, &all));
    }
    Ok(pages)
}

fn collect(
    conn: &mut dyn Connection,
    index: Index<'_>,
    (part, bucket): (&Partition, i64),
    (removed, first): (&Removed, i64),
    into: &mut Vec<Posting>,
) -> Result<()> {
    let Some(page) = index_page::get(conn, index, Area::Postings, part.page_number(), bucket)? else {
        return Ok(());
    };
    Bucket::read(&page)?.all(|posting| {
        let number = part.first + i64::from(posting.ordinal);
        if !removed.contains(number) {
            into.push(Posting { ordinal: (number - first) as u32, ..posting });
        }
    })
}

fn merged_words(
    conn: &mut dyn Connection,
    index: Index<'_>,
    parts: &[Partition],
    merged: &Partition,
) -> Result<Vec<Page>> {
    let mut all: Vec<String> = vec![];
    for part in parts {
        let number = part.page_number();
        for page in index_page::range(conn, index, Area::Words, number, number)? {
            words::each(&page.data, |word| all.push(word.to_owned()))?;
        }
    }
    Ok(pages(merged, words::encode(all.iter().map(String::as_str))))
}

/// The quantised length of each document of a partition; none is zero.
pub(crate) fn lengths_of(conn: &mut dyn Connection, index: Index<'_>, part: &Partition) -> Result<Vec<u8>> {
    let page = index_page::get(conn, index, Area::Lengths, part.page_number(), 0)?;
    page.filter(|page| page.len() == part.width()).ok_or_else(damaged)
}

/// Pending documents become a partition: their terms, their words, their vectors.
pub(super) fn flush(
    tx: &mut dyn Connection,
    index: Index<'_>,
    documents: &[Document],
) -> Result<Option<Partition>> {
    let Some(built) = build(documents) else { return Ok(None) };
    let partition = built.partition;
    write(tx, index, &built)?;
    let mut with_vectors: Vec<(i64, vectors::Vector)> = documents
        .iter()
        .filter_map(|document| document.vector.clone().map(|vector| (document.number, vector)))
        .collect();
    with_vectors.sort_by(|a, b| a.1.model.cmp(&b.1.model).then(a.0.cmp(&b.0)));
    for of_model in with_vectors.chunk_by(|a, b| a.1.model == b.1.model) {
        vectors::write(tx, index, of_model)?;
    }
    Ok(Some(partition))
}

fn buckets(partition: &Partition, postings: &[Posting]) -> Vec<Page> {
    buckets_of(partition, postings).collect()
}

fn buckets_of<'a>(partition: &Partition, sorted: &'a [Posting]) -> impl Iterator<Item = Page> + 'a {
    let (number, bits) = (partition.page_number(), partition.bucket_bits);
    let same = move |a: &Posting, b: &Posting| bucket_of(a.term, bits) == bucket_of(b.term, bits);
    sorted.chunk_by(same).map(move |of_bucket| Page {
        number,
        part: bucket_of(of_bucket[0].term, bits),
        data: postings::encode(of_bucket),
    })
}

fn pages(partition: &Partition, parts: Vec<(i64, Vec<u8>)>) -> Vec<Page> {
    let number = partition.page_number();
    parts.into_iter().map(|(part, data)| Page { number, part, data }).collect()
}

/// A length in a byte: exact up to 32, then within a few percent. Zero is left for "no document".
pub(crate) fn quantised(length: u32) -> u8 {
    match length.saturating_add(1) {
        n @ 0..=32 => n as u8,
        n => (32.0 + (f64::from(n) / 32.0).ln() * 16.0).round().min(255.0) as u8,
    }
}

/// The length that a byte stands for.
pub(crate) fn spread(byte: u8) -> u32 {
    let n = match byte {
        0..=32 => f64::from(byte),
        byte => 32.0 * (f64::from(byte - 32) / 16.0).exp(),
    };
    (n.round() as u32).saturating_sub(1)
}
