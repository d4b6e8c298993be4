//! The one statement of a long sentence about other things: "while we waited for the build I talked to Mo, who was in a good mood,
//! and he confirmed that one approval is enough".

use super::aside;
use super::lasting::{self, CERTAIN, LIKELY, SURE};
use super::sentence::{MAX_WORDS, Sentence, words};
use crate::words::is_in;

/// Shorter ones are read as they are.
const LONG: usize = 20;
/// More clauses are no sentence.
const CLAUSES: usize = 12;
/// Fewer words are no clause of their own: they belong to the one before.
const FEW: usize = 4;
const PARTING: [&str; 4] = [", ", "; ", " and ", " - "];
/// What leads to what is told.
const LEADING: [&str; 11] = [
    " is that ",
    " confirmed that ",
    " confirmed ",
    " turned out that ",
    " told me that ",
    " told us that ",
    " agreed that ",
    " decided that ",
    " learned that ",
    " learnt that ",
    " means that ",
];
/// A clause that begins so says nothing without what stands before it.
const LEANING: &str = "if when whenever unless because since which who where although though while or than";
/// And so, it bears on what stands before it.
const RESTRICTING: &str = "if when whenever unless except but only at until";

/// The clause that tells it; nothing where all of the sentence is about one thing.
pub(super) fn without_rest<'a>(sentence: &Sentence<'a>) -> Option<Sentence<'a>> {
    if !(LONG..=MAX_WORDS).contains(&sentence.words.len()) {
        return None;
    }
    let clauses = clauses(sentence.text);
    if clauses.len() < 2 || clauses.len() > CLAUSES {
        return None;
    }
    let lasting: Vec<f32> = clauses.iter().map(|clause| lasting::share(clause.text)).collect();
    let at = lasting.iter().position(|share| *share >= SURE)?;
    let is_alone = lasting.iter().enumerate().all(|(other, share)| other == at || *share < LIKELY);
    let begins =
        |clause: &Clause<'_>, list| words(clause.text).first().is_some_and(|word| is_in(list, &word.text));
    let is_borne_on =
        begins(&clauses[at], LEANING) || clauses.get(at + 1).is_some_and(|next| begins(next, RESTRICTING));
    // What lasts as a whole may need all of its clauses, unless something leads to one of them.
    let is_sure = clauses[at].is_led || lasting[at] >= CERTAIN && !lasting::may_last(sentence.text);
    let alone = Sentence::new(sentence.line, clauses[at].text, sentence.next);
    let is_told = alone.words.len() >= FEW && aside::is_told(&alone.words);
    (is_alone && is_told && is_sure && !is_borne_on).then_some(alone)
}

#[derive(Debug, Clone, Copy)]
struct Clause<'a> {
    text: &'a str,
    /// "he confirmed that …"
    is_led: bool,
}

/// What stands between the signs that part clauses, without what leads to it.
fn clauses(text: &str) -> Vec<Clause<'_>> {
    let mut ends: Vec<(usize, usize)> = PARTING
        .iter()
        .flat_map(|sign| text.match_indices(sign).map(|(at, sign)| (at, at + sign.len())))
        .collect();
    ends.sort_unstable();
    ends.push((text.len(), text.len()));
    let mut clauses = vec![];
    let mut start = 0;
    for (at, (end, next)) in ends.iter().enumerate() {
        let following =
            ends.get(at + 1).map_or("", |(following, _)| &text[(*next).min(*following)..*following]);
        let is_short =
            following.split_whitespace().count() < FEW && *end < text.len() && !following.is_empty();
        if *end <= start || is_short {
            continue;
        }
        clauses.push(told(&text[start..*end]));
        start = *next;
    }
    clauses
}

fn told(clause: &str) -> Clause<'_> {
    let ends = LEADING.iter().filter_map(|sign| clause.find(sign).map(|at| at + sign.len())).max();
    Clause { text: &clause[ends.unwrap_or(0)..], is_led: ends.is_some() }
}

#[cfg(test)]
mod tests {
    use super::{Sentence, without_rest};

    #[test]
    fn what_is_told_among_other_things_is_found() {
        for (whole, statement) in [
            (
                "while we waited for the build i talked to Mo from upstairs, who was in a good mood for once, and he confirmed that the \
                 staging database runs on port 6432",
                "the staging database runs on port 6432",
            ),
            (
                "that took longer than expected, two meetings and a fire drill, and in the end the outcome is that the warehouse is \
                 Snowflake, so lets continue where we stopped yesterday",
                "the warehouse is Snowflake",
            ),
        ] {
            let alone = without_rest(&Sentence::new(1, whole, None));
            assert_eq!(alone.map(|alone| alone.text), Some(statement), "{whole}");
        }
    }

    #[test]
    fn what_bears_on_it_stays() {
        for whole in [
            "the admin panel listens on port 9000 on every machine that we have in the office, but only when nobody has started the old one before",
            "we deploy on Tuesdays",
        ] {
            assert!(without_rest(&Sentence::new(1, whole, None)).is_none(), "{whole}");
        }
    }
}
