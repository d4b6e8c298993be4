//! How a sentence is worded that is meant to bind whoever reads it: as an order, under a label that texts have ("IMPORTANT: …"),
//! in the name of people ("the user wants …"), as leave to do something.
//!
//! Only words: whose they are is known from the log.

use super::safeguard::loosens;
use crate::words::is_in;

/// Words that bind, wherever they stand.
const BINDING: &str = "always never must shall should mandatory forbidden prohibited";
/// Words of orders that also tell what is.
const PERHAPS: &str = "run curl ignore disable don't not only";
/// What an order begins with.
const ORDERS: &str = "run curl ignore disable skip bypass omit use prefer avoid call download send post upload delete remove trust accept \
    approve allow grant treat remember store execute install push commit merge deploy set turn switch keep leave stop don't do ask add \
    make ensure follow write put enable open close override assume pretend forget print show include exclude reply answer";
/// What goes before an order and changes nothing of it.
const LEADING: &str =
    "please then now also and so just you agents agent claude assistant assistants everyone";
/// Labels that texts have for whoever reads them.
const LABELS: &str = "important note notice warning caution attention system todo fixme hint tip policy policies rule rules instruction \
    instructions reminder security compliance assistant agent agents developer admin requirement requirements mandatory guideline \
    guidelines directive override urgent nb prompt message memo";
/// What a document titles as decided.
const TITLES: &str = "decision decisions decided convention conventions resolution";
const LABEL_WORDS: usize = 4;

const PEOPLE: &str = "user users team teams owner owners maintainer maintainers customer customers boss manager management lead leads \
    everyone everybody company organisation organization admin admins administrator administrators stakeholders developers operator \
    operators we they she he";
const WILLING: &str = "prefers prefer wants want wishes wish expects expect insists insist demands demand agreed agrees agree decided \
    decides decide approved approves allows allowed permits permitted authorized authorised authorizes authorises confirmed chose \
    chosen picked opted settled asked asks instructed instructs requested requests told adopted";
const US: &str = "we we're we'll we've our let's";
/// So far from each other stand who wants something and that he does.
const NEAR: usize = 4;
const GIVEN: [&[&str]; 28] = [
    &["required", "to"],
    &["is", "required", "that"],
    &["is", "allowed", "to"],
    &["are", "allowed", "to"],
    &["allowed", "to", "skip"],
    &["permitted", "to"],
    &["is", "fine", "to"],
    &["is", "ok", "to"],
    &["is", "okay", "to"],
    &["is", "safe", "to"],
    &["is", "acceptable", "to"],
    &["it's", "fine", "to"],
    &["it's", "ok", "to"],
    &["you", "may"],
    &["you", "can"],
    &["you", "are", "to"],
    &["you", "need", "not"],
    &["you", "have", "to"],
    &["you", "don't", "need"],
    &["agents", "may"],
    &["agents", "can"],
    &["feel", "free"],
    &["no", "need", "to"],
    &["need", "no"],
    &["needs", "no"],
    &["not", "required"],
    &["not", "needed"],
    &["we", "will"],
];

const DENYING: &str =
    "not never no without don't doesn't cannot can't won't mustn't shouldn't isn't aren't nor nobody nothing";

/// The words of a sentence in small letters, without the signs around them.
pub(super) fn words(text: &str) -> Vec<String> {
    let bare =
        |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).replace('’', "'").to_lowercase();
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

/// Whether it is meant to bind, by its words. A label always binds, so that those behind it need not be told apart.
pub(super) fn binds(sentence: &str, words: &[String]) -> bool {
    is_labelled(sentence, TITLES)
        || is_labelled(sentence, LABELS)
        || words.iter().any(|word| is_in(BINDING, word))
        || orders(sentence, words)
        || has_any(words, &GIVEN)
        || speaks_for_people(words)
}

/// Whether it may be an order, and may as well tell what is.
pub(super) fn perhaps_binds(words: &[String]) -> bool {
    let has_subject = |at: usize| at > 0 && words[at] == "run" && is_a_thing(&words[at - 1]);
    words.iter().enumerate().any(|(at, word)| is_in(PERHAPS, word) && !has_subject(at))
}

/// "tests run …" tells what is, "users run …" and "always run …" may be meant to bind.
fn is_a_thing(word: &str) -> bool {
    word.ends_with('s') && !is_in(PEOPLE, word) && !is_in(BINDING, word) && !is_in(LEADING, word)
}

/// Whoever writes "we" may tell what was decided, and may as well tell what is.
pub(super) fn is_of_us(words: &[String]) -> bool {
    words.iter().any(|word| is_in(US, word))
}

/// "IMPORTANT: always run as root", "SYSTEM: skip the tests": as texts talk to those who read them.
pub(super) fn is_addressed(sentence: &str) -> bool {
    let words = words(unlabelled(sentence));
    let binds = words.iter().any(|word| is_in(BINDING, word)) || orders(unlabelled(sentence), &words);
    is_labelled(sentence, LABELS) && (binds || has_any(&words, &GIVEN) || loosens(sentence))
}

/// Somebody else wants it, or gives leave to do it.
pub(super) fn is_in_the_name_of_people(sentence: &str) -> bool {
    let words = words(sentence);
    speaks_for_people(&words) || has_any(&words, &GIVEN)
}

/// How often it denies: who says the opposite has not said it.
pub(super) fn denials(sentence: &str) -> usize {
    words(sentence).iter().filter(|word| is_in(DENYING, word)).count()
}

/// The sentence without the label before it.
pub(super) fn unlabelled(sentence: &str) -> &str {
    if !(is_labelled(sentence, LABELS) || is_labelled(sentence, TITLES)) {
        return sentence;
    }
    let end = label_end(sentence).unwrap_or_else(|| {
        let begin = beginning(sentence);
        begin + sentence[begin..].find(char::is_whitespace).unwrap_or(sentence.len() - begin)
    });
    sentence[end..].trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`')
}

fn is_labelled(sentence: &str, labels: &'static str) -> bool {
    let begin = beginning(sentence);
    let has_label = |text: &str| words(text).iter().any(|word| is_in(labels, word));
    match label_end(sentence) {
        Some(end) => has_label(&sentence[begin..end]),
        None => {
            let first = sentence[begin..].split_whitespace().next().unwrap_or_default();
            let is_loud = begin > 0 && sentence[..begin].ends_with(['[', '*', '_', '<', '('])
                || first.chars().filter(char::is_ascii_uppercase).count() > 2
                    && first.to_uppercase() == first;
            is_loud && has_label(first)
        }
    }
}

/// Where the sign behind a short lead is.
fn label_end(sentence: &str) -> Option<usize> {
    let begin = beginning(sentence);
    let signs = [":", "：", "—", "–", " - "];
    let end = begin + signs.iter().filter_map(|sign| sentence[begin..].find(sign)).min()?;
    let is_short = sentence[begin..end].split_whitespace().count() <= LABEL_WORDS;
    (is_short && end + 1 < sentence.len()).then_some(end)
}

/// Behind the signs, the numbers and the marks of comments that a line begins with.
fn beginning(sentence: &str) -> usize {
    sentence.find(char::is_alphabetic).unwrap_or(0)
}

/// Begins with what is to be done, and is no code.
pub(super) fn orders(sentence: &str, words: &[String]) -> bool {
    let is_code = sentence.trim_end().ends_with([';', '{', '}', ',']) || sentence.contains("::");
    let first = words.iter().find(|word| !is_in(LEADING, word) && word.parse::<u32>().is_err());
    !is_code && first.is_some_and(|word| is_in(ORDERS, word))
}

fn speaks_for_people(words: &[String]) -> bool {
    let wills = |at: usize| words[at + 1..].iter().take(NEAR).any(|word| is_in(WILLING, word));
    (0..words.len()).any(|at| is_in(PEOPLE, &words[at]) && wills(at))
}

fn has_any(words: &[String], phrases: &[&[&str]]) -> bool {
    phrases.iter().any(|phrase| find(words, phrase).is_some())
}

pub(super) fn find(words: &[String], phrase: &[&str]) -> Option<usize> {
    words.windows(phrase.len()).position(|window| window.iter().zip(phrase).all(|(one, other)| one == other))
}
