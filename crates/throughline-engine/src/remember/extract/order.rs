//! Orders that hold for good: "always run X", "never touch Y", "don't Z without asking". What is to be done once, or
//! in one place, is left to the doubts.

use super::convention::Shape;
use super::doubt;
use super::sentence::{Sentence, Word};
use crate::words::is_in;

const FORBIDDEN_FOREVER: &[&str] = &[
    "ever",
    "anymore",
    "any more",
    "without asking",
    "without checking",
    "without a",
    "in this repo",
    "in this project",
    "in this codebase",
    "in our",
    "in tests",
    "in production",
    "in prod",
    "in the server",
    "in the backend",
    "in the frontend",
    "anywhere",
    "under any circumstances",
    "we",
    "by hand",
    "manually",
    "in new code",
    "in commits",
    "that's a rule",
    "that's the rule",
];
const EVERYWHERE: &[&str] =
    &["everywhere", "in this repo", "in this project", "in this codebase", "for every", "for all"];
const AFTER_NEVER: &[&str] = &["mind", "gonna", "say", "give", "happens", "happened", "works"];

/// "always run X", "never touch Y", "don't Z, ever", "whenever A, do B"
pub(super) fn lasting<'a>(sentence: &Sentence<'a>) -> Shape<'a> {
    let words = &sentence.words;
    let first = sentence.word(0);
    let object = words.get(2..).unwrap_or_default();
    let is_verb = words.get(1).is_some_and(|word| !word.text.ends_with("ed") && !is_no_verb(&word.text));
    let is_forever = match first {
        "always" | "never" if words.len() > 2 && is_verb => {
            !AFTER_NEVER.iter().any(|phrase| super::sentence::starts(&words[1..], phrase))
                && !doubt::is_unresolved(object)
        }
        "don't" | "do" if first == "don't" || sentence.word(1) == "not" => {
            let object = if first == "do" { words.get(3..).unwrap_or_default() } else { object };
            let named = !doubt::points(object) && !doubt::is_unresolved(object) && object.len() > 1;
            let is_forever = sentence.has_any(FORBIDDEN_FOREVER) || sentence.leads.insists;
            named && (is_forever || forbids_in_general(sentence))
        }
        "whenever" => words.iter().any(|word| word.then == Some(',')) && words.len() > 6,
        "if" | "when" | "before" | "after" => {
            sentence.word(1).starts_with("you")
                && ["always", "never", "must"].iter().any(|word| sentence.has(word))
        }
        "you" => sentence.starts("you must always") || sentence.starts("you must never"),
        "avoid" => {
            words.len() > 1 && !matches!(sentence.word(1), "the" | "this" | "that" | "it" | "a" | "an")
        }
        "make" => sentence.starts("make sure you never") || sentence.starts("make sure you always"),
        "use" | "prefer" => sentence.has_any(EVERYWHERE),
        "wrap" | "call" | "put" | "keep" | "name" => {
            words.len() > 4 && sentence.has_any(&["never", "always", "we never", "we always"])
        }
        _ => false,
    };
    let to_me = sentence.has_any(&["you're done", "for me"]);
    (is_forever && !is_once(sentence)).then_some((sentence.text, if to_me { 0.7 } else { 0.75 }))
}

/// "Do not log customer email addresses": nothing else is said, and it is of no thing in particular.
pub(super) fn forbids_in_general(sentence: &Sentence<'_>) -> bool {
    const PARTICULAR: &str =
        "the this that these those it them my your our a an still again all any files tests changes";
    const FOR_A_TIME: &str = "yet now today until unless while";
    let object = match (sentence.word(0), sentence.word(1)) {
        ("don't", _) => sentence.words.get(2..),
        ("do", "not") => sentence.words.get(3..),
        _ => None,
    };
    let object = object.unwrap_or_default();
    let is_many = |word: &Word| word.text.len() > 3 && word.text.ends_with('s') && !word.text.ends_with("ss");
    sentence.is_alone
        && object.len() > 1
        && object.iter().any(is_many)
        && !object.iter().take(3).any(|word| is_in(PARTICULAR, &word.text))
        && !object.iter().any(|word| is_in(FOR_A_TIME, &word.text))
}

const ONCE: &[&str] = &["for this", "right now", "i'm working on"];

/// A wish for the product, or something about one place.
fn is_once(sentence: &Sentence<'_>) -> bool {
    const BEHAVIOUR: &str =
        "show display hide render redirect return sort open close scroll highlight redraw";
    let behaves = BEHAVIOUR.split(' ').any(|verb| verb == sentence.word(1)) && !sentence.has("me");
    behaves || sentence.has_any(ONCE)
}

fn is_no_verb(word: &str) -> bool {
    const OTHERS: [&str; 16] = [
        "a", "the", "one", "two", "three", "there", "good", "nice", "great", "fun", "same", "so", "too",
        "more", "less", "an",
    ];
    OTHERS.contains(&word)
}
