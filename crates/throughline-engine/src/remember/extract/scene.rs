//! A scene that a message sets: what is said in a role, or of another project, holds within it.

use super::sentence::{Sentence, find};
use super::{Reason, doubt};

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
/// What is said then is of something else.
const ELSEWHERE: [&str; 33] = [
    "in the other team",
    "in another team",
    "at the other team",
    "in their team",
    "in their repo",
    "at my friend's",
    "at my friends",
    "my friend's company",
    "my friends company",
    "in my choir",
    "in my band",
    "in my club",
    "in my family",
    "my wife's",
    "my husband's",
    "my partner's",
    "my neighbour's",
    "another app of mine",
    "another project",
    "another repo",
    "a different project",
    "my other project",
    "a side project",
    "my side project",
    "a friend's",
    "a friend of mine",
    "at my old",
    "at my last job",
    "at my previous",
    "in my last job",
    "in my previous job",
    "off topic",
    "unrelated question",
];
/// These set one only at the beginning of a sentence: "tests act as documentation".
const LEADS: [&str; 10] = ["please", "now", "let's", "can", "you", "could", "just", "for", "in", "on"];

/// What speaks against these sentences, of those that are said in a scene: from where it is set to the end of the paragraph.
pub(super) fn within(sentences: &[Sentence<'_>]) -> Vec<Option<Reason>> {
    let mut last: Option<(usize, Reason)> = None;
    let mut within = vec![];
    for sentence in sentences {
        let going_on = last.filter(|(line, _)| sentence.line <= line + 1).map(|(_, reason)| reason);
        let reason = going_on.or_else(|| set_by(sentence));
        last = reason.map(|reason| (sentence.line, reason));
        within.push(reason);
    }
    within
}

fn set_by(sentence: &Sentence<'_>) -> Option<Reason> {
    let begins = |scenes: &[&str]| {
        let at = scenes.iter().filter_map(|scene| find(&sentence.all, scene)).min()?;
        let leads = &sentence.all[..at];
        leads.iter().all(|word| word.then.is_some() || LEADS.contains(&word.text.as_str())).then_some(())
    };
    let reason = begins(&ROLES).map(|()| Reason::Joke).or(begins(&ELSEWHERE).map(|()| Reason::Reported))?;
    doubt::of_any(sentence).is_none_or(|doubt| doubt != Reason::TooLong).then_some(reason)
}
