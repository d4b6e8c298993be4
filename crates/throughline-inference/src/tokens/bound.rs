//! What a text can cost at most, by the shape of its bytes and a table of 8 KB that says which two bytes are a token.
//!
//! Merging ends when no two neighbours are a token together. So where two bytes certainly belong to the same piece
//! and are a token, they cannot both be tokens of their own, and the most tokens are found in one pass over the bytes.

use super::vocabulary;

/// Runs of spaces up to this length are tokens.
const SPACES: usize = 81;
/// What no tokens lead to.
const NEVER: i64 = i64::MIN / 2;

/// Never less than [`count`](super::count), and some three times as fast; about two and a half times as much in
/// prose and code, twice as much in Chinese.
pub fn upper_bound(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut most = Most::after(0);
    let mut at = 0;
    while at < bytes.len() {
        if let Some((length, tokens)) = whole_pieces(bytes, at) {
            most = Most::after(most.tokens + tokens as i64);
            at += length;
            continue;
        }
        let pair = at > 0 && vocabulary::is_pair(bytes[at - 1], bytes[at]);
        most.add_byte(pair, pair && same_piece(bytes, at));
        at += 1;
    }
    most.tokens as u64
}

/// The most tokens of what was read.
struct Most {
    tokens: i64,
    /// Of all but the last two bytes; of all but the last.
    before: [i64; 2],
    /// If the last token has two bytes or more.
    longer: i64,
}

impl Most {
    /// At the end of a piece.
    fn after(tokens: i64) -> Most {
        Most { tokens, before: [NEVER; 2], longer: NEVER }
    }

    fn add_byte(&mut self, pair: bool, merges: bool) {
        let single = 1 + if merges { self.longer } else { self.tokens };
        // Three bytes or more may be a token; two only if the table says so.
        let [two_back, one_back] = self.before;
        self.longer = self.longer.max(1 + if pair { one_back } else { two_back });
        self.before = [one_back, self.tokens];
        self.tokens = self.tokens.max(single).max(self.longer);
    }
}

/// The length and tokens of what is split off whatever stands around it.
fn whole_pieces(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    match bytes[at] {
        b'0'..=b'9' => digits(bytes, at),
        b' ' => indentation(bytes, at),
        _ => None,
    }
}

/// A whole number: each three digits are a piece, and a token.
fn digits(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    // Beyond ASCII there are numbers too, which would count among the three.
    let before = at == 0 || (bytes[at - 1].is_ascii() && !bytes[at - 1].is_ascii_digit());
    if !before {
        return None;
    }
    let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after = bytes.get(at + length).is_none_or(u8::is_ascii);
    after.then_some((length, length.div_ceil(3)))
}

/// A run of spaces without the last, which belongs to what follows.
fn indentation(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    if bytes.get(at + 1) != Some(&b' ') {
        return None;
    }
    let before = at == 0 || bytes[at - 1] == b'\n' || (bytes[at - 1].is_ascii() && !is_space(bytes[at - 1]));
    if !before {
        return None;
    }
    let length = bytes[at..].iter().take(SPACES + 2).take_while(|byte| **byte == b' ').count();
    let after = bytes.get(at + length).is_some_and(|byte| byte.is_ascii() && !is_space(*byte));
    (after && length <= SPACES + 1).then_some((length - 1, 1))
}

/// Whether the byte is certainly in the piece of the byte before it.
fn same_piece(bytes: &[u8], at: usize) -> bool {
    let (before, byte) = (CLASSES[usize::from(bytes[at - 1])], CLASSES[usize::from(bytes[at])]);
    match (before, byte) {
        (Class::Letter, Class::Letter) => !contracted(bytes, at),
        // The last space belongs to what follows.
        (Class::Space | Class::Tab, Class::Space | Class::Tab) => {
            bytes.get(at + 1).is_none_or(|after| is_space(*after))
        }
        (_, Class::Continued)
        | (Class::Space | Class::Tab, Class::Letter)
        | (Class::Space | Class::Mark, Class::Mark)
        | (Class::Space | Class::Tab | Class::Mark | Class::Break, Class::Break) => true,
        _ => false,
    }
}

/// Whether a contraction like `'s` or `'ll` may end before the letter.
fn contracted(bytes: &[u8], at: usize) -> bool {
    bytes[at - 1] == b'\'' || (at > 1 && bytes[at - 2] == b'\'') || (at > 2 && bytes[at - 3] == b'\'')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

#[derive(Clone, Copy)]
enum Class {
    Letter,
    Mark,
    Space,
    Tab,
    Break,
    /// A later byte of a character beyond ASCII.
    Continued,
    Other,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = class(byte as u8);
        byte += 1;
    }
    classes
};

const fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
        b' ' => Class::Space,
        b'\t' => Class::Tab,
        b'\r' | b'\n' => Class::Break,
        b'0'..=b'9' | b'\x0B' | b'\x0C' | 0xC0..=0xFF => Class::Other,
        0x80..=0xBF => Class::Continued,
        0..=0x7F => Class::Mark,
    }
}
