//! What is done in one order again and again: tests read before code is edited, tests run after, one command after another.

use std::collections::{BTreeMap, BTreeSet};

use throughline_store::id::EventId;

use super::propose::Known;
use super::trail::{Did, Step, Trail, is_code, is_test_file};
use super::{Course, Pattern, kept};
use crate::unfinished::is_test;

/// Fewer sessions are chance.
const LEAST_SESSIONS: usize = 3;
/// What holds in fewer cases is no habit.
const LEAST_SHARE: f64 = 0.75;

pub(super) fn all(trails: &[Trail], known: &Known) -> Vec<Pattern> {
    let mut patterns = vec![
        counted(trails, ("tests are read before code is edited", ("read", "edit")), reads_tests_first),
        counted(trails, ("tests are run after code was edited", ("edit", "run")), runs_tests_after),
    ];
    patterns.retain(|pattern| recurs(pattern.held, pattern.cases) || known.has(&pattern.key));
    patterns.extend(followed(trails, known));
    patterns
}

fn recurs(held: usize, cases: usize) -> bool {
    held >= LEAST_SESSIONS && held as f64 / cases as f64 >= LEAST_SHARE
}

/// What a session says about a habit: nothing, that it does not hold, or the events that show it.
type Shown = Option<Vec<EventId>>;

fn counted(
    trails: &[Trail],
    (belief, (first, then)): (&str, (&str, &str)),
    shown: fn(&Trail) -> Option<Shown>,
) -> Pattern {
    let cases: Vec<Shown> = trails.iter().filter_map(shown).collect();
    let held = cases.iter().flatten().count();
    Pattern {
        key: belief.to_owned(),
        belief: format!("In this project {belief}."),
        held,
        cases: cases.len(),
        evidence: kept(cases.into_iter().flatten().flatten().collect()),
        course: Course::of(first, then),
    }
}

fn reads_tests_first(trail: &Trail) -> Option<Shown> {
    let edits = trail.steps.iter().position(is_edit)?;
    let read =
        trail.steps[..edits].iter().rfind(|step| matches!(&step.did, Did::Read(path) if is_test_file(path)));
    Some(read.map(|read| vec![read.event.clone(), trail.steps[edits].event.clone()]))
}

fn runs_tests_after(trail: &Trail) -> Option<Shown> {
    let edits = trail.steps.iter().rposition(is_edit)?;
    let tests = |step: &&Step| matches!(&step.did, Did::Ran { command, .. } if is_test(command));
    let tested = trail.steps[edits..].iter().find(tests);
    Some(tested.map(|tested| vec![trail.steps[edits].event.clone(), tested.event.clone()]))
}

fn is_edit(step: &Step) -> bool {
    matches!(&step.did, Did::Wrote(path) if is_code(path) && !is_test_file(path))
}

/// Of each session in which a command was run: whether another was the next one, for pairs that recur or are known.
fn followed(trails: &[Trail], known: &Known) -> Vec<Pattern> {
    let mut pairs: BTreeMap<(&str, &str), Vec<Vec<EventId>>> = BTreeMap::new();
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for trail in trails {
        let mut of_session: BTreeMap<(&str, &str), Vec<EventId>> = BTreeMap::new();
        let ran: Vec<(&str, &EventId)> = trail.steps.iter().filter_map(command).collect();
        // Also what was run last could have been followed by something.
        let begun: BTreeSet<&str> = ran.iter().map(|(one, _)| *one).collect();
        for pair in ran.windows(2) {
            let ((one, event), (next, after)) = (pair[0], pair[1]);
            if one != next {
                of_session.entry((one, next)).or_insert_with(|| vec![event.clone(), after.clone()]);
            }
        }
        begun.into_iter().for_each(|one| *first.entry(one).or_default() += 1);
        of_session.into_iter().for_each(|(pair, events)| pairs.entry(pair).or_default().push(events));
    }
    let pattern = |((one, next), shown): ((&str, &str), Vec<Vec<EventId>>)| {
        let (key, held, cases) = (format!("`{one}` then `{next}`"), shown.len(), first[one]);
        (recurs(held, cases) || known.has(&key)).then(|| Pattern {
            key,
            belief: format!("In this project `{next}` is run right after `{one}`."),
            held,
            cases,
            evidence: kept(shown.concat()),
            course: Course::of(&format!("`{one}`"), &format!("`{next}`")),
        })
    };
    pairs.into_iter().filter_map(pattern).collect()
}

fn command(step: &Step) -> Option<(&str, &EventId)> {
    match &step.did {
        // What only looks at something is part of everything.
        Did::Ran { command, .. } if !super::fix::only_looks(command) => Some((command, &step.event)),
        _ => None,
    }
}
