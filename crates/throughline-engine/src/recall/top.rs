//! The best of many by score, without keeping the many.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

#[derive(Debug)]
pub(super) struct Top {
    count: usize,
    /// The worst of the kept ones first.
    kept: BinaryHeap<Scored>,
}

#[derive(Debug, PartialEq)]
struct Scored {
    score: f32,
    number: i64,
}

impl Eq for Scored {}

impl Ord for Scored {
    /// The worse is the greater; of equals, the older.
    fn cmp(&self, other: &Scored) -> Ordering {
        other.score.total_cmp(&self.score).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Scored) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Top {
    pub(super) fn new(count: usize) -> Top {
        Top { count, kept: BinaryHeap::new() }
    }

    /// Whether one of this score would be kept; of equals, the younger one is.
    pub(super) fn wants(&self, number: i64, score: f32) -> bool {
        self.kept.len() < self.count
            || self.kept.peek().is_some_and(|worst| *worst > Scored { score, number })
    }

    pub(super) fn push(&mut self, number: i64, score: f32) {
        if self.wants(number, score) {
            self.kept.push(Scored { score, number });
            if self.kept.len() > self.count {
                self.kept.pop();
            }
        }
    }

    pub(super) fn into_inner(self) -> impl Iterator<Item = (i64, f32)> {
        self.kept.into_iter().map(|scored| (scored.number, scored.score))
    }
}
