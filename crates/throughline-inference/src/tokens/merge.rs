//! Byte-pair encoding: the neighbours with the smallest rank become one token until none can.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary;

/// Above it, looking for the smallest rank anew after each merge is dearer than a heap.
const SHORT: usize = 128;
const NONE: u32 = u32::MAX;

/// Where the tokens of a piece start. Kept between pieces, to allocate once.
#[derive(Default)]
pub(super) struct Merge {
    parts: Vec<Part>,
}

#[derive(Clone, Copy)]
struct Part {
    start: usize,
    /// Of this part and the next together.
    rank: u32,
}

impl Merge {
    /// How many tokens a piece has.
    pub(super) fn count(&mut self, piece: &[u8]) -> u64 {
        if piece.len() == 1 || vocabulary::rank(piece).is_some() {
            return 1;
        }
        if piece.len() > SHORT {
            return long(piece).len() as u64;
        }
        self.short(piece);
        self.parts.len() as u64
    }

    fn short(&mut self, piece: &[u8]) {
        let parts = &mut self.parts;
        parts.clear();
        parts.extend((0..piece.len()).map(|start| Part { start, rank: pair(piece, start).unwrap_or(NONE) }));
        while let Some((at, _)) =
            parts.iter().enumerate().min_by_key(|(_, part)| part.rank).filter(|(_, part)| part.rank != NONE)
        {
            parts.remove(at + 1);
            let end = |at: usize| parts.get(at).map_or(piece.len(), |part| part.start);
            let (before, after) = (at.checked_sub(1), end(at + 2));
            let (start, next) = (parts[at].start, end(at + 1));
            parts[at].rank = if next == piece.len() { NONE } else { rank(piece, start, after) };
            if let Some(before) = before {
                parts[before].rank = rank(piece, parts[before].start, next);
            }
        }
    }
}

/// Where the tokens of a long piece start.
pub(super) fn long(piece: &[u8]) -> Vec<usize> {
    let mut chain = Chain::of(piece.len());
    let mut queue: BinaryHeap<_> =
        (0..piece.len()).filter_map(|at| Some(Reverse((pair(piece, at)?, at, at + 2)))).collect();
    while let Some(Reverse((_, start, end))) = queue.pop() {
        if !chain.joins(start, end) {
            continue;
        }
        chain.join(start);
        if start > 0 {
            queue.extend(candidate(piece, chain.before[start], end));
        }
        if end < piece.len() {
            queue.extend(candidate(piece, start, chain.after[end]));
        }
    }
    chain.starts()
}

fn candidate(piece: &[u8], start: usize, end: usize) -> Option<Reverse<(u32, usize, usize)>> {
    vocabulary::rank(&piece[start..end]).map(|rank| Reverse((rank, start, end)))
}

/// The rank of two bytes; most are no token, which the small table tells.
fn pair(piece: &[u8], at: usize) -> Option<u32> {
    let [first, second] = *piece.get(at..at + 2)? else { return None };
    vocabulary::is_pair(first, second).then(|| vocabulary::rank(&[first, second])).flatten()
}

fn rank(piece: &[u8], start: usize, end: usize) -> u32 {
    piece.get(start..end).and_then(vocabulary::rank).unwrap_or(NONE)
}

/// The parts of a piece as a linked list over their starts.
struct Chain {
    before: Vec<usize>,
    /// Where the part that starts here ends; its own start if none does.
    after: Vec<usize>,
}

impl Chain {
    fn of(length: usize) -> Chain {
        Chain { before: (0..=length).map(|at| at.saturating_sub(1)).collect(), after: (1..=length).collect() }
    }

    /// Whether two parts still lie exactly there.
    fn joins(&self, start: usize, end: usize) -> bool {
        let middle = self.after[start];
        middle != start && middle < end && self.after[middle] == end
    }

    fn join(&mut self, start: usize) {
        let middle = self.after[start];
        let end = self.after[middle];
        self.after[start] = end;
        self.after[middle] = middle;
        self.before[end] = start;
    }

    fn starts(&self) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut at = 0;
        while at < self.after.len() {
            starts.push(at);
            at = self.after[at];
        }
        starts
    }
}
