//! The little of what a model says that lasts: decisions that it records as such, and what the build and the tests
//! turned out to need. All else is narration, restating, or advice that nobody asked to keep.

use throughline_store::memory::Kind;

use super::sentence::{Sentence, find};
use super::{Family, Found, Reason, doubt, nouns};

const DECIDED: &[&str] =
    &["we decided", "we agreed", "i decided to use", "we chose", "we settled on", "we opted"];
const WHY: &[&str] = &["because", "instead of", "rather than", "over", "so"];

/// The subjects whose needs are worth keeping.
const SUBJECTS: &[&str] = &[
    "the build",
    "the tests",
    "the test suite",
    "the integration tests",
    "the unit tests",
    "the e2e tests",
    "this workspace",
    "this project",
    "this repo",
    "the suite",
    "the project",
    "the workspace",
    "the ci",
    "the integration test suite",
];
const NEEDS: &[&str] = &[
    "needs",
    "need",
    "requires",
    "require",
    "runs with",
    "run with",
    "only builds with",
    "only build with",
    "only runs with",
    "only run with",
    "is run with",
    "are run with",
    "must be run with",
    "fails without",
    "fail without",
];
/// What comes from a file or from memory is known there.
const RESTATED: &[&str] = &[
    "according to",
    "as stated",
    "claude.md",
    "agents.md",
    "readme",
    "readme.md",
    "i recall",
    "memory",
    "i see",
    "as you",
    "you said",
    "you mentioned",
    "the user",
    "contributing.md",
    "package.json",
    "earlier",
    "previously",
    "already",
    "i'll",
    "let me",
];

pub(super) fn says(sentence: &Sentence<'_>) -> Result<Found, Reason> {
    let decides = decides(sentence);
    let states = needs(sentence);
    if !decides && !states {
        return Err(Reason::NothingSaid);
    }
    if let Some(reason) = doubt::of_statement(sentence) {
        return Err(reason);
    }
    if sentence.has_any(RESTATED) {
        return Err(Reason::Reported);
    }
    let (family, kind) =
        if decides { (Family::Decision, Kind::Decision) } else { (Family::Environment, Kind::Fact) };
    Ok(Found::new(family, kind, 0.5, statement(sentence)))
}

fn decides(sentence: &Sentence<'_>) -> bool {
    let titled = ["decision", "design decision", "final decision"].iter().any(|title| {
        let end = title.split(' ').count();
        sentence.starts(title) && sentence.words.get(end - 1).is_some_and(|word| word.then == Some(':'))
    });
    let named = sentence.words.iter().any(nouns::is_specific) || sentence.words.len() > 8;
    let told = DECIDED.iter().any(|cue| sentence.starts(cue))
        && WHY.iter().any(|why| find(&sentence.words, why).is_some());
    (titled && sentence.words.len() > 3) || (told && named)
}

fn needs(sentence: &Sentence<'_>) -> bool {
    let root = sentence.starts("root cause");
    let after_title = if root { 2 } else { 0 };
    let Some(words) = sentence.words.get(after_title..) else { return false };
    let Some(subject) = SUBJECTS.iter().find(|subject| super::sentence::starts(words, subject)) else {
        return false;
    };
    let rest = &words[subject.split(' ').count()..];
    NEEDS.iter().any(|need| super::sentence::starts(rest, need)) && rest.iter().any(nouns::is_specific)
}

fn statement<'a>(sentence: &Sentence<'a>) -> &'a str {
    match sentence.text.split_once(": ") {
        Some((title, rest))
            if title.split_whitespace().count() < 4
                && !title.contains('`')
                && sentence.starts_any(&["decision", "root cause", "final decision", "design decision"]) =>
        {
            rest
        }
        _ => sentence.text,
    }
}
