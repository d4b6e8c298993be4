//! Pairs that no rule is sure about: what they are to each other is weighed. What they have in common and what they differ
//! in as a whole tells what is surely something else; the rest is read word by word. The weights were fitted to labelled
//! pairs (`evals/consolidation/fit.py`).

mod features;
mod net;
mod values;
mod words;

use std::sync::LazyLock;

use super::{Reading, Related, Relation, by_rules};

use crate::remember::likely::probabilities;

use features::{BASE, compared};
use words::Words;

pub(super) use features::Taken;

/// Each number, and each two of them together.
const WIDTH: usize = BASE + BASE * (BASE + 1) / 2;
/// What is more likely something else than not, as a whole, is not looked at word by word.
const FAR: f32 = 0.5;

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

    /// As a rule knows it.
    pub(super) fn known(relation: Relation) -> Shares {
        let is = |one: bool| f32::from(u8::from(one));
        Shares {
            unrelated: is(relation == Relation::Unrelated),
            same: is(matches!(relation, Relation::Same | Relation::Refines)),
            opposite: is(relation == Relation::Opposite),
        }
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
    Material { numbers: numbers.to_vec(), known: words::rows(known), new: words::rows(new) }
}

/// How many numbers a statement is to the network.
pub const WHOLE: usize = 2 * net::WIDTH;

/// What the network makes of a statement by itself.
pub(in crate::remember) fn whole(text: &str) -> impl Iterator<Item = f32> {
    Words::of(text).whole().into_iter().flatten()
}

/// What the weights say; `rules` is what the rules say, where they say anything.
pub(super) fn weighed(
    known: (&str, &Reading),
    new: (&str, &Reading, &Taken),
    rules: Option<&Related>,
) -> Shares {
    let taken = Taken::of(known.0, known.1);
    let numbers = compared((known.0, known.1, &taken), new, rules);
    let as_a_whole = Shares::of(weigh(&expanded(&numbers)));
    if as_a_whole.unrelated >= FAR {
        return as_a_whole;
    }
    words::judged(taken.words(known.0), new.2.words(new.0), &numbers).unwrap_or(as_a_whole)
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
