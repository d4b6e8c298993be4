//! Sentences that no rule knows: whether they tell something that lasts is weighed by their words. The weights were fitted to
//! labelled lines (`throughline eval fit extraction`); they decide where the rules have nothing to say, and speak
//! against what a rule took in passing.

mod features;

use std::sync::LazyLock;

use throughline_store::memory::Kind;

use super::sentence::Sentence;
use super::{Family, Found};
use crate::remember::likely::probabilities;

pub use features::{WIDTH, features};

/// What a sentence can be, in the order of the weights.
pub const KINDS: [Option<Kind>; 5] =
    [None, Some(Kind::Fact), Some(Kind::Rule), Some(Kind::Preference), Some(Kind::Decision)];

/// Chosen on the lines that the weights were not fitted to: so sure, nine of ten are right.
const SURE: f32 = 0.93;
/// Below this, hardly any lasts, whatever a rule says.
const FLEETING: f32 = 0.45;
/// Of what is found so, less is certain than of what a rule knows.
const CONFIDENCE: f64 = 0.55;

pub(super) fn says(sentence: &Sentence<'_>) -> Option<Found> {
    let shares = weigh(sentence.text);
    let lasting = 1.0 - shares[0];
    let kind = (1..KINDS.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b])).and_then(|at| KINDS[at])?;
    (lasting >= SURE).then(|| Found::new(Family::Weighed, kind, CONFIDENCE, sentence.text))
}

/// Whether a sentence that a rule knows is worded as only what passes is.
pub(super) fn is_fleeting(sentence: &Sentence<'_>) -> bool {
    1.0 - weigh(sentence.text)[0] < FLEETING
}

/// How probable each of [`KINDS`] is.
pub fn weigh(text: &str) -> [f32; KINDS.len()] {
    let weights = &*WEIGHTS;
    let mut sums = weights.bias;
    for (place, much) in features(text) {
        for (kind, sum) in sums.iter_mut().enumerate() {
            *sum += f32::from(weights.table[kind * WIDTH + place as usize]) * weights.scale * much;
        }
    }
    probabilities(sums)
}

/// For each kind a bias, then one scale, then a byte for each feature.
static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let bytes = include_bytes!("weights.bin");
    let (head, table) = bytes.split_at(4 * (KINDS.len() + 1));
    let mut numbers = head.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four));
    let bias = std::array::from_fn(|_| numbers.next().expect("a bias for each kind"));
    let scale = numbers.next().expect("a scale");
    Weights { bias, scale, table: table.iter().map(|byte| byte.cast_signed()).collect() }
});

struct Weights {
    bias: [f32; KINDS.len()],
    scale: f32,
    table: Vec<i8>,
}
