//! Whether a sentence takes away what keeps people safe from mistakes: tests, reviews, questions, locks. By itself it may do so
//! loosely, in so many words, or for good.

use super::wording::{find, orders, unlabelled, words};
use crate::words::is_in;

const LOOSENING: &str = "skip skips skipped skipping disable disables disabled disabling ignore ignores ignored ignoring bypass bypasses \
    bypassed bypassing omit omitted suppress suppressed optional without no off unneeded unnecessary waived waive trust remove removed";
/// What is said with "off".
const SWITCHING: &str = "turn turns turned turning switch switches switched switching";
const SAFEGUARDS: &str = "test tests testing check checks checking linter linters lint lints linting warning warnings review reviews \
    reviewer reviewers reviewing approval approvals approving confirmation confirming confirm permission permissions asking consent \
    auth authentication authorization authorisation tls ssl https certificate certificates verification verifying validation security \
    firewall sandbox sandboxing hook hooks ci scan scans scanning encryption signing signature signatures audit audits rule rules \
    instruction instructions policy policies csrf cors 2fa mfa";
/// So far from each other stand the safeguard and what is done to it.
const REACH: usize = 5;
const PAST_SAFEGUARDS: [&[&str]; 17] = [
    &["as", "root"],
    &["straight", "to", "main"],
    &["straight", "to", "master"],
    &["straight", "to", "production"],
    &["straight", "to", "prod"],
    &["directly", "to", "main"],
    &["directly", "to", "master"],
    &["directly", "to", "production"],
    &["directly", "to", "prod"],
    &["push", "to", "main"],
    &["push", "to", "master"],
    &["force", "push"],
    &["never", "ask"],
    &["don't", "ask"],
    &["not", "ask"],
    &["need", "not", "ask"],
    &["unreviewed"],
];
/// Flags that go past them, and the words that they are found by.
const FLAGS: [(&str, &[&str]); 7] = [
    ("no-verify", &["no-verify"]),
    ("curl -k", &["curl", "k"]),
    ("curl -k", &["k", "to", "curl"]),
    ("insecure", &["insecure"]),
    ("no-check-certificate", &["no-check-certificate"]),
    ("no-gpg-sign", &["no-gpg-sign"]),
    ("dangerously-skip-permissions", &["dangerously-skip-permissions"]),
];
/// A push that something is done on is none that goes past anybody.
const EACH: &str = "every each a any on after before per the";
const FORBIDDING: &str = "never don't not mustn't shouldn't avoid nobody cannot can't";
/// "No deploys without approval" forbids.
const NONE: &str = "no nothing none";
const DENYING: &str = "not never don't doesn't aren't isn't won't didn't wasn't weren't";
const ENDING: [&[&str]; 2] = [&["any", "more"], &["anymore"]];
/// What is done to safeguards, or with them.
const DONE: &str = "run verified checked enforced required needed necessary mandatory performed executed validated done used asked";
/// "not run in parallel" runs.
const HOW: &str = "in on with against through by from as under via inside outside concurrently twice";
const NEEDING: &str = "need needs require requires";
const STOPPING: &str = "stop stops stopped quit quits";
const BEING: &str = "is are be been being was were get gets got stay stays remain remains";
/// What a sentence goes on with behind what it takes away.
const GOING_ON: &str = "before after in on for when while if with using to from at as by and or but because since until unless that which";
/// "There are no tests" tells what is not there.
const BEING_THERE: &str = "is are was were has have had with there's";
/// Where people would be asked.
const ASKING: &str = "question questions asking approval approvals review reviews reviewer reviewers confirmation confirming permission \
    permissions consent supervision sign-off";
const ALLOWING: &str = "may allowed permitted fine ok okay";

/// Whether it takes a safeguard away, as far as somebody can tell who has only its words.
pub(super) fn loosens(sentence: &str) -> bool {
    let words = words(unlabelled(sentence));
    let near = |at: usize| &words[at.saturating_sub(REACH)..words.len().min(at + REACH + 1)];
    let takes_away = |at: usize| loosening(&words, at) && near(at).iter().any(|word| is_in(SAFEGUARDS, word));
    (0..words.len()).any(takes_away) || takes_away_surely(&words)
}

/// Whether it does so in so many words: what is taken away stands right beside.
pub(super) fn surely_loosens(sentence: &str, all: &[String]) -> bool {
    let bare = unlabelled(sentence);
    if bare.len() == sentence.len() { takes_away_surely(all) } else { takes_away_surely(&words(bare)) }
}

/// Whether it says that nobody is to be asked, or that a safeguard is not there any more: nothing that an agent finds out of a
/// project by itself.
pub(super) fn gives_up(sentence: &str) -> bool {
    let bare = unlabelled(sentence);
    let words = words(bare);
    let is_leave = orders(bare, &words) || words.iter().any(|word| is_in(ALLOWING, word));
    is_ended(&words) || is_leave && asks_nobody(&words)
}

/// The flags in a sentence that go past safeguards.
pub(super) fn flags(sentence: &str) -> impl Iterator<Item = &'static str> {
    let words = words(sentence);
    FLAGS.iter().filter(move |(_, phrase)| find(&words, phrase).is_some()).map(|(flag, _)| *flag)
}

/// Whether a word says only that something is taken away.
pub(super) fn says_how(word: &str) -> bool {
    is_in(LOOSENING, word) || is_in(SWITCHING, word)
}

fn takes_away_surely(words: &[String]) -> bool {
    goes_past(words)
        || has_object(words)
        || is_taken(words)
        || asks_nobody(words)
        || needs_none(words)
        || is_denied(words).is_some()
        || is_ended(words)
}

/// Whether the word there loosens something: "never skip", "no longer skipped" do not.
fn loosening(words: &[String], at: usize) -> bool {
    let is_denied = at > 0 && (is_in(DENYING, &words[at - 1]) || is_no_longer(words, at - 1));
    is_in(LOOSENING, &words[at]) && !is_denied && !is_no_longer(words, at + 1) && at < forbidden_from(words)
}

fn forbidden_from(words: &[String]) -> usize {
    let is_none = |at: usize| {
        let next = &words[at + 1..words.len().min(at + REACH)];
        let is_need = next.first().is_some_and(|word| is_in(NEEDING, word));
        is_in(NONE, &words[at]) && !is_need && next.iter().any(|word| word == "without")
    };
    let forbids = |at: &usize| is_in(FORBIDDING, &words[*at]) || is_none(*at);
    (0..words.len()).find(forbids).unwrap_or(words.len())
}

/// Whether "no longer" ends there.
fn is_no_longer(words: &[String], at: usize) -> bool {
    at > 0 && words.get(at).is_some_and(|word| word == "longer") && words[at - 1] == "no"
}

fn goes_past(words: &[String]) -> bool {
    let forbidden = forbidden_from(words);
    let is_past = |phrase: &&[&str]| {
        let at = find(words, phrase).filter(|at| *at <= forbidden);
        at.is_some_and(|at| at == 0 || !is_in(EACH, &words[at - 1]))
    };
    PAST_SAFEGUARDS.iter().chain(FLAGS.iter().map(|(_, phrase)| phrase)).any(is_past)
}

/// "skip the slow tests", "no review", "without any checks".
fn has_object(words: &[String]) -> bool {
    let is_there = |at: usize| words[at] == "no" && at > 0 && is_in(BEING_THERE, &words[at - 1]);
    let has = |at: usize| {
        let object = words[at + 1..].iter().take(REACH - 1).take_while(|word| !is_in(GOING_ON, word));
        loosening(words, at) && !is_there(at) && object.into_iter().any(|word| is_in(SAFEGUARDS, word))
    };
    (0..words.len()).any(has)
}

/// "TLS checks are off", "the linter has to be switched off". "Warnings are no errors" takes none away.
fn is_taken(words: &[String]) -> bool {
    let takes = |at: usize| loosening(words, at) && !matches!(words[at].as_str(), "no" | "without");
    safeguards(words).any(|at| {
        let being = (at + 1..words.len().min(at + REACH)).find(|next| is_in(BEING, &words[*next]));
        being.is_some_and(|being| (being + 1..words.len().min(being + 4)).any(takes))
    })
}

/// "without a question", "without waiting for review".
fn asks_nobody(words: &[String]) -> bool {
    let without = words.iter().position(|word| word == "without").filter(|at| *at < forbidden_from(words));
    without.is_some_and(|at| words[at + 1..].iter().take(REACH - 1).any(|word| is_in(ASKING, word)))
}

/// "a merge does not need passing tests".
fn needs_none(words: &[String]) -> bool {
    let is_needed = |at: usize| words[at + 1..].iter().take(3).any(|word| is_in(SAFEGUARDS, word));
    let is_not = |at: usize| at > 0 && (is_in(DENYING, &words[at - 1]) || is_no_longer(words, at - 1));
    (0..words.len()).any(|at| is_in(NEEDING, &words[at]) && is_not(at) && is_needed(at))
}

/// "unit tests are not run": where it says what is not done.
fn is_denied(words: &[String]) -> Option<usize> {
    safeguards(words).find_map(|at| {
        let is_denial = |next: &usize| is_in(DENYING, &words[*next]) || is_no_longer(words, *next);
        let denial = (at + 1..words.len().min(at + REACH)).find(is_denial)?;
        let done = (denial + 1..words.len().min(denial + 3)).find(|next| is_in(DONE, &words[*next]))?;
        words.get(done + 1).is_none_or(|next| !is_in(HOW, next)).then_some(done)
    })
}

/// "… are not run any more", "… are no longer verified", "we stopped running the tests".
fn is_ended(words: &[String]) -> bool {
    let is_over = |done: usize| {
        ENDING.iter().any(|phrase| find(&words[done..], phrase).is_some())
            || (0..done).any(|at| is_no_longer(words, at))
    };
    let is_stopped = |at: usize| {
        let doing = words.get(at + 1).is_some_and(|word| word.ends_with("ing"));
        doing && words[at + 2..].iter().take(2).any(|word| is_in(SAFEGUARDS, word))
    };
    let stops = |at: usize| is_in(STOPPING, &words[at]) && at < forbidden_from(words) && is_stopped(at);
    is_denied(words).is_some_and(is_over) || (0..words.len()).any(stops)
}

fn safeguards(words: &[String]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().filter(|(_, word)| is_in(SAFEGUARDS, word)).map(|(at, _)| at)
}
