//! What a statement says beyond one that it repeats: "…, with the package as the scope", "… and takes about 40 minutes".

use std::collections::BTreeSet;

use super::number::is_number;
use super::reading::Reading;
use crate::words::is_in;

/// A part that may tell more begins behind these.
const PARTING: [&str; 6] = [", ", "; ", " and ", " with ", " - ", " – "];
/// And behind these, where it names something.
const PLACING: [&str; 9] =
    [" in ", " on ", " at ", " by ", " under ", " from ", " as ", " after ", " before "];
/// Why it is so, what else would be, and what is asked for now tell no more of it.
const NOT_MORE: &str = "because since as so otherwise or for please can could would let's thanks";
/// Said of anything.
const EMPTY: &str = "exception exceptions always never ever again anyway btw fyi note please remember thank way thing project team repo \
    everyone everything everybody everywhere place time period stop people person work use used using day";
/// What is only denied is no more than what is said.
const DENYING: &str = "not no never don't nor";
/// What does not hold always is told more exactly.
const EXCEPTING: &str = "except excepted excepting exempt unless aside only";
/// Fewer words before it say nothing.
const FEW: usize = 3;

/// Whether it surely tells more than a known statement of which it has all words: one more number, an exception, or the same
/// words from the beginning and others behind them.
pub(super) fn surely_tells_more(known: &Reading, new: &Reading) -> bool {
    let numbers = |reading: &Reading| reading.words.iter().filter(|word| is_number(word)).count();
    let is_excepted = |reading: &Reading| reading.words.iter().any(|word| is_in(EXCEPTING, word));
    // What holds is told better without what was before it.
    let tells_outcome = known.is_change && !new.is_change;
    tells_outcome
        || numbers(new) > numbers(known)
        || is_excepted(new) && !is_excepted(known)
        || new.words.len() > known.words.len() && new.words.starts_with(&known.words)
}

/// A statement as two: what was said of a known one before, and what it tells besides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Parted<'a> {
    pub(super) head: &'a str,
    pub(super) more: &'a str,
}

/// The statement parted before each end that tells something that was not said of a known one; the longest head first.
pub(super) fn parted<'a>(new: &'a str, said: &[&str]) -> Vec<Parted<'a>> {
    let known: BTreeSet<String> = said.iter().flat_map(|words| stems(words)).collect();
    let least = said.first().map_or(0, |words| stems(words).len().div_ceil(2));
    let places = |signs: &'static [&'static str]| {
        signs.iter().flat_map(|sign| new.match_indices(sign).map(|(at, sign)| (at, at + sign.len())))
    };
    let tells = |tail: &str| !begins_otherwise(tail) && stems(tail).iter().any(|stem| !known.contains(stem));
    let parts = places(&PARTING).filter(|(_, tail)| tells(&new[*tail..]));
    let places = places(&PLACING).filter(|(_, tail)| tells(&new[*tail..]) && names(&new[*tail..], &known));
    let mut ends: Vec<(usize, usize)> = parts.chain(places).collect();
    ends.sort_unstable_by(|one, other| other.cmp(one));
    ends.dedup_by_key(|(end, _)| *end);
    let parted = ends.into_iter().map(|(end, tail)| Parted {
        head: new[..end].trim_end_matches([',', ';', ' ']),
        more: new[tail..].trim(),
    });
    parted.filter(|of| of.head.split_whitespace().count() >= FEW && stems(of.head).len() >= least).collect()
}

fn stems(text: &str) -> BTreeSet<String> {
    let reading = Reading::of(text);
    let said = reading.content.into_iter().chain(reading.rejected);
    said.filter(|stem| !is_in(EMPTY, stem)).collect()
}

fn begins_otherwise(tail: &str) -> bool {
    let first = tail.split_whitespace().next().unwrap_or_default().to_lowercase();
    is_in(NOT_MORE, &first) || is_in(DENYING, &first)
}

/// Among its words is a number or a name that was not said.
fn names(tail: &str, known: &BTreeSet<String>) -> bool {
    let bare = |word: &'_ str| word.trim_end_matches(['.', ',', ';', '!']).to_owned();
    tail.split_whitespace().map(bare).any(|word| {
        let is_name = word.contains(|c: char| c.is_ascii_digit() || "/_-.`".contains(c)) && word.len() > 2
            || word.starts_with(char::is_uppercase);
        is_name && stems(&word).iter().any(|stem| !known.contains(stem))
    })
}

#[cfg(test)]
mod tests {
    use super::parted;

    #[test]
    fn what_tells_more_is_at_the_end() {
        let heads = |known: &str, new| parted(new, &[known]).first().map(|of| of.head.to_owned());
        let backup = "At 02:30 UTC the nightly backup begins.";
        let more = "The nightly backup starts at 02:30 UTC and takes about 40 minutes.";
        assert_eq!(heads(backup, more).as_deref(), Some("The nightly backup starts at 02:30 UTC"));
        assert_eq!(
            heads(backup, "The backup of the night begins at 02:30 UTC, because it is quiet then"),
            None
        );
        assert_eq!(heads(backup, "Every night at 02:30 UTC the backup begins"), None);
        let style =
            heads("A public function needs a docstring", "Public functions need docstrings in Google style.");
        assert_eq!(style.as_deref(), Some("Public functions need docstrings"));
    }
}
