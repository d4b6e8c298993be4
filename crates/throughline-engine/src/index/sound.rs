//! Whether the search index can be read and knows every record that it should.

use std::collections::HashSet;

use throughline_store::index_page::{self, Area, Collection, Index};
use throughline_store::{Connection, Error as StoreError, Result as Stored, item, memory, resource};

use super::{Bucket, Catalogue, Partition, Pending, Removed, lengths_of, pending, words};
use crate::remember::is_findable;
use crate::{Caller, Engine, Result};

const AT_ONCE: i64 = 1024;
const BUCKETS_AT_ONCE: usize = 256;

impl Engine {
    /// What is wrong with the search index of a project; empty when it is whole. What is not indexed yet is not wrong.
    pub fn index_faults(&self, caller: &Caller) -> Result<Vec<String>> {
        let mut faults = vec![];
        for collection in Collection::ALL {
            let found = self.store.read(|conn| fault(conn, caller, *collection));
            match found {
                Ok(fault) => faults.extend(fault),
                Err(StoreError::Corrupt(why)) => {
                    faults.push(format!("the search index of {} cannot be read: {why}", collection.as_str()));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(faults)
    }
}

fn fault(conn: &mut dyn Connection, caller: &Caller, collection: Collection) -> Stored<Option<String>> {
    let index = Index { project: &caller.project, collection };
    let found = documents(conn, index)?;
    let unknown = wanted(conn, caller, collection)?.iter().filter(|number| !found.contains(number)).count();
    Ok((unknown > 0).then(|| format!("{unknown} of {} are not in the search index", collection.as_str())))
}

/// Reads every page once; those of documents say which these are.
fn documents(conn: &mut dyn Connection, index: Index<'_>) -> Stored<HashSet<i64>> {
    let removed = Removed::read(conn, index)?;
    let mut found = HashSet::new();
    for page in pending(conn, index)? {
        found.insert(Pending::read(page.number, &page.data)?.document()?.number);
    }
    for partition in &Catalogue::read(conn, index)?.partitions {
        let lengths = lengths_of(conn, index, partition)?;
        let there = (partition.first..).zip(lengths).filter(|(_, length)| *length > 0);
        found.extend(there.map(|(number, _)| number).filter(|number| !removed.contains(*number)));
        read_through(conn, index, partition)?;
    }
    Ok(found)
}

/// Some buckets at a time: those of a large partition are not held together.
fn read_through(conn: &mut dyn Connection, index: Index<'_>, partition: &Partition) -> Stored<()> {
    let number = partition.page_number();
    let parts: Vec<i64> = (0..1_i64 << partition.bucket_bits).collect();
    let mut pages = 0;
    for some in parts.chunks(BUCKETS_AT_ONCE) {
        for page in index_page::parts_of(conn, index, Area::Postings, number, some)? {
            Bucket::read(&page.data)?.all(|_| ())?;
            pages += 1;
        }
    }
    if pages == 0 && partition.documents > 0 {
        return Err(StoreError::Corrupt(format!("the postings of partition {number} are missing")));
    }
    for page in index_page::range(conn, index, Area::Words, number, number)? {
        words::each(&page.data, |_| ())?;
    }
    Ok(())
}

/// The numbers of the records that must be found. Events are taken in bit by bit, and files are what the folder says.
fn wanted(conn: &mut dyn Connection, caller: &Caller, collection: Collection) -> Stored<Vec<i64>> {
    let project = &caller.project;
    match collection {
        Collection::Memories => every(|after| {
            let memories = memory::after_document(conn, project, after, AT_ONCE)?;
            let last = memories.last().map(|memory| memory.document);
            let found = memories.iter().filter(|memory| is_findable(memory.status));
            Ok((last, found.map(|memory| memory.document).collect()))
        }),
        Collection::Items => every(|after| {
            let items = item::after_document(conn, project, after, AT_ONCE)?;
            Ok((items.last().map(|item| item.document), items.iter().map(|item| item.document).collect()))
        }),
        Collection::Resources => every(|after| {
            let resources = resource::after_document(conn, project, after, AT_ONCE)?;
            let numbers = resources.iter().map(|resource| resource.document).collect();
            Ok((resources.last().map(|resource| resource.document), numbers))
        }),
        Collection::Events | Collection::Files | Collection::Chunks => Ok(vec![]),
    }
}

fn every(mut page: impl FnMut(i64) -> Stored<(Option<i64>, Vec<i64>)>) -> Stored<Vec<i64>> {
    let mut all = vec![];
    let mut after = 0;
    while let (Some(last), numbers) = page(after)? {
        after = last;
        all.extend(numbers);
    }
    Ok(all)
}
