//! Pairs that no rule is sure about: what they are to each other is weighed by what they have in common and what they differ
//! in. The weights were fitted to labelled pairs (`throughline eval fit consolidation`).

mod features;
mod values;

use std::sync::LazyLock;

use super::{Reading, Related, Relation, by_rules, differ_in_subject, related};

use crate::remember::likely::probabilities;

use features::{BASE, compared};

pub(super) use features::Taken;

/// What a pair can be, in the order of the weights.
pub const RELATIONS: [Relation; 4] =
    [Relation::Unrelated, Relation::Same, Relation::Refines, Relation::Opposite];

/// Each number, and each two of them together.
pub const WIDTH: usize = BASE + BASE * (BASE + 1) / 2;

/// Chosen on pairs that the weights were not fitted to. To say the same twice is a nuisance, to take something for outdated
/// that is not loses it.
const SAME: f32 = 0.7;
const OPPOSITE: f32 = 0.6;
/// What says that it is a change is about something that was.
const OPPOSITE_CHANGE: f32 = 0.4;

/// The features of a pair, as they are weighed.
pub fn features(known: &str, new: &str) -> Vec<f32> {
    let (a, b) = (Reading::of(known), Reading::of(new));
    let rules = by_rules((known, &a), (new, &b));
    let (one, other) = (Taken::of(known, &a), Taken::of(new, &b));
    expanded(&compared((known, &a, &one), (new, &b, &other), rules.as_ref()))
}

/// What the weights say, where they are sure.
pub(super) fn judged(
    known: (&str, &Reading),
    new: (&str, &Reading, &Taken),
    rules: Option<&Related>,
) -> Option<Related> {
    let taken = Taken::of(known.0, known.1);
    let shares = weigh(&expanded(&compared((known.0, known.1, &taken), new, rules)));
    let [_, same, refines, opposite] = shares;
    let enough = if new.1.is_change { OPPOSITE_CHANGE } else { OPPOSITE };
    let knows = |relation: Relation| {
        rules.is_some_and(|related| related.relation == relation && related.score >= super::SURE)
    };
    let is_known = knows(Relation::Same) || knows(Relation::Refines);
    match () {
        () if opposite >= enough => Some(weighed(Relation::Opposite, opposite)),
        () if is_known || knows(Relation::Unrelated) || same + refines < SAME => None,
        // "The report starts at 2:30" is not what "the backup starts at 2:30" says.
        () if differ_in_subject(known.1, new.1) => None,
        () if same >= refines => Some(weighed(Relation::Same, same + refines)),
        () => Some(weighed(Relation::Refines, same + refines)),
    }
}

/// What is sure enough by its weights is sure enough to act on.
fn weighed(relation: Relation, share: f32) -> Related {
    related(relation, f64::from(share).max(super::SURE), "by the weight of what they share")
}

fn expanded(base: &[f32; BASE]) -> Vec<f32> {
    let mut all = base.to_vec();
    for (at, one) in base.iter().enumerate() {
        all.extend(base[at..].iter().map(|other| one * other));
    }
    all
}

/// How probable each of [`RELATIONS`] is.
fn weigh(features: &[f32]) -> [f32; RELATIONS.len()] {
    let (bias, table) = WEIGHTS.split_at(RELATIONS.len());
    let sums: [f32; RELATIONS.len()] = std::array::from_fn(|relation| {
        let row = &table[relation * WIDTH..(relation + 1) * WIDTH];
        bias[relation] + row.iter().zip(features).map(|(weight, feature)| weight * feature).sum::<f32>()
    });
    probabilities(sums)
}

/// A bias for each relation, then its weights.
static WEIGHTS: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let (numbers, _) = include_bytes!("weights.bin").as_chunks::<4>();
    numbers.iter().map(|four| f32::from_le_bytes(*four)).collect()
});
