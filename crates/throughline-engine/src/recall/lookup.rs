//! What a collection is searched with: its partitions, its pending documents, and the pages that a query needs.

use std::collections::{BTreeSet, HashMap};

use throughline_store::index_page::{Index, Page};
use throughline_store::{Connection, Result};

use crate::index::terms::TermId;
use crate::index::{self, Bucket, Catalogue, Partition, Pending, Postings, Removed};

#[derive(Debug)]
pub(super) struct Lookup<'a> {
    pub(super) index: Index<'a>,
    pub(super) catalogue: Catalogue,
    pub(super) removed: Removed,
    pending: Vec<Page>,
    /// By partition and bucket; nothing where no document has a term of the bucket.
    buckets: HashMap<(i64, i64), Option<Vec<u8>>>,
}

impl<'a> Lookup<'a> {
    pub(super) fn read(conn: &mut dyn Connection, index: Index<'a>) -> Result<Lookup<'a>> {
        Ok(Lookup {
            index,
            catalogue: Catalogue::read(conn, index)?,
            removed: Removed::read(conn, index)?,
            pending: index::pending(conn, index)?,
            buckets: HashMap::new(),
        })
    }

    /// Reads what is needed to know where these terms occur.
    pub(super) fn fetch(&mut self, conn: &mut dyn Connection, terms: &[TermId]) -> Result<()> {
        for partition in self.catalogue.partitions.clone() {
            self.fetch_in(conn, &partition, terms)?;
        }
        Ok(())
    }

    /// The same for one partition.
    pub(super) fn fetch_in(
        &mut self,
        conn: &mut dyn Connection,
        partition: &Partition,
        terms: &[TermId],
    ) -> Result<()> {
        let wanted: BTreeSet<i64> = terms.iter().map(|term| partition.bucket_of(*term)).collect();
        let unknown = |bucket: &i64| !self.buckets.contains_key(&(partition.first, *bucket));
        let missing: Vec<i64> = wanted.into_iter().filter(unknown).collect();
        for bucket in &missing {
            self.buckets.insert((partition.first, *bucket), None);
        }
        for (bucket, page) in index::buckets(conn, self.index, partition, &missing)? {
            self.buckets.insert((partition.first, bucket), Some(page));
        }
        Ok(())
    }

    /// Where a term that was fetched occurs in a partition.
    pub(super) fn postings(&self, partition: &Partition, term: TermId) -> Result<Option<Postings<'_>>> {
        let place = (partition.first, partition.bucket_of(term));
        match self.buckets.get(&place).and_then(Option::as_ref) {
            Some(page) => Bucket::read(page)?.find(term),
            None => Ok(None),
        }
    }

    pub(super) fn pending(&self) -> impl Iterator<Item = Result<Pending<'_>>> {
        self.pending.iter().map(|page| Pending::read(page.number, &page.data))
    }

    /// In how many documents any of the terms occurs, counting those with several of them more than once.
    pub(super) fn documents_with(&self, terms: &[TermId]) -> Result<u64> {
        let mut documents = 0;
        for term in terms {
            for partition in &self.catalogue.partitions {
                documents +=
                    self.postings(partition, *term)?.map_or(0, |postings| u64::from(postings.documents));
            }
        }
        for pending in self.pending() {
            let pending = pending?;
            documents += terms.iter().filter(|term| pending.count(**term) > 0).count() as u64;
        }
        Ok(documents)
    }

    /// In how many documents each of the terms occurs.
    pub(super) fn documents_with_each(&self, terms: &[TermId]) -> Result<Vec<u64>> {
        terms.iter().map(|term| self.documents_with(std::slice::from_ref(term))).collect()
    }

    pub(super) fn documents(&self) -> u64 {
        let in_partitions: u64 = self.catalogue.partitions.iter().map(|partition| partition.documents).sum();
        in_partitions + self.pending.len() as u64
    }

    pub(super) fn average_length(&self) -> Result<f32> {
        let mut length: u64 = self.catalogue.partitions.iter().map(|partition| partition.length).sum();
        for pending in self.pending() {
            length += u64::from(pending?.length);
        }
        Ok((length as f32 / self.documents().max(1) as f32).max(1.0))
    }
}
