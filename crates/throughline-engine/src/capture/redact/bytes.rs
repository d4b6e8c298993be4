//! What kind of byte is this? Sets of ASCII characters as bit masks, one table look-up per byte.
//! Knows nothing of secrets.

/// A set of ASCII characters.
#[derive(Clone, Copy)]
pub(super) struct Charset(u16);

const DIGIT_BIT: u16 = 1;
const LOWER_HEX_BIT: u16 = 1 << 1;
const LOWER_REST_BIT: u16 = 1 << 2;
const UPPER_HEX_BIT: u16 = 1 << 3;
const UPPER_REST_BIT: u16 = 1 << 4;
const UNDERSCORE_BIT: u16 = 1 << 5;
const DASH_BIT: u16 = 1 << 6;
const DOT_BIT: u16 = 1 << 7;
const PLUS_SLASH_BIT: u16 = 1 << 8;
const EQUALS_BIT: u16 = 1 << 9;
const PERCENT_BIT: u16 = 1 << 10;
const TILDE_BIT: u16 = 1 << 11;

pub(super) const DIGIT: Charset = Charset(DIGIT_BIT);
pub(super) const HEX: Charset = Charset(DIGIT_BIT | LOWER_HEX_BIT);
pub(super) const ANY_HEX: Charset = Charset(HEX.0 | UPPER_HEX_BIT);
pub(super) const LOWER: Charset = Charset(LOWER_HEX_BIT | LOWER_REST_BIT);
pub(super) const UPPER: Charset = Charset(UPPER_HEX_BIT | UPPER_REST_BIT);
pub(super) const LETTER: Charset = Charset(LOWER.0 | UPPER.0);
pub(super) const LOWER_ALNUM: Charset = Charset(LOWER.0 | DIGIT_BIT);
pub(super) const UPPER_ALNUM: Charset = Charset(UPPER.0 | DIGIT_BIT);
pub(super) const ALNUM: Charset = Charset(LETTER.0 | DIGIT_BIT);
/// `[A-Za-z0-9_]`
pub(super) const WORD: Charset = Charset(ALNUM.0 | UNDERSCORE_BIT);
/// `[A-Za-z0-9_-]`: base64url, and identifiers as written in headers and flags.
pub(super) const WORD_DASH: Charset = Charset(WORD.0 | DASH_BIT);
pub(super) const WORD_DASH_DOT: Charset = Charset(WORD_DASH.0 | DOT_BIT);
pub(super) const ALNUM_DASH: Charset = Charset(ALNUM.0 | DASH_BIT);
pub(super) const UUID: Charset = Charset(ANY_HEX.0 | DASH_BIT);
pub(super) const BASE64: Charset = Charset(ALNUM.0 | PLUS_SLASH_BIT | EQUALS_BIT);
/// Base64 of either alphabet, padded or percent-encoded.
pub(super) const ENCODED: Charset = Charset(BASE64.0 | UNDERSCORE_BIT | DASH_BIT | PERCENT_BIT);
pub(super) const WORD_DASH_EQUALS: Charset = Charset(WORD_DASH.0 | EQUALS_BIT);
pub(super) const WORD_DASH_DOT_TILDE: Charset = Charset(WORD_DASH_DOT.0 | TILDE_BIT);
/// What RFC 6750 allows in a bearer token.
pub(super) const BEARER: Charset = Charset(BASE64.0 | WORD_DASH_DOT_TILDE.0);
/// The path of a webhook URL, which is its secret.
pub(super) const URL_PATH: Charset = Charset(WORD_DASH_DOT.0 | PLUS_SLASH_BIT);
pub(super) const URL_SCHEME: Charset = Charset(ALNUM_DASH.0 | DOT_BIT | PLUS_SLASH_BIT);

impl Charset {
    pub(super) fn has(self, byte: u8) -> bool {
        CLASS[usize::from(byte)] & self.0 != 0
    }

    /// Where the run of these characters that starts at `at` ends, looking at most `limit` bytes ahead.
    pub(super) fn run_end(self, bytes: &[u8], at: usize, limit: usize) -> usize {
        let window = &bytes[at.min(bytes.len())..at.saturating_add(limit).min(bytes.len())];
        at + window.iter().position(|&byte| !self.has(byte)).unwrap_or(window.len())
    }

    /// Where the run of these characters that ends before `at` starts, looking no further back than `floor`.
    pub(super) fn run_start(self, bytes: &[u8], at: usize, floor: usize) -> usize {
        let before = &bytes[floor.min(at)..at];
        at - before.iter().rev().position(|&byte| !self.has(byte)).unwrap_or(before.len())
    }

    pub(super) fn covers(self, text: &str) -> bool {
        text.bytes().all(|byte| self.has(byte))
    }

    pub(super) fn touches(self, text: &str) -> bool {
        text.bytes().any(|byte| self.has(byte))
    }
}

const CLASS: [u16; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        class[byte] = class_of(byte as u8);
        byte += 1;
    }
    class
};

const fn class_of(byte: u8) -> u16 {
    match byte {
        b'0'..=b'9' => DIGIT_BIT,
        b'a'..=b'f' => LOWER_HEX_BIT,
        b'g'..=b'z' => LOWER_REST_BIT,
        b'A'..=b'F' => UPPER_HEX_BIT,
        b'G'..=b'Z' => UPPER_REST_BIT,
        b'_' => UNDERSCORE_BIT,
        b'-' => DASH_BIT,
        b'.' => DOT_BIT,
        b'+' | b'/' => PLUS_SLASH_BIT,
        b'=' => EQUALS_BIT,
        b'%' => PERCENT_BIT,
        b'~' => TILDE_BIT,
        _ => 0,
    }
}
