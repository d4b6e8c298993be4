//! From sums of weights to how probable each of several cases is.

/// Softmax: they are above nothing and add up to one.
pub(super) fn probabilities<Sums: AsMut<[f32]>>(mut sums: Sums) -> Sums {
    let shares = sums.as_mut();
    let most = shares.iter().copied().fold(f32::MIN, f32::max);
    shares.iter_mut().for_each(|share| *share = (*share - most).exp());
    let all: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= all);
    sums
}
