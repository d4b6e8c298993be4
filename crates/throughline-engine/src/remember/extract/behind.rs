//! What is told behind a task, in one sentence with it: "speed up the overview (we look at Sentry for crashes)", "rename tmp2 -
//! the hub moved to Duisburg", "port the script, also the game server listens on 27015".

use super::aside::is_for_now;
use super::explicit;
use super::sentence::{MAX_WORDS, Sentence, Word, find, words};
use super::{Found, Reason, lasting, nouns};
use crate::words::is_in;

/// Something else begins behind these.
const BESIDES: [&str; 12] = [
    ", also ",
    " and also ",
    " also ",
    ", btw ",
    " and btw ",
    " btw ",
    ", by the way ",
    " and by the way ",
    ", fyi ",
    " fyi ",
    " - ",
    " – ",
];
const FURTHER: &str = "count handle find speed reformat format profile measure benchmark silence trim list print log wrap drop \
    clean refactor simplify regenerate investigate migrate sort swap adapt adjust finish";
const REQUESTS: &str = "please pls plz can could would will";
const EACH_TIME: [&str; 8] = ["always", "never", "every", "each", "whenever", "instead", "only", "before"];
/// What speaks of the task says nothing by itself.
const POINTING: &str =
    "it its it's that that's this these those them they they're one ones which who he she otherwise";
/// Fewer words are no statement.
const FEW: usize = 3;

/// What stands behind the task, as `stated` knows it.
pub(super) fn says(
    sentence: &Sentence<'_>,
    stated: fn(&Sentence<'_>) -> Result<Found, Reason>,
) -> Option<Found> {
    let text = sentence.text;
    if !begins_as_task(&sentence.words) {
        return None;
    }
    let behind = |sign: &'static str| {
        let places = text.match_indices(sign).take(MAX_WORDS);
        places.map(move |(at, _)| Part { head: &text[..at], tail: &text[at + sign.len()..] })
    };
    let parts = BESIDES.iter().flat_map(|sign| behind(sign)).chain(in_brackets(text)).chain(asked(text));
    let mut found = parts
        .filter(Part::is_parted)
        .filter_map(|part| stated(&Sentence::new(sentence.line, part.tail, sentence.next)).ok());
    let first = found.next()?;
    if first.tentative { Some(found.find(|other| !other.tentative).unwrap_or(first)) } else { Some(first) }
}

#[derive(Debug, Clone, Copy)]
struct Part<'a> {
    head: &'a str,
    tail: &'a str,
}

impl Part<'_> {
    fn is_parted(&self) -> bool {
        let (head, tail) = (words(self.head), words(self.tail));
        let first = tail.first().map_or("", |word| word.text.as_str());
        tail.len() >= FEW && !is_in(POINTING, first) && is_task(&head) && !lasting::may_last(self.head)
    }
}

/// What stands in brackets at the end.
fn in_brackets(text: &str) -> Option<Part<'_>> {
    let (head, inside) = text.split_once(" (")?;
    let (tail, rest) = inside.rsplit_once(')')?;
    rest.chars().all(|c| !c.is_alphanumeric()).then_some(Part { head, tail })
}

/// "fix the pagination and remember: every bug has a test"
fn asked(text: &str) -> Option<Part<'_>> {
    let at = text
        .match_indices(" and ")
        .map(|(at, sign)| (at, at + sign.len()))
        .find(|(_, from)| explicit::is_surely_asked_for(&words(&text[*from..])));
    at.map(|(end, from)| Part { head: &text[..end], tail: &text[from..] })
}

fn begins_as_task(words: &[Word]) -> bool {
    words.first().is_some_and(|word| is_in(REQUESTS, &word.text) || is_order(word))
}

fn is_order(word: &Word) -> bool {
    nouns::is_order(word) || is_in(FURTHER, &word.text)
}

/// Something to be done, and once.
fn is_task(head: &[Word]) -> bool {
    let is_each_time = EACH_TIME.iter().any(|word| find(head, word).is_some());
    let is_asked = head.first().is_some_and(|word| is_in(REQUESTS, &word.text));
    let is_told = head.first().is_some_and(is_order) && (head.len() >= FEW || is_for_now(head));
    !is_each_time && head.len() >= 2 && (is_asked || is_told)
}

#[cfg(test)]
mod tests {
    use super::super::by_user;
    use super::Sentence;

    fn content(text: &str) -> Option<String> {
        by_user(&Sentence::new(1, text, None)).ok().map(|found| found.content)
    }

    #[test]
    fn what_is_told_behind_a_task_is_kept_without_it() {
        for (whole, statement) in [
            ("speed up the overview (crashes are reported to Sentry)", "Crashes are reported to Sentry"),
            (
                "rename tmp2 to rows - the staging database runs on port 6432",
                "The staging database runs on port 6432",
            ),
            ("fix the unused parameter, also our warehouse is Snowflake", "Our warehouse is Snowflake"),
            ("can you check the spelling and btw we wrap code at 100 columns", "We wrap code at 100 columns"),
            (
                "fix the pagination and remember every bugfix comes with a test",
                "Every bugfix comes with a test",
            ),
        ] {
            assert_eq!(content(whole).as_deref(), Some(statement), "{whole}");
        }
    }

    #[test]
    fn what_speaks_of_the_task_is_no_statement() {
        for whole in [
            "rename tmp2 to rows - it is hard to read",
            "add a test for the empty cart, that one is missing",
            "write the migration (the one for the orders)",
        ] {
            assert_eq!(content(whole), None, "{whole}");
        }
    }
}
