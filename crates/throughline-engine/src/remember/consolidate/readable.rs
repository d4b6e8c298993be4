//! Which pairs the reader is asked about: it reads English, and knows statements, not mere links.

use throughline_inference::embed::Table;

use super::number::is_address;
use super::vocabulary;
use crate::remember::shape::{self, Shape};
use crate::words::is_in;

/// Fewer words have nothing around what differs.
const WORDS: usize = 2;

/// Of its words, at least one of so many has to be in the vocabulary: what others mean is told by their parts, if at all.
const ONE_KNOWN_OF: usize = 10;
/// Of fewer words, which may all be names, nothing can be told.
const TELLING: usize = 4;
/// One of so many words that are no English ones makes it another language.
const ONE_FOREIGN_OF: usize = 6;
/// Words that hardly a sentence of other languages does without, and that are none in English.
const FOREIGN: &str = "der das und ist nicht wir auf für mit dem ein eine einen wird werden nur auch bei zum zur kein keine immer statt \
    benutzen verwenden le les est une dans avec nous pas sur aux et que qui ne jamais toujours utilisons el los las una para nosotros \
    siempre nunca usamos del por il gli sono non che sempre usiamo uma com não nós het een niet wij voor zijn altijd nooit \
    gebruiken jest nie dla zawsze nigdy och inte är för vi alltid aldrig ikke alltid";
/// "write commits auf Deutsch, please" is English.
const ENGLISH: [&str; 12] =
    ["the", "is", "are", "we", "our", "of", "with", "and", "not", "please", "by", "from"];

pub(super) fn can_be_read(one: &str, other: &str) -> bool {
    let is_long = |text: &str| text.split_whitespace().nth(WORDS - 1).is_some();
    is_long(one)
        && is_long(other)
        && is_plain_english(one)
        && is_plain_english(other)
        && !are_links_of_one(one, other)
        && !links_a_title(one, other)
        && !links_a_title(other, one)
}

/// So few words say nothing of what a code is.
const A_NOTE: usize = 3;

/// `fact number76 about the warehouse` beside `fact number77 about the warehouse`, `kept x0y0` beside `gone z0`: of a thousand
/// notes none must take another's place, and no meaning tells what is numbered from what has a number.
pub(super) fn differ_in_codes(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let are_notes = one.len().max(other.len()) <= A_NOTE && !one.iter().any(|word| other.contains(word));
    if are_notes && [&one, &other].into_iter().all(|note| note.iter().any(|word| is_code(word))) {
        return true;
    }
    let differing: Vec<usize> = (0..one.len().min(other.len())).filter(|at| one[*at] != other[*at]).collect();
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let are_codes = |at: &usize| is_code(&one[*at]) && is_code(&other[*at]);
    let are_counted =
        |at: &usize| [&one[*at], &other[*at]].into_iter().all(|word| is_code(word) || is_number(word));
    let is_series = matches!(differing[..], [at] if are_of_a_series(&one, &other, at) || are_in_turn(&one, &other, at) || are_counted_off(&one, &other, at));
    let is_coded = differing.iter().any(are_codes) && differing.iter().all(are_counted);
    one.len() == other.len() && (is_series || is_coded)
}

/// "the gateway oslo-1 retries" and "the gateway oslo-2 retries"; but "it runs in us-east-1" says where.
fn are_of_a_series(one: &[String], other: &[String], at: usize) -> bool {
    let name = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let is_numbered = name(&one[at]).ends_with(['-', '_']) && name(&one[at]) == name(&other[at]);
    let names_a_thing = at > 0 && !vocabulary::is_empty(&one[at - 1]) && at + 1 < one.len();
    is_numbered && names_a_thing
}

/// "the lorikeet rule number 3" and "the lorikeet rule number 4"; but "the port number is 8080" and "port number 8080" have a value.
fn are_counted_off(one: &[String], other: &[String], at: usize) -> bool {
    const VALUES: &str = "port phone version build account serial line room max maximum min minimum the a";
    let is_number = |words: &[String]| words[at].bytes().all(|byte| byte.is_ascii_digit());
    let is_led = at > 1 && one[at - 1] == "number" && !is_in(VALUES, &one[at - 2]);
    is_led && at + 1 == one.len() && is_number(one) && is_number(other)
}

/// Which of several it is.
const IN_TURN: [&str; 20] = [
    "a", "an", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "last", "next", "previous", "one", "another", "other", "older", "newer",
];
/// "second Monday" says when.
const TIMES: &str = "monday tuesday wednesday thursday friday saturday sunday day week weekend month quarter sprint half hour";

/// "first fact about the project" and "second fact about the project"; but "releases: second Monday" has a value.
fn are_in_turn(one: &[String], other: &[String], at: usize) -> bool {
    let is_first = at == 0 || at == 1 && matches!(one[0].as_str(), "the" | "a" | "my" | "our");
    let are_both = [one, other].into_iter().all(|words| IN_TURN.contains(&words[at].as_str()));
    let says_when = |next: &String| is_in(TIMES, next);
    is_first && are_both && !one.get(at + 1).is_some_and(says_when)
}

/// Letters and digits, and nothing else: `eu-north-1` is a name, and `0x68` an address.
fn is_code(word: &str) -> bool {
    Shape::of(word) == Some(Shape::Mixed)
        && word.chars().all(|c| c.is_ascii_alphanumeric())
        && !is_address(word)
}

fn is_plain_english(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let count = |is: &dyn Fn(&str) -> bool| words.iter().filter(|word| is(word)).count();
    let known = count(&|word| Table::built_in().knows(word));
    let listed = count(&|word| is_in(FOREIGN, word));
    let of_other_script = count(&|word| word.chars().any(is_of_other_script));
    // By itself, an accent is that of a name.
    let accented = if listed > 0 { count(&|word| !word.is_ascii()) } else { 0 };
    let foreign = listed + of_other_script.max(accented);
    let english = count(&|word| ENGLISH.contains(&word));
    let is_foreign = ONE_FOREIGN_OF * foreign >= words.len() && foreign > english;
    (words.len() < TELLING || ONE_KNOWN_OF * known > words.len()) && !is_foreign
}

fn is_of_other_script(c: char) -> bool {
    const LATIN: [std::ops::Range<u32>; 2] = [0..0x0370, 0x1E00..0x1F00];
    c.is_alphabetic() && !LATIN.iter().any(|letters| letters.contains(&u32::from(c)))
}

/// "css: tailwind" and "css: vanilla".
pub(in crate::remember) fn are_under_one_title(one: &str, other: &str) -> bool {
    let title = |text: &str| text.split_once(": ").map(|(title, _)| title.to_lowercase());
    title(one).is_some_and(|own| title(other) == Some(own))
}

/// "gateway: retry 7 times" and "quota: retry 4 times" say the same of two things.
pub(super) fn are_under_two_titles(one: &str, other: &str) -> bool {
    let parted = |text: &str| {
        let (title, rest) = text.split_once(": ")?;
        let rest: Vec<String> = words(rest).into_iter().filter(|word| word.parse::<f64>().is_err()).collect();
        (!title.contains(' ')).then(|| (title.to_lowercase(), rest))
    };
    let (Some((one, its)), Some((other, theirs))) = (parted(one), parted(other)) else { return false };
    one != other && !its.is_empty() && its == theirs
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

/// "Coffee brewing: buy a kettle some day" and "Coffee brewing relates to kettles".
fn links_a_title(titled: &str, other: &str) -> bool {
    let title = titled.split_once(": ").map_or("", |(title, _)| title);
    let (beginning, rest) = other.split_at_checked(title.len()).unwrap_or_default();
    let is_link = words(rest).first().is_some_and(|word| LINKS.contains(&word.as_str()));
    !title.is_empty() && beginning.eq_ignore_ascii_case(title) && is_link
}

fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| shape::bare(word).to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{are_under_two_titles, can_be_read, differ_in_codes};

    #[test]
    fn what_is_not_english_or_a_mere_link_is_left_to_the_rules() {
        for (one, other) in [
            ("Die API lauscht auf Port 8080", "Das Frontend lauscht auf Port 3000"),
            ("L'équipe est dans le bureau de Lyon", "Nous sommes à Paris"),
            ("我们使用 pnpm 管理依赖", "We use yarn now"),
            ("vumak paron doted hared minak", "lotek siran pumed goral tebin"),
            ("Coffee brewing: buy a kettle some day", "Coffee brewing relates to Kettle types"),
            ("Coffee brewing requires a grinder", "Coffee brewing relates to Kettle types"),
        ] {
            assert!(!can_be_read(one, other), "{one} / {other}");
        }
        for (one, other) in [
            ("Our pen test partner is Cure53", "The pen test contract went to NCC Group"),
            (
                "Integration tests: real DB, no mocks",
                "Integration tests use an actual database, never a mock",
            ),
            ("CI pipeline: GitLab", "The CI pipeline is Buildkite"),
            ("css: tailwind", "css: vanilla"),
            ("The imagery bucket is in eu-north-1", "The imagery bucket is in eu-central-1"),
            ("Run `just sim` for the simulator", "Simulator: `cargo xtask sim`"),
            ("Since last week Zoë owns the menu service", "The menu service belongs to Jo"),
            ("btw inês handles security reports", "Inês is our contact for security matters"),
            ("write commits auf Deutsch, please", "Commit messages are written in German"),
            ("fyi ingest svc lints w/ ruff", "Linting for ingest is done by ruff"),
            ("btw gps uart = 115200 baud", "The GPS module's serial line runs at 9600 baud"),
            ("firmware build flag: -Os", "Firmware is compiled with -O2"),
        ] {
            assert!(can_be_read(one, other), "{one} / {other}");
        }
    }

    #[test]
    fn the_same_under_two_titles_is_about_two_things() {
        for (one, other) in [
            ("gateway: retry 7 times", "quota: retry 4 times"),
            ("case1: retry 7 times", "case2: retry 7 times"),
        ] {
            assert!(are_under_two_titles(one, other), "{one} / {other}");
        }
        for (one, other) in [("port: 8080", "port: 9090"), ("gateway: retry 7 times", "quota: 30 a minute")] {
            assert!(!are_under_two_titles(one, other), "{one} / {other}");
        }
    }

    #[test]
    fn notes_that_are_numbered_differ_in_codes() {
        for (one, other) in [
            ("shared by0x1", "shared by0x2"),
            ("fact number76 about the warehouse", "fact number77 about the warehouse"),
            ("the gateway oslo-1 retries a charge", "the gateway oslo-2 retries a charge"),
            ("process 3 keeps statement number3x1", "process 7 keeps statement number7x1"),
            ("first of two", "second of two"),
            ("one statement", "another statement"),
            ("a promise", "another promise"),
            ("the older fact", "the newer fact"),
        ] {
            assert!(differ_in_codes(one, other), "{one} / {other}");
        }
        for (one, other) in [
            ("The imagery bucket is in eu-north-1", "The imagery bucket is in eu-central-1"),
            ("The API listens on port 8080", "The API listens on port 9090"),
            ("Production runs in us-east-1 on ECS", "Production runs in us-east-2 on ECS"),
            ("gyro addr 0x68", "gyro addr 0x69"),
            ("second Monday: release day", "first Monday: release day"),
            ("Releases happen in the first week", "Releases happen in the second week"),
        ] {
            assert!(!differ_in_codes(one, other), "{one} / {other}");
        }
    }
}
