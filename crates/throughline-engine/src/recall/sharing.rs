//! Which memories share the most telling words with a statement: the search that every statement pays for. It looks at the
//! rarest words alone, and weighs them alike in every memory, so that its cost does not follow the number of memories.

use std::collections::HashMap;

use throughline_store::Connection;
use throughline_store::index_page::{Collection, Index};
use throughline_store::memory::{self, Memory, Status};

use super::lexical::{inverse_frequency, terms_of};
use super::lookup::Lookup;
use super::top::Top;
use crate::index::Partition;
use crate::index::terms::TermId;
use crate::{Caller, Engine, Result};

/// Of the words that are in the largest partition, so many of the rarest are looked up in all.
const WORDS: usize = 8;
/// So many occurrences are gone through at most, but those of a few words in any case.
const OCCURRENCES: u64 = 4_000;
const WORDS_AT_LEAST: usize = 3;
/// So many memories are read at once, and so often.
const READ: usize = 16;
const READS: usize = 3;

/// A word of the statement: its term, and how much it says.
struct Word {
    term: TermId,
    documents: u64,
    weight: f32,
}

impl Engine {
    /// The memories in use that share the most telling words with a text, the nearest first: `count` of those that are
    /// wanted.
    pub(crate) fn sharing_words(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        text: &str,
        (count, wanted): (usize, impl Fn(&Memory) -> bool),
    ) -> Result<Vec<Memory>> {
        let index = Index { project: &caller.project, collection: Collection::Memories };
        let mut lookup = Lookup::read(conn, index)?;
        let words = telling(conn, &mut lookup, text)?;
        let numbers = nearest(&lookup, &words)?;
        let now = self.now();
        let mut found = vec![];
        for some in numbers.chunks(READ) {
            let mut memories: HashMap<i64, Memory> = memory::of_numbers(conn, &caller.project, some)?
                .into_iter()
                .map(|memory| (memory.number, memory))
                .collect();
            let in_order = some.iter().filter_map(|number| memories.remove(number));
            found.extend(in_order.filter(|memory| memory.status_at(now) == Status::Active && wanted(memory)));
            if found.len() >= count {
                break;
            }
        }
        found.truncate(count);
        Ok(found)
    }
}

/// The rarest words of a text that any memory has.
fn telling(conn: &mut dyn Connection, lookup: &mut Lookup<'_>, text: &str) -> Result<Vec<Word>> {
    let terms = rarest(conn, lookup, terms_of(text))?;
    lookup.fetch(conn, &terms)?;
    let total = lookup.documents();
    let mut words = lookup
        .documents_with_each(&terms)?
        .into_iter()
        .zip(&terms)
        .filter(|(documents, _)| *documents > 0)
        .map(|(documents, term)| Word { term: *term, documents, weight: inverse_frequency(documents, total) })
        .collect::<Vec<_>>();
    words.sort_by_key(|word| word.documents);
    let mut occurrences = 0;
    let fitting = words.iter().enumerate().take_while(|(place, word)| {
        occurrences += word.documents;
        *place < WORDS_AT_LEAST || occurrences <= OCCURRENCES
    });
    let fitting = fitting.count();
    words.truncate(fitting);
    Ok(words)
}

/// What is rare in the largest partition is rare everywhere; what it does not have may be in others.
fn rarest(conn: &mut dyn Connection, lookup: &mut Lookup<'_>, terms: Vec<TermId>) -> Result<Vec<TermId>> {
    let largest = lookup.catalogue.partitions.iter().max_by_key(|partition| partition.documents).copied();
    let Some(largest) = largest.filter(|_| terms.len() > WORDS) else { return Ok(terms) };
    lookup.fetch_in(conn, &largest, &terms)?;
    let mut known: Vec<(u32, TermId)> = vec![];
    for term in terms {
        let documents = lookup.postings(&largest, term)?.map_or(0, |postings| postings.documents);
        known.push((documents, term));
    }
    known.sort_by_key(|(documents, _)| *documents);
    let absent = known.iter().filter(|(documents, _)| *documents == 0).count().min(WORDS);
    Ok(known.into_iter().take(absent + WORDS).map(|(_, term)| term).collect())
}

/// The numbers of the memories that share the most, the nearest first; of equals, the younger.
fn nearest(lookup: &Lookup<'_>, words: &[Word]) -> Result<Vec<i64>> {
    let mut top = Top::new(READ * READS);
    let mut scores = vec![];
    for partition in &lookup.catalogue.partitions {
        for ordinal in score(lookup, partition, words, &mut scores)? {
            let (number, score) = (partition.first + i64::from(ordinal), scores[ordinal as usize]);
            if top.wants(number, score) && !lookup.removed.contains(number) {
                top.push(number, score);
            }
        }
    }
    for pending in lookup.pending() {
        let pending = pending?;
        let score: f32 =
            words.iter().filter(|word| pending.count(word.term) > 0).map(|word| word.weight).sum();
        if score > 0.0 {
            top.push(pending.number, score);
        }
    }
    let mut best: Vec<(i64, f32)> = top.into_inner().collect();
    best.sort_by(|one, other| other.1.total_cmp(&one.1).then(other.0.cmp(&one.0)));
    Ok(best.into_iter().map(|(number, _)| number).collect())
}

/// Which documents of a partition have any of the words, each once, and in `scores` how much that says.
fn score(
    lookup: &Lookup<'_>,
    partition: &Partition,
    words: &[Word],
    scores: &mut Vec<f32>,
) -> Result<Vec<u32>> {
    let mut touched = vec![];
    scores.clear();
    scores.resize(partition.width(), 0.0);
    for word in words {
        let Some(postings) = lookup.postings(partition, word.term)? else { continue };
        postings.each(|ordinal, _| {
            if let Some(score) = scores.get_mut(ordinal as usize) {
                if *score == 0.0 {
                    touched.push(ordinal);
                }
                *score += word.weight;
            }
        })?;
    }
    Ok(touched)
}
