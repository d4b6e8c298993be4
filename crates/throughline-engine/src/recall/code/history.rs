//! What was done to files speaks for them: what was changed lately is changed again, what changed together changes
//! together, and what this work has touched it is likely to come back to.

use std::collections::HashMap;

use throughline_store::time::Timestamp;
use throughline_store::{Connection, revision};

use super::super::fuse::{Candidate, best_first};
use crate::{Caller, Engine, Result};

/// What each can add to the relevance of a chunk, as a share of it.
const CHANGES: f64 = 0.2;
const TOGETHER: f64 = 0.1;
const TOUCHED: f64 = 0.25;
/// A change counts half as much after this long.
const HALF_LIFE_DAYS: f64 = 120.0;
/// So many changes of late say as much as more.
const MANY_CHANGES: f64 = 6.0;
/// The history of so many of the best files is looked at.
const EXAMINED: usize = 48;
/// Files that change together with the best so many.
const LEADING: usize = 3;
const BESIDE: i64 = 20;

pub(super) fn lend<'p>(
    engine: &Engine,
    conn: &mut dyn Connection,
    caller: &Caller,
    (path_of, touched): (&dyn Fn(i64) -> Option<&'p str>, &[String]),
    candidates: &mut [Candidate],
) -> Result<()> {
    let mut paths: Vec<&str> = vec![];
    for path in candidates.iter().filter_map(|candidate| path_of(candidate.number)) {
        if !paths.contains(&path) && paths.len() < EXAMINED {
            paths.push(path);
        }
    }
    let changes = changes(conn, caller, &paths, engine.now())?;
    let together = together(conn, caller, &paths)?;
    for candidate in candidates.iter_mut() {
        let Some(path) = path_of(candidate.number) else { continue };
        let of = |signals: &HashMap<String, f64>| signals.get(path).copied().unwrap_or(0.0);
        let is_touched = if touched.iter().any(|touched| touched == path) { 1.0 } else { 0.0 };
        let (changes, together) = (of(&changes), of(&together));
        candidate.relevance *= 1.0 + CHANGES * changes + TOGETHER * together + TOUCHED * is_touched;
        candidate.relevance = candidate.relevance.min(1.0);
        if let Some(signals) = &mut candidate.code {
            (signals.changes, signals.together, signals.touched) = (changes, together, is_touched);
        }
    }
    best_first(candidates);
    Ok(())
}

/// How much each file was changed of late, between 0 and 1.
fn changes(
    conn: &mut dyn Connection,
    caller: &Caller,
    paths: &[&str],
    now: Timestamp,
) -> Result<HashMap<String, f64>> {
    let mut changes: HashMap<String, f64> = HashMap::new();
    for revision in revision::of_paths(conn, &caller.project, paths.iter().copied())? {
        let days = now.since(revision.at).as_secs_f64() / 86_400.0;
        *changes.entry(revision.path).or_default() += 0.5_f64.powf(days / HALF_LIFE_DAYS);
    }
    for count in changes.values_mut() {
        *count = ((1.0 + *count).ln() / (1.0 + MANY_CHANGES).ln()).min(1.0);
    }
    Ok(changes)
}

/// How often each file changed together with the best ones, as a share of the most.
fn together(conn: &mut dyn Connection, caller: &Caller, paths: &[&str]) -> Result<HashMap<String, f64>> {
    let mut together: HashMap<String, f64> = HashMap::new();
    for path in paths.iter().take(LEADING) {
        let beside = revision::beside(conn, &caller.project, path, BESIDE)?;
        let most = beside.first().map_or(1.0, |(_, count)| *count as f64);
        for (other, count) in beside {
            let share = count as f64 / most.max(2.0);
            let known = together.entry(other).or_default();
            *known = known.max(share);
        }
    }
    Ok(together)
}
