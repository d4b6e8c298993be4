//! What people say is to be done later: "Afterwards the chart still needs the new limits, but not today."

use throughline_store::event::{Event, Kind};

use super::settled::{Record, is_work};
use super::{Reason, Unfinished, unfinished};
use crate::words::is_in;

/// So many are kept in mind, the newest.
const MOST: usize = 3;
const LONGEST: usize = 300;
/// How a sentence begins that speaks of a later time.
const LATER: [&str; 7] =
    ["later", "tomorrow", "next week", "next sprint", "next time", "at some point", "another day"];
/// How one begins that speaks of what comes after this.
const THEN: [&str; 8] =
    ["next we", "next, we", "next i", "next you", "afterwards", "afterward", "after that", "after this"];
/// How one begins that names a step, whatever follows.
const MARKS: [&str; 6] = ["todo", "to do", "to-do", "tomorrow", "later", "follow-up"];
/// What it says is to be done.
const NEED: &str = "need needs must should todo";
const NEEDS: [&str; 5] = ["have to", "has to", "want to", "let's", "i'd like"];
/// What is needed, and not at once.
const NOT_NOW: [&str; 9] = [
    "not today",
    "not now",
    "not yet",
    "later",
    "tomorrow",
    "another day",
    "next week",
    "next sprint",
    "afterwards",
];

/// When a step is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// The one after what is done: who works on has taken it up.
    Next,
    Later,
}

/// Of these events, which are in their order.
pub(super) fn later(events: &[Event], record: &Record<'_>) -> Vec<Unfinished> {
    let said = events.iter().enumerate().filter(|(_, event)| event.kind == Kind::UserMessage);
    let mut open: Vec<Unfinished> = said
        .flat_map(|(place, event)| {
            let text = event.content.as_deref().unwrap_or_default();
            let after = &events[place + 1..];
            let is_open = |(when, step): &(When, &str)| {
                !(*when == When::Next && is_taken_up(event, after) || record.settles(step, place + 1))
            };
            let step = |(_, step): (When, &str)| unfinished(Reason::NextStep, event, step);
            stated(text).into_iter().filter(is_open).map(step).collect::<Vec<_>>()
        })
        .collect();
    let first = open.len().saturating_sub(MOST);
    open.drain(..first);
    open
}

fn is_taken_up(event: &Event, after: &[Event]) -> bool {
    after.iter().any(|later| later.session_id == event.session_id && is_work(later))
}

fn stated(text: &str) -> Vec<(When, &str)> {
    let own = text.lines().filter(|line| !line.trim_start().starts_with('>'));
    let sentences = own.flat_map(|line| line.split_inclusive(". ")).flat_map(|one| one.split("; "));
    let sentences = sentences.map(str::trim);
    sentences.filter(|sentence| sentence.len() <= LONGEST).filter_map(step).collect()
}

fn step(sentence: &str) -> Option<(When, &str)> {
    if sentence.ends_with('?') {
        return None;
    }
    let lower = sentence.to_lowercase().replace('’', "'");
    if let Some((mark, rest)) = sentence.split_once(':') {
        let mark = mark.trim_matches(['-', '*', '#', ' ']).to_lowercase();
        let rest = rest.trim();
        if MARKS.contains(&mark.as_str()) && !rest.is_empty() {
            return Some((When::Later, rest));
        }
    }
    let is_needed = needs(&lower);
    let begins = |begin: &&str| lower.strip_prefix(*begin).is_some_and(|rest| rest.starts_with([' ', ',']));
    let is_put_off =
        words(&lower).any(|word| word == "still") && NOT_NOW.iter().any(|words| lower.contains(words));
    match () {
        () if puts_off(&lower) => Some((When::Later, put_off(sentence)?)),
        () if !is_needed => None,
        () if LATER.iter().any(begins) || is_put_off => Some((When::Later, sentence)),
        () if THEN.iter().any(begins) => Some((When::Next, sentence)),
        () => None,
    }
}

/// The part that says what is put off: "the front end is in Preact, and the styling comes later"; nothing where it only points,
/// as in "deploys happen on Thursdays, so this can wait".
fn put_off(sentence: &str) -> Option<&str> {
    let parts = [", and ", ", so ", ", but "]
        .iter()
        .fold(vec![sentence], |parts, sign| parts.into_iter().flat_map(|part| part.split(sign)).collect());
    let part = parts.into_iter().find(|part| puts_off(&format!(" {} ", part.to_lowercase())));
    let part = part.unwrap_or(sentence).trim();
    let is_pointing =
        ["this can", "it can", "that can"].iter().any(|begin| part.to_lowercase().starts_with(begin));
    (!is_pointing).then_some(part)
}

/// "we'll do the retry logic tomorrow", "the retry logic can wait", "leave it for later": not where somebody will be then.
fn puts_off(lower: &str) -> bool {
    const THEN: [&str; 9] = [
        "tomorrow",
        "later",
        "next week",
        "next sprint",
        "next month",
        "another time",
        "another day",
        "some other time",
        "come back to it",
    ];
    const WILL: [&str; 12] = [
        "we'll ",
        "i'll ",
        "you'll ",
        "we will ",
        "i will ",
        "we continue",
        "leave ",
        " come ",
        " comes ",
        "remind me",
        "not now",
        " yet",
    ];
    const BY_ITSELF: [&str; 5] = [" can wait", "postpone ", "put off ", "put it off", "for later"];
    const WHEREABOUTS: [&str; 14] = [
        "'ll be ",
        "will be ",
        "'ll talk",
        "'ll see",
        "'ll meet",
        "'ll discuss",
        "'ll know",
        "'ll have ",
        "see you",
        "talk ",
        "sooner or later",
        " or later",
        "later than",
        "off work",
    ];
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    (has(&BY_ITSELF) || has(&THEN) && has(&WILL)) && !has(&WHEREABOUTS)
}

fn needs(lower: &str) -> bool {
    NEEDS.iter().any(|words| lower.contains(words)) || words(lower).any(|word| is_in(NEED, word))
}

fn words(lower: &str) -> impl Iterator<Item = &str> {
    lower.split(|c: char| !c.is_alphanumeric() && c != '\'')
}
