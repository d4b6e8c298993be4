//! Which things a statement says are gone from the project: "we've retired NATS; messages go over SQS", "… these days, ty is
//! uninstalled". What used them does not hold any more, whatever words it was told in.

use super::reading::Reading;
use crate::remember::{alternatives, shape};
use crate::words::is_in;

/// What somebody did to it.
const ENDING: &str = "retired dropped ditched cancelled canceled abandoned killed scrapped uninstalled decommissioned sunset deleted removed";
const ENDING_IN_WORDS: [&[&str]; 8] = [
    &["got", "rid", "of"],
    &["said", "goodbye", "to"],
    &["stopped", "using"],
    &["moved", "away", "from"],
    &["moved", "off"],
    &["done", "with"],
    &["switched", "away", "from"],
    &["parted", "with"],
];
/// Who did so.
const WE: &str = "we we've we're i i've they they've and have has finally just already";
/// What it is.
const GONE: &str = "gone dead history uninstalled retired decommissioned obsolete cancelled canceled discontinued deprecated";
/// A name goes on with no more than these words.
const LONGEST: usize = 3;
/// What may follow the name: when, or what goes on.
const AFTER: &str =
    "and on last this yesterday today now since completely entirely altogether behind as because but so in";
const TIMES: &str = "january february march april may june july august september october november december spring summer autumn winter";

/// In small letters.
pub(in crate::remember) fn gone(text: &str) -> Vec<String> {
    let words = words(text);
    let mut gone: Vec<String> =
        (0..words.len()).filter_map(|at| given_up(&words, at).or_else(|| over(&words, at))).collect();
    gone.dedup();
    gone
}

/// Whether a statement goes by the thing: it names it, and denies nothing of it.
pub(in crate::remember) fn goes_by(text: &str, thing: &str) -> bool {
    let named: Vec<String> = words(text).into_iter().map(|word| word.small).collect();
    let parts: Vec<&str> = thing.split(' ').collect();
    let is_named =
        named.windows(parts.len()).any(|words| words.iter().zip(&parts).all(|(word, part)| word == part));
    if !is_named || gone(text).iter().any(|one| one == thing) {
        return false;
    }
    let reading = Reading::of(text);
    !reading.is_negative && parts.iter().all(|part| !reading.stems_of(part).is_empty())
}

struct Word {
    small: String,
    /// Written as a name is, or known as one.
    is_name: bool,
    ends: bool,
}

fn words(text: &str) -> Vec<Word> {
    let word = |(at, written): (usize, &str)| {
        let raw = shape::bare(written).trim_matches('`');
        let small = raw.to_lowercase();
        let is_marked = at > 0 && shape::is_capital(raw) || raw.contains(|c: char| c.is_ascii_digit());
        Word {
            is_name: is_marked || alternatives::is_known(&small),
            small,
            ends: written.ends_with([',', ';', ':', '.', '!']),
        }
    };
    text.split_whitespace().enumerate().map(word).filter(|word| !word.small.is_empty()).collect()
}

/// "we've retired NATS", and not "… for the mailer", "… from the admin app".
fn given_up(words: &[Word], at: usize) -> Option<String> {
    let is_by_us = at == 0 || is_in(WE, &words[at - 1].small) || words[at - 1].ends;
    let phrase = ENDING_IN_WORDS.iter().find(|phrase| {
        words.len() > at + phrase.len()
            && phrase.iter().zip(&words[at..]).all(|(part, word)| *part == word.small)
    });
    let length =
        phrase.map(|phrase| phrase.len()).or_else(|| is_in(ENDING, &words[at].small).then_some(1))?;
    let name = name(words, at + length).filter(|_| is_by_us)?;
    let last = at + length + name - 1;
    let next = words.get(last + 1).map_or("", |word| word.small.as_str());
    let is_dated = || words.get(last + 2).is_some_and(|word| is_in(TIMES, &word.small));
    let is_whole = words[last].ends || next.is_empty() || is_in(AFTER, next) && (next != "in" || is_dated());
    is_whole.then(|| called(&words[at + length..=last]))
}

/// "ty is uninstalled", "Opsgenie is history"
fn over(words: &[Word], at: usize) -> Option<String> {
    let begins = at == 0 || words[at - 1].ends || is_in("and but since because now", &words[at - 1].small);
    let name = name(words, at).or_else(|| is_tool_alone(words, at).then_some(1)).filter(|_| begins)?;
    let [is, what, ..] = words.get(at + name..)? else { return None };
    let is_gone = is_in("is was are were", &is.small) && is_in(GONE, &what.small);
    (is_gone && !words[at + name - 1].ends).then(|| called(&words[at..at + name]))
}

/// "ty is uninstalled": only a program is.
fn is_tool_alone(words: &[Word], at: usize) -> bool {
    let what = words.get(at + 2).map_or("", |word| word.small.as_str());
    let is_word = words[at].small.chars().all(char::is_alphanumeric);
    is_word
        && is_in("uninstalled decommissioned", what)
        && !is_in("it this that everything all he she", &words[at].small)
}

/// Of how many words the name is that stands here.
fn name(words: &[Word], at: usize) -> Option<usize> {
    let mut length = 0;
    while length < LONGEST && words.get(at + length).is_some_and(|word| word.is_name) {
        length += 1;
        if words[at + length - 1].ends {
            break;
        }
    }
    (length > 0).then_some(length)
}

fn called(words: &[Word]) -> String {
    let small: Vec<&str> = words.iter().map(|word| word.small.as_str()).collect();
    small.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{goes_by, gone};

    #[test]
    fn what_is_gone_is_told_by_its_name() {
        for (text, name) in [
            ("We've retired NATS; messages go over SQS", "nats"),
            ("Mind that we type-check with pyright these days, ty is uninstalled", "ty"),
            ("We've gone live with Stripe for course fees and cancelled SumUp", "sumup"),
            ("We dropped Yarn 4 on Friday", "yarn 4"),
            ("We said goodbye to PDM in March, uv is next", "pdm"),
        ] {
            assert_eq!(gone(text), [name], "{text}");
        }
        for text in [
            "We dropped Redis for sessions",
            "We removed Tailwind from the admin app",
            "Deleted rows are kept for 30 days",
            "The meeting on Friday is cancelled",
            "Use pnpm, not npm",
            "Old files are removed",
        ] {
            assert_eq!(gone(text), <[&str; 0]>::default(), "{text}");
        }
    }

    #[test]
    fn who_denies_a_thing_does_not_go_by_it() {
        assert!(goes_by("Background jobs go over NATS", "nats"));
        assert!(!goes_by("Jobs go over SQS, not NATS", "nats"));
        assert!(!goes_by("We never use NATS", "nats"));
        assert!(!goes_by("We dropped NATS last year", "nats"));
    }
}
