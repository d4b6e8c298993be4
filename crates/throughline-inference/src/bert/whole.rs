//! Products with weights of a byte each. What they are multiplied with is rounded to bytes too: a processor that multiplies
//! four bytes at once and adds them up takes a third of the time. Others do the same with floats, so that what comes out does
//! not depend on the machine.

use pulp::{Arch, Simd, WithSimd};

use super::matrix::{Bytes, DEEP, TOGETHER, View};
use super::rows::ROUND;

/// The largest number that a byte stands for.
const LARGEST: f32 = 127.0;

impl Bytes {
    /// Adds `left * self` to `sums`; both lie row after row.
    pub(crate) fn multiply_add(&self, left: &[f32], sums: &mut [f32], room: &mut Room) {
        Arch::new().dispatch(Round { left, columns: self.side().rows, into: &mut room.rounded });
        if !wide::multiply_add(self, room, sums) {
            self.multiply_add_floats(sums, room);
        }
    }

    /// The same with what was rounded, where no bytes can be multiplied.
    fn multiply_add_floats(&self, sums: &mut [f32], room: &mut Room) {
        let side = self.side();
        room.widen(side.rows);
        let left = View::of_rows(&room.floats, side.rows);
        side.multiply_add(left, sums, side.columns, &mut room.packed);
    }
}

/// Memory that one product leaves to the next.
#[derive(Debug, Default)]
pub(crate) struct Room {
    rounded: Rounded,
    blocks: Vec<[u8; DEEP]>,
    floats: Vec<f32>,
    packed: Vec<f32>,
}

impl Room {
    pub(super) fn packed(&mut self) -> &mut Vec<f32> {
        &mut self.packed
    }

    /// What is rounded, in floats.
    fn widen(&mut self, columns: usize) {
        let Rounded { bytes, scales, .. } = &self.rounded;
        let rows = bytes.chunks_exact(columns).zip(scales);
        let values =
            rows.flat_map(|(row, scale)| row.iter().map(move |byte| f32::from(byte.cast_signed()) * scale));
        self.floats.clear();
        self.floats.extend(values);
    }

    /// What is rounded, in blocks of rows: four columns of each row of a block after each other.
    fn lay_out(&mut self, columns: usize) {
        let (rows, _) = self.rounded.bytes.as_chunks::<DEEP>();
        let deep = columns / DEEP;
        self.blocks.resize(rows.len(), [0; DEEP]);
        for (first, size) in blocks(self.rounded.scales.len()) {
            let block = &mut self.blocks[first * deep..][..size * deep];
            for (row, values) in rows[first * deep..][..size * deep].chunks_exact(deep).enumerate() {
                for (place, value) in block[row..].iter_mut().step_by(size).zip(values) {
                    *place = *value;
                }
            }
        }
    }
}

/// Rows in bytes: what a unit is worth in each, and what their bytes come to.
#[derive(Debug, Default)]
struct Rounded {
    bytes: Vec<u8>,
    scales: Vec<f32>,
    totals: Vec<i32>,
}

/// Rows that are worked on together, from the first on: as many as registers can hold the sums of, then half as many, and so
/// on, so that no row is filled up.
fn blocks(rows: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let left = rows - first;
        let size = if left >= 8 { 8 } else { 1 << left.checked_ilog2()? };
        first += size;
        Some((first - size, size))
    })
}

struct Round<'a> {
    left: &'a [f32],
    columns: usize,
    into: &'a mut Rounded,
}

impl WithSimd for Round<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Rounded { bytes, scales, totals } = self.into;
        scales.clear();
        totals.clear();
        bytes.resize(self.left.len(), 0);
        let into = bytes.chunks_exact_mut(self.columns);
        for (row, bytes) in self.left.chunks_exact(self.columns).zip(into) {
            let largest = largest(row).max(f32::MIN_POSITIVE);
            let unit = LARGEST / largest;
            let mut total = 0;
            for (byte, value) in bytes.iter_mut().zip(row) {
                *byte = (value * unit + ROUND).to_bits() as u8;
                total += i32::from(byte.cast_signed());
            }
            scales.push(largest / LARGEST);
            totals.push(total);
        }
    }
}

/// The distance from zero of what is farthest from it.
#[inline(always)]
fn largest(row: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; TOGETHER];
    let (chunks, rest) = row.as_chunks::<TOGETHER>();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = lane.max(value.abs());
        }
    }
    lanes.iter().chain(rest).fold(0.0, |largest, value| largest.max(value.abs()))
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::{
        __m512i, _mm512_dpbusd_epi32, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_xor_si512,
    };

    use pulp::bytemuck;

    use super::{Bytes, DEEP, Room, TOGETHER, blocks};

    /// Vectors of columns that are worked on together.
    const VECTORS: usize = 2;
    /// What one vector takes: four numbers of each of sixteen columns.
    const VECTOR: usize = 64;
    /// What is added to a weight to make it one without a sign, which one side must be.
    const LIFTED: i32 = 128;

    /// Whether this processor can do it so.
    #[expect(unsafe_code, reason = "the features that the function is compiled for are there: just asked")]
    pub(super) fn multiply_add(weights: &Bytes, room: &mut Room, sums: &mut [f32]) -> bool {
        let can = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni");
        if can {
            room.lay_out(weights.side().rows);
            unsafe { multiply_add_vnni(weights, room, sums) }
        }
        can
    }

    #[target_feature(enable = "avx512f,avx512vnni")]
    fn multiply_add_vnni(weights: &Bytes, room: &Room, sums: &mut [f32]) {
        let deep = weights.side().rows / DEEP;
        let panels = weights.values.chunks_exact(TOGETHER * DEEP * deep);
        // A panel stays in the cache while all rows pass by it.
        for (at, (panel, scales)) in panels.zip(weights.scales.chunks_exact(TOGETHER)).enumerate() {
            let to = Columns { first: at * TOGETHER, all: weights.scales.len(), scales };
            let (panel, _) = panel.as_chunks::<VECTOR>();
            let (panel, _) = panel.as_chunks::<VECTORS>();
            for (first, size) in blocks(room.rounded.scales.len()) {
                let rows = Rows { first, values: &room.blocks[first * deep..][..size * deep], room };
                match size {
                    8 => add_products::<8>(&rows, panel, &to, sums),
                    4 => add_products::<4>(&rows, panel, &to, sums),
                    2 => add_products::<2>(&rows, panel, &to, sums),
                    _ => add_products::<1>(&rows, panel, &to, sums),
                }
            }
        }
    }

    struct Rows<'a> {
        first: usize,
        values: &'a [[u8; DEEP]],
        room: &'a Room,
    }

    struct Columns<'a> {
        first: usize,
        all: usize,
        scales: &'a [f32],
    }

    #[target_feature(enable = "avx512f,avx512vnni")]
    fn add_products<const ROWS: usize>(
        rows: &Rows<'_>,
        panel: &[[[u8; VECTOR]; VECTORS]],
        to: &Columns<'_>,
        sums: &mut [f32],
    ) {
        let products = products::<ROWS>(rows.values, panel);
        let rounded = &rows.room.rounded;
        for (row, products) in (rows.first..).zip(&products) {
            let products: &[i32] = bytemuck::cast_slice(products);
            let (scale, lifted) = (rounded.scales[row], LIFTED * rounded.totals[row]);
            let sums = &mut sums[row * to.all + to.first..][..TOGETHER];
            for ((sum, product), column_scale) in sums.iter_mut().zip(products).zip(to.scales) {
                *sum += (product - lifted) as f32 * (scale * column_scale);
            }
        }
    }

    /// The products of one block of rows with one panel of columns.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    fn products<const ROWS: usize>(
        rows: &[[u8; DEEP]],
        panel: &[[[u8; VECTOR]; VECTORS]],
    ) -> [[__m512i; VECTORS]; ROWS] {
        let lift = _mm512_set1_epi8(i8::MIN);
        let mut sums = [[_mm512_set1_epi32(0); VECTORS]; ROWS];
        let (rows, _) = rows.as_chunks::<ROWS>();
        for (left, right) in rows.iter().zip(panel) {
            let right = right.map(|vector| _mm512_xor_si512(bytemuck::cast(vector), lift));
            for (sums, left) in sums.iter_mut().zip(left) {
                let left = _mm512_set1_epi32(i32::from_le_bytes(*left));
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum = _mm512_dpbusd_epi32(*sum, right, left);
                }
            }
        }
        sums
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod wide {
    use super::{Bytes, Room};

    /// No such instructions are known of this processor.
    pub(super) fn multiply_add(_: &Bytes, _: &mut Room, _: &mut [f32]) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, DEEP, Room, TOGETHER};

    /// As they lie in the file.
    fn laid_out(rows: usize, columns: usize, value: impl Fn(usize, usize) -> i8) -> Vec<u8> {
        let mut values = vec![];
        for first in (0..columns).step_by(TOGETHER) {
            for row in (0..rows).step_by(DEEP) {
                let column = |column: usize| (row..row + DEEP).map(move |row| (row, column));
                let places = (first..first + TOGETHER).flat_map(column);
                values.extend(places.map(|(row, column)| value(row, column).cast_unsigned()));
            }
        }
        values
    }

    #[test]
    fn bytes_and_floats_give_the_same_product() {
        for (rows, inner, columns) in [(1, 4, 32), (7, 32, 64), (8, 384, 96), (27, 64, 32)] {
            let weight = |row: usize, column: usize| ((row * 7 + column * 13) % 255) as i8;
            let values = laid_out(inner, columns, weight).leak();
            let scales: Vec<f32> = (0..columns).map(|column| 0.5 + column as f32).collect();
            let bytes = Bytes { values, scales };
            // The farthest is 127 in each row, so that nothing is rounded.
            let left: Vec<f32> = (0..rows * inner)
                .map(|at| if at % inner == 0 { -127.0 } else { (at % 19) as f32 - 9.0 })
                .collect();
            let product = |at: usize| -> f32 {
                let (row, column) = (at / columns, at % columns);
                let of = |k: usize| left[row * inner + k] * f32::from(weight(k, column));
                1.0 + (0..inner).map(of).sum::<f32>() * bytes.scales[column]
            };
            let expected: Vec<f32> = (0..rows * columns).map(product).collect();
            let room = &mut Room::default();
            let (mut by_bytes, mut by_floats) = (vec![1.0; expected.len()], vec![1.0; expected.len()]);
            bytes.multiply_add(&left, &mut by_bytes, room);
            assert_eq!(by_bytes, expected, "{rows} rows");
            bytes.multiply_add_floats(&mut by_floats, room);
            assert_eq!(by_floats, expected, "{rows} rows");
        }
    }

    #[test]
    fn what_has_no_size_is_nothing() {
        let bytes = Bytes { values: &[1; 4 * TOGETHER], scales: vec![1.0; TOGETHER] };
        let mut sums = vec![0.0; TOGETHER];
        bytes.multiply_add(&[0.0; 4], &mut sums, &mut Room::default());
        assert_eq!(sums, [0.0; TOGETHER]);
    }
}
