//! Orders that set something to another value: "raise minSdk to 29", "can you switch CI to Node 22?", "replace moment with dayjs".
//! By itself such an order is work to be done; where it changes what is known, that does not hold any more.

use throughline_store::memory::Kind;

use super::sentence::{Sentence, Word, starts};
use super::{Family, Found, doubt, nouns};
use crate::words::is_in;

/// How it is asked for.
const REQUESTS: [&str; 14] = [
    "can you",
    "could you",
    "would you",
    "will you",
    "can we",
    "could we",
    "please",
    "let's",
    "let us",
    "now",
    "just",
    "go ahead and",
    "i want you to",
    "i'd like you to",
];
/// What is ordered, how it is told once it is done, and what the value stands behind.
const ALTERING: [(&str, &str, &[&str]); 21] = [
    ("raise", "raised", &["to"]),
    ("lower", "lowered", &["to"]),
    ("bump", "bumped", &["to"]),
    ("increase", "increased", &["to"]),
    ("decrease", "decreased", &["to"]),
    ("reduce", "reduced", &["to"]),
    ("cut", "cut", &["to"]),
    ("set", "set", &["to"]),
    ("change", "changed", &["to"]),
    ("switch", "switched", &["to"]),
    ("move", "moved", &["to"]),
    ("shorten", "shortened", &["to"]),
    ("extend", "extended", &["to"]),
    ("limit", "limited", &["to"]),
    ("rename", "renamed", &["to"]),
    ("pin", "pinned", &["to"]),
    ("upgrade", "upgraded", &["to"]),
    ("downgrade", "downgraded", &["to"]),
    ("migrate", "migrated", &["to"]),
    ("replace", "replaced", &["with", "by"]),
    ("swap", "swapped", &["for", "with"]),
];
/// What is tried, or done in one place or at one time.
const ONCE: [&str; 19] = [
    "try",
    "temporarily",
    "for now",
    "for the moment",
    "for a",
    "to see",
    "whether",
    "until",
    "this",
    "these",
    "that",
    "locally",
    "while",
    "once",
    "my",
    "for testing",
    "for debugging",
    "for the demo",
    "just for",
];
const OF_A_DAY: &str = "today's tonight's tomorrow's yesterday's monday's tuesday's wednesday's thursday's friday's saturday's sunday's week's";
/// What follows a value and is none of it.
const AFTER_A_VALUE: &str = "and so because since as but please now today everywhere instead then";
/// Longer ones tell more than a value.
const VALUE: usize = 6;
const OBJECT: usize = 9;
/// By itself it says no more than that it may be.
const CONFIDENCE: f64 = 0.55;

/// What holds once it is done; it is kept only where it is about something that is known.
pub(super) fn says(sentence: &Sentence<'_>) -> Option<Found> {
    let words = &sentence.words;
    let at = requested(words);
    if let Some(content) = made(sentence, at) {
        return Some(Found {
            tentative: true,
            ..Found::new(Family::Correction, Kind::Fact, CONFIDENCE, &content)
        });
    }
    let (_, done, before) = ALTERING.iter().find(|(verb, ..)| sentence.word(at) == *verb)?;
    let is_to = |at: &usize| before.contains(&sentence.word(*at));
    let to = (at + 1..words.len()).rev().find(|to| is_to(to) && is_value(value(&words[to + 1..])))?;
    let object = &words[at + 1..to];
    let is_named = object.len() <= OBJECT && !doubt::is_unresolved(object) && !doubt::points(object);
    if !is_named || object.iter().any(|word| word.then.is_some()) || is_once(sentence) {
        return None;
    }
    let told = |words: &[Word], from: usize| sentence.text_between(from, from + words.len());
    let (object, value) = (told(object, at + 1), told(value(&words[to + 1..]), to + 1));
    let link = sentence.word(to);
    let content = match object.split_once(" from ") {
        Some((object, old)) => format!("{object}: {done} from {old} {link} {value}"),
        None => format!("{object}: {done} {link} {value}"),
    };
    Some(Found { tentative: true, ..Found::new(Family::Correction, Kind::Fact, CONFIDENCE, &content) })
}

/// "make it 15 minutes on the shop kiosk, for good", "make that nine attempts for the registry rather than four"
fn made(sentence: &Sentence<'_>, at: usize) -> Option<String> {
    const FOR_ONCE: [&str; 8] =
        ["for now", "temporarily", "try", "for testing", "for the demo", "until", "while", "to see"];
    const NUMBERS: &str =
        "one two three four five six seven eight nine ten twelve fifteen twenty thirty sixty hundred";
    let words = &sentence.words;
    let is_asked = sentence.word(at) == "make" && is_in("it that", sentence.word(at + 1));
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || is_in(NUMBERS, word);
    if !is_asked || !is_number(sentence.word(at + 2)) || sentence.has_any(&FOR_ONCE) {
        return None;
    }
    let place = (at + 3..words.len()).take(VALUE).find(|at| is_in("on for in at", sentence.word(*at)))?;
    let end =
        (place + 1..words.len()).find(|at| words[*at].then.is_some()).map_or(words.len(), |last| last + 1);
    let contrast = (place + 2..end).find(|at| is_in("rather instead", sentence.word(*at))).unwrap_or(end);
    let object = &words[place + 1..contrast];
    if object.is_empty() || object.len() > OBJECT || doubt::is_unresolved(object) || doubt::points(object) {
        return None;
    }
    let told = |from: usize, to: usize| sentence.text_between(from, to);
    let value = told(at + 2, place);
    let than = if contrast < end { format!(" {}", told(contrast, end)) } else { String::new() };
    Some(format!("{}: changed to {value}{than}", told(place + 1, contrast)))
}

/// Where what is asked for begins.
fn requested(words: &[Word]) -> usize {
    let mut at = 0;
    while let Some(request) = REQUESTS.iter().find(|request| starts(&words[at..], request)) {
        at += request.split(' ').count();
    }
    at
}

/// The words up to the end of the clause.
fn value(words: &[Word]) -> &[Word] {
    let is_last = |word: &Word| word.then.is_some();
    let end = words.iter().position(is_last).map_or(words.len(), |last| last + 1);
    let beyond = words[..end].iter().position(|word| is_in(AFTER_A_VALUE, &word.text));
    &words[..beyond.unwrap_or(end)]
}

fn is_value(words: &[Word]) -> bool {
    let says_which = |word: &Word| nouns::is_specific(word) || word.is_capital;
    (1..=VALUE).contains(&words.len()) && words.iter().any(says_which)
}

fn is_once(sentence: &Sentence<'_>) -> bool {
    doubt::is_local(sentence)
        || sentence.has_any(&ONCE)
        || sentence.words.iter().any(|word| is_in(OF_A_DAY, &word.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<String> {
        says(&Sentence::new(1, text, None)).map(|found| found.content)
    }

    #[test]
    fn an_order_that_sets_a_value_tells_what_holds_once_it_is_done() {
        for (order, holds) in [
            ("Please raise minSdk to 29 today; fewer than two percent are below it", "minSdk: raised to 29"),
            ("can you switch CI to Node 22?", "CI: switched to Node 22"),
            ("Change the port from 8080 to 9090, and tell me.", "The port: changed from 8080 to 9090"),
            ("and move the deploy to Thursday please", "The deploy: moved to Thursday"),
            ("replace moment with dayjs everywhere", "Moment: replaced with dayjs"),
            ("make it 15 minutes on the shop kiosk, for good", "The shop kiosk: changed to 15 minutes"),
            (
                "make that nine attempts for the chip registry rather than four attempts",
                "The chip registry: changed to nine attempts rather than four attempts",
            ),
            (
                "could you bump the default page size to 100 and update the docs",
                "The default page size: bumped to 100",
            ),
        ] {
            assert_eq!(told(order).as_deref(), Some(holds), "{order}");
        }
    }

    #[test]
    fn what_is_tried_or_done_in_one_place_changes_nothing() {
        for order in [
            "set the timeout in that test to 5 seconds",
            "make it 5 seconds for now",
            "make it faster on the phone",
            "move this week's deploy to Thursday",
            "try to raise minSdk to 29",
            "change it to 29",
            "set the heading to something friendlier",
            "Set the retries to 5 for now",
            "I moved the deploy to Thursday",
            "should we raise minSdk to 29?",
        ] {
            assert_eq!(told(order), None, "{order}");
        }
    }
}
