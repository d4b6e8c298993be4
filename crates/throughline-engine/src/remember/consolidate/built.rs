//! Statements of one form, and statements that number what they are about. What differs in them decides, and rules know
//! that; a hundred facts from one template are a hundred facts.

use std::collections::BTreeSet;

use throughline_inference::embed::Table;

use crate::remember::shape::{self, Shape};

/// So much of the longer one, or of the shorter one, is in both in the same order.
const OF_LONGER: f64 = 0.5;
const OF_SHORTER: f64 = 0.8;

/// Fewer words have nothing around what differs.
const WORDS: usize = 3;
/// So many letters and digits are no number with its unit.
const CODE: usize = 8;

/// Whether what two statements are to each other can be told by all of their words.
pub(super) fn can_be_weighed(one: &str, other: &str) -> bool {
    let is_long = |text: &str| text.split_whitespace().nth(WORDS - 1).is_some();
    // Two commands are told apart by what they are, not by the words around them.
    let has_code = one.contains('`') || other.contains('`');
    is_long(one)
        && is_long(other)
        && !has_code
        && are_plain(one)
        && are_plain(other)
        && !are_under_one_title(one, other)
        && !are_links_of_one(one, other)
        && !are_numbered_apart(one, other)
        && !are_built_alike(one, other)
}

/// "Coffee brewing: grind late" and "Coffee brewing needs a filter" have their title in common.
fn are_under_one_title(one: &str, other: &str) -> bool {
    let is_under = |text: &str, other: &str| {
        let title = text.split_once(": ").map_or("", |(title, _)| title);
        let beginning = other.get(..title.len()).unwrap_or_default();
        !title.is_empty() && beginning.eq_ignore_ascii_case(title)
    };
    is_under(one, other) || is_under(other, one)
}

/// What ties a thing to others, of which it has many.
const LINKS: [&str; 12] = [
    "relates",
    "requires",
    "needs",
    "contains",
    "includes",
    "references",
    "extends",
    "implements",
    "supports",
    "depends",
    "follows",
    "uses",
];

/// "Coffee brewing requires a grinder" and "Coffee brewing relates to kettles" are two links of one thing.
fn are_links_of_one(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let link = |words: &[String]| words.iter().position(|word| LINKS.contains(&word.as_str()));
    link(&one).zip(link(&other)).is_some_and(|(at, to)| one[..at] == other[..to] && one[at] != other[to])
}

/// Whether enough words are in the vocabulary: what others mean is not known.
fn are_plain(text: &str) -> bool {
    let (mut known, mut all) = (0, 0);
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        all += 1;
        known += usize::from(Table::built_in().knows(&word.to_lowercase()));
    }
    3 * known > all
}

/// `case12` here, `case97` there.
fn are_numbered_apart(one: &str, other: &str) -> bool {
    let codes = |text: &str| -> BTreeSet<String> {
        let words = text.split_whitespace().map(shape::bare);
        words.filter(|word| is_code(word)).map(str::to_lowercase).collect()
    };
    let (one, other) = (codes(one), codes(other));
    !one.is_empty() && !other.is_empty() && one.is_disjoint(&other)
}

/// Letters and digits mixed, and no number with its unit.
fn is_code(word: &str) -> bool {
    let is_long = word.len() >= CODE && word.contains(|c: char| c.is_ascii_digit());
    Shape::of(word) == Some(Shape::Mixed) || is_long && word.contains(char::is_alphabetic)
}

/// The same words in the same order but for some.
fn are_built_alike(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let (shorter, longer) = (one.len().min(other.len()) as f64, one.len().max(other.len()) as f64);
    let common = in_order(&one, &other) as f64;
    common >= OF_LONGER * longer || common >= OF_SHORTER * shorter
}

fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| shape::bare(word).to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

/// How many words both have in the same order.
fn in_order(one: &[String], other: &[String]) -> usize {
    let mut counts = vec![0; other.len() + 1];
    for word in one {
        let mut before = 0;
        for (at, theirs) in other.iter().enumerate() {
            let here = counts[at + 1];
            counts[at + 1] = if word == theirs { before + 1 } else { here.max(counts[at]) };
            before = here;
        }
    }
    counts.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{are_built_alike, can_be_weighed};

    #[test]
    fn what_is_short_or_numbered_or_a_command_is_left_to_the_rules() {
        for (one, other) in [
            ("shared by0x1", "shared by0x2"),
            ("the old king sold a boat case12", "a golden pilot broke the mast case97"),
            ("vumak paron doted hared minak 946834bc903a", "lotek siran pumed goral tebin 13bc90fe7742"),
            ("Coffee brewing: buy a kettle some day", "Coffee brewing relates to Kettle types"),
            ("Run `npm test` before a push", "Before pushing, run `npm run check`"),
        ] {
            assert!(!can_be_weighed(one, other), "{one} / {other}");
        }
        assert!(can_be_weighed("Our pen test partner is Cure53", "The pen test contract went to NCC Group"));
    }

    #[test]
    fn what_comes_from_one_template_is_built_alike() {
        for (one, other) in [
            ("The alpha cache keeps 30 things", "The beta cache keeps 31 things"),
            ("fact number 3 about topic 4", "fact number 5 about topic 6"),
            ("The old vault code", "the new vault code."),
            ("Deploys happen on Fridays", "Deploys happen on Fridays at 10:00 UTC"),
        ] {
            assert!(are_built_alike(one, other), "{one} / {other}");
        }
        for (one, other) in [
            ("The API listens on port 8080", "8080 is where the API can be reached"),
            ("Our pen test partner is Cure53", "The pen test contract went to NCC Group"),
        ] {
            assert!(!are_built_alike(one, other), "{one} / {other}");
        }
    }
}
