//! Which pairs the reader is asked about: it reads English, and knows statements, not the parts of a list. To read takes
//! milliseconds, so what is evidently about two things is not read either.

use std::collections::BTreeSet;

use throughline_inference::embed::Table;

use super::reading::Reading;
use crate::remember::shape::{self, Shape};

/// Fewer words have nothing around what differs.
const WORDS: usize = 3;
/// So much of the longer one, or of the shorter one, is in both in the same order.
const OF_LONGER: f64 = 0.5;
const OF_SHORTER: f64 = 0.8;

/// Of its words, at least one of so many has to be in the vocabulary: what others mean is not known.
const ONE_KNOWN_OF: usize = 5;
/// One of so many words that are no English ones makes it another language.
const ONE_FOREIGN_OF: usize = 6;
/// Words that hardly a sentence of other languages does without, and that are none in English.
const FOREIGN: &str = "der das und ist nicht wir auf für mit dem ein eine einen wird werden nur auch bei zum zur kein keine immer statt \
    benutzen verwenden le les est une dans avec nous pas sur aux et que qui ne jamais toujours utilisons el los las una para nosotros \
    siempre nunca usamos del por il gli sono non che sempre usiamo uma com não nós os het een niet wij voor zijn altijd nooit \
    gebruiken jest nie dla zawsze nigdy och inte är för vi alltid aldrig ikke alltid";

pub(super) fn can_be_read(one: &str, other: &str) -> bool {
    let is_long = |text: &str| text.split_whitespace().nth(WORDS - 1).is_some();
    is_long(one)
        && is_long(other)
        && is_plain_english(one)
        && is_plain_english(other)
        && !are_under_one_title(one, other)
        && !are_links_of_one(one, other)
}

/// Statements of one form, and those that number what they are about: of a thousand notes from one template none must take
/// another's place, so they are about one thing only where it has a name.
pub(super) fn are_alike((one, a): (&str, &Reading), (other, b): (&str, &Reading)) -> bool {
    let are_about_one = !a.subject.is_empty() && a.subject == b.subject;
    are_numbered_apart(one, other) || !are_about_one && are_built_alike(one, other)
}

/// `case12` here, `case97` there.
fn are_numbered_apart(one: &str, other: &str) -> bool {
    let codes = |text: &str| -> BTreeSet<String> {
        let words = text.split_whitespace().map(shape::bare);
        words.filter(|word| is_code(word)).map(str::to_owned).collect()
    };
    let (one, other) = (codes(one), codes(other));
    !one.is_empty() && !other.is_empty() && one.is_disjoint(&other)
}

/// Small letters and digits, and nothing else: `eu-north-1` and `A100` are values.
fn is_code(word: &str) -> bool {
    Shape::of(word) == Some(Shape::Mixed)
        && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
}

/// The same words in the same order but for some.
fn are_built_alike(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let (shorter, longer) = (one.len().min(other.len()) as f64, one.len().max(other.len()) as f64);
    let common = in_order(&one, &other) as f64;
    common >= OF_LONGER * longer || common >= OF_SHORTER * shorter
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

fn is_plain_english(text: &str) -> bool {
    let (mut all, mut known, mut foreign) = (0, 0, 0);
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        all += 1;
        known += usize::from(Table::built_in().knows(&word));
        let is_foreign = !word.is_ascii() || FOREIGN.split_ascii_whitespace().any(|one| one == word);
        foreign += usize::from(is_foreign);
    }
    ONE_KNOWN_OF * known > all && ONE_FOREIGN_OF * foreign < all
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

fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| shape::bare(word).to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Reading, are_alike, can_be_read};

    #[test]
    fn what_is_short_or_not_english_or_part_of_a_list_is_left_to_the_rules() {
        for (one, other) in [
            ("Die API lauscht auf Port 8080", "Das Frontend lauscht auf Port 3000"),
            ("L'équipe est dans le bureau de Lyon", "Nous sommes à Paris"),
            ("我们使用 pnpm 管理依赖", "We use yarn now"),
            ("vumak paron doted hared minak", "lotek siran pumed goral tebin"),
            ("shared by0x1", "shared by0x2"),
            ("Coffee brewing: buy a kettle some day", "Coffee brewing relates to Kettle types"),
        ] {
            assert!(!can_be_read(one, other), "{one} / {other}");
        }
        for (one, other) in [
            ("Our pen test partner is Cure53", "The pen test contract went to NCC Group"),
            ("CI pipeline: GitLab", "The CI pipeline is Buildkite"),
            ("Run `just sim` for the simulator", "Simulator: `cargo xtask sim`"),
            ("Since last week Zoë owns the menu service", "The menu service belongs to Jo"),
        ] {
            assert!(can_be_read(one, other), "{one} / {other}");
        }
    }

    #[test]
    fn what_comes_from_one_template_is_alike() {
        let are_alike =
            |one: &str, other: &str| are_alike((one, &Reading::of(one)), (other, &Reading::of(other)));
        for (one, other) in [
            ("The alpha cache keeps 30 things", "The beta cache keeps 31 things"),
            ("note 1 from agent 3", "note 2 from agent 3"),
            ("the standup of team nine", "the standup of team ten"),
            ("the old king sold a boat case12", "a golden pilot broke the mast case97"),
            ("process 3 keeps statement number3x1", "process 3 keeps statement number3x2"),
        ] {
            assert!(are_alike(one, other), "{one} / {other}");
        }
        for (one, other) in [
            ("The API listens on port 8080", "The API listens on port 9090"),
            ("The imagery bucket is in eu-north-1", "The imagery bucket is in eu-central-1"),
            ("Our pen test partner is Cure53", "The pen test contract went to NCC Group"),
        ] {
            assert!(!are_alike(one, other), "{one} / {other}");
        }
    }
}
