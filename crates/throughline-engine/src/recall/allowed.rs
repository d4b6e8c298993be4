//! Which documents a search may find at all: those that have the labels it asks for.

use std::collections::HashSet;

use throughline_store::{Connection, Result};

use super::lookup::Lookup;
use crate::index::Partition;
use crate::index::terms::TermId;

/// What a document must have: one label of each group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Labels(pub(super) Vec<Vec<TermId>>);

/// The documents with the labels; without labels, all of them. But never those that are excepted.
#[derive(Debug)]
pub(super) struct Allowed {
    partitions: Option<Vec<OfPartition>>,
    pending: Vec<i64>,
    except: HashSet<i64>,
}

#[derive(Debug)]
struct OfPartition {
    first: i64,
    /// How many of the groups each document has.
    groups: Vec<u8>,
}

impl Allowed {
    pub(super) fn all() -> Allowed {
        Allowed { partitions: None, pending: vec![], except: HashSet::new() }
    }

    pub(super) fn read(
        conn: &mut dyn Connection,
        lookup: &mut Lookup<'_>,
        (labels, except): (&Labels, &HashSet<i64>),
    ) -> Result<Allowed> {
        let except = except.clone();
        if labels.0.is_empty() {
            return Ok(Allowed { except, ..Allowed::all() });
        }
        lookup.fetch(conn, &labels.0.concat())?;
        let partitions =
            lookup.catalogue.partitions.iter().map(|partition| of_partition(lookup, partition, labels));
        let mut pending = vec![];
        for document in lookup.pending() {
            let document = document?;
            if labels.0.iter().all(|group| group.iter().any(|label| document.count(*label) > 0)) {
                pending.push(document.number);
            }
        }
        Ok(Allowed { partitions: Some(partitions.collect::<Result<_>>()?), pending, except })
    }

    pub(super) fn contains(&self, number: i64) -> bool {
        if self.except.contains(&number) {
            return false;
        }
        let Some(partitions) = &self.partitions else { return true };
        let at = partitions.partition_point(|partition| partition.first <= number);
        let found = at
            .checked_sub(1)
            .and_then(|at| partitions.get(at))
            .and_then(|partition| partition.groups.get((number - partition.first) as usize));
        match found {
            Some(all) => *all == ALL,
            None => self.pending.binary_search(&number).is_ok(),
        }
    }
}

/// Stands for every group in a document's count.
const ALL: u8 = u8::MAX;

fn of_partition(lookup: &Lookup<'_>, partition: &Partition, labels: &Labels) -> Result<OfPartition> {
    let mut groups = vec![0_u8; partition.width()];
    for (have, group) in (0_u8..).zip(&labels.0) {
        for label in group {
            let Some(postings) = lookup.postings(partition, *label)? else { continue };
            postings.each(|ordinal, _| {
                // Only who has all groups before this one goes on, each group once.
                if let Some(count) = groups.get_mut(ordinal as usize).filter(|count| **count == have) {
                    *count += 1;
                }
            })?;
        }
    }
    let needed = labels.0.len().min(usize::from(ALL - 1)) as u8;
    for count in &mut groups {
        *count = if *count == needed { ALL } else { 0 };
    }
    Ok(OfPartition { first: partition.first, groups })
}
