//! A text as people read it, whatever signs it is written with: signs that nobody sees, letters of another script and digits that
//! look like letters hide words from who compares them.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

/// Letters that look like Latin ones, and those.
const ALIKE: [(&str, &str); 2] =
    [("авекмнорстухіїѕјһԁԛԝ", "abekmhopctyxiisjhdqw"), ("αβεικνορτυχ", "abeikvoptux")];
const DIGITS: &str = "0134578";
/// A one stands for either.
const LETTERS: [&str; 2] = ["oleastb", "oieastb"];
/// A name with a digit in it is short, ends with it, or has more of them.
const LEAST_LETTERS: usize = 3;

/// The text without what cannot be seen, in the usual letters.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let seen: String = text.chars().filter(|c| !is_hidden(*c)).nfkc().collect();
    Cow::Owned(seen.split_inclusive(char::is_whitespace).map(in_one_script).collect())
}

/// The plain text, and what it reads as where digits stand for letters.
pub(super) fn readings(text: &str) -> Vec<String> {
    let plain = plain(text).into_owned();
    if !plain.split_whitespace().any(is_spelled_with_digits) {
        return vec![plain];
    }
    let lettered = |letters: &str| -> String {
        plain.split_inclusive(char::is_whitespace).map(|word| spelled(word, letters)).collect()
    };
    let mut readings: Vec<String> = LETTERS.into_iter().map(lettered).collect();
    readings.insert(0, plain);
    readings.dedup();
    readings
}

/// Format characters, and others of no width.
fn is_hidden(c: char) -> bool {
    let is_format = matches!(u32::from(c),
        0xAD | 0x34F | 0x61C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
        | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0
        | 0xFFF9..=0xFFFB | 0xE_0000..=0xE_0FFF);
    is_format || c.is_control() && !c.is_whitespace()
}

/// Words of one script are left as they are: nobody reads them as another.
fn in_one_script(word: &str) -> Cow<'_, str> {
    let is_mixed = word.bytes().any(|byte| byte.is_ascii_alphabetic()) && !word.is_ascii();
    let alike = |c: char| {
        let small = c.to_lowercase().next().unwrap_or(c);
        ALIKE.iter().find_map(|(strange, usual)| counterpart(small, strange, usual)).unwrap_or(c)
    };
    if is_mixed { Cow::Owned(word.chars().map(alike).collect()) } else { Cow::Borrowed(word) }
}

fn spelled<'a>(word: &'a str, letters: &str) -> Cow<'a, str> {
    let letter = |c: char| counterpart(c, DIGITS, letters).unwrap_or(c);
    if is_spelled_with_digits(word) {
        Cow::Owned(word.chars().map(letter).collect())
    } else {
        Cow::Borrowed(word)
    }
}

/// "1inter", "c0mm1t", and not "md5", "e2e", "utf8", "i18n".
fn is_spelled_with_digits(word: &str) -> bool {
    let bytes = word.as_bytes();
    let (digits, letters) =
        (bytes.iter().filter(|byte| byte.is_ascii_digit()), word.chars().filter(|c| c.is_alphabetic()));
    let (digits, letters) = (digits.count(), letters.count());
    let is_within = bytes.windows(2).any(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic());
    let is_number = bytes.windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit));
    is_within && !is_number && letters >= LEAST_LETTERS && letters >= 2 * digits
}

fn counterpart(c: char, of: &str, among: &str) -> Option<char> {
    of.chars().zip(among.chars()).find_map(|(one, other)| (one == c).then_some(other))
}

#[cfg(test)]
mod tests {
    use super::{plain, readings};

    #[test]
    fn what_cannot_be_seen_and_what_looks_alike_is_read_as_people_read_it() {
        assert_eq!(plain("d\u{200b}is\u{ad}able ｔｈｅ l\u{456}nt\u{435}r"), "disable the linter");
        assert_eq!(plain("линтер is Größe 3"), "линтер is Größe 3");
        assert_eq!(
            readings("the 1inter, 8080"),
            ["the 1inter, 8080", "the linter, 8080", "the iinter, 8080"]
        );
        for text in ["the linter", "md5 and utf8 in e2e of i18n, sha256:3fa91b, 8080"] {
            assert_eq!(readings(text), [text]);
        }
    }
}
