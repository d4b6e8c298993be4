//! What was done to files speaks for them: what was changed lately is changed again, what changed together changes
//! together, what was changed by a commit that says the same is meant, and what this work has touched it is likely to
//! come back to.

use std::collections::{HashMap, HashSet};

use throughline_store::revision::Revision;
use throughline_store::time::Timestamp;
use throughline_store::{Connection, revision};

use super::super::fuse::Candidate;
use super::super::lexical::inverse_frequency;
use crate::index::terms::{Sort, TermId, terms};
use crate::{Caller, Engine, Result};

/// What each counts beside the words of a chunk, which count one.
const CHANGES: f64 = 0.45;
const TOGETHER: f64 = 0.2;
const SIMILAR: f64 = 0.4;
const TOUCHED: f64 = 0.5;
/// A change counts half as much after this long.
const HALF_LIFE_DAYS: f64 = 60.0;
/// So many changes of late say as much as more.
const MANY_CHANGES: f64 = 6.0;
/// So many of the newest changes of files are looked at, whatever the files: a search must not take longer in a project
/// that is old.
const LOOKED_AT: i64 = 800;
/// Files that change together with the best so many.
const LEADING: usize = 3;
/// So many of the commits that say something like the query have a say.
const ALIKE: usize = 20;
/// The best of what such commits say together counts all only when it is this much.
const ENOUGH: f64 = 0.05;

/// The newest commits, as far as they changed files that were found.
struct History<'a> {
    commits: Vec<Past<'a>>,
    files: usize,
}

struct Past<'a> {
    at: Timestamp,
    subject: &'a str,
    /// Places among the files that were found.
    found: Vec<usize>,
    /// How many it changed, found or not.
    all: usize,
}

/// `candidates` are in order, the best first.
pub(super) fn lend<'p>(
    engine: &Engine,
    conn: &mut dyn Connection,
    caller: &Caller,
    (text, path_of, touched): (&str, &dyn Fn(i64) -> Option<&'p str>, &[String]),
    candidates: &mut [Candidate],
) -> Result<()> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    for path in candidates.iter().filter_map(|candidate| path_of(candidate.number)) {
        let next = places.len();
        places.entry(path).or_insert(next);
    }
    let revisions = revision::latest(conn, &caller.project, LOOKED_AT)?;
    let history = History::of(&revisions, &places);
    let (changes, together, similar) =
        (history.changes(engine.now()), history.together(), history.similar(text));
    for candidate in candidates.iter_mut() {
        let Some((path, place)) = path_of(candidate.number).and_then(|path| Some((path, *places.get(path)?)))
        else {
            continue;
        };
        let is_touched = if touched.iter().any(|touched| touched == path) { 1.0 } else { 0.0 };
        let (changes, together, similar) = (changes[place], together[place], similar[place]);
        candidate.relevance +=
            CHANGES * changes + TOGETHER * together + SIMILAR * similar + TOUCHED * is_touched;
        if let Some(signals) = &mut candidate.code {
            (signals.changes, signals.together) = (changes, together);
            (signals.similar, signals.touched) = (similar, is_touched);
        }
    }
    Ok(())
}

impl<'a> History<'a> {
    /// `revisions` come commit by commit.
    fn of(revisions: &'a [Revision], places: &HashMap<&str, usize>) -> History<'a> {
        let past = |rows: &'a [Revision]| Past {
            at: rows[0].at,
            subject: &rows[0].subject,
            found: rows.iter().filter_map(|row| places.get(row.path.as_str()).copied()).collect(),
            all: rows.len(),
        };
        let commits = revisions.chunk_by(|a, b| a.commit == b.commit).map(past);
        History { commits: commits.filter(|past| !past.found.is_empty()).collect(), files: places.len() }
    }

    /// How much each file was changed of late, between 0 and 1.
    fn changes(&self, now: Timestamp) -> Vec<f64> {
        let mut changes = vec![0.0; self.files];
        for past in &self.commits {
            let days = now.since(past.at).as_secs_f64() / 86_400.0;
            let weight = 0.5_f64.powf(days / HALF_LIFE_DAYS);
            past.found.iter().for_each(|file| changes[*file] += weight);
        }
        let share = |count: f64| ((1.0 + count).ln() / (1.0 + MANY_CHANGES).ln()).min(1.0);
        changes.into_iter().map(share).collect()
    }

    /// How often each file changed together with the best ones, as a share of the most.
    fn together(&self) -> Vec<f64> {
        let mut together: Vec<f64> = vec![0.0; self.files];
        for leading in 0..LEADING.min(self.files) {
            let mut beside = vec![0.0; self.files];
            for past in self.commits.iter().filter(|past| past.found.contains(&leading)) {
                past.found.iter().filter(|file| **file != leading).for_each(|file| beside[*file] += 1.0);
            }
            let most = beside.iter().copied().fold(2.0, f64::max);
            together.iter_mut().zip(beside).for_each(|(known, count)| *known = known.max(count / most));
        }
        together
    }

    /// How much commits that say something like the text speak for each file, as a share of the most. A commit of many
    /// files says less of each.
    fn similar(&self, text: &str) -> Vec<f64> {
        let asked: HashSet<TermId> = words(text).into_iter().collect();
        let said: Vec<Vec<TermId>> = self.commits.iter().map(|past| words(past.subject)).collect();
        let mut commits_with: HashMap<TermId, u64> = HashMap::new();
        said.iter().flatten().for_each(|id| *commits_with.entry(*id).or_default() += 1);
        let square = |id: &TermId| {
            let commits = commits_with.get(id).copied().unwrap_or(0);
            f64::from(inverse_frequency(commits, said.len() as u64)).powi(2)
        };
        let whole = asked.iter().map(square).sum::<f64>().max(f64::MIN_POSITIVE);
        let mut alike: Vec<(f64, &Past<'_>)> = vec![];
        for (past, words) in self.commits.iter().zip(&said) {
            let shared: f64 = words.iter().filter(|id| asked.contains(id)).map(square).sum();
            if shared > 0.0 {
                let all: f64 = words.iter().map(square).sum();
                alike.push((shared * shared / (all * whole), past));
            }
        }
        alike.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut similar = vec![0.0; self.files];
        for (likeness, past) in alike.into_iter().take(ALIKE) {
            past.found.iter().for_each(|file| similar[*file] += likeness / (past.all as f64).sqrt());
        }
        let most = similar.iter().copied().fold(ENOUGH, f64::max);
        similar.into_iter().map(|votes| votes / most).collect()
    }
}

/// Each once.
fn words(text: &str) -> Vec<TermId> {
    let mut words = vec![];
    terms(text, |term| {
        if !matches!(term.sort, Sort::Stop | Sort::Whole) && !words.contains(&term.id) {
            words.push(term.id);
        }
    });
    words
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use throughline_store::revision::Revision;
    use throughline_store::time::Timestamp;

    use super::History;

    fn revisions(commits: &[(i64, &str, &[&str])]) -> Vec<Revision> {
        let rows = commits.iter().flat_map(|(day, subject, paths)| {
            paths.iter().map(move |path| Revision {
                path: (*path).to_owned(),
                at: Timestamp(day * 86_400_000_000),
                commit: format!("{day}{subject}"),
                subject: (*subject).to_owned(),
            })
        });
        rows.collect()
    }

    #[test]
    fn commits_speak_for_the_files_they_changed() {
        let rows = revisions(&[
            (100, "Round prices to the cent", &["cart.rs", "price.rs"]),
            (99, "Escape names in the page", &["page.rs"]),
            (98, "Round taxes", &["price.rs", "elsewhere.rs"]),
            (10, "The first page", &["page.rs", "cart.rs"]),
        ]);
        let places = HashMap::from([("cart.rs", 0), ("price.rs", 1), ("page.rs", 2), ("never.rs", 3)]);
        let history = History::of(&rows, &places);
        let changes = history.changes(Timestamp(100 * 86_400_000_000));
        assert!(changes[1] > changes[0] && changes[0] > changes[2] && changes[3] == 0.0, "{changes:?}");
        let together = history.together();
        assert!(together[1] > 0.0 && together[3] == 0.0, "{together:?}");
        let similar = history.similar("prices are rounded wrong");
        assert!(similar[1] == 1.0 && similar[0] > similar[2], "{similar:?}");
    }
}
