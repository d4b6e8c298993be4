//! Whether a text says what a statement says: the words of the statement that tell something, and where in the text they
//! stand.

use std::collections::{HashMap, HashSet};

use crate::index::terms::{Sort, TermId, terms};
use crate::remember::consolidate;

/// So much of a statement stands in the lines that it cites.
const GROUNDED: f64 = 0.5;
/// A part has so many words of a line, and is compared together with the one after it: so many words are never torn apart.
const PART_WORDS: usize = 100;

/// The stems of a statement, without the words that make no difference.
#[derive(Debug)]
pub(super) struct Stated(HashSet<TermId>);

impl Stated {
    pub(super) fn of(statement: &str) -> Stated {
        let mut stems = HashSet::new();
        terms(statement, |term| {
            let is_word = matches!(term.sort, Sort::Word | Sort::Sign);
            if is_word && consolidate::tells(&term.word) {
                stems.insert(term.id);
            }
        });
        Stated(stems)
    }

    /// What of it these lines do not say.
    pub(super) fn beyond<'a>(&self, lines: impl Iterator<Item = &'a str>) -> Stated {
        let mut rest = self.0.clone();
        for line in lines {
            terms(line, |term| {
                rest.remove(&term.id);
            });
        }
        Stated(rest)
    }

    /// Whether these lines together say most of it.
    pub(super) fn is_in<'a>(&self, lines: impl Iterator<Item = &'a str>) -> bool {
        let mut there = HashSet::new();
        for line in lines {
            terms(line, |term| {
                there.insert(term.id);
            });
        }
        self.is_most(self.0.intersection(&there).count())
    }

    fn is_most(&self, shared: usize) -> bool {
        shared > 0 && shared as f64 >= GROUNDED * self.0.len() as f64
    }
}

/// The stems of a text, each with the number of the part where it stands; sorted.
#[derive(Debug)]
pub(super) struct Places(Vec<(TermId, usize)>);

impl Places {
    pub(super) fn of(text: &str) -> Places {
        // Where a line is written inside of JSON, the sign of its end is no letter of the next word.
        let escaped = text.contains("\\n").then(|| text.replace("\\n", "\n"));
        let mut places = vec![];
        let mut first = 0;
        for line in text.lines().chain(escaped.iter().flat_map(|text| text.lines())) {
            let mut words = 0;
            terms(line, |term| {
                places.push((term.id, first + words / PART_WORDS));
                words += 1;
            });
            // One number is left free, because the last part of a line has none after it.
            first += words / PART_WORDS + 2;
        }
        places.sort_unstable();
        places.dedup();
        Places(places)
    }

    /// The numbers of the parts that have a stem, in order.
    fn parts_with(&self, stem: TermId) -> impl Iterator<Item = usize> {
        let start = self.0.partition_point(|(other, _)| *other < stem);
        self.0[start..].iter().take_while(move |(other, _)| *other == stem).map(|(_, part)| *part)
    }

    /// Whether most of a statement stands in one part or in two that follow each other.
    pub(super) fn have_together(&self, stated: &Stated) -> bool {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for stem in &stated.0 {
            let mut counted = 0;
            // A part is the second of its own pair and the first of the next.
            for pair in self.parts_with(*stem).flat_map(|part| [part, part + 1]) {
                if pair >= counted {
                    *shared.entry(pair).or_default() += 1;
                    counted = pair + 1;
                }
            }
        }
        shared.into_values().any(|shared| stated.is_most(shared))
    }
}
