//! What a statement says beyond one that it repeats: "…, with the package as the scope", "… and takes about 40 minutes".

use std::collections::BTreeSet;

use super::reading::Reading;

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
/// Fewer words before it say nothing.
const FEW: usize = 3;

/// The statement without its end, for each end that tells something that was not said of a known one; the longest first.
pub(super) fn without_more<'a>(new: &'a str, said: &[&str]) -> Vec<&'a str> {
    let known: BTreeSet<String> = said.iter().flat_map(|words| stems(words)).collect();
    let places = |signs: &'static [&'static str]| {
        signs.iter().flat_map(|sign| new.match_indices(sign).map(|(at, sign)| (at, at + sign.len())))
    };
    let tells = |tail: &str| !begins_otherwise(tail) && stems(tail).iter().any(|stem| !known.contains(stem));
    let parts = places(&PARTING).filter(|(_, tail)| tells(&new[*tail..]));
    let places = places(&PLACING).filter(|(_, tail)| tells(&new[*tail..]) && names(&new[*tail..], &known));
    let mut ends: Vec<usize> = parts.chain(places).map(|(at, _)| at).collect();
    ends.sort_unstable_by(|one, other| other.cmp(one));
    ends.dedup();
    let heads = ends.into_iter().map(|at| new[..at].trim_end_matches([',', ';', ' ']));
    heads.filter(|head| head.split_whitespace().count() >= FEW).collect()
}

fn stems(text: &str) -> BTreeSet<String> {
    let reading = Reading::of(text);
    let said = reading.content.into_iter().chain(reading.rejected);
    said.filter(|stem| !EMPTY.split(' ').any(|word| word == stem)).collect()
}

fn begins_otherwise(tail: &str) -> bool {
    let first = tail.split_whitespace().next().unwrap_or_default().to_lowercase();
    NOT_MORE.split(' ').any(|word| word == first)
}

/// Among its words is a number or a name that was not said.
fn names(tail: &str, known: &BTreeSet<String>) -> bool {
    tail.split_whitespace().any(|word| {
        let is_name = word.contains(|c: char| c.is_ascii_digit() || "/_-.`".contains(c)) && word.len() > 2
            || word.starts_with(char::is_uppercase);
        is_name && stems(word).iter().any(|stem| !known.contains(stem))
    })
}

#[cfg(test)]
mod tests {
    use super::without_more;

    #[test]
    fn what_tells_more_is_at_the_end() {
        let heads = |known: &str, new| without_more(new, &[known]).first().map(|head| (*head).to_owned());
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
