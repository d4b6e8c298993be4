//! Whether a person told an agent to do what it named, without naming it: "go ahead", "yes, do both", "the first one".

use throughline_store::event::{Event, Kind};

use super::settled::{is_work, names};
use crate::words::is_in;

/// More words say more than that.
const MOST_WORDS: usize = 10;
/// They say nothing beside the rest.
const POLITE: &str = "please ok okay great good perfect thanks thank you cool nice alright then now and just well fine sounds \
    looks lgtm awesome";
const YES: &str = "yes yeah yep yup sure ja oui sí absolutely definitely";
/// All that was named.
const ALL: [&str; 32] = [
    "go ahead",
    "go on",
    "go for it",
    "continue",
    "proceed",
    "carry on",
    "keep going",
    "do it",
    "do that",
    "do this",
    "do so",
    "do them",
    "do these",
    "do those",
    "do both",
    "do all",
    "do all of them",
    "do them all",
    "do everything",
    "do the rest",
    "finish the rest",
    "finish it",
    "finish them",
    "finish up",
    "let's go",
    "let's do it",
    "let's do both",
    "let's do that",
    "make it so",
    "all of them",
    "both of them",
    "mach weiter",
];
const ORDINALS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
/// What stands around a number that picks.
const AROUND: &str =
    "do the start with just only please ok okay and then number step steps one item items yes go let's now #";

/// What a message tells an agent to do of what it named.
#[derive(Debug, PartialEq, Eq)]
enum Assent {
    All,
    Numbered(Vec<usize>),
}

/// Whether somebody agreed to the step of this number of the first event, an answer, and something was done then.
pub(super) fn is_given(number: usize, step: &str, events: &[Event]) -> bool {
    let Some((answer, after)) = events.split_first() else { return false };
    // Who comes back to it may be told to go on.
    let mut asking = Some(answer);
    let of_session = after.iter().enumerate().filter(|(_, event)| event.session_id == answer.session_id);
    for (at, event) in of_session {
        let said = event.content.as_deref().unwrap_or(&event.summary);
        match event.kind {
            Kind::UserMessage => {
                let is_meant = asking.take().zip(assent(said)).is_some_and(|(asking, assent)| {
                    assent.is_to(number) && (asking.id == answer.id || asks_about(asking, step))
                });
                if is_meant && is_worked_on(event, &after[at..]) {
                    return true;
                }
            }
            Kind::ModelMessage => asking = Some(event),
            _ => {}
        }
    }
    false
}

impl Assent {
    fn is_to(&self, number: usize) -> bool {
        match self {
            Assent::All => true,
            Assent::Numbered(numbers) => numbers.contains(&(number + 1)),
        }
    }
}

fn asks_about(answer: &Event, step: &str) -> bool {
    let said = answer.content.as_deref().unwrap_or(&answer.summary);
    said.lines().any(|line| line.contains('?') && names(line, step))
}

fn is_worked_on(asked: &Event, after: &[Event]) -> bool {
    after.iter().any(|event| event.session_id == asked.session_id && is_work(event))
}

fn assent(said: &str) -> Option<Assent> {
    let lower = said.to_lowercase().replace('’', "'");
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || ",.!;:#".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    if words.len() > MOST_WORDS || said.trim_end().ends_with('?') {
        return None;
    }
    if let Some(numbers) = numbered(&words) {
        return Some(Assent::Numbered(numbers));
    }
    let left: Vec<&str> =
        words.iter().copied().skip_while(|word| is_polite(word) || is_in(YES, word)).collect();
    let left = left.join(" ");
    let is_yes = left.is_empty() && words.iter().any(|word| is_in(YES, word));
    // "Go on with the docs" names something.
    let is_all =
        |all: &&str| left.strip_prefix(*all).is_some_and(|rest| rest.split(' ').skip(1).all(is_polite));
    (is_yes || ALL.iter().any(is_all)).then_some(Assent::All)
}

fn is_polite(word: &str) -> bool {
    is_in(POLITE, word)
}

/// "do 1 and 3", "the first one please".
fn numbered(words: &[&str]) -> Option<Vec<usize>> {
    let number = |word: &str| {
        let ordinal = ORDINALS.iter().position(|ordinal| *ordinal == word).map(|at| at + 1);
        ordinal.or_else(|| word.parse().ok())
    };
    let numbers: Vec<usize> = words.iter().filter_map(|word| number(word)).collect();
    let is_plain = words.iter().all(|word| is_in(AROUND, word) || number(word).is_some());
    (is_plain && !numbers.is_empty()).then_some(numbers)
}
