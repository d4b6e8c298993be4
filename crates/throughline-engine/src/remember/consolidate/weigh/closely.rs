//! Two statements read at once, by the reader that the program is built with. That takes a thousand times as long as to weigh
//! their numbers, so what was read is kept for a while: who reads before the database is locked need not read while it is.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{LazyLock, Mutex, PoisonError};

use throughline_inference::read::Reader;

use super::Shares;

/// So many pairs are kept.
const KEPT: usize = 4096;

pub(in crate::remember::consolidate) fn read(known: &str, new: &str) -> Shares {
    static READ: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);
    let kept = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    let pair = kept().hashed_by.hash_one((known, new));
    let before = kept().shares.get(&pair).copied();
    before.unwrap_or_else(|| {
        let shares = Shares::of(Reader::built_in().relations(known, new));
        kept().keep(pair, shares);
        shares
    })
}

#[derive(Debug, Default)]
struct Kept {
    hashed_by: RandomState,
    shares: HashMap<u64, Shares>,
    /// The oldest first.
    order: VecDeque<u64>,
}

impl Kept {
    fn keep(&mut self, pair: u64, shares: Shares) {
        if self.shares.insert(pair, shares).is_none() {
            self.order.push_back(pair);
        }
        if self.order.len() > KEPT {
            self.order.pop_front().and_then(|oldest| self.shares.remove(&oldest));
        }
    }
}
