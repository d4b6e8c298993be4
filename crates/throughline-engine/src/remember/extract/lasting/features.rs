//! A sentence as the weights know it: its words and what stands beside what, with values replaced by how they are written,
//! so that `7410` and `8443` are one word and what is said about them counts; and what it means as a whole, for words that
//! no labelled line had.

use crate::remember::consolidate::weigh;
use crate::remember::shape::{self, Shape};

/// How many weights there are for words; what two of them share, they share.
const WORDS: usize = 1 << 14;
/// How many weights a kind of statement has.
pub const WIDTH: usize = WORDS + weigh::WHOLE;

/// The places of a sentence's features among the weights, each once, and how much of each it has.
pub fn features(text: &str) -> Vec<(u32, f32)> {
    let whole = (WORDS as u32..).zip(weigh::whole(text));
    words(text).into_iter().map(|place| (place, 1.0)).chain(whole).collect()
}

fn words(text: &str) -> Vec<u32> {
    let tokens = tokens(text);
    let token = |at: usize| tokens.get(at).map_or("", String::as_str);
    let mut places = vec![place(&["length", LENGTHS[(tokens.len() / 4).min(LENGTHS.len() - 1)]])];
    for at in 0..tokens.len() {
        places.push(place(&["one", token(at)]));
        if at > 0 {
            places.push(place(&["two", token(at - 1), token(at)]));
        }
        if at > 1 {
            places.push(place(&["three", token(at - 2), token(at - 1), token(at)]));
        }
    }
    for (at, name) in ["first", "second", "third"].into_iter().enumerate().take(tokens.len()) {
        places.push(place(&[name, token(at)]));
    }
    places.push(place(&["begin", token(0), token(1)]));
    places.push(place(&["end", tokens.last().map_or("", String::as_str)]));
    places.sort_unstable();
    places.dedup();
    places
}

const LENGTHS: [&str; 7] = ["0", "4", "8", "12", "16", "20", "24"];

/// FNV-1a over the parts, each with an end.
fn place(parts: &[&str]) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    (hash ^ (hash >> 15)) % WORDS as u32
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens = vec![];
    for (at, raw) in text.split_whitespace().enumerate() {
        let bare = shape::bare(raw);
        let sign = raw.chars().last().filter(|c| ",;:!?".contains(*c));
        if let Some(token) = token(bare, at == 0) {
            tokens.push(token);
        }
        tokens.extend(sign.map(String::from));
    }
    tokens
}

fn token(bare: &str, is_first: bool) -> Option<String> {
    if let Some(shape) = Shape::of(bare) {
        return Some(format!("<{shape:?}>"));
    }
    if !is_first && shape::is_capital(bare) {
        return Some("<Name>".to_owned());
    }
    let word = bare.replace('’', "'").to_lowercase();
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::{tokens, words};

    #[test]
    fn values_are_known_by_how_they_are_written() {
        let read = |text: &str| tokens(text).join(" ");
        assert_eq!(
            read("Dispatcher answers on 7410, ask Ilse"),
            "dispatcher answers on <Number> , ask <Name>"
        );
        assert_eq!(read("set GEO_TOKEN to v1.2 in #ops"), "set <Variable> to <Address> in <Channel>");
        assert_eq!(read("run it with --dry-run at 02:30"), "run it with <Flag> at <Time>");
    }

    #[test]
    fn another_value_is_the_same_sentence() {
        assert_eq!(words("the port is 7410 now"), words("the port is 8443 now"));
        assert_ne!(words("the port is 7410 now"), words("is the port 7410 now"));
    }
}
