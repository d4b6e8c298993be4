//! Pairs that no rule is sure about: what they are to each other is weighed. What they have in common and what they differ
//! in, in numbers, tells what is surely something else; the rest is read closely. The weights were fitted to labelled pairs
//! (`evals/consolidation/fit.py`).

mod closely;
mod features;
mod values;

use std::sync::LazyLock;

use throughline_inference::read::{Reader, pieces};

use super::{Reading, Related, by_rules};

use crate::remember::likely::probabilities;

pub(super) use closely::read;
pub(super) use features::Taken;
use features::{BASE, compared};

/// Where so much says one thing, other words would say no other.
pub(super) const CLEAR: f32 = 0.9;
/// Each number, and each two of them together.
const WIDTH: usize = BASE + BASE * (BASE + 1) / 2;

/// How probable each of what two statements can be is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shares {
    pub(super) unrelated: f32,
    pub(super) same: f32,
    pub(super) opposite: f32,
}

impl Shares {
    fn of(sums: [f32; 3]) -> Shares {
        let [unrelated, same, opposite] = probabilities(sums);
        Shares { unrelated, same, opposite }
    }

    /// What two say who read the same. Where one of them is sure that it is about two things, it is not the same.
    pub(super) fn agreed(self, other: Shares) -> Shares {
        let mean = |one: f32, other: f32| f32::midpoint(one, other);
        let (unrelated, same) = (mean(self.unrelated, other.unrelated), mean(self.same, other.same));
        let opposite = mean(self.opposite, other.opposite);
        match self.unrelated.max(other.unrelated) >= CLEAR {
            true => Shares { unrelated: unrelated + same, same: 0.0, opposite },
            false => Shares { unrelated, same, opposite },
        }
    }

    /// Where something shows that they say two things of one.
    pub(super) fn not_the_same(self) -> Shares {
        Shares { same: 0.0, opposite: self.opposite + self.same, ..self }
    }

    /// Whether one of them is nearly sure.
    pub(super) fn is_clear(&self) -> bool {
        self.unrelated.max(self.same).max(self.opposite) >= CLEAR
    }
}

/// What a pair is weighed by, for fitting.
#[derive(Debug)]
pub struct Material {
    /// What they have in common and what they differ in.
    pub numbers: Vec<f32>,
    /// The parts of words of each, as rows of the embedding table.
    pub known: Vec<u32>,
    pub new: Vec<u32>,
}

pub fn material(known: &str, new: &str) -> Material {
    let (a, b) = (Reading::of(known), Reading::of(new));
    let rules = by_rules((known, &a), (new, &b));
    let (one, other) = (Taken::of(known, &a), Taken::of(new, &b));
    let numbers = compared((known, &a, &one), (new, &b, &other), rules.as_ref());
    Material { numbers: numbers.to_vec(), known: pieces(known), new: pieces(new) }
}

/// What the reader tells by of which kind a sentence is, for fitting.
pub fn whole(text: &str) -> Vec<f32> {
    Reader::built_in().whole(text)
}

/// How much their numbers say for each of what two statements can be; `rules` is what the rules say, where they say anything.
pub(super) fn by_numbers(
    known: (&str, &Reading),
    new: (&str, &Reading, &Taken),
    rules: Option<&Related>,
) -> Shares {
    let taken = Taken::of(known.0, known.1);
    Shares::of(weigh(&expanded(&compared((known.0, known.1, &taken), new, rules))))
}

fn expanded(base: &[f32; BASE]) -> Vec<f32> {
    let mut all = base.to_vec();
    for (at, one) in base.iter().enumerate() {
        all.extend(base[at..].iter().map(|other| one * other));
    }
    all
}

fn weigh(features: &[f32]) -> [f32; 3] {
    let (bias, table) = WEIGHTS.split_at(3);
    std::array::from_fn(|case| {
        let row = &table[case * WIDTH..(case + 1) * WIDTH];
        bias[case] + row.iter().zip(features).map(|(weight, feature)| weight * feature).sum::<f32>()
    })
}

/// For unrelated, the same, the opposite: a bias for each, then the weights of each.
static WEIGHTS: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let (numbers, _) = include_bytes!("weights.bin").as_chunks::<4>();
    numbers.iter().map(|four| f32::from_le_bytes(*four)).collect()
});
