//! Which documents mean something like the query: exact cosines of all vectors while they are few, of those whose
//! signs agree most when they are many.
//!
//! The vectors of a chosen model are made in the background. What it has not reached yet is compared by the table
//! inside the binary: each document by one model, and vectors of different models never with each other.

use std::collections::HashMap;

use throughline_store::index_page::Collection;
use throughline_store::{Connection, Result};

use super::allowed::Allowed;
use super::lookup::Lookup;
use super::top::Top;
use crate::index::embed::embedded_to;
use crate::index::vectors::{self, Vector};

/// Up to so many documents every vector is compared exactly.
const EXACT_UP_TO: u64 = 2048;
/// So many times the wanted documents are looked at exactly after the signs have been compared.
const OVERSAMPLING: usize = 3;

/// How a model's cosines are read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    /// The cosine of texts that have nothing to do with each other.
    unrelated: f32,
    /// How much the meaning counts beside the words.
    pub(super) share: f32,
}

/// What the table inside the binary was measured to need.
const TABLE: Scale = Scale { unrelated: 0.15, share: 0.25 };
/// What was said in conversation has fewer of a question's words than what was written down.
const TABLE_ON_EVENTS: Scale = Scale { share: 0.3, ..TABLE };
/// What chosen models were measured to be worth.
const CHOSEN_SHARE: f32 = 0.4;

impl Scale {
    pub(super) fn of_table(collection: Collection) -> Scale {
        if collection == Collection::Events { TABLE_ON_EVENTS } else { TABLE }
    }
}

/// How near a document is to the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    pub(super) cosine: f32,
    scale: Scale,
}

impl Near {
    /// From 0 for unrelated to 1 for the same.
    pub(super) fn nearness(&self) -> f32 {
        ((self.cosine - self.scale.unrelated) / (1.0 - self.scale.unrelated)).max(0.0)
    }

    pub(super) fn share(&self) -> f32 {
        self.scale.share
    }
}

/// The query in the terms of one model, for the documents that it compares.
#[derive(Debug)]
struct Part {
    query: Vector,
    scale: Scale,
    /// Documents after this number are another part's.
    up_to: i64,
}

/// The query's meaning in a collection.
#[derive(Debug)]
pub(super) struct Meaning {
    /// In the order of the documents they compare.
    parts: Vec<Part>,
    /// The cosines of documents that are in no partition yet.
    pending: HashMap<i64, f32>,
}

/// The nearest documents, and the cosines that were computed on the way to them.
#[derive(Debug, Default)]
pub(super) struct Nearest {
    /// Both in order.
    pub(super) numbers: Vec<i64>,
    known: Vec<(i64, Near)>,
}

impl Meaning {
    /// `table` and `chosen` are the query in the terms of the table inside the binary and of the chosen model.
    pub(super) fn new(
        conn: &mut dyn Connection,
        lookup: &Lookup<'_>,
        table: Option<&Vector>,
        chosen: Option<&Vector>,
    ) -> Result<Meaning> {
        let mut parts = vec![];
        let table_scale = Scale::of_table(lookup.index.collection);
        if let Some(query) = chosen {
            let up_to = embedded_to(conn, lookup.index, &query.model)?;
            let unrelated = vectors::typical(conn, lookup.index, query)?.clamp(0.0, 0.9);
            parts.push(Part { query: query.clone(), scale: Scale { unrelated, share: CHOSEN_SHARE }, up_to });
        }
        parts.extend(table.map(|query| Part { query: query.clone(), scale: table_scale, up_to: i64::MAX }));
        let mut pending = HashMap::new();
        for document in lookup.pending() {
            let document = document?;
            if let Some(query) = table {
                pending.extend(document.cosine(query)?.map(|cosine| (document.number, cosine)));
            }
        }
        Ok(Meaning { parts, pending })
    }

    pub(super) fn nearest(
        &self,
        conn: &mut dyn Connection,
        lookup: &Lookup<'_>,
        allowed: &Allowed,
        count: usize,
    ) -> Result<Nearest> {
        let mut nearest = Nearest::default();
        let mut after = 0;
        for part in &self.parts {
            let wanted = |number: i64| {
                number > after
                    && number <= part.up_to
                    && allowed.contains(number)
                    && !lookup.removed.contains(number)
            };
            let mut top = Top::new(count);
            let mut see = |number: i64, cosine: f32| {
                if wanted(number) {
                    nearest.known.push((number, Near { cosine, scale: part.scale }));
                    top.push(number, cosine);
                }
            };
            if part.up_to == i64::MAX {
                self.pending.iter().for_each(|(number, cosine)| see(*number, *cosine));
            }
            if lookup.documents() <= EXACT_UP_TO {
                vectors::scan(conn, lookup.index, &part.query, &mut see)?;
            } else {
                let likely = vectors::nearest_by_signs(
                    conn,
                    lookup.index,
                    &part.query,
                    count.saturating_mul(OVERSAMPLING),
                    wanted,
                )?;
                for (number, cosine) in vectors::cosines(conn, lookup.index, &part.query, &likely)? {
                    see(number, cosine);
                }
            }
            nearest.numbers.extend(top.into_inner().map(|(number, _)| number));
            after = part.up_to;
        }
        nearest.numbers.sort_unstable();
        nearest.known.sort_unstable_by_key(|(number, _)| *number);
        Ok(nearest)
    }

    /// How near the documents (in order) are; those without a vector are left out.
    pub(super) fn near(
        &self,
        conn: &mut dyn Connection,
        lookup: &Lookup<'_>,
        nearest: &Nearest,
        numbers: &[i64],
    ) -> Result<HashMap<i64, Near>> {
        let (mut near, mut unknown) = (HashMap::with_capacity(numbers.len()), vec![]);
        for number in numbers {
            match nearest.known.binary_search_by_key(number, |(known, _)| *known) {
                Ok(at) => drop(near.insert(*number, nearest.known[at].1)),
                Err(_) => unknown.push(*number),
            }
        }
        let mut rest = unknown.as_slice();
        for part in &self.parts {
            let (of_part, after) = rest.split_at(rest.partition_point(|number| *number <= part.up_to));
            rest = after;
            for (number, cosine) in vectors::cosines(conn, lookup.index, &part.query, of_part)? {
                near.insert(number, Near { cosine, scale: part.scale });
            }
            let unwritten = of_part.iter().filter_map(|number| Some((*number, *self.pending.get(number)?)));
            for (number, cosine) in unwritten {
                near.entry(number)
                    .or_insert(Near { cosine, scale: Scale::of_table(lookup.index.collection) });
            }
        }
        Ok(near)
    }
}
