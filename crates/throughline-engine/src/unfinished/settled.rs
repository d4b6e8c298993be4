//! When a step that an answer named needs nobody any more: all files that it names were changed afterwards, or somebody
//! asked for the same and something was done, or a task of that name was completed, or a commit says the same, or the check
//! passed that it asks for. What an agent only says it did settles nothing.

use std::cell::OnceCell;
use std::collections::HashSet;

use throughline_store::event::{Event, Kind};

use super::{command, command_of, flag};
use crate::index::terms::{Sort, TermId, terms};
use crate::shell::Command;
use crate::words::is_in;

/// Files that are called by their names without an ending.
const CALLED: [&str; 5] = ["readme", "changelog", "makefile", "dockerfile", "justfile"];
/// Who says one of these does not ask for it.
const NEGATED: [&str; 12] = [
    "not", "don't", "don’t", "never", "without", "skip", "no", "instead", "won't", "later", "yet", "doesn't",
];
/// Who begins with one of these wants to know something.
const ASKING: [&str; 13] =
    ["did", "do", "does", "is", "are", "was", "were", "has", "have", "why", "what", "how", "when"];
const TESTS: &str = "test tests suite suites specs";
/// Words around the one that tells which check is meant.
const OF_CHECKS: &str = "test tests suite suites specs run rerun verify check i we was were am is be been not able unable to the could \
    couldn couldnt cannot can t did didn wasn yet again still here locally this it all full whole again please unfortunately and my \
    our with on in of for";
/// One word may be said of anything.
const LEAST_WORDS: usize = 2;

/// What was asked for and done, each read once however many steps are compared with it, and only when one is.
pub(super) struct Record<'a> {
    events: &'a [Event],
    asked: Vec<Said<'a>>,
    /// Tasks that were completed, and commits.
    done: Vec<Said<'a>>,
}

/// Something that was said at a place, and the telling words of each of its sentences.
struct Said<'a> {
    at: usize,
    text: &'a str,
    sentences: OnceCell<Vec<HashSet<TermId>>>,
}

impl<'a> Record<'a> {
    /// Of these events, which are in their order.
    pub(super) fn of(events: &'a [Event]) -> Record<'a> {
        let said = |read: fn(&'a Event) -> Option<&'a str>| {
            let placed = events.iter().enumerate();
            placed
                .filter_map(|(at, event)| Some(Said { at, text: read(event)?, sentences: OnceCell::new() }))
                .collect()
        };
        Record { events, asked: said(message), done: said(deed) }
    }

    /// Whether a step that was named before this place needs nobody any more.
    pub(super) fn settles(&self, step: &str, from: usize) -> bool {
        let after = &self.events[from..];
        let wanted = telling(step);
        are_changed(&files(step), after)
            || self.is_asked_for(&wanted, from)
            || self.is_done(&wanted, from)
            || is_checked(step, after)
    }

    fn is_asked_for(&self, wanted: &HashSet<TermId>, from: usize) -> bool {
        let asks = |said: &&Said<'_>| {
            let sentences = said.sentences.get_or_init(|| requests(said.text).map(telling).collect());
            sentences.iter().any(|said| says(said, wanted) || is_of(said, wanted))
        };
        let mut asked = self.asked.iter().filter(|said| said.at >= from).filter(asks);
        asked.any(|said| {
            let session = &self.events[said.at].session_id;
            self.events[said.at..].iter().any(|later| later.session_id == *session && is_work(later))
        })
    }

    /// What a commit says is in it, is.
    fn is_done(&self, wanted: &HashSet<TermId>, from: usize) -> bool {
        let mut done = self.done.iter().filter(|said| said.at >= from);
        done.any(|said| {
            let sentences = said.sentences.get_or_init(|| vec![telling(said.text)]);
            sentences.iter().any(|said| says(said, wanted))
        })
    }
}

fn message(event: &Event) -> Option<&str> {
    let text = event.content.as_deref().unwrap_or(&event.summary);
    (event.kind == Kind::UserMessage).then_some(text)
}

fn deed(event: &Event) -> Option<&str> {
    if event.kind == Kind::TaskCompleted {
        return Some(&event.summary);
    }
    let commit = command_of(event).filter(|line| line.contains("git commit"))?;
    (flag(event, &["ok"]) == Some(true)).then_some(commit)
}

/// Whether what somebody said names the step: by most of its telling words.
pub(super) fn names(said: &str, step: &str) -> bool {
    let (wanted, said) = (telling(step), telling(said));
    !wanted.is_empty() && 2 * wanted.intersection(&said).count() >= wanted.len()
}

/// Whether somebody said the same again.
pub(super) fn is_said_again(said: &str, after: &[Event]) -> bool {
    let wanted = telling(said);
    after.iter().filter_map(message).any(|message| says(&telling(message), &wanted))
}

fn are_changed(files: &[String], after: &[Event]) -> bool {
    if files.is_empty() {
        return false;
    }
    let written: Vec<String> = after
        .iter()
        .filter(|event| event.kind == Kind::Write && flag(event, &["ok"]) != Some(false))
        .filter_map(|event| event.target.as_ref())
        .map(|path| path.to_lowercase())
        .collect();
    files.iter().all(|file| written.iter().any(|path| is_file(path, file)))
}

fn is_file(path: &str, file: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    path == file || path.strip_suffix(file).is_some_and(|folder| folder.ends_with('/')) || stem == file
}

/// The files that a step names, in small letters.
fn files(step: &str) -> Vec<String> {
    let words = step.split_whitespace().map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.split(':').next().unwrap_or(word).to_lowercase()
    });
    words.filter(|word| is_path(word) || CALLED.contains(&word.as_str())).collect()
}

fn is_path(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(name, ending)| {
        name.len() > 1 && (1..=5).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_alphabetic())
    })
}

/// "I was not able to run the e2e tests", and a check that says so passed.
fn is_checked(step: &str, after: &[Event]) -> bool {
    let lower = step.to_lowercase();
    let clause = lower.split([',', ';', '(']).next().unwrap_or_default();
    let clause = clause.split(" because ").next().unwrap_or_default();
    let words: Vec<&str> =
        clause.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let asks = ["run", "rerun", "verify", "check"].iter().any(|verb| words.contains(verb));
    if !asks || !words.iter().any(|word| is_in(TESTS, word)) {
        return false;
    }
    let which: Vec<&str> = words.into_iter().filter(|word| !is_in(OF_CHECKS, word)).collect();
    let passed = after.iter().filter(|event| flag(event, &["ok"]) == Some(true)).filter_map(command_of);
    let is_it = |check: &String| which.iter().all(|word| check.contains(word));
    passed.flat_map(|line| command::tests_of(command::read(line).passed())).any(|check| is_it(&check))
}

/// The sentences of a message that ask for what they say.
fn requests(text: &str) -> impl Iterator<Item = &str> {
    sentences(text).filter(|sentence| {
        let words = || {
            let words = sentence.split_whitespace();
            words.map(|word| word.trim_matches([',', '.', '"', '(', ')']).to_lowercase())
        };
        let is_question = words().next().is_some_and(|first| ASKING.contains(&first.as_str()));
        !is_question && !words().any(|word| NEGATED.contains(&word.as_str()))
    })
}

/// Whether it says little beside some of the telling words: "now the rate limiting" of "Add rate limiting to the gateway".
fn is_of(said: &HashSet<TermId>, wanted: &HashSet<TermId>) -> bool {
    let common = wanted.intersection(said).count();
    common >= LEAST_WORDS && 3 * common >= 2 * said.len()
}

/// Whether four of five telling words are in it.
fn says(said: &HashSet<TermId>, wanted: &HashSet<TermId>) -> bool {
    wanted.len() >= LEAST_WORDS && 5 * wanted.intersection(said).count() >= 4 * wanted.len()
}

fn telling(text: &str) -> HashSet<TermId> {
    let mut found = HashSet::new();
    terms(text, |term| match term.sort {
        Sort::Word | Sort::Sign => drop(found.insert(term.id)),
        Sort::Stop | Sort::Whole => {}
    });
    found
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(|line| line.split(". "))
        .flat_map(|part| part.split("! "))
        .flat_map(|part| part.split("? "))
}

/// A file was changed, or a command passed that does more than look.
pub(super) fn is_work(event: &Event) -> bool {
    match event.kind {
        Kind::Write => flag(event, &["ok"]) != Some(false),
        _ => {
            let command = command_of(event).and_then(Command::last);
            flag(event, &["ok"]) == Some(true) && command.is_some_and(|command| !command.changes_nothing())
        }
    }
}
