//! How many tokens a text costs, by `cl100k_base`.
//!
//! [`count`] decides what fits into a budget; [`upper_bound`] and [`estimate()`] look at the shape of the text alone.
//! No model publishes what its tokens will be tomorrow; of the published vocabularies this one is the smaller and
//! rarely counts less than its successors, so that a budget kept by it is kept.

mod bound;
mod cut;
mod estimate;
mod merge;
mod pieces;
mod slot;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use bound::upper_bound;
pub use cut::cut;
pub use estimate::estimate;

use merge::Merge;
use pieces::Pieces;

/// Exactly how many tokens a text has.
pub fn count(text: &str) -> u64 {
    let mut merge = Merge::default();
    Pieces::of(text).map(|piece| merge.count(piece.as_bytes())).sum()
}

/// Whether a text has at most `budget` tokens. Counts only if its length and shape leave that open, and no further
/// than the budget.
pub fn fits(text: &str, budget: u64) -> bool {
    let length = text.len() as u64;
    if length <= budget {
        return true;
    }
    if length.div_ceil(vocabulary::LONGEST as u64) > budget {
        return false;
    }
    upper_bound(text) <= budget || counts_at_most(text, budget)
}

fn counts_at_most(text: &str, budget: u64) -> bool {
    let mut merge = Merge::default();
    let mut left = Some(budget);
    for piece in Pieces::of(text) {
        left = left.and_then(|left| left.checked_sub(merge.count(piece.as_bytes())));
        if left.is_none() {
            return false;
        }
    }
    true
}
