//! The numbers a model consists of, whatever file they come from.

use super::Error;
use crate::bert::matrix::View;

/// A file of weights, asked by the names that BERT's authors gave them, without what stands before `embeddings`
/// and `encoder`.
pub(super) trait Weights {
    /// The tensor of exactly this name.
    fn tensor(&self, name: &str) -> Result<Tensor, Error>;

    /// The weights of the layer of this name, a row for each of its outputs.
    fn linear(&self, name: &str) -> Result<Tensor, Error>;

    /// How many blocks the encoder has.
    fn layers(&self) -> usize;

    /// The error of a file that holds something else than it should.
    fn malformed(&self, why: String) -> Error;
}

#[derive(Debug)]
pub(super) struct Tensor {
    pub(super) shape: Vec<usize>,
    pub(super) values: Vec<f32>,
}

impl Tensor {
    pub(super) fn view(&self) -> View<'_> {
        let columns = self.shape.last().copied().unwrap_or(1);
        View {
            values: &self.values,
            rows: self.values.len() / columns.max(1),
            columns,
            row_stride: columns,
            column_stride: 1,
        }
    }

    pub(super) fn transposed(&self) -> Tensor {
        let view = self.view();
        let column = |column: usize| self.values.iter().skip(column).step_by(view.columns);
        let values = (0..view.columns).flat_map(column).copied().collect();
        Tensor { shape: vec![view.columns, view.rows], values }
    }
}

/// How many values a tensor of this shape has, unless no memory could hold them.
pub(super) fn volume(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1_usize, |volume, &length| volume.checked_mul(length))
}

/// The end of the name by which the encoder's start is recognised, and with it what stands before all names.
pub(super) const FIRST_TENSOR: &str = "embeddings.word_embeddings.weight";

/// The layers there are, told from the names of tensors, which may begin with `prefix`.
pub(super) fn layers<'a>(names: impl Iterator<Item = &'a str>, prefix: &str) -> usize {
    let layer = |name: &str| -> Option<usize> {
        let rest = name.strip_prefix(prefix)?.strip_prefix("encoder.layer.")?;
        rest.split('.').next()?.parse().ok()
    };
    names.filter_map(layer).max().map_or(0, |last| last.saturating_add(1))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    F32,
    F16,
    Bf16,
}

impl Format {
    pub(super) fn bytes(self) -> usize {
        match self {
            Format::F32 => 4,
            Format::F16 | Format::Bf16 => 2,
        }
    }

    /// The numbers in `bytes`, which are little-endian.
    pub(super) fn decode(self, bytes: &[u8]) -> Vec<f32> {
        let halves = |decode: fn(u16) -> f32| {
            bytes.as_chunks::<2>().0.iter().map(|pair| decode(u16::from_le_bytes(*pair))).collect()
        };
        match self {
            Format::F32 => bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
            Format::F16 => halves(half),
            Format::Bf16 => halves(|bits| f32::from_bits(u32::from(bits) << 16)),
        }
    }
}

/// A half-precision number: one bit of sign, five of exponent, ten of fraction.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let fraction = f32::from(bits & 0x3FF);
    let size = match bits >> 10 & 0x1F {
        0 => fraction * 2_f32.powi(-24),
        0x1F if fraction == 0.0 => f32::INFINITY,
        0x1F => f32::NAN,
        exponent => (1.0 + fraction / 1024.0) * 2_f32.powi(i32::from(exponent) - 15),
    };
    sign * size
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn short_floats_are_read() {
        let halves = [0x3C00_u16, 0xC000, 0x3555, 0x0001, 0x7BFF].map(u16::to_le_bytes).concat();
        assert_eq!(Format::F16.decode(&halves), [1.0, -2.0, 0.333_251_95, 5.960_464_5e-8, 65504.0]);
        assert_eq!(Format::Bf16.decode(&[0x80, 0x3F, 0x49, 0xC0]), [1.0, -3.140_625]);
    }
}
