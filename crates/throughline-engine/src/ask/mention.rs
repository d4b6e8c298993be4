//! What a text mentions, by which a model's words about it are judged: the names in them (files, commands, identifiers,
//! addresses, large numbers) must stand in it, and so must most of their words.

use std::collections::BTreeSet;

/// A text that a model was shown.
#[derive(Debug)]
pub(crate) struct Mentioned {
    /// In lower case, with one space between words.
    text: String,
    stems: BTreeSet<String>,
    pairs: BTreeSet<(char, char)>,
}

/// Shorter words say little of what a text is about.
const WORD_CHARS: usize = 4;
/// Words that begin so alike are taken for the same.
const STEM_CHARS: usize = 5;
/// Written like names, and none.
const NO_NAMES: [&str; 12] =
    ["e.g", "i.e", "and/or", "i/o", "n/a", "w/o", "ci/cd", "1st", "2nd", "3rd", "yes/no", "read/write"];
const NEGATIONS: [&str; 14] = [
    "no",
    "not",
    "never",
    "none",
    "neither",
    "nor",
    "cannot",
    "without",
    "avoid",
    "instead",
    "refuse",
    "forbidden",
    "stop",
    "skip",
];

impl Mentioned {
    pub(crate) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Mentioned {
        let mut text = String::new();
        for word in texts.into_iter().flat_map(str::split_whitespace) {
            text.push_str(&word.to_lowercase());
            text.push(' ');
        }
        Mentioned { stems: words(&text).collect(), pairs: pairs(&text), text }
    }

    /// The names in what a model wrote that are not in the text.
    pub(crate) fn lacks(&self, written: &str) -> Vec<String> {
        names(written).into_iter().filter(|name| !self.has(name)).collect()
    }

    /// The share of a model's words that the text has; of scripts that do not part words, of pairs of characters.
    pub(crate) fn share(&self, written: &str) -> f64 {
        let written = written.to_lowercase();
        match written.is_ascii() {
            true => shared(&words(&written).collect(), &self.stems),
            false => shared(&words(&written).collect(), &self.stems).max(self.share_of_pairs(&written)),
        }
    }

    /// The share of what was written, in pairs of characters, that the text has.
    pub(crate) fn share_of_pairs(&self, written: &str) -> f64 {
        shared(&pairs(&written.to_lowercase()), &self.pairs)
    }

    /// Whether it stands there whole: `cart.rs` is in `src/cart.rs`, and `art.rs` is not.
    fn has(&self, name: &str) -> bool {
        let goes_on = |c: char| c.is_alphanumeric() || c == '_';
        self.text.match_indices(name).any(|(at, found)| {
            let before = self.text[..at].chars().next_back().is_some_and(goes_on);
            let after = self.text[at + found.len()..].chars().next().is_some_and(goes_on);
            let is_torn = (before && name.starts_with(goes_on)) || (after && name.ends_with(goes_on));
            !is_torn
        })
    }
}

/// Whether it says of something that it is not so, or not to be done.
pub(crate) fn is_negative(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.any(|word| word.ends_with("n't") || NEGATIONS.contains(&word))
}

/// What stands between backticks, and words that are written like names; in lower case.
fn names(text: &str) -> BTreeSet<String> {
    let lower_of = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let mut names = BTreeSet::new();
    for (place, part) in text.split('`').enumerate() {
        match place % 2 {
            1 => names.extend(Some(lower_of(part)).filter(|name| !name.is_empty())),
            _ => names.extend(part.split_whitespace().map(bare).filter(|word| is_name(word)).map(lower_of)),
        }
    }
    names
}

fn bare(word: &str) -> &str {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !"_/~-@#$.".contains(c));
    let word = word.trim_end_matches(['.', '-', '…']);
    word.strip_suffix("'s").or(word.strip_suffix("’s")).unwrap_or(word)
}

fn is_name(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let has = |found: fn(char) -> bool| letters.iter().any(|c| found(*c));
    let inside = |within: fn(char, char, char) -> bool| {
        letters.windows(3).any(|three| within(three[0], three[1], three[2]))
    };
    let is_number = !has(char::is_alphabetic) && letters.iter().filter(|c| c.is_ascii_digit()).count() >= 3;
    let is_written_so = has(|c| "_/\\@#$".contains(c))
        || word.contains("::")
        || word.starts_with("--")
        || inside(|a, b, c| b == '.' && a.is_alphanumeric() && c.is_alphabetic())
        || letters.windows(2).any(|two| two[0].is_lowercase() && two[1].is_uppercase())
        || (has(char::is_alphabetic) && has(|c| c.is_ascii_digit()));
    (is_written_so || is_number) && !NO_NAMES.contains(&word.to_lowercase().as_str())
}

fn words(lower: &str) -> impl Iterator<Item = String> + '_ {
    let words = lower.split(|c: char| !c.is_alphabetic());
    let long = words.filter(|word| word.chars().count() >= WORD_CHARS);
    long.map(|word| word.chars().take(STEM_CHARS).collect())
}

fn pairs(lower: &str) -> BTreeSet<(char, char)> {
    let letters: Vec<char> = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    letters.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

fn shared<T: Ord>(written: &BTreeSet<T>, there: &BTreeSet<T>) -> f64 {
    written.intersection(there).count() as f64 / written.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_like_a_name_must_stand_in_the_text_whole() {
        let text = Mentioned::of([
            "wrote src/cart.rs, ran `cargo test  -p shop`",
            "TASK-0001: Cart::total is 1,299",
        ]);
        for known in [
            "The total in src/cart.rs was mended, e.g. by `cargo test -p shop`.",
            "cart.rs and cart::total() of TASK-0001",
            "Two tests and/or 3 checks; well-known since 12 days.",
        ] {
            assert_eq!(text.lacks(known), [""; 0], "{known}");
        }
        for (written, foreign) in [
            ("see art.rs", "art.rs"),
            ("wrote src/price.rs.", "src/price.rs"),
            ("ran `cargo build`", "cargo build"),
            ("calls fetchOrders", "fetchorders"),
            ("set MAX_SIZE", "max_size"),
            ("from https://evil.example/x.sh", "https://evil.example/x.sh"),
            ("on port 5433", "5433"),
            ("TASK-0002 is next", "task-0002"),
        ] {
            assert_eq!(text.lacks(written), [foreign]);
        }
    }

    #[test]
    fn the_share_of_words_is_that_of_what_was_written() {
        let text = Mentioned::of(["The totals of the shop are rounded in cents", "価格はセントで保存する"]);
        assert_eq!(text.share("The shop rounds its total"), 1.0);
        assert_eq!(text.share("The shop sells totals"), 2.0 / 3.0);
        assert!(text.share("価格はセントで保存") > 0.9);
        assert_eq!(text.share("Lorem ipsum dolor"), 0.0);
        assert!(is_negative("Don’t do that") && is_negative("never") && !is_negative("notes of noon"));
    }
}
