//! Find it: the one search that everything uses. Candidates by words and by meaning, mixed into one relevance, then
//! scored with how recent and how important they are; every part is kept for those who ask why.

mod allowed;
mod around;
pub(crate) mod code;
mod correct;
mod dates;
mod found;
mod fuse;
mod lexical;
mod lookup;
mod manner;
mod prospect;
mod query;
mod score;
mod semantic;
mod sharing;
mod snippet;
pub(crate) mod sorts;
mod tally;
mod top;

use std::collections::HashMap;

use throughline_store::index_page::{Collection, Index};
use throughline_store::{Connection, Error as StoreError, memory};

pub use code::{AnsweredBy, Code, CodeSearch, Signals};
pub use correct::typing_errors;
pub use found::Found;
pub use lexical::QueryTerm;
pub use query::{Breadth, By, CodeQuery, Files, Kind, Query};
pub use score::{Score, Weights};
pub(crate) use sharing::Wanted;
pub use snippet::snippet;
pub use tally::Searches;
pub(crate) use tally::Tally;

use dates::Dates;
use found::{countable, records};
use fuse::Candidate;
use prospect::{Depth, Prospect};
use query::collections;

use crate::index::terms::terms;
use crate::index::vectors::Vector;
use crate::session::privacy::Sight;
use crate::span::Operation;
use crate::{Caller, Engine, Error, Result};

/// What was found, the best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recalled {
    pub hits: Vec<Hit>,
    /// How many are relevant enough, shown or not.
    pub total: usize,
    /// There may be more: only the best of each collection were looked at.
    pub at_least: bool,
    /// So many relevant events were left out because they tell only what was overruled or forgotten since.
    pub overruled: usize,
    pub searched: Vec<Searched>,
    /// How code was searched, where it was asked for.
    pub code: Option<CodeSearch>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub found: Found,
    pub score: Score,
}

/// How a collection was searched.
#[derive(Debug, Clone, PartialEq)]
pub struct Searched {
    pub collection: Collection,
    pub documents: u64,
    /// The query's words as the collection knows them.
    pub terms: Vec<QueryTerm>,
    /// Distinct words of the query beyond those that were looked up.
    pub ignored_terms: usize,
    /// Whose vectors were compared.
    pub models: Vec<String>,
    /// Why the chosen model was not used.
    pub model_problem: Option<String>,
    /// How many documents were looked at more closely.
    pub candidates: usize,
    /// Records that are not in the index yet.
    pub unindexed: i64,
}

/// So many times more, when too few of what was found may be shown.
const DEEPER: [usize; 3] = [1, 10, 100];
/// So many of the most relevant are read and scored for each one asked for.
const READ_PER_HIT: usize = 3;
const READ_AT_LEAST: usize = 32;
/// So often is it tried to take in the newest events while others write; each try waits a moment.
const CATCH_UP_TRIES: u32 = 8;
const MAX_QUERY_BYTES: usize = 64 * 1024;

impl Engine {
    /// Finds what is relevant to a query, from one consistent state of the database.
    pub fn recall(&self, caller: &Caller, query: &Query) -> Result<Recalled> {
        let span = Operation::Search.begin(caller);
        let outcome = self.look_up(caller, query);
        if let Ok(recalled) = &outcome {
            span.records(recalled.hits.len());
            self.tally.note(recalled);
        }
        span.ended(outcome)
    }

    /// The same for a job of our own, which is not counted as somebody's search.
    pub(crate) fn look_up(&self, caller: &Caller, query: &Query) -> Result<Recalled> {
        if query.text.len() > MAX_QUERY_BYTES {
            return Err(Error::Invalid(format!(
                "the query has {} bytes and the limit is {MAX_QUERY_BYTES}; ask for what matters in it",
                query.text.len()
            )));
        }
        self.renew_vectors_later(caller)?;
        let unindexed = self.catch_up(caller, query)?;
        let asked = self.meaning_of(query);
        let dates = Dates::named_in(&query.text, self.now());
        let deeper = code::deeper(query);
        let mut recalled = self.store.read(|conn| self.recall_on(conn, caller, &deeper, (&asked, &dates)))?;
        self.check_code(caller, query, &mut recalled)?;
        for searched in &mut recalled.searched {
            searched.unindexed = if searched.collection == Collection::Events { unindexed } else { 0 };
        }
        Ok(recalled)
    }

    /// How searches went since this process began.
    pub fn searches(&self) -> Searches {
        self.tally.searches()
    }

    /// The same on a state that is being read already, for an answer that depends on nothing but that state: days that
    /// a text names mean nothing.
    pub(crate) fn recall_within(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        query: &Query,
    ) -> Result<Recalled> {
        let asked = self.meaning_of(query);
        self.recall_on(conn, caller, query, (&asked, &Dates::default()))
    }

    fn recall_on(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        query: &Query,
        (asked, dates): (&Asked, &Dates),
    ) -> Result<Recalled> {
        let mut recalled = Recalled::default();
        for (collection, labels) in collections(query) {
            let index = Index { project: &caller.project, collection };
            let prospect = Prospect::open(conn, index, &labels, query, asked)?;
            let found = self.search(conn, caller, (&prospect, asked), query, dates)?;
            recalled.total += found.total;
            recalled.at_least |= found.at_least;
            recalled.overruled += found.overruled;
            recalled.searched.push(Searched {
                collection,
                documents: prospect.lookup.documents(),
                terms: prospect.words.terms,
                ignored_terms: prospect.words.ignored,
                models: asked.models(),
                model_problem: asked.problem.clone(),
                candidates: found.candidates,
                unindexed: 0,
            });
            recalled.hits.extend(found.hits);
        }
        score::total(&mut recalled.hits);
        recalled.hits.truncate(query.limit);
        Ok(recalled)
    }

    /// Takes in the events that were recorded since the last search. Where that cannot be done now, older ones are
    /// still found, and the answer says how many are not.
    fn catch_up(&self, caller: &Caller, query: &Query) -> Result<i64> {
        if !collections(query).iter().any(|(collection, _)| *collection == Collection::Events) {
            return Ok(0);
        }
        let mut tries = 0;
        loop {
            match self.index_events_briefly(caller, self.settings.recall.catch_up_events) {
                Ok(progress) => {
                    if progress.left > 0 {
                        self.index_events_later(caller)?;
                    }
                    return Ok(progress.left);
                }
                Err(Error::Store(StoreError::Busy { .. })) if tries < CATCH_UP_TRIES => tries += 1,
                Err(Error::Store(error @ (StoreError::Busy { .. } | StoreError::Unavailable(_)))) => {
                    tracing::warn!(%error, "the newest events could not be indexed before the search");
                    return self.unindexed_events(caller);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The query as the table and the chosen model understand it. A model that fails takes nothing from the search
    /// but itself.
    fn meaning_of(&self, query: &Query) -> Asked {
        let mut has_words = false;
        terms(&query.text, |_| has_words = true);
        if query.by == By::Words || !has_words {
            return Asked::default();
        }
        let by_table = Vector::by_table(&query.text);
        let by_model = self.model().and_then(|model| {
            let Some(model) = model else { return Ok(None) };
            let dimensions = model.query(&query.text).map_err(|error| Error::Model(error.to_string()))?;
            Ok(Some(Vector::new(model.name(), &dimensions)))
        });
        match by_model {
            Ok(chosen) => Asked { table: by_table, chosen, problem: None },
            Err(error) => Asked { table: by_table, chosen: None, problem: Some(error.to_string()) },
        }
    }

    /// Searches one collection, deeper when what it found first may not be shown.
    fn search(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        (prospect, asked): (&Prospect<'_>, &Asked),
        query: &Query,
        dates: &Dates,
    ) -> Result<Yield> {
        let usual = match prospect.collection() {
            // Whoever names a symbol has said what is relevant.
            Collection::Chunks if query.code.symbol.is_some() => 0.0,
            Collection::Chunks => self.settings.code.floor,
            _ => self.settings.recall.floor,
        };
        let floor = query.floor.unwrap_or(usual);
        let mut found = Yield::default();
        let documents = usize::try_from(prospect.lookup.documents()).unwrap_or(usize::MAX);
        for deeper in DEEPER {
            let depth = candidates_of(prospect.collection(), query.breadth)
                .max(query.limit)
                .saturating_mul(deeper)
                .min(documents.max(1));
            let mut candidates =
                prospect.candidates(conn, depth_of(prospect.collection(), query.by, depth))?;
            let exhausted = candidates.len() < depth || depth == documents;
            if prospect.collection() == Collection::Events && query.by == By::WordsAndMeaning {
                around::lend(conn, caller, prospect, dates, &mut candidates)?;
            }
            let file_of = match prospect.collection() {
                Collection::Chunks => {
                    code::lend(self, conn, caller, (prospect, asked, query), &mut candidates)?
                }
                _ => HashMap::new(),
            };
            candidates.retain(|candidate| candidate.is_relevant(floor));
            fuse::best_first(&mut candidates);
            let all_relevant = !exhausted && candidates.len() >= depth;
            code::few_of_each_file(&file_of, &mut candidates);
            found = self.read_and_score(conn, caller, prospect.collection(), &candidates, (query, dates))?;
            found.at_least = all_relevant;
            if exhausted || found.passed_over == 0 || found.hits.len() >= query.limit {
                break;
            }
        }
        Ok(found)
    }

    /// Reads the most relevant records. What is not to be found any more is left out here whatever the index says:
    /// the record itself has the last word.
    fn read_and_score(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        collection: Collection,
        candidates: &[Candidate],
        (query, dates): (&Query, &Dates),
    ) -> Result<Yield> {
        let now = self.now();
        let weights = query.weights.unwrap_or(self.settings.recall.weights);
        let per_hit = match collection {
            // Nothing that is read changes their order.
            Collection::Chunks if weights == Weights::RELEVANCE => 1,
            _ => READ_PER_HIT,
        };
        let wanted = query.limit.saturating_mul(per_hit).max(READ_AT_LEAST);
        let mut sight = Sight::of(conn, caller, query.asking.as_ref())?;
        let mut found = Yield { candidates: candidates.len(), ..Yield::default() };
        for some in candidates.chunks(READ_AT_LEAST) {
            let numbers: Vec<i64> = some.iter().map(|candidate| candidate.number).collect();
            let overruled = match collection {
                Collection::Events if query.is_about_the_present() => {
                    memory::overruled(conn, &caller.project, &numbers)?
                }
                _ => vec![],
            };
            if found.hits.len() >= wanted && !sight.is_limited() {
                let count = countable(conn, caller, collection, &numbers, (now, query.since))?;
                found.total += count.saturating_sub(overruled.len());
                found.overruled += overruled.len();
                continue;
            }
            let mut records = records(conn, caller, collection, &numbers)?;
            for candidate in some {
                let Some(record) = records.remove(&candidate.number) else { continue };
                if overruled.contains(&candidate.number) {
                    found.overruled += 1;
                    found.passed_over += 1;
                    continue;
                }
                let is_old = query.since.is_some_and(|since| record.at() < since);
                if is_old || !record.is_live(now) || !record.is_in(&mut sight, conn, caller)? {
                    found.passed_over += 1;
                    continue;
                }
                found.total += 1;
                let scale = (weights, self.settings.recall.half_life);
                let score = score::of(candidate, &record, scale, dates, now);
                found.hits.push(Hit { found: record, score });
            }
        }
        Ok(found)
    }
}

/// What a collection has for a query.
#[derive(Debug, Default)]
struct Yield {
    hits: Vec<Hit>,
    total: usize,
    candidates: usize,
    /// Records that may not be shown.
    passed_over: usize,
    /// Of those, events that tell only what does not hold any more.
    overruled: usize,
    /// Every candidate that was looked for was relevant, so there may be more.
    at_least: bool,
}

/// A query in the terms of models.
#[derive(Debug, Default)]
struct Asked {
    table: Option<Vector>,
    chosen: Option<Vector>,
    problem: Option<String>,
}

impl Asked {
    fn models(&self) -> Vec<String> {
        self.chosen.iter().chain(&self.table).map(|vector| vector.model.clone()).collect()
    }
}

/// So many documents are taken from the words and as many from the meaning, unless more are asked for. Events lend
/// relevance to each other, so that more of them have a say.
fn candidates_of(collection: Collection, breadth: Breadth) -> usize {
    match (collection, breadth) {
        (_, Breadth::Telling { .. }) => 40,
        (Collection::Memories | Collection::Items | Collection::Resources, Breadth::AllWords) => 100,
        // More find nothing that `eval commits` asks for.
        (Collection::Chunks, Breadth::AllWords) => 150,
        (Collection::Events | Collection::Files, Breadth::AllWords) => 300,
    }
}

/// As many of each, but of chunks: what only the meaning of a chunk speaks for is seldom among the first, and to compare
/// it exactly is most of what a search of much code costs.
fn depth_of(collection: Collection, by: By, depth: usize) -> Depth {
    let near = match (collection, by) {
        (Collection::Chunks, By::WordsAndMeaning) => depth.div_ceil(3),
        _ => depth,
    };
    Depth { words: depth, near }
}

#[cfg(test)]
mod tests;
