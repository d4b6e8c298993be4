//! The same fix for the same error: a command that failed, what was done, and that it passed then, in more than one session.

use std::collections::BTreeMap;

use throughline_store::id::EventId;

use super::propose::Known;
use super::trail::{Did, End, Step, Trail};
use super::{Course, Pattern, kept};
use crate::shell::Command;

/// Once is chance.
const LEAST_SESSIONS: usize = 2;
const LEAST_SHARE: f64 = 0.6;
/// When more was done between failure and success, none of it is known for the fix.
const MOST_DONE: usize = 6;

/// A failure: the command and how its error begins.
type Failure<'a> = (&'a str, &'a str);

#[derive(Default)]
struct Fixes<'a> {
    cases: usize,
    /// What was done each time, with the events that show it.
    done: BTreeMap<String, Vec<[&'a EventId; 3]>>,
}

pub(super) fn all(trails: &[Trail], known: &Known) -> Vec<Pattern> {
    let mut failures: BTreeMap<Failure<'_>, Fixes<'_>> = BTreeMap::new();
    for trail in trails {
        // A session that meets an error twice shows it once.
        let mut met: Vec<Failure<'_>> = vec![];
        for (place, step) in trail.steps.iter().enumerate() {
            let Did::Ran { command, end: End::Failed(Some(error)) } = &step.did else { continue };
            let failure = (command.as_str(), error.as_str());
            if met.contains(&failure) {
                continue;
            }
            met.push(failure);
            let fixes = failures.entry(failure).or_default();
            fixes.cases += 1;
            if let Some((between, passed)) = until_passed(&trail.steps[place + 1..], command) {
                fixes.note(&step.event, between, &passed.event, command);
            }
        }
    }
    failures.into_iter().flat_map(|(failure, fixes)| fixes.patterns(failure, known)).collect()
}

/// What was done until the command passed.
fn until_passed<'a>(steps: &'a [Step], wanted: &str) -> Option<(&'a [Step], &'a Step)> {
    let again =
        |step: &Step| matches!(&step.did, Did::Ran { command, end: End::Passed } if command == wanted);
    let passed = steps.iter().position(again)?;
    Some((&steps[..passed], &steps[passed]))
}

impl<'a> Fixes<'a> {
    fn note(&mut self, failed: &'a EventId, between: &'a [Step], passed: &'a EventId, command: &str) {
        let mut done: BTreeMap<String, &'a EventId> = BTreeMap::new();
        for step in between {
            if let Some(what) = changes(step, command) {
                done.entry(what).or_insert(&step.event);
            }
        }
        if done.len() <= MOST_DONE {
            for (what, event) in done {
                self.done.entry(what).or_default().push([failed, event, passed]);
            }
        }
    }

    fn patterns(self, (command, error): Failure<'_>, known: &Known) -> Vec<Pattern> {
        let cases = self.cases;
        let recurs = |held: usize| held >= LEAST_SESSIONS && held as f64 / cases as f64 >= LEAST_SHARE;
        let pattern = |(what, shown): (String, Vec<[&EventId; 3]>)| {
            let (key, held) = (format!("`{command}`: {error}: {what}"), shown.len());
            (recurs(held) || known.has(&key)).then(|| Pattern {
                key,
                belief: format!("When `{command}` fails with “{error}”, {what} makes it pass."),
                held,
                cases,
                evidence: kept(shown.concat().into_iter().cloned().collect()),
                course: Course::of(
                    &format!("`{command}`"),
                    what.split_once(' ').map_or("", |(_, what)| what),
                ),
            })
        };
        self.done.into_iter().filter_map(pattern).collect()
    }
}

/// What a step did that may have been the fix.
fn changes(step: &Step, failed: &str) -> Option<String> {
    match &step.did {
        Did::Wrote(path) => Some(format!("editing `{path}`")),
        Did::Ran { command, end: End::Passed } if command != failed && !only_looks(command) => {
            Some(format!("running `{command}`"))
        }
        Did::Ran { .. } | Did::Read(_) => None,
    }
}

pub(super) fn only_looks(command: &str) -> bool {
    Command::last(command).is_none_or(|command| command.changes_nothing())
}
