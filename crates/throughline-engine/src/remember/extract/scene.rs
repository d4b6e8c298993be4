//! A role that a message sets: what is said in it holds within it.

use super::doubt;
use super::sentence::{Sentence, find};

const ROLES: [&str; 13] = [
    "pretend you",
    "pretend you're",
    "pretend to be",
    "act as",
    "act like",
    "play the role",
    "role play",
    "roleplay",
    "imagine you're",
    "imagine you are",
    "you are now a",
    "put yourself in",
    "speak as",
];
/// These set one only at the beginning of a sentence: "tests act as documentation".
const LEADS: [&str; 8] = ["please", "now", "let's", "can", "you", "could", "just", "for"];

/// Which of these sentences are said in a role: from where it is set to the end of the paragraph.
pub(super) fn within(sentences: &[Sentence<'_>]) -> Vec<bool> {
    let mut last = None;
    let mut within = vec![];
    for sentence in sentences {
        let goes_on = last.is_some_and(|line| sentence.line <= line + 1);
        let is_in = goes_on || sets(sentence);
        last = is_in.then_some(sentence.line);
        within.push(is_in);
    }
    within
}

fn sets(sentence: &Sentence<'_>) -> bool {
    let at = ROLES.iter().filter_map(|role| find(&sentence.all, role)).min();
    let leads = |at: usize| {
        sentence.all[..at].iter().all(|word| word.then.is_some() || LEADS.contains(&word.text.as_str()))
    };
    at.is_some_and(leads) && doubt::of_any(sentence).is_none_or(|reason| reason != super::Reason::TooLong)
}
