//! Which documents have the query's words, and how much that says: BM25 over the collection's own statistics, the
//! same on both databases.

use std::collections::{HashMap, HashSet};

use throughline_store::index_page::Collection;
use throughline_store::{Connection, Result};

use super::allowed::Allowed;
use super::correct;
use super::lookup::Lookup;
use super::manner::Manner;
use super::query::Breadth;
use super::sorts::{self, Asked};
use super::top::Top;
use crate::index::terms::{Sort, TermId, stem_id, terms};
use crate::index::{Partition, Pending, lengths_of, quantised, spread};

const K1: f32 = 0.9;
const B: f32 = 0.7;
/// A query of more distinct terms is a document; its first ones say enough.
const MAX_TERMS: usize = TermSet::BITS as usize;
/// What the words of a sort's name say, where what is of that sort is looked for.
const NAME_OF_SORT: f32 = 0.4;
/// A word that was taken for another says less than one that is there.
const CORRECTED: f32 = 0.7;
/// How much a word that no document has counts against an answer.
const UNKNOWN: f32 = 0.5;
/// How much a word that says little by itself counts where the meaning is asked for.
const STOP_EMPHASIS: f32 = 0.3;
/// A term of the query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    pub word: String,
    /// What the word was taken for, when no document has it.
    pub taken_for: Vec<String>,
    /// In how many documents it occurs.
    pub documents: u64,
    /// How much it says: rare terms say more.
    pub weight: f32,
    /// How much of that it says here: what frames the question says less.
    share: f32,
    sort: Sort,
    ids: Vec<TermId>,
}

/// Some of a query's terms: a bit for each, by its place among them.
pub(super) type TermSet = u128;

/// The query's words in a collection.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) terms: Vec<QueryTerm>,
    /// Distinct terms of the query beyond those that are looked up.
    pub(super) ignored: usize,
    pub(super) manner: Manner,
    /// What a document's length makes of its counts, by the byte that stands for the length.
    norms: Vec<f32>,
}

impl Words {
    /// For a search that leaves the words out.
    pub(super) fn none() -> Words {
        Words { terms: vec![], ignored: 0, manner: Manner::default(), norms: vec![] }
    }

    /// Looks the query's words up; those that no document has are taken for similar ones.
    pub(super) fn find(
        conn: &mut dyn Connection,
        lookup: &mut Lookup<'_>,
        query: &str,
        breadth: Breadth,
    ) -> Result<Words> {
        let (mut terms, mut ignored) = distinct(query);
        if lookup.index.collection == Collection::Memories {
            ask_for_things(query, &mut terms);
        }
        let ids: Vec<TermId> = terms.iter().flat_map(|term| term.ids.iter().copied()).collect();
        lookup.fetch(conn, &ids)?;
        if let Breadth::Telling { words, documents } = breadth {
            let before = terms.len();
            terms = telling(lookup, terms, (words, documents))?;
            ignored += before - terms.len();
        }
        let manner = match breadth {
            Breadth::AllWords => Manner::of(query),
            // A document asks nothing.
            Breadth::Telling { .. } => Manner::default(),
        };
        let total = lookup.documents();
        for term in &mut terms {
            term.documents = lookup.documents_with(&term.ids)?;
            term.share *= term.ids.first().map_or(1.0, |id| manner.share(*id));
            let mut share = term.share;
            if term.documents == 0 && correct::is_worth_it(&term.word) {
                term.taken_for = correct::similar(conn, lookup, &term.word)?;
                term.ids = term.taken_for.iter().map(|word| stem_id(word)).collect();
                term.ids.sort_unstable();
                term.ids.dedup();
                lookup.fetch(conn, &term.ids)?;
                term.documents = lookup.documents_with(&term.ids)?;
                share *= CORRECTED;
            }
            term.weight = match (term.sort, term.documents) {
                // A whole name that nobody wrote takes nothing from its parts.
                (Sort::Whole, 0) => 0.0,
                // Nor do words that nobody used speak against those that were: half of them are noise.
                (_, 0) => UNKNOWN * share * inverse_frequency(0, total),
                _ => share * inverse_frequency(term.documents, total),
            };
        }
        Ok(Words { terms, ignored, manner, norms: norms(lookup.average_length()?) })
    }

    /// The query's words in order, each with how much of its meaning it is: what every document has (who speaks, what
    /// the project is called) tells none from the others.
    pub(super) fn emphases(&self, query: &str, total: u64) -> Vec<(String, f32)> {
        let most = inverse_frequency(0, total);
        let rarity = |term: &QueryTerm| term.share * inverse_frequency(term.documents, total) / most;
        let known: HashMap<&str, f32> =
            self.terms.iter().map(|term| (term.word.as_str(), rarity(term))).collect();
        let mut words = vec![];
        terms(query, |term| {
            let weight = match term.sort {
                // Its parts are there too.
                Sort::Whole => return,
                Sort::Stop => STOP_EMPHASIS,
                Sort::Word | Sort::Sign => known.get(term.word.as_str()).copied().unwrap_or(1.0),
            };
            words.push((term.word, weight));
        });
        words
    }

    /// What a document would score that had every word of the query very often.
    pub(super) fn best_possible(&self) -> f32 {
        self.terms.iter().map(|term| term.weight * (K1 + 1.0)).sum()
    }

    /// The best documents by their words, and the scores of the `also` ones (in order), whatever they are.
    pub(super) fn best(
        &self,
        conn: &mut dyn Connection,
        lookup: &Lookup<'_>,
        allowed: &Allowed,
        also: &[i64],
        count: usize,
    ) -> Result<Vec<(i64, f32)>> {
        let mut top = Top::new(count);
        let mut others = vec![];
        // One for all partitions: memory that is given back and taken again costs more than the scores in it.
        let mut scores = vec![];
        for partition in &lookup.catalogue.partitions {
            self.score_partition(conn, lookup, partition, &mut scores)?;
            for (number, score) in (partition.first..).zip(&scores).filter(|(_, score)| **score > 0.0) {
                if top.wants(number, *score) && allowed.contains(number) && !lookup.removed.contains(number) {
                    top.push(number, *score);
                }
            }
            let of_partition =
                also.iter().filter(|number| (partition.first..=partition.last).contains(number));
            others.extend(of_partition.map(|number| (*number, scores[(number - partition.first) as usize])));
        }
        for pending in lookup.pending() {
            let pending = pending?;
            let score = self.pending_score(&pending);
            if score > 0.0 && allowed.contains(pending.number) {
                top.push(pending.number, score);
            }
        }
        others.extend(top.into_inner());
        others.sort_by_key(|(number, _)| *number);
        others.dedup_by_key(|(number, _)| *number);
        Ok(others)
    }

    /// Which of the query's terms each of these documents (in order) has.
    pub(super) fn had_by(&self, lookup: &Lookup<'_>, numbers: &[i64]) -> Result<HashMap<i64, TermSet>> {
        let mut had = HashMap::with_capacity(numbers.len());
        for partition in &lookup.catalogue.partitions {
            let from = numbers.partition_point(|number| *number < partition.first);
            let to = numbers.partition_point(|number| *number <= partition.last);
            for (at, id) in self.ids() {
                let Some(postings) = lookup.postings(partition, id)? else { continue };
                let mut rest = numbers[from..to].iter().peekable();
                postings.each(|ordinal, _| {
                    let number = partition.first + i64::from(ordinal);
                    while rest.next_if(|next| **next < number).is_some() {}
                    if rest.next_if(|next| **next == number).is_some() {
                        *had.entry(number).or_default() |= 1 << at;
                    }
                })?;
            }
        }
        for pending in lookup.pending() {
            let pending = pending?;
            if numbers.binary_search(&pending.number).is_ok() {
                let terms = self.ids().filter(|(_, id)| pending.count(*id) > 0);
                had.insert(pending.number, terms.fold(0, |set, (at, _)| set | 1 << at));
            }
        }
        Ok(had)
    }

    fn ids(&self) -> impl Iterator<Item = (usize, TermId)> {
        self.terms.iter().enumerate().flat_map(|(at, term)| term.ids.iter().map(move |id| (at, *id)))
    }

    fn score_partition(
        &self,
        conn: &mut dyn Connection,
        lookup: &Lookup<'_>,
        partition: &Partition,
        scores: &mut Vec<f32>,
    ) -> Result<()> {
        scores.clear();
        scores.resize(partition.width(), 0.0);
        if self.terms.iter().all(|term| term.documents == 0) {
            return Ok(());
        }
        let lengths = lengths_of(conn, lookup.index, partition)?;
        for term in &self.terms {
            for id in &term.ids {
                let Some(postings) = lookup.postings(partition, *id)? else { continue };
                postings.each(|ordinal, count| {
                    let at = ordinal as usize;
                    if let (Some(score), Some(length)) = (scores.get_mut(at), lengths.get(at)) {
                        *score += term.weight * saturated(count, self.norms[usize::from(*length)]);
                    }
                })?;
            }
        }
        Ok(())
    }

    fn pending_score(&self, pending: &Pending<'_>) -> f32 {
        // As exact as it will be in a partition, so that its score does not change when it becomes part of one.
        let norm = self.norms.get(usize::from(quantised(pending.length))).copied().unwrap_or(1.0);
        let of_term = |term: &QueryTerm| -> f32 {
            let ids = term.ids.iter().map(|id| pending.count(*id)).filter(|count| *count > 0);
            ids.map(|count| term.weight * saturated(count, norm)).sum()
        };
        self.terms.iter().map(of_term).sum()
    }
}

fn norms(average_length: f32) -> Vec<f32> {
    let norm = |byte: u8| K1 * (1.0 - B + B * spread(byte) as f32 / average_length);
    (0..=u8::MAX).map(norm).collect()
}

fn saturated(count: u8, norm: f32) -> f32 {
    let count = f32::from(count);
    count * (K1 + 1.0) / (count + norm)
}

pub(super) fn inverse_frequency(documents: u64, total: u64) -> f32 {
    let (documents, total) = (documents.min(total) as f32, total as f32);
    (1.0 + (total - documents + 0.5) / (documents + 0.5)).ln()
}

/// The terms that the fewest documents have, of those that any has.
fn telling(
    lookup: &Lookup<'_>,
    terms: Vec<QueryTerm>,
    (words, documents): (usize, u64),
) -> Result<Vec<QueryTerm>> {
    let mut known = vec![];
    for mut term in terms {
        term.documents = lookup.documents_with(&term.ids)?;
        if term.documents >= documents.max(1) {
            known.push(term);
        }
    }
    known.sort_by_key(|term| term.documents);
    known.truncate(words);
    Ok(known)
}

/// What a question names by its sort is found by what is of that sort; the sort's own name says the less.
fn ask_for_things(query: &str, terms: &mut Vec<QueryTerm>) {
    for Asked { name, things } in sorts::named_in(query) {
        let is_of_name = |term: &&mut QueryTerm| name.split(' ').any(|word| stem_id(word) == term.ids[0]);
        terms.iter_mut().filter(is_of_name).for_each(|term| term.share = NAME_OF_SORT);
        terms.push(QueryTerm {
            word: format!("any {name}"),
            taken_for: vec![],
            documents: 0,
            weight: 0.0,
            share: 1.0,
            sort: Sort::Word,
            ids: things,
        });
    }
}

/// What a text is found by, each once: without what says little.
pub(super) fn terms_of(text: &str) -> Vec<TermId> {
    distinct(text).0.into_iter().flat_map(|term| term.ids).collect()
}

fn distinct(query: &str) -> (Vec<QueryTerm>, usize) {
    let mut seen = HashSet::new();
    let mut found = vec![];
    let mut ignored = 0;
    terms(query, |term| {
        if term.sort == Sort::Stop || !seen.insert(term.id) {
            return;
        }
        if found.len() < MAX_TERMS {
            found.push(QueryTerm {
                word: term.word,
                taken_for: vec![],
                documents: 0,
                weight: 0.0,
                share: 1.0,
                sort: term.sort,
                ids: vec![term.id],
            });
        } else {
            ignored += 1;
        }
    });
    (found, ignored)
}
