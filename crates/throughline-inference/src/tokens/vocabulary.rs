//! Which byte sequences are tokens of `cl100k_base`, read in place from the binary.

use super::slot;

/// No token is longer.
pub(super) const LONGEST: usize = 128;

static TOKENS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens.bin"));
static SLOTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/slots.bin"));
static PAIRS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/pairs.bin"));

/// The order in which a token is merged, if the bytes are one: the smaller the earlier.
pub(super) fn rank(bytes: &[u8]) -> Option<u32> {
    if bytes.is_empty() || bytes.len() > LONGEST {
        return None;
    }
    let hash = slot::hash(bytes);
    let head = slot::head(bytes.len(), hash);
    let mut at = slot::first(hash);
    loop {
        let found = slot_at(at);
        if found == slot::EMPTY {
            return None;
        }
        // Tokens lie in the order of their ranks, so that the offset tells the order too.
        let offset = found & ((1 << slot::OFFSET_BITS) - 1);
        if found >> slot::OFFSET_BITS == head && TOKENS[offset as usize..].starts_with(bytes) {
            return Some(offset);
        }
        at = slot::after(at);
    }
}

/// Whether two bytes are a token, from a table so small that asking needs no vocabulary.
pub(super) fn is_pair(first: u8, second: u8) -> bool {
    PAIRS[usize::from(first) << 5 | usize::from(second >> 3)] >> (second & 7) & 1 == 1
}

fn slot_at(at: usize) -> u32 {
    let bytes = &SLOTS[at * 4..at * 4 + 4];
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}
