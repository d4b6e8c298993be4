//! Words and meaning become one relevance between 0 and 1.
//!
//! Both are on a scale of their own, so that an answer does not look better because the others are worse: words
//! against what a document could score that had them all, meaning against what unrelated texts have in common.

use throughline_store::index_page::Collection;

use super::code::Signals;
use super::lexical::Words;
use super::semantic::{Near, Scale};

/// A document that may be what the query asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) number: i64,
    /// BM25.
    pub(super) lexical: f32,
    /// Nothing when the document has no vector.
    pub(super) near: Option<Near>,
    pub(super) relevance: f64,
    /// What it lost because no person said it: that changes its place, not whether it is an answer.
    pub(super) lost: f64,
    /// What a piece of code was lent, and by what.
    pub(super) code: Option<Signals>,
}

/// What two or three rare words score.
const ENOUGH_WORDS: f32 = 7.0;

impl Candidate {
    /// Whether this is an answer at all. A document in quite other words can be one by its meaning alone, which then
    /// must be near; and one that has some rare words of a long query, a pasted message perhaps, is one whatever else
    /// the query says.
    pub(super) fn is_relevant(&self, floor: f64) -> bool {
        self.relevance + self.lost >= floor
            || self.lexical >= ENOUGH_WORDS
            || self.near.is_some_and(|near| f64::from(near.nearness()) >= 2.0 * floor)
    }
}

/// The most relevant first; of equals, the younger.
pub(super) fn best_first(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| b.relevance.total_cmp(&a.relevance).then(b.number.cmp(&a.number)));
}

/// How words and meaning are mixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mix {
    /// What a document could score by its words.
    most: f32,
    /// What the words leave to the meaning of a document that has no vector.
    share: f32,
}

impl Mix {
    pub(super) fn new(words: &Words, collection: Collection) -> Mix {
        Mix { most: words.best_possible(), share: Scale::of_table(collection).share }
    }

    pub(super) fn candidate(&self, number: i64, lexical: f32, near: Option<Near>) -> Candidate {
        Candidate {
            number,
            lexical,
            near,
            relevance: f64::from(self.relevance(lexical, near)),
            lost: 0.0,
            code: None,
        }
    }

    fn relevance(&self, lexical: f32, near: Option<Near>) -> f32 {
        // A word that was taken for several others can count more than once.
        let words = if self.most > 0.0 { (lexical / self.most).min(1.0) } else { 0.0 };
        let meaning = near.map_or(0.0, |near| near.nearness());
        match near.map_or(self.share, |near| near.share()) {
            // A query of words that say nothing by themselves has its meaning alone.
            _ if self.most <= 0.0 => meaning,
            share => (1.0 - share) * words + share * meaning,
        }
    }
}
