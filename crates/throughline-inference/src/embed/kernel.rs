//! The arithmetic of vectors: a byte for each dimension, signs, and many of them compared at once.
//!
//! The loops are plain and the compiler makes them wide; on x86-64 they are compiled a second time for processors
//! of the last ten years, which is worth a factor of three to five, and chosen when the program runs.

use std::collections::BinaryHeap;

/// A vector as signed bytes, in the form that pages keep them, and what a byte's unit is worth. The scale is zero
/// when the vector is.
pub fn quantise(dimensions: &[f32]) -> (f32, Vec<u8>) {
    let largest = dimensions.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    if largest <= 0.0 || !largest.is_finite() {
        return (0.0, vec![0; dimensions.len()]);
    }
    let scale = largest / 127.0;
    (scale, dimensions.iter().map(|x| (x / scale).round() as i8 as u8).collect())
}

/// A bit for each dimension: whether it is positive.
pub fn signs(bytes: &[u8]) -> Vec<u8> {
    let byte = |eight: &[u8]| {
        (0..8).fold(0, |bits, i| bits | u8::from(eight.get(i).is_some_and(|x| *x as i8 > 0)) << i)
    };
    bytes.chunks(8).map(byte).collect()
}

pub fn dot(a: &[u8], b: &[u8]) -> i32 {
    wide::dot(a, b)
}

/// The documents whose signs differ least from a query's, of all that were looked at.
#[derive(Debug)]
pub struct Nearest {
    count: usize,
    /// The worst of the kept ones first.
    kept: BinaryHeap<(u32, i64)>,
    distances: Vec<u32>,
}

impl Nearest {
    pub fn new(count: usize) -> Nearest {
        Nearest { count, kept: BinaryHeap::new(), distances: vec![] }
    }

    /// Looks at the codes of the documents `first`, `first + 1`, …; an empty code is no document.
    pub fn look(&mut self, first: i64, codes: &[u8], query: &[u8], wanted: &mut impl FnMut(i64) -> bool) {
        self.distances.clear();
        wide::distances(codes, query, &mut self.distances);
        for (number, distance) in (first..).zip(&self.distances) {
            let near =
                self.kept.len() < self.count || self.kept.peek().is_some_and(|worst| *distance < worst.0);
            if near && *distance != NOTHING && wanted(number) {
                self.kept.push((*distance, number));
                if self.kept.len() > self.count {
                    self.kept.pop();
                }
            }
        }
    }

    /// In the order of their numbers.
    pub fn into_numbers(self) -> Vec<i64> {
        let mut numbers: Vec<i64> = self.kept.into_iter().map(|(_, number)| number).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// The distance to what is not there.
const NOTHING: u32 = u32::MAX;

#[inline(always)]
fn dot_loop(a: &[u8], b: &[u8]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(i16::from(*a as i8) * i16::from(*b as i8))).sum()
}

#[inline(always)]
fn distances_loop(codes: &[u8], query: &[u8], out: &mut Vec<u32>) {
    if query.is_empty() {
        return;
    }
    if let Ok(query) = <&[u8; 32]>::try_from(query) {
        // The table inside the binary: a length that is known makes the loop straight.
        out.extend(codes.chunks_exact(32).map(|code| distance(code, query)));
    } else {
        out.extend(codes.chunks_exact(query.len()).map(|code| distance(code, query)));
    }
}

#[inline(always)]
fn distance(code: &[u8], query: &[u8]) -> u32 {
    let (words, rest) = code.as_chunks::<8>();
    let (query_words, query_rest) = query.as_chunks::<8>();
    let mut any = 0;
    let mut differing = 0;
    for (a, b) in words.iter().zip(query_words) {
        let (a, b) = (u64::from_le_bytes(*a), u64::from_le_bytes(*b));
        any |= a;
        differing += (a ^ b).count_ones();
    }
    for (a, b) in rest.iter().zip(query_rest) {
        any |= u64::from(*a);
        differing += (a ^ b).count_ones();
    }
    if any == 0 { NOTHING } else { differing }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    #[expect(unsafe_code, reason = "the features that the function is compiled for are there: just asked")]
    pub(super) fn dot(a: &[u8], b: &[u8]) -> i32 {
        if is_x86_feature_detected!("avx2") { unsafe { dot_avx2(a, b) } } else { super::dot_loop(a, b) }
    }

    #[expect(unsafe_code, reason = "the features that the function is compiled for are there: just asked")]
    pub(super) fn distances(codes: &[u8], query: &[u8], out: &mut Vec<u32>) {
        if is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("avx2") {
            unsafe { distances_avx2(codes, query, out) }
        } else {
            super::distances_loop(codes, query, out);
        }
    }

    #[target_feature(enable = "avx2")]
    fn dot_avx2(a: &[u8], b: &[u8]) -> i32 {
        super::dot_loop(a, b)
    }

    #[target_feature(enable = "avx2,popcnt")]
    fn distances_avx2(codes: &[u8], query: &[u8], out: &mut Vec<u32>) {
        super::distances_loop(codes, query, out);
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod wide {
    pub(super) use super::{distances_loop as distances, dot_loop as dot};
}

#[cfg(test)]
mod tests {
    use super::{Nearest, dot, quantise, signs};

    #[test]
    fn bytes_keep_the_cosine() {
        let a: Vec<f32> = (0..256).map(|i| ((i * 37 % 101) as f32 - 50.0) / 500.0).collect();
        let b: Vec<f32> = (0..256).map(|i| ((i * 53 % 97) as f32 - 48.0) / 500.0).collect();
        let exact: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        let ((scale_a, a), (scale_b, b)) = (quantise(&a), quantise(&b));
        let near = dot(&a, &b) as f32 * scale_a * scale_b;
        assert!((exact - near).abs() < 0.002, "{exact} {near}");
        assert_eq!(dot(&[0x80; 300], &[0x80; 300]), 300 * 128 * 128);
    }

    #[test]
    fn nothing_has_no_scale() {
        for nothing in [&[0.0; 8][..], &[f32::NAN; 8], &[f32::INFINITY; 8], &[]] {
            assert_eq!(quantise(nothing).0, 0.0, "{nothing:?}");
        }
    }

    #[test]
    fn the_nearest_signs_are_kept_and_what_is_not_there_is_passed_over() {
        for dimensions in [256, 384, 20] {
            let code = |flipped: usize| {
                signs(&(0..dimensions).map(|i| if i < flipped { 1 } else { 0xFF }).collect::<Vec<u8>>())
            };
            let query = code(dimensions);
            let codes: Vec<u8> = [3, 9, 0, 7, 12].into_iter().flat_map(code).collect();
            let mut nearest = Nearest::new(2);
            nearest.look(100, &codes, &query, &mut |number| number != 104);
            assert_eq!(nearest.into_numbers(), [101, 103], "{dimensions}");
        }
    }
}
