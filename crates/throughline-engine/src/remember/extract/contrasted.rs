//! "zod, not ajv": what it is and what it is not, and nothing else. What it is not says nothing alone.

use throughline_store::memory::Kind;

use super::sentence::{Sentence, Word, find, words};
use super::{Family, Found, Reason, doubt, fragment, nouns};
use crate::remember::alternatives;
use crate::words::is_in;

const FEW: usize = 4;

/// Both sides are a few words, and they name something.
pub(super) fn says(sentence: &Sentence<'_>) -> Result<Option<Found>, Reason> {
    let words = &sentence.words;
    let Some(not) = find(words, "not").filter(|at| *at > 0 && words[at - 1].then == Some(',')) else {
        return Ok(None);
    };
    let (is, is_not) = (&words[..not], &words[not + 1..]);
    // A tool that is known says of what sort the other is.
    let is_named = is.iter().any(is_named) && is_not.iter().any(is_named);
    let is_known = words.iter().any(|word| nouns::is_tool(word) || alternatives::is_known(&word.text));
    if !is_few(is)
        || !is_few(is_not)
        || !(is_named || is_known)
        || is_not.iter().rev().skip(1).any(|word| word.then.is_some())
    {
        return Ok(None);
    }
    match doubt::of_statement(sentence) {
        Some(reason) => Err(reason),
        None if doubt::is_symptom(sentence) => Err(Reason::Symptom),
        None if doubt::is_local(sentence) => Err(Reason::Task),
        None => {
            let content = format!("Use {}", sentence.text);
            Ok(Some(Found::new(Family::Correction, Kind::Rule, 0.65, &content)))
        }
    }
}

fn is_named(word: &Word) -> bool {
    let is_word = word.text.starts_with(char::is_alphabetic);
    is_word && (nouns::is_specific(word) || word.is_capital || word.text.contains('-'))
}

/// A few words that state nothing.
fn is_few(side: &[Word]) -> bool {
    const POINTING: &str =
        "the a an it this that these those i we you use my your in on at to for from with only just call";
    let states = side.iter().any(|word| fragment::is_verb(&word.text) || word.then == Some(':'));
    (1..=FEW).contains(&side.len())
        && !is_in(POINTING, &side[0].text)
        && !nouns::is_order(&side[0])
        && !states
        && !side.iter().any(is_of_moment)
}

/// A day, or one file: what it is about was said before.
fn is_of_moment(word: &Word) -> bool {
    const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays today tomorrow";
    let ending = word.text.rsplit_once('.').map_or("", |(_, ending)| ending);
    is_in(DAYS, &word.text)
        || (1..=4).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// "Not SES", "Not Spinnaker, we've been over this"
pub(super) fn only_denies(content: &str) -> bool {
    const OF_MANY: &str = "all every everyone everything each any only until before after more less even just many much a an the one";
    const REPROACHING: &str = "this that again told said times already how often please ok";
    let words = words(content);
    let second = words.get(1).map_or("", |word| word.text.as_str());
    if words.first().is_none_or(|word| word.text != "not") || is_in(OF_MANY, second) {
        return false;
    }
    let end = words
        .iter()
        .position(|word| word.then.is_some_and(|sign| sign != '.'))
        .map_or(words.len(), |end| end + 1);
    let (denied, rest) = words.split_at(end);
    let reproaches = rest.is_empty() || rest.iter().any(|word| is_in(REPROACHING, &word.text));
    !denied.iter().any(|word| fragment::is_verb(&word.text)) && reproaches
}
