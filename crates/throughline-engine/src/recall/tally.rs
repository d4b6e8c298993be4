//! How searches went since this process began.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{AnsweredBy, Recalled};

#[derive(Debug, Default)]
pub(crate) struct Tally {
    asked: AtomicU64,
    answered: AtomicU64,
    fell_back: AtomicU64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Searches {
    pub asked: u64,
    /// Found something.
    pub answered: u64,
    /// Did without the model that was chosen, or without an index of the files.
    pub fell_back: u64,
}

impl Tally {
    pub(super) fn note(&self, recalled: &Recalled) {
        let without_model = recalled.searched.iter().any(|searched| searched.model_problem.is_some());
        let without_index = recalled.code.is_some_and(|code| code.answered_by == AnsweredBy::PathsAndHeads);
        let add = |count: &AtomicU64, is_one: bool| count.fetch_add(u64::from(is_one), Ordering::Relaxed);
        add(&self.asked, true);
        add(&self.answered, !recalled.hits.is_empty());
        add(&self.fell_back, without_model || without_index);
    }

    pub(crate) fn searches(&self) -> Searches {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Searches {
            asked: read(&self.asked),
            answered: read(&self.answered),
            fell_back: read(&self.fell_back),
        }
    }
}
