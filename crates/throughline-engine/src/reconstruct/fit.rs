//! Leaves out of a reconstruction what matters least, until what the door has written fits.

use throughline_inference::tokens;

use super::Reconstruction;
use super::operation::rank;
use crate::capture::shortened;

/// Less than a reader is promised, for what a door adds around it.
const MAX_TOKENS: u64 = 1450;
/// So much of what is left open stays before decisions go.
const UNFINISHED: usize = 5;
const SHORTEST_NARRATIVE: usize = 100;

pub(super) fn fit(
    whole: Reconstruction,
    max_operations: usize,
    write: &dyn Fn(&Reconstruction) -> String,
) -> Reconstruction {
    let fits = |told: &Reconstruction| tokens::fits(&write(told), MAX_TOKENS);
    let most = max_operations.min(whole.operations.len());
    let mut told = whole.with_operations(most);
    if !fits(&told) {
        // The largest number that fits lies in [few, many).
        let (mut few, mut many) = (0, most);
        while many - few > 1 {
            let middle = few + (many - few) / 2;
            if fits(&whole.with_operations(middle)) { few = middle } else { many = middle }
        }
        told = whole.with_operations(few);
    }
    while !fits(&told) && told.leave_out_one() {}
    told
}

impl Reconstruction {
    /// The same with only so many operations: those that matter most, of equals the newest.
    fn with_operations(&self, count: usize) -> Reconstruction {
        let mut ranked: Vec<usize> = (0..self.operations.len()).collect();
        ranked.sort_by_key(|&place| (rank(&self.operations[place]), std::cmp::Reverse(place)));
        let mut kept = ranked[..count.min(ranked.len())].to_vec();
        kept.sort_unstable();
        Reconstruction {
            operations: kept.iter().map(|&place| self.operations[place].clone()).collect(),
            operations_omitted: self.operations.len() - kept.len(),
            ..self.clone()
        }
    }

    /// Without operations there is still more than fits: other sessions go first, then what of a long list is left open, the
    /// oldest decisions last.
    fn leave_out_one(&mut self) -> bool {
        if self.others.pop().is_some() || self.beliefs.pop().is_some() {
            return true;
        }
        if self.unfinished.len() > UNFINISHED {
            self.unfinished.pop();
            self.unfinished_omitted += 1;
            return true;
        }
        if self.decisions.is_empty() {
            return self.shorten_narrative();
        }
        self.decisions.remove(0);
        self.decisions_omitted += 1;
        true
    }

    /// Signs that are many tokens each may fill it alone.
    fn shorten_narrative(&mut self) -> bool {
        let chars = self.narrative.chars().count();
        self.narrative = shortened(&self.narrative, chars * 3 / 4);
        chars > SHORTEST_NARRATIVE
    }
}
