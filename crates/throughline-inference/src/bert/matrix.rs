//! Products of matrices, with the widest vector instructions this processor has.

use pulp::{Arch, Simd, WithSimd, bytemuck};

/// Columns that lie together, and numbers of one column that do: as many as the widest vectors work on, so that a product
/// reads them one after the other.
pub(super) const TOGETHER: usize = 32;
pub(super) const DEEP: usize = 4;

/// Vectors of columns that are worked on together. Times the rows, they are the sums that registers must hold.
const VECTORS: usize = 2;

/// A matrix that lies in memory with any distance between rows and between columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) values: &'a [f32],
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) row_stride: usize,
    pub(crate) column_stride: usize,
}

impl<'a> View<'a> {
    /// Rows that lie one after the other.
    pub(crate) fn of_rows(values: &'a [f32], columns: usize) -> View<'a> {
        View { values, rows: values.len() / columns, columns, row_stride: columns, column_stride: 1 }
    }

    pub(crate) fn transposed(self) -> View<'a> {
        View {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }
}

/// The right side of a product, laid out as the product reads it: panels of as many columns as are worked on
/// together, row after row, the last one filled up with zeros.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    rows: usize,
    columns: usize,
    panel_columns: usize,
    values: Vec<f32>,
}

impl Packed {
    pub(crate) fn new(matrix: View<'_>) -> Packed {
        let mut packed = Packed::default();
        packed.fill(matrix);
        packed
    }

    /// As `new`, in the memory that is already there.
    pub(crate) fn fill(&mut self, matrix: View<'_>) {
        Arch::new().dispatch(Pack { matrix, packed: self });
    }

    pub(crate) fn side(&self) -> Side<'_> {
        Side { rows: self.rows, columns: self.columns, values: Values::Packed(self) }
    }
}

/// The right side of a product as the program is built with it: a signed byte for each number, and what a unit is worth in each
/// column. `TOGETHER` columns lie together, of those `DEEP` rows after each other, and of these the numbers of each column;
/// there are no more rows and columns than make these up.
#[derive(Debug)]
pub(crate) struct Bytes {
    pub(crate) values: &'static [u8],
    pub(crate) scales: Vec<f32>,
}

impl Bytes {
    pub(crate) fn side(&self) -> Side<'_> {
        let columns = self.scales.len();
        Side { rows: self.values.len() / columns, columns, values: Values::Bytes(self) }
    }
}

/// Either of the right sides.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) rows: usize,
    pub(super) columns: usize,
    values: Values<'a>,
}

#[derive(Clone, Copy)]
enum Values<'a> {
    Packed(&'a Packed),
    Bytes(&'a Bytes),
}

impl Side<'_> {
    /// Adds `left * self` to `sums`, whose rows are `stride` apart. `scratch` is memory to reuse.
    pub(crate) fn multiply_add(
        self,
        left: View<'_>,
        sums: &mut [f32],
        stride: usize,
        scratch: &mut Vec<f32>,
    ) {
        Arch::new().dispatch(MultiplyAdd { left, right: self, sums, stride, scratch });
    }

    /// The columns from `first` on, row after row; `room` is filled where they do not lie so.
    #[inline(always)]
    fn panel<'a>(&'a self, first: usize, panel_columns: usize, room: &'a mut Vec<f32>) -> &'a [f32] {
        let bytes = match self.values {
            Values::Packed(packed) => {
                return &packed.values[first * self.rows..][..panel_columns * self.rows];
            }
            Values::Bytes(bytes) => bytes,
        };
        room.resize(panel_columns * self.rows, 0.0);
        let together = &bytes.values[first / TOGETHER * TOGETHER * self.rows..][..TOGETHER * self.rows];
        let words = together.as_chunks::<DEEP>().0.chunks_exact(TOGETHER);
        for (values, words) in room.chunks_exact_mut(panel_columns * DEEP).zip(words) {
            let words = &words[first % TOGETHER..][..panel_columns];
            for (deep, values) in values.chunks_exact_mut(panel_columns).enumerate() {
                // The wanted byte is moved to the top, and down again with its sign: vectors can do that, not pick every fourth byte.
                let up = 8 * (DEEP - 1 - deep);
                for (value, word) in values.iter_mut().zip(words) {
                    *value = (i32::from_le_bytes(*word) << up >> 24) as f32;
                }
            }
        }
        room
    }

    /// Adds products to the sums of the columns from `first` on.
    #[inline(always)]
    fn add(&self, first: usize, products: &[f32], sums: &mut [f32]) {
        match self.values {
            Values::Packed(_) => {
                for (sum, product) in sums.iter_mut().zip(products) {
                    *sum += product;
                }
            }
            Values::Bytes(bytes) => {
                for ((sum, product), scale) in sums.iter_mut().zip(products).zip(&bytes.scales[first..]) {
                    *sum += product * scale;
                }
            }
        }
    }
}

struct Pack<'a> {
    matrix: View<'a>,
    packed: &'a mut Packed,
}

impl WithSimd for Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Pack { matrix, packed } = self;
        let panel_columns = VECTORS * S::F32_LANES;
        packed.rows = matrix.rows;
        packed.columns = matrix.columns;
        packed.panel_columns = panel_columns;
        packed.values.clear();
        packed.values.resize(matrix.columns.next_multiple_of(panel_columns) * matrix.rows, 0.0);
        for (panel, values) in
            packed.values.chunks_exact_mut((panel_columns * matrix.rows).max(1)).enumerate()
        {
            let first = panel * panel_columns;
            for (row, values) in values.chunks_exact_mut(panel_columns).enumerate() {
                let source = &matrix.values[row * matrix.row_stride + first * matrix.column_stride..];
                let columns = panel_columns.min(matrix.columns - first);
                for (value, source) in
                    values[..columns].iter_mut().zip(source.iter().step_by(matrix.column_stride))
                {
                    *value = *source;
                }
            }
        }
    }
}

struct MultiplyAdd<'a> {
    left: View<'a>,
    right: Side<'a>,
    sums: &'a mut [f32],
    stride: usize,
    scratch: &'a mut Vec<f32>,
}

impl WithSimd for MultiplyAdd<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // AVX-512 has 32 registers; AVX2, with vectors half as long, has 16.
        if S::F32_LANES >= 16 { self.run::<S, 8>(simd) } else { self.run::<S, 6>(simd) }
    }
}

impl MultiplyAdd<'_> {
    #[inline(always)]
    fn run<S: Simd, const ROWS: usize>(self, simd: S) {
        let MultiplyAdd { left, right, sums, stride, scratch } = self;
        assert_eq!(left.columns, right.rows, "the sides of a product fit");
        if right.rows == 0 || right.columns == 0 {
            return;
        }
        pack_left::<ROWS>(left, scratch);
        let panel_columns = VECTORS * S::F32_LANES;
        let mut room = vec![];
        // A panel stays in the cache while all rows pass by it.
        for first in (0..right.columns).step_by(panel_columns) {
            let columns = panel_columns.min(right.columns - first);
            let (vectors, _) = S::as_simd_f32s(right.panel(first, panel_columns, &mut room));
            for (block, rows) in scratch.chunks_exact(ROWS * right.rows).enumerate() {
                let products = products::<S, ROWS>(simd, rows, vectors);
                let used = ROWS.min(left.rows - block * ROWS);
                for (row, products) in products[..used].iter().enumerate() {
                    let sums = &mut sums[(block * ROWS + row) * stride + first..][..columns];
                    right.add(first, bytemuck::cast_slice(products), sums);
                }
            }
        }
    }
}

/// Blocks of `ROWS` rows, column after column, the last one filled up with zeros.
#[inline(always)]
fn pack_left<const ROWS: usize>(left: View<'_>, scratch: &mut Vec<f32>) {
    scratch.clear();
    scratch.resize(left.rows.next_multiple_of(ROWS) * left.columns, 0.0);
    for (block, values) in scratch.chunks_exact_mut(ROWS * left.columns).enumerate() {
        for row in 0..ROWS.min(left.rows - block * ROWS) {
            let source = &left.values[(block * ROWS + row) * left.row_stride..];
            let source = source.iter().step_by(left.column_stride);
            for (value, source) in values[row..].iter_mut().step_by(ROWS).zip(source) {
                *value = *source;
            }
        }
    }
}

/// The products of one block of rows with one panel of columns.
#[inline(always)]
fn products<S: Simd, const ROWS: usize>(
    simd: S,
    rows: &[f32],
    vectors: &[S::f32s],
) -> [[S::f32s; VECTORS]; ROWS] {
    let mut sums = [[simd.splat_f32s(0.0); VECTORS]; ROWS];
    let (rows, _) = rows.as_chunks::<ROWS>();
    let (vectors, _) = vectors.as_chunks::<VECTORS>();
    for (left, right) in rows.iter().zip(vectors) {
        for (sums, left) in sums.iter_mut().zip(left) {
            let left = simd.splat_f32s(*left);
            for (sum, right) in sums.iter_mut().zip(right) {
                *sum = simd.mul_add_e_f32s(left, *right, *sum);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use pulp::{Arch, Scalar, WithSimd};

    use super::{MultiplyAdd, Pack, Packed, View};

    #[test]
    fn the_widest_vectors_and_none_give_the_same_product() {
        for (rows, inner, columns) in [(1, 1, 1), (6, 3, 32), (7, 5, 33), (8, 32, 31), (17, 48, 70)] {
            let left: Vec<f32> = (0..rows * inner).map(|at| (at % 7) as f32 - 3.0).collect();
            let right: Vec<f32> = (0..inner * columns).map(|at| (at % 5) as f32 - 1.0).collect();
            let product = |at: usize| -> f32 {
                let (row, column) = (at / columns, at % columns);
                1.0 + (0..inner).map(|k| left[row * inner + k] * right[k * columns + column]).sum::<f32>()
            };
            let expected: Vec<f32> = (0..rows * columns).map(product).collect();
            let (left, right) = (View::of_rows(&left, inner), View::of_rows(&right, columns));

            let mut sums = vec![1.0; rows * columns];
            Packed::new(right).side().multiply_add(left, &mut sums, columns, &mut Vec::new());
            assert_eq!(sums, expected, "{:?}", Arch::new());

            let (mut sums, mut packed) = (vec![1.0; rows * columns], Packed::default());
            Pack { matrix: right, packed: &mut packed }.with_simd(Scalar);
            let scratch = &mut Vec::new();
            MultiplyAdd { left, right: packed.side(), sums: &mut sums, stride: columns, scratch }
                .with_simd(Scalar);
            assert_eq!(sums, expected, "scalar");
        }
    }
}
