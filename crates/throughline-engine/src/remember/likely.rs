//! From sums of weights to how probable each of several cases is.

/// Softmax: they are above nothing and add up to one.
pub(super) fn probabilities<const CASES: usize>(sums: [f32; CASES]) -> [f32; CASES] {
    let most = sums.iter().copied().fold(f32::MIN, f32::max);
    let shares = sums.map(|sum| (sum - most).exp());
    let all: f32 = shares.iter().sum();
    shares.map(|share| share / all)
}
