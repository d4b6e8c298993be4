//! What a transformer does to each row by itself: layer norm, softmax, GELU. Written so that the compiler can use
//! the widest vector instructions this processor has.

use pulp::{Arch, Simd, WithSimd};

const LANES: usize = 16;

/// Adding it rounds to a whole number, which then stands in the lowest bits.
pub(super) const ROUND: f32 = 12_582_912.0;

/// Brings each row to mean zero and variance one, then scales and shifts its columns.
pub(super) fn layer_norm(rows: &mut [f32], scale: &[f32], shift: &[f32], epsilon: f32) {
    let columns = scale.len();
    each_row(
        rows,
        columns,
        #[inline(always)]
        |row| {
            let mean = sum(row, |value| value) / columns as f32;
            let variance = sum(row, |value| (value - mean) * (value - mean)) / columns as f32;
            let factor = 1.0 / (variance + epsilon).sqrt();
            for ((value, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
                *value = (*value - mean) * factor * scale + shift;
            }
        },
    );
}

/// Makes each row positive with sum one.
pub(super) fn softmax(rows: &mut [f32], columns: usize) {
    each_row(
        rows,
        columns,
        #[inline(always)]
        |row| {
            let top = largest(row);
            for value in row.iter_mut() {
                *value = exp(*value - top);
            }
            let factor = 1.0 / sum(row, |value| value);
            for value in row.iter_mut() {
                *value *= factor;
            }
        },
    );
}

/// The activation between the two layers of a feed-forward block, in its exact form.
pub(super) fn gelu(values: &mut [f32]) {
    each_row(
        values,
        LANES,
        #[inline(always)]
        |row| {
            for value in row {
                *value = 0.5 * *value * (1.0 + erf(*value * std::f32::consts::FRAC_1_SQRT_2));
            }
        },
    );
}

/// Calls `change` with runs of `columns` values, and with what is left at the end.
fn each_row(rows: &mut [f32], columns: usize, change: impl Fn(&mut [f32])) {
    Arch::new().dispatch(EachRow { rows, columns, change });
}

struct EachRow<'a, F> {
    rows: &'a mut [f32],
    columns: usize,
    change: F,
}

impl<F: Fn(&mut [f32])> WithSimd for EachRow<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for row in self.rows.chunks_mut(self.columns) {
            (self.change)(row);
        }
    }
}

#[inline(always)]
fn largest(row: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = lane.max(*value);
        }
    }
    lanes.iter().chain(rest).copied().fold(f32::NEG_INFINITY, f32::max)
}

/// A sum in lanes: floats may not be reordered by the compiler, so this order is what lets it use vectors.
#[inline(always)]
fn sum(row: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += term(*value);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|value| term(*value)).sum::<f32>()
}

/// The exponential of a number that is not above zero, to within 2e-7 of its value.
#[inline(always)]
fn exp(value: f32) -> f32 {
    const TERMS: [f32; 6] = [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let value = value.max(-87.0);
    let rounded = value * std::f32::consts::LOG2_E + ROUND;
    let whole = rounded - ROUND;
    // ln 2 in two parts, so that the difference keeps its digits.
    let rest = (value - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let fraction = TERMS.iter().fold(1.0 / 720.0, |sum, term| sum * rest + term);
    fraction * f32::from_bits(rounded.to_bits().wrapping_add(127) << 23)
}

/// The error function, to within 3e-7: a quotient of polynomials (the coefficients are those of Eigen).
#[inline(always)]
fn erf(value: f32) -> f32 {
    const ABOVE: [f32; 6] =
        [2.770_681_4e-8, -2.101_024e-6, -5.692_506_6e-5, -7.349_906e-4, -2.954_6e-3, -1.609_603_4e-2];
    const BELOW: [f32; 4] = [-2.133_740_6e-4, -1.682_827e-3, -7.373_329e-3, -1.426_473_9e-2];
    let value = value.clamp(-4.0, 4.0);
    let square = value * value;
    let above = ABOVE.iter().fold(-2.726_142_3e-10, |sum, term| sum * square + term);
    let below = BELOW.iter().fold(-1.456_607_2e-5, |sum, term| sum * square + term);
    value * above / below
}

#[cfg(test)]
mod tests {
    use super::{erf, exp};

    #[test]
    fn fast_functions_are_close_to_exact_ones() {
        for step in 0..8_700 {
            let value = -f64::from(step) / 100.0;
            let found = f64::from(exp(value as f32));
            assert!((found / f64::from(value as f32).exp() - 1.0).abs() < 3e-7, "exp({value}) = {found}");
        }
        let known =
            [(0.0, 0.0), (0.1, 0.112_462_916), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3)];
        for (value, exact) in known.into_iter().chain([(3.0, 0.999_977_9), (9.0, 1.0)]) {
            assert!((erf(value) - exact).abs() < 4e-7, "erf({value}) = {}", erf(value));
            assert!((erf(-value) + exact).abs() < 4e-7, "erf(-{value}) = {}", erf(-value));
        }
    }
}
