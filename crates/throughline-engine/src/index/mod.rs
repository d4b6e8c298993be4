//! Make it findable: records become documents of an index that lives beside them in the database.
//!
//! A new document waits among the pending ones, which a search goes through one by one. Enough of them become a
//! partition, and partitions of a size become larger ones: small ones with the write that fills them, large ones in
//! the background. So what is written is found at once, and what is many is found fast.

mod bytes;
mod catalogue;
pub mod code;
mod document;
pub(crate) mod embed;
pub(crate) mod events;
pub(crate) mod merge;
mod partition;
mod postings;
mod removed;
pub(crate) mod renew;
mod sound;
mod status;
pub(crate) mod terms;
pub(crate) mod vectors;
mod words;

use throughline_store::index_page::{self, Area, Index, Page};
use throughline_store::{Connection, Result};

pub(crate) use catalogue::{Catalogue, Partition};
pub(crate) use document::{Document, Pending, Text};
pub use embed::Coverage;
pub use events::Progress;
pub(crate) use partition::{lengths_of, quantised, spread};
pub(crate) use postings::{Bucket, Postings};
pub(crate) use removed::Removed;
pub use status::Standing;

/// So many pending documents become a partition.
const PARTITION_DOCUMENTS: usize = 128;
/// Merges up to this level happen with the write that makes them due: a few milliseconds once in a thousand writes.
const INLINE_LEVEL: u8 = 2;

/// What is left to do after documents were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    Nothing,
    /// Partitions are due for a merge that a write should not wait for.
    MergeDue,
}

/// Adds documents, whose numbers follow those that are there.
pub(crate) fn add(tx: &mut dyn Connection, index: Index<'_>, documents: Vec<Document>) -> Result<After> {
    let waiting = index_page::numbers(tx, index, Area::Pending, PARTITION_DOCUMENTS as i64)?.len();
    if waiting == 0 && renew::is_current(tx, index)? {
        renew::set_current(tx, index)?;
    }
    if waiting + documents.len() < PARTITION_DOCUMENTS {
        wait(tx, index, &documents)?;
        return Ok(After::Nothing);
    }
    let mut all = pending(tx, index)?
        .iter()
        .map(|page| Pending::read(page.number, &page.data)?.document())
        .collect::<Result<Vec<_>>>()?;
    index_page::remove(tx, index, Area::Pending, 0, i64::MAX)?;
    all.extend(documents);
    let mut catalogue = Catalogue::read(tx, index)?;
    for some in all.chunks(PARTITION_DOCUMENTS) {
        match some.len() {
            PARTITION_DOCUMENTS => {
                catalogue.partitions.extend(partition::flush(tx, index, some)?);
                merge::inline(tx, index, &mut catalogue, INLINE_LEVEL)?;
            }
            _ => wait(tx, index, some)?,
        }
    }
    catalogue.write(tx, index)?;
    let due = partition::due(&catalogue, partition::MAX_LEVEL).is_some();
    Ok(if due { After::MergeDue } else { After::Nothing })
}

/// Takes a document out of every search.
pub(crate) fn remove(tx: &mut dyn Connection, index: Index<'_>, number: i64) -> Result<()> {
    if index_page::remove(tx, index, Area::Pending, number, number)? == 0 {
        removed::add(tx, index, number)?;
    }
    Ok(())
}

/// The same for many.
pub(crate) fn remove_all(tx: &mut dyn Connection, index: Index<'_>, numbers: &[i64]) -> Result<()> {
    let mut in_partitions = vec![];
    for number in numbers {
        if index_page::remove(tx, index, Area::Pending, *number, *number)? == 0 {
            in_partitions.push(*number);
        }
    }
    removed::add_all(tx, index, &in_partitions)
}

/// The pages of the documents that are in no partition yet.
pub(crate) fn pending(conn: &mut dyn Connection, index: Index<'_>) -> Result<Vec<Page>> {
    index_page::range(conn, index, Area::Pending, 0, i64::MAX)
}

/// Pages of a partition's postings by bucket, those that are there.
pub(crate) fn buckets(
    conn: &mut dyn Connection,
    index: Index<'_>,
    partition: &Partition,
    buckets: &[i64],
) -> Result<Vec<(i64, Vec<u8>)>> {
    let pages = index_page::parts_of(conn, index, Area::Postings, partition.page_number(), buckets)?;
    Ok(pages.into_iter().map(|page| (page.part, page.data)).collect())
}

/// The words of the collection that begin like `word`.
pub(crate) fn words_like(
    conn: &mut dyn Connection,
    index: Index<'_>,
    catalogue: &Catalogue,
    word: &str,
    mut each: impl FnMut(&str),
) -> Result<()> {
    let part = words::part_of(word);
    for partition in &catalogue.partitions {
        if let Some(page) = index_page::get(conn, index, Area::Words, partition.page_number(), part)? {
            words::each(&page, &mut each)?;
        }
    }
    Ok(())
}

fn wait(tx: &mut dyn Connection, index: Index<'_>, documents: &[Document]) -> Result<()> {
    let page = |document: &Document| Page { number: document.number, part: 0, data: document.encode() };
    let pages: Vec<Page> = documents.iter().map(page).collect();
    index_page::put_all(tx, index, Area::Pending, &pages)
}

#[cfg(test)]
mod tests;
