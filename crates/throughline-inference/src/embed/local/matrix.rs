//! Products of matrices, with the widest vector instructions this processor has.

use pulp::{Arch, Simd, WithSimd, bytemuck};

/// Vectors of columns that are worked on together. Times the rows, they are the sums that registers must hold.
const VECTORS: usize = 2;

/// A matrix that lies in memory with any distance between rows and between columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) values: &'a [f32],
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) row_stride: usize,
    pub(super) column_stride: usize,
}

impl<'a> View<'a> {
    pub(super) fn transposed(self) -> View<'a> {
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
pub(super) struct Packed {
    rows: usize,
    columns: usize,
    panel_columns: usize,
    values: Vec<f32>,
}

impl Packed {
    pub(super) fn new(matrix: View<'_>) -> Packed {
        let mut packed = Packed::default();
        packed.fill(matrix);
        packed
    }

    /// As `new`, in the memory that is already there.
    pub(super) fn fill(&mut self, matrix: View<'_>) {
        Arch::new().dispatch(Pack { matrix, packed: self });
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Adds `left * self` to `sums`, whose rows are `stride` apart. `scratch` is memory to reuse.
    pub(super) fn multiply_add(
        &self,
        left: View<'_>,
        sums: &mut [f32],
        stride: usize,
        scratch: &mut Vec<f32>,
    ) {
        Arch::new().dispatch(MultiplyAdd { left, right: self, sums, stride, scratch });
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
    right: &'a Packed,
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
        // A panel stays in the cache while all rows pass by it.
        for (panel, values) in right.values.chunks_exact(right.panel_columns * right.rows).enumerate() {
            let first = panel * right.panel_columns;
            let columns = right.panel_columns.min(right.columns - first);
            let (vectors, _) = S::as_simd_f32s(values);
            for (block, rows) in scratch.chunks_exact(ROWS * right.rows).enumerate() {
                let products = products::<S, ROWS>(simd, rows, vectors);
                let used = ROWS.min(left.rows - block * ROWS);
                for (row, products) in products[..used].iter().enumerate() {
                    let sums = &mut sums[(block * ROWS + row) * stride + first..][..columns];
                    let products: &[f32] = bytemuck::cast_slice(products);
                    for (sum, product) in sums.iter_mut().zip(products) {
                        *sum += product;
                    }
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

    fn view(values: &[f32], rows: usize, columns: usize) -> View<'_> {
        View { values, rows, columns, row_stride: columns, column_stride: 1 }
    }

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
            let (left, right) = (view(&left, rows, inner), view(&right, inner, columns));

            let mut sums = vec![1.0; rows * columns];
            Packed::new(right).multiply_add(left, &mut sums, columns, &mut Vec::new());
            assert_eq!(sums, expected, "{:?}", Arch::new());

            let (mut sums, mut packed) = (vec![1.0; rows * columns], Packed::default());
            Pack { matrix: right, packed: &mut packed }.with_simd(Scalar);
            let scratch = &mut Vec::new();
            MultiplyAdd { left, right: &packed, sums: &mut sums, stride: columns, scratch }.with_simd(Scalar);
            assert_eq!(sums, expected, "scalar");
        }
    }
}
