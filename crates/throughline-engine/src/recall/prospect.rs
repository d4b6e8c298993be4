//! One collection as a query sees it: the words it has of the query, the meaning it is compared by, and the documents
//! that have either.

use std::collections::HashMap;

use throughline_store::index_page::{Collection, Index};
use throughline_store::{Connection, Result};

use super::allowed::{Allowed, Labels};
use super::fuse::{Candidate, Mix};
use super::lexical::Words;
use super::lookup::Lookup;
use super::semantic::{Meaning, Nearest};
use super::{Asked, Breadth, By, Query};
use crate::index::vectors::Vector;

#[derive(Debug)]
pub(super) struct Prospect<'a> {
    pub(super) lookup: Lookup<'a>,
    pub(super) words: Words,
    pub(super) allowed: Allowed,
    mix: Mix,
    /// Nothing when the search is by words alone.
    meaning: Option<Meaning>,
    /// The words choose, and the meaning only has a say in the order.
    by_words_first: bool,
}

/// So many of the best documents by words, and of the nearest by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Depth {
    pub(super) words: usize,
    pub(super) near: usize,
}

/// In a larger collection a query that is a document itself has words enough to be answered by, and is asked often:
/// for each context. Comparing it with everything would cost more than all the rest of that.
const COMPARED_UP_TO: u64 = 5_000;

impl<'a> Prospect<'a> {
    pub(super) fn open(
        conn: &mut dyn Connection,
        index: Index<'a>,
        labels: &Labels,
        query: &Query,
        asked: &Asked,
    ) -> Result<Prospect<'a>> {
        let mut lookup = Lookup::read(conn, index)?;
        let allowed = Allowed::read(conn, &mut lookup, (labels, &query.except))?;
        let mut words = Words::find(conn, &mut lookup, &query.text, query.breadth)?;
        let meaning = match query.by {
            By::Words => None,
            By::Meaning | By::WordsAndMeaning => {
                let emphasised = emphasised(&lookup, &words, query, asked);
                let table = emphasised.as_ref().or(asked.table.as_ref());
                Some(Meaning::new(conn, &lookup, table, asked.chosen.as_ref())?)
            }
        };
        if query.by == By::Meaning {
            words = Words::none();
        }
        let mix = Mix::new(&words, index.collection);
        let by_words_first = matches!(query.breadth, Breadth::Telling { .. })
            && lookup.documents() > COMPARED_UP_TO
            && !words.terms.is_empty();
        Ok(Prospect { lookup, words, allowed, mix, meaning, by_words_first })
    }

    pub(super) fn collection(&self) -> Collection {
        self.lookup.index.collection
    }

    /// The best documents by words and the nearest by meaning, with both scores.
    pub(super) fn candidates(&self, conn: &mut dyn Connection, depth: Depth) -> Result<Vec<Candidate>> {
        let nearest = match &self.meaning {
            Some(meaning) if !self.by_words_first => {
                meaning.nearest(conn, &self.lookup, &self.allowed, depth.near)?
            }
            Some(_) | None => Nearest::default(),
        };
        let scored = self.words.best(conn, &self.lookup, &self.allowed, &nearest.numbers, depth.words)?;
        let mut lexical: HashMap<i64, f32> = scored.into_iter().collect();
        nearest.numbers.iter().for_each(|number| {
            lexical.entry(*number).or_insert(0.0);
        });
        let mut numbers: Vec<i64> = lexical.keys().copied().collect();
        numbers.sort_unstable();
        self.weigh(conn, &nearest, &numbers, |number| lexical.get(&number).copied().unwrap_or(0.0))
    }

    /// Documents (in order) that nothing but their meaning speaks for.
    pub(super) fn by_meaning(&self, conn: &mut dyn Connection, numbers: &[i64]) -> Result<Vec<Candidate>> {
        self.weigh(conn, &Nearest::default(), numbers, |_| 0.0)
    }

    fn weigh(
        &self,
        conn: &mut dyn Connection,
        nearest: &Nearest,
        numbers: &[i64],
        lexical: impl Fn(i64) -> f32,
    ) -> Result<Vec<Candidate>> {
        let near = match &self.meaning {
            Some(meaning) => meaning.near(conn, &self.lookup, nearest, numbers)?,
            None => HashMap::new(),
        };
        let candidate =
            |number: &i64| self.mix.candidate(*number, lexical(*number), near.get(number).copied());
        Ok(numbers.iter().map(candidate).collect())
    }
}

/// In fewer documents it is chance which words are rare.
const TELLING_COLLECTION: u64 = 200;

/// What the table makes of the query when words that many documents of the collection have count for less. Not for code,
/// where it was measured to do no good, nor for a query that is a document.
fn emphasised(lookup: &Lookup<'_>, words: &Words, query: &Query, asked: &Asked) -> Option<Vector> {
    let is_code = matches!(lookup.index.collection, Collection::Files | Collection::Chunks);
    let is_small = lookup.documents() < TELLING_COLLECTION;
    if is_code || is_small || query.breadth != Breadth::AllWords || asked.table.is_none() {
        return None;
    }
    Vector::by_table_weighed(&words.emphases(&query.text, lookup.documents()))
}
