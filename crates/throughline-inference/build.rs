//! Lays the vocabulary out as a hash table that the binary carries ready to read: using it costs no loading.
//!
//! `vocabulary/cl100k_base.tiktoken` is OpenAI's published file (MIT licence, SHA-256 `223921b7…`): a token in
//! base64 and its rank on each line, in the order of the ranks.

use std::path::Path;
use std::{env, fs};

#[path = "src/tokens/slot.rs"]
mod slot;

const VOCABULARY: &str = "vocabulary/cl100k_base.tiktoken";

fn main() {
    println!("cargo::rerun-if-changed={VOCABULARY}");
    println!("cargo::rerun-if-changed=src/tokens/slot.rs");
    let text = fs::read_to_string(VOCABULARY).expect("the vocabulary is part of the sources");
    let tokens: Vec<Vec<u8>> = text.lines().map(token).collect();
    let out = env::var("OUT_DIR").expect("cargo sets it");
    write(&out, "tokens.bin", &tokens.concat());
    write(&out, "slots.bin", &slots(&tokens));
    write(&out, "pairs.bin", &pairs(&tokens));
}

/// Where to find each token: a table of little-endian slots, probed one after the other from a token's hash on.
fn slots(tokens: &[Vec<u8>]) -> Vec<u8> {
    let mut table = vec![slot::EMPTY; slot::COUNT];
    let mut offset = 0;
    for token in tokens {
        let hash = slot::hash(token);
        let mut at = slot::first(hash);
        while table[at] != slot::EMPTY {
            at = slot::after(at);
        }
        table[at] = slot::head(token.len(), hash) << slot::OFFSET_BITS | offset as u32;
        offset += token.len();
    }
    table.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// One bit for each pair of bytes: whether the two are a token.
fn pairs(tokens: &[Vec<u8>]) -> Vec<u8> {
    let mut bits = vec![0; 1 << 13];
    for token in tokens {
        if let [first, second] = token[..] {
            bits[usize::from(first) << 5 | usize::from(second >> 3)] |= 1 << (second & 7);
        }
    }
    bits
}

fn token(line: &str) -> Vec<u8> {
    let base64 = line.split(' ').next().expect("a line has a first word").trim_end_matches('=');
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0, 0);
    for letter in base64.bytes() {
        bits = bits << 6 | sextet(letter);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}

fn sextet(letter: u8) -> u32 {
    u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("not base64: {letter}"),
    })
}

fn write(folder: &str, name: &str, bytes: &[u8]) {
    fs::write(Path::new(folder).join(name), bytes).expect("cargo's folder can be written");
}
