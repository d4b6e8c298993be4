//! What is said beside a statement and is not part of it: what it may explain, what whoever hears it will have noticed, what
//! follows from it for today, what is to be done about it.

use super::nouns;
use super::sentence::{MAX_WORDS, Sentence, Word, find, starts, words};

/// A clause begins behind these.
const PARTING: [&str; 7] = [", ", "; ", " - ", " – ", " so ", " but ", " and then "];
/// Fewer words before it are no statement.
const FEW: usize = 3;

/// The sentence without what is said beside it; nothing where all of it is the statement.
pub(super) fn without<'a>(sentence: &Sentence<'a>) -> Option<Sentence<'a>> {
    let (at, _) = PARTING
        .iter()
        // What stands before more of them is too long for a statement.
        .flat_map(|sign| sentence.text.match_indices(sign).take(MAX_WORDS))
        .filter(|(at, sign)| {
            is_aside(&words(&sentence.text[..*at]), &words(&sentence.text[at + sign.len()..]), sign.trim())
        })
        .min()?;
    let head = Sentence::new(sentence.line, &sentence.text[..at], sentence.next);
    (head.words.len() >= FEW).then_some(Sentence { leads: sentence.leads, ..head })
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
    const ASKING: [&str; 4] = ["could you", "can you", "would you", "will you"];
    // "…, please correct it"
    let is_short = starts(tail, "please") && tail.len() <= 4 && find(tail, "it").is_some();
    is_short || begins(tail, &ORDERING) || begins(tail, &ASKING)
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
        ] {
            assert!(without(&Sentence::new(1, whole, None)).is_none(), "{whole}");
        }
    }
}
