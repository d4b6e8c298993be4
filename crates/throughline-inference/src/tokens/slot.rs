//! How the table of tokens is laid out: shared by the build script that writes it and the lookup that reads it.

/// One slot in four stays empty, so that a miss ends soon.
pub(crate) const COUNT: usize = 1 << 17;
pub(crate) const EMPTY: u32 = u32::MAX;
/// A slot's lower bits say where the token lies, the upper ones are its [`head`].
pub(crate) const OFFSET_BITS: u32 = 20;
const LENGTH_BITS: u32 = 7;

/// The length and a few bits of the hash, which spare most comparisons with the wrong token.
pub(crate) fn head(length: usize, hash: u32) -> u32 {
    (length as u32 - 1) | hash >> (OFFSET_BITS + LENGTH_BITS) << LENGTH_BITS
}

pub(crate) fn first(hash: u32) -> usize {
    hash as usize & (COUNT - 1)
}

pub(crate) fn after(at: usize) -> usize {
    (at + 1) & (COUNT - 1)
}

pub(crate) fn hash(bytes: &[u8]) -> u32 {
    let mut mixed = bytes.len() as u64;
    let mut mix = |word: u64| {
        mixed = (mixed ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^= mixed >> 32;
    };
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        mix(u64::from_le_bytes(*first));
        bytes[8..].as_chunks::<8>().0.iter().for_each(|chunk| mix(u64::from_le_bytes(*chunk)));
        mix(u64::from_le_bytes(*last));
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        mix(u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last)));
    } else if let [first, .., last] = bytes {
        mix(u64::from(*first) << 16 | u64::from(bytes[1]) << 8 | u64::from(*last));
    } else if let [only] = bytes {
        mix(u64::from(*only));
    }
    mixed as u32
}
