//! Precision, recall and F1 of answers that are right or wrong, and the table of them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::output::table;

/// How many were expected, how many were given, and how many of those were right.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    expected: usize,
    given: usize,
    right: usize,
}

/// Counts by part of the set and by sort of answer.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: BTreeMap<(String, String), Counts>,
    errors: Vec<Mistake>,
    looked_at: usize,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Mistake {
    pub(super) id: String,
    pub(super) split: String,
    pub(super) what: &'static str,
    pub(super) text: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Report {
    set: &'static str,
    examples: usize,
    rows: Vec<Row>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Mistake>,
}

#[derive(Debug, Serialize)]
struct Row {
    split: String,
    of: String,
    expected: usize,
    given: usize,
    right: usize,
    precision: f64,
    recall: f64,
    f1: f64,
}

pub(super) const EVERYTHING: &str = "all";

impl Tally {
    pub(super) fn look(&mut self) {
        self.looked_at += 1;
    }

    pub(super) fn expect(&mut self, split: &str, of: &str) {
        self.count(split, of, |counts| counts.expected += 1);
    }

    pub(super) fn give(&mut self, split: &str, of: &str) {
        self.count(split, of, |counts| counts.given += 1);
    }

    pub(super) fn right(&mut self, split: &str, of: &str) {
        self.count(split, of, |counts| counts.right += 1);
    }

    pub(super) fn mistake(&mut self, mistake: Mistake) {
        self.errors.push(mistake);
    }

    fn count(&mut self, split: &str, of: &str, change: impl Fn(&mut Counts)) {
        for split in [split, EVERYTHING] {
            change(self.counts.entry((split.to_owned(), of.to_owned())).or_default());
        }
    }

    pub(super) fn report(self, set: &'static str, errors: Errors) -> Report {
        let row = |((split, of), counts): ((String, String), Counts)| Row {
            precision: share(counts.right, counts.given),
            recall: share(counts.right, counts.expected),
            f1: share(2 * counts.right, counts.given + counts.expected),
            expected: counts.expected,
            given: counts.given,
            right: counts.right,
            split,
            of,
        };
        let rows = self.counts.into_iter().map(row).collect();
        let errors = match errors {
            Errors::Listed => self.errors,
            Errors::Counted => vec![],
        };
        Report { set, examples: self.looked_at, rows, errors }
    }
}

/// Whether wrong answers are shown one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Errors {
    Listed,
    Counted,
}

/// Nothing given is nothing wrong.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

impl Report {
    pub(super) fn text(&self) -> String {
        let header = ["split", "of", "expected", "given", "right", "precision", "recall", "f1"];
        let rows = self.rows.iter().map(|row| {
            let counts = [row.expected, row.given, row.right].map(|count| count.to_string());
            let shares = [row.precision, row.recall, row.f1].map(|share| format!("{share:.3}"));
            [vec![row.split.clone(), row.of.clone()], counts.to_vec(), shares.to_vec()].concat()
        });
        let errors: String = self
            .errors
            .iter()
            .map(|error| format!("\n{} ({}) {}: {}", error.id, error.split, error.what, error.text))
            .collect();
        format!("{}: {} examples\n{}{errors}", self.set, self.examples, table(&header, rows))
    }
}
