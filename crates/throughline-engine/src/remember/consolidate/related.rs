//! What one statement is to another, how sure that is, and why.

use throughline_store::id::text_enum;

use super::{A_PART, AGAIN_OR_OTHERWISE, AND_MORE, SURE};

text_enum! {
    /// What a new statement is to a known one.
    Relation {
        Same = "same",
        /// It says what the known one says, and more.
        Refines = "refined",
        /// Both cannot hold.
        Opposite = "opposite",
        Unrelated = "unrelated",
    }
}

/// A relation, how sure it is, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    pub relation: Relation,
    /// 0 to 1. Near the thresholds a model may be asked.
    pub score: f64,
    pub reasons: Vec<&'static str>,
    /// It may be the same or the opposite after all: too unsure to act on, and worth the word of somebody who knows.
    pub perhaps: bool,
}

impl Related {
    /// Sure enough to act on.
    pub(in crate::remember) fn is_sure(&self) -> bool {
        self.relation != Relation::Unrelated && self.score >= SURE
    }

    /// It says again, in its own words or more exactly, what it takes the place of.
    pub(in crate::remember) fn restates(&self) -> bool {
        self.relation == Relation::Refines || self.reasons == [AGAIN_OR_OTHERWISE]
    }

    /// It says in other words what is known, and more.
    pub(in crate::remember) fn tells_more(&self) -> bool {
        self.reasons == [AND_MORE]
    }

    /// Both say the same, and neither says more.
    pub(in crate::remember) fn is_mutual(&self) -> bool {
        self.relation == Relation::Same && self.reasons != [A_PART]
    }
}
