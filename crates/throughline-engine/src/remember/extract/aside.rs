//! What is said beside a statement and is not part of it: what it may explain, what whoever hears it will have noticed, what
//! follows from it for today, what is to be done about it.

use super::nouns;
use super::sentence::{MAX_WORDS, Sentence, Word, find, starts, words};
use crate::words::is_in;

/// A clause begins behind these.
const PARTING: [&str; 8] = [", ", "; ", " - ", " – ", " — ", " so ", " but ", " and then "];
/// Who begins a clause so asks for something.
const REQUESTING: [&str; 4] = ["could you", "can you", "would you", "will you"];
/// Fewer words before it are no statement.
const FEW: usize = 3;

/// The sentence without what is said beside it; nothing where all of it is the statement.
pub(super) fn without<'a>(sentence: &Sentence<'a>) -> Option<Sentence<'a>> {
    let (at, _) = PARTING
        .iter()
        // What stands before more of them is too long for a statement.
        .flat_map(|sign| sentence.text.match_indices(sign).take(MAX_WORDS))
        .filter(|(at, sign)| {
            let (head, tail) = (words(&sentence.text[..*at]), words(&sentence.text[at + sign.len()..]));
            is_aside(&head, &tail, sign.trim()) || sentence.asks() && is_asked_for(&tail)
        })
        .min()?;
    let head = Sentence::new(sentence.line, &sentence.text[..at], sentence.next);
    (head.words.len() >= FEW).then_some(Sentence { leads: sentence.leads, ..head })
}

/// A text without the order at its end, which is no part of what it states: "the DAGs live in dags/common, so port dags/legacy".
pub(in crate::remember) fn without_order(text: &str) -> &str {
    let parts = PARTING.iter().flat_map(|sign| text.match_indices(sign).take(MAX_WORDS));
    let is_order = |(at, sign): &(usize, &str)| {
        is_order_beside(&words(&text[..*at]), &words(&text[at + sign.len()..]), sign.trim())
    };
    let at = parts.filter(is_order).map(|(at, _)| at).min();
    at.map_or(text, |at| text[..at].trim_end_matches([',', ';', ' ']))
}

/// It says how something is, and not what is to be done.
fn is_statement(head: &[Word]) -> bool {
    let is =
        head.iter().take(8).position(|word| matches!(word.text.as_str(), "is" | "are" | "uses" | "runs"));
    let does =
        ["run", "to", "first", "by", "if", "when", "once"].iter().any(|word| find(head, word).is_some());
    is.is_some_and(|at| at > 0) && !does && !head.first().is_some_and(nouns::is_order)
}

fn is_aside(head: &[Word], tail: &[Word], sign: &str) -> bool {
    if is_order_beside(head, tail, sign) {
        return true;
    }
    let is_led = begins(tail, &["so", "but", "and"]);
    let (tail, follows) = if is_led { (&tail[1..], starts(tail, "so")) } else { (tail, sign == "so") };
    // "to release, run a, and then run b" is one way of doing it.
    let is_next = sign == "and then" || starts(tail, "then");
    let tail = if starts(tail, "then") { &tail[1..] } else { tail };
    let asks_next = is_next && tail.first().is_some_and(nouns::is_order) && tail.len() > 1;
    match () {
        () if asks_next => is_statement(head),
        () => {
            follows && is_of_today(tail)
                || explains(tail)
                || addresses(tail)
                || orders(tail)
                || names_who(tail)
        }
    }
}

/// "Airflow is 2.9 here - fix the imports": told first, and then what is to be done now.
fn is_order_beside(head: &[Word], tail: &[Word], sign: &str) -> bool {
    let is_led = begins(tail, &["so", "and"]);
    let is_next = starts(tail, "and then") || sign == "and then";
    let leads =
        |word: &&Word| matches!(word.text.as_str(), "so" | "and" | "then" | "please" | "now" | "just");
    let lead = tail.iter().take_while(leads).count();
    let begins_one =
        is_led || is_next || starts(tail, "please") || matches!(sign, "-" | "–" | "—" | "so" | "and then");
    begins_one && head.len() >= FEW && is_told(head) && is_for_now(&tail[lead..])
}

/// "… go to Opsgenie as of today, swap the webhook in infra?"
fn is_asked_for(tail: &[Word]) -> bool {
    const LEADING: &str = "so and then please now just";
    let lead = tail.iter().take_while(|word| is_in(LEADING, &word.text)).count();
    is_for_now(&tail[lead..]) && tail.iter().rev().skip(1).all(|word| word.then.is_none())
}

/// Whether it asks for something in the middle of what it says: "her boss wants a slide, can you give me five words".
pub(super) fn requests(sentence: &Sentence<'_>) -> bool {
    let parts = PARTING
        .iter()
        .flat_map(|sign| sentence.text.match_indices(sign).take(MAX_WORDS).map(|(at, sign)| at + sign.len()));
    parts.map(|from| words(&sentence.text[from..])).any(|tail| begins(&tail, &REQUESTING))
}

/// What is done to one thing, and once.
pub(super) fn is_for_now(order: &[Word]) -> bool {
    const FURTHER: &str = "modernise modernize adapt adjust clean regenerate simplify correct repair finish rework investigate migrate port sort swap";
    const ONE: &str = "the this that these those it them my our both everything all";
    const EACH_TIME: [&str; 9] =
        ["always", "never", "every", "each", "whenever", "only", "instead", "first", "before"];
    let [verb, object, ..] = order else { return false };
    let is_one = is_in(ONE, &object.text) || object.is_name || object.has_hump;
    let is_each_time = EACH_TIME.iter().any(|word| find(order, word).is_some());
    (nouns::is_order(verb) || is_in(FURTHER, &verb.text)) && is_one && !is_each_time
}

/// A whole statement of how something is.
pub(super) fn is_told(head: &[Word]) -> bool {
    const TELLING: &str = "is are uses use runs run lives live listens goes go sits has have needs need comes come stays lands deploys expects serves stores returns writes reads talks owns maintains";
    const ASKING: &str =
        "if when whenever once before after to for let let's can could would what which why how who make add";
    let verb = head.iter().take(8).position(|word| is_in(TELLING, &word.text));
    let begins = head.first().is_none_or(|word| nouns::is_order(word) || is_in(ASKING, &word.text));
    verb.is_some_and(|at| at > 0 && at + 1 < head.len()) && !begins
}

/// "…, might explain the latency that you saw"
fn explains(tail: &[Word]) -> bool {
    const EXPLAINING: [&str; 8] = [
        "might explain",
        "may explain",
        "could explain",
        "would explain",
        "probably explains",
        "might be why",
        "could be why",
        "probably why",
    ];
    EXPLAINING.iter().any(|phrase| find(tail, phrase).is_some_and(|at| at < 3))
}

/// "…, you probably have 21 on your path"
fn addresses(tail: &[Word]) -> bool {
    const ADDRESSING: [&str; 8] = [
        "you probably",
        "you've probably",
        "you might have",
        "you may have",
        "you know",
        "as you know",
        "as you can see",
        "in case you",
    ];
    begins(tail, &ADDRESSING)
}

/// "… so this has to be in by tomorrow evening"
fn is_of_today(tail: &[Word]) -> bool {
    const TODAY: [&str; 10] = [
        "this has",
        "this needs",
        "this one",
        "we've still",
        "we still",
        "we have until",
        "tomorrow",
        "today",
        "tonight",
        "that's out",
    ];
    begins(tail, &TODAY)
}

/// "…, see if the workflow still installs poetry"
fn orders(tail: &[Word]) -> bool {
    const ORDERING: [&str; 12] = [
        "see if",
        "see whether",
        "check if",
        "check whether",
        "check that",
        "please check",
        "please fix",
        "please change",
        "please adjust",
        "have a look",
        "take a look",
        "let me know",
    ];
    // "…, please correct it"
    let is_short = starts(tail, "please") && tail.len() <= 4 && find(tail, "it").is_some();
    is_short || begins(tail, &ORDERING) || begins(tail, &REQUESTING)
}

/// "… signed off by the safety officer, that's Dr. Vink currently"
fn names_who(tail: &[Word]) -> bool {
    let is_now =
        ["currently", "at the moment", "right now", "for now"].iter().any(|now| find(tail, now).is_some());
    let is_somebody = |word: &Word| word.is_capital && !word.is_name;
    is_now && starts(tail, "that's") && tail[1..].iter().take(2).any(is_somebody)
}

fn begins(tail: &[Word], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| starts(tail, phrase))
}

#[cfg(test)]
mod tests {
    use super::{Sentence, without};

    #[test]
    fn what_is_said_beside_a_statement_is_left_out() {
        for (whole, statement) in [
            ("staging runs on Hetzner, might explain the latency you saw", "staging runs on Hetzner"),
            ("we build with JDK 17, you probably have 21 on your path", "we build with JDK 17"),
            ("we ship every Thursday so this has to be in by tomorrow", "we ship every Thursday"),
            ("the log format is GELF, and then can you write a test", "the log format is GELF"),
            ("the log format is GELF, and then split the file", "the log format is GELF"),
            ("The DAGs live in dags/common, so modernise dags/legacy", "The DAGs live in dags/common"),
            ("Airflow is 2.9 here - fix the imports in dags/common", "Airflow is 2.9 here"),
            ("the port is 8080 now, please update the docs", "the port is 8080 now"),
            (
                "alerts go to Opsgenie as of today, swap the webhook in infra?",
                "alerts go to Opsgenie as of today",
            ),
            ("the queue is Kafka, so please remove the old consumer", "the queue is Kafka"),
            ("sessions are kept in Redis and then clean the old table", "sessions are kept in Redis"),
            ("ci runs on Buildkite, see if it still installs poetry", "ci runs on Buildkite"),
            (
                "rules/ is signed off by the safety officer, that's Dr. Vink currently",
                "rules/ is signed off by the safety officer",
            ),
        ] {
            assert_eq!(without(&Sentence::new(1, whole, None)).unwrap().text, statement);
        }
    }

    #[test]
    fn what_bears_on_the_statement_stays() {
        for whole in [
            "staging runs on port 9000, at least for now",
            "we deploy on Tuesdays, I think",
            "the API is at 8080, but that's only for today",
            "ids are ULIDs, so they sort by time",
            "to release, run make tag, and then push the tag",
            "the schema is generated, so never edit it by hand",
            "the client is generated - regenerate it after every change",
            "the API is slow, so use the cache",
            "fix the imports in dags/common - and rename the module",
        ] {
            assert!(without(&Sentence::new(1, whole, None)).is_none(), "{whole}");
        }
    }
}
