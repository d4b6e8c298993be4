//! Two statements in one sentence: "image tags are pinned, and pull requests need two reviews". Each is a memory of its own, so that what
//! ends one leaves the other.

use super::explicit;
use super::lasting::{self, SURE};
use super::sentence::{Sentence, words};
use crate::words::is_in;

const PARTING: [&str; 2] = ["; ", ", and "];
/// What begins so says nothing without the half before it, or bears on it.
const LEANING: &str = "it its it's they their they're that this these those he she which who whose so then otherwise if when unless because since \
    also not never only one both each all";
/// Fewer words are no statement.
const FEW: usize = 3;

/// The sentences, with those of two statements in their halves.
pub(super) fn of_each<'a>(sentences: Vec<Sentence<'a>>) -> Vec<Sentence<'a>> {
    sentences.into_iter().flat_map(|sentence| halves(&sentence).unwrap_or_else(|| vec![sentence])).collect()
}

fn halves<'a>(sentence: &Sentence<'a>) -> Option<Vec<Sentence<'a>>> {
    if explicit::is_asked_for(&sentence.words) || sentence.asks() {
        return None;
    }
    let parts = PARTING.iter().filter_map(|sign| sentence.whole.split_once(sign));
    parts
        .filter(|(first, second)| are_two(first, second))
        .map(|(first, second)| {
            let second = Sentence::new(sentence.line, second, sentence.next);
            vec![Sentence::new(sentence.line, first, Some(second.whole)), second]
        })
        .next()
}

fn are_two(first: &str, second: &str) -> bool {
    let begins = |text: &str| words(text).first().is_some_and(|word| is_in(LEANING, &word.text));
    let are_long = words(first).len() >= FEW && words(second).len() >= FEW;
    are_long
        && !begins(second)
        && !second.contains("; ")
        && lasting::share(second) >= SURE
        && lasting::share(first) >= SURE
}

#[cfg(test)]
mod tests {
    use super::of_each;
    use crate::remember::extract::sentence::read;

    fn parts(text: &str) -> Vec<String> {
        let lines = [(1, text.to_owned())];
        of_each(read(&lines)).iter().map(|sentence| sentence.whole.to_owned()).collect()
    }

    #[test]
    fn two_statements_of_a_sentence_are_two() {
        assert_eq!(
            parts("the staging database runs on port 6432, and pull requests need two reviews"),
            ["the staging database runs on port 6432", "pull requests need two reviews"]
        );
        assert_eq!(
            parts("we deploy on Fridays; image tags are always pinned"),
            ["we deploy on Fridays", "image tags are always pinned"]
        );
    }

    #[test]
    fn what_leans_on_the_other_half_stays() {
        for whole in [
            "the schema is generated, and it is never edited by hand",
            "we deploy on Fridays; never before noon",
            "remember that we deploy on Fridays, and image tags are pinned",
            "fix the pagination, and image tags are pinned",
        ] {
            assert_eq!(parts(whole), [whole]);
        }
    }
}
