//! Which memories a statement may be about: the search that every statement pays for. Those that share the most telling words
//! with it, of which it looks at the rarest alone, and then those that are nearest in meaning.

use std::collections::HashMap;

use throughline_store::Connection;
use throughline_store::index_page::{Collection, Index};
use throughline_store::memory::{self, Memory, Status};

use super::allowed::Allowed;
use super::lexical::{inverse_frequency, terms_of};
use super::lookup::Lookup;
use super::semantic::Meaning;
use super::top::Top;
use crate::index::Partition;
use crate::index::terms::TermId;
use crate::index::vectors::Vector;
use crate::{Caller, Engine, Result};

/// Of the words that are in the largest partition, so many of the rarest are looked up in all.
const WORDS: usize = 8;
/// So many occurrences are gone through at most, but those of a few words in any case.
const OCCURRENCES: u64 = 4_000;
const WORDS_AT_LEAST: usize = 3;
/// So many memories are read at once, and so often.
const READ: usize = 16;
const READS: usize = 3;
/// What is less near in meaning is about something else.
const ALIKE: f32 = 0.1;

/// How many memories are wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// That share words with it.
    pub(crate) sharing: usize,
    /// That mean something like it, beside those.
    pub(crate) meaning: usize,
    /// How they stand.
    pub(crate) status: Status,
}

/// A word of the statement: its term, and how much it says.
struct Word {
    term: TermId,
    documents: u64,
    weight: f32,
}

impl Engine {
    /// The memories that a text may be about: those that share the most telling words with it, the nearest first, and
    /// then those that mean something like it.
    pub(crate) fn about(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        text: &str,
        (wanted, is_wanted): (Wanted, impl Fn(&Memory) -> bool),
    ) -> Result<Vec<Memory>> {
        let index = Index { project: &caller.project, collection: Collection::Memories };
        let mut lookup = Lookup::read(conn, index)?;
        let words = telling(conn, &mut lookup, text)?;
        let now = self.now();
        let is_wanted = |memory: &Memory| memory.status_at(now) == wanted.status && is_wanted(memory);
        let by_words = nearest(&lookup, &words)?;
        let mut found = first_of(conn, caller, &by_words, (wanted.sharing, &is_wanted))?;
        let mut in_meaning = alike(conn, &lookup, text)?;
        in_meaning.retain(|number| !found.iter().any(|memory| memory.document == *number));
        found.extend(first_of(conn, caller, &in_meaning, (wanted.meaning, &is_wanted))?);
        Ok(found)
    }
}

/// The first memories of those with these documents that are wanted, so many at most.
fn first_of(
    conn: &mut dyn Connection,
    caller: &Caller,
    numbers: &[i64],
    (count, is_wanted): (usize, &impl Fn(&Memory) -> bool),
) -> Result<Vec<Memory>> {
    let mut found = vec![];
    for some in numbers.chunks(READ) {
        let mut memories: HashMap<i64, Memory> = memory::of_documents(conn, &caller.project, some)?
            .into_iter()
            .map(|memory| (memory.document, memory))
            .collect();
        found.extend(some.iter().filter_map(|number| memories.remove(number)).filter(is_wanted));
        if found.len() >= count {
            break;
        }
    }
    found.truncate(count);
    Ok(found)
}

/// The documents of the memories that mean something like a text by the table inside the binary, the nearest first.
fn alike(conn: &mut dyn Connection, lookup: &Lookup<'_>, text: &str) -> Result<Vec<i64>> {
    let Some(vector) = Vector::by_table(text) else { return Ok(vec![]) };
    let meaning = Meaning::new(conn, lookup, Some(&vector), None)?;
    let nearest = meaning.nearest(conn, lookup, &Allowed::all(), READ)?;
    let near = meaning.near(conn, lookup, &nearest, &nearest.numbers)?;
    let mut numbers = nearest.numbers;
    let cosine = |number: &i64| near.get(number).map_or(0.0, |near| near.cosine);
    numbers.retain(|number| cosine(number) >= ALIKE);
    numbers.sort_by(|one, other| cosine(other).total_cmp(&cosine(one)).then(other.cmp(one)));
    Ok(numbers)
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

/// The documents of the memories that share the most, the nearest first; of equals, the younger.
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
