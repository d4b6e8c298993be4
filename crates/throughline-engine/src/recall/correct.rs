//! What a word that no document has may have meant: words of the collection that are a typing error away, or that it
//! is the beginning of.

use std::collections::BTreeSet;

use throughline_inference::embed::Table;
use throughline_store::{Connection, Result};

use super::lookup::Lookup;
use crate::index::words_like;

/// How many words a misspelt one is taken for at most.
const MOST: usize = 3;
/// How many words a beginning is taken for at most.
const MOST_BEGUN: usize = 8;

pub(super) fn is_worth_it(word: &str) -> bool {
    word.chars().count() >= 3 && word.chars().all(char::is_alphabetic)
}

/// The nearest words; with none a typing error away, those that begin with the word.
pub(super) fn similar(conn: &mut dyn Connection, lookup: &Lookup<'_>, word: &str) -> Result<Vec<String>> {
    let wanted: Vec<char> = word.chars().collect();
    // A word that is in everyday use was meant, even if nobody has used it here.
    let reach = if Table::built_in().knows(word) { 0 } else { errors_allowed(wanted.len()) };
    let mut near: BTreeSet<(usize, String)> = BTreeSet::new();
    let mut begun: BTreeSet<(usize, String)> = BTreeSet::new();
    let mut look = |candidate: &str| {
        let letters: Vec<char> = candidate.chars().collect();
        if candidate.starts_with(word) {
            begun.insert((letters.len(), candidate.to_owned()));
        }
        // Partitions keep words by their first letter, which is rarely mistyped.
        if letters.first() != wanted.first() {
            return;
        }
        // A plural is no error: both are found by the same stem.
        let singular =
            letters.strip_suffix(&['s']).and_then(|letters| typing_errors(&wanted, letters, reach));
        let fewest = typing_errors(&wanted, &letters, reach).into_iter().chain(singular).min();
        near.extend(fewest.map(|errors| (errors, candidate.to_owned())));
    };
    words_like(conn, lookup.index, &lookup.catalogue, word, &mut look)?;
    for pending in lookup.pending() {
        pending?.words()?.into_iter().for_each(&mut look);
    }
    let fewest = near.first().map(|(errors, _)| *errors);
    let nearest = near.into_iter().take_while(|(errors, _)| Some(*errors) == fewest).take(MOST);
    let nearest: Vec<String> = nearest.map(|(_, word)| word).collect();
    let begun = begun.into_iter().take(MOST_BEGUN).map(|(_, word)| word);
    Ok(if nearest.is_empty() { begun.collect() } else { nearest })
}

fn errors_allowed(letters: usize) -> usize {
    match letters {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// How many letters were added, left out, replaced or swapped with their neighbour; nothing when more than `reach`.
pub fn typing_errors(a: &[char], b: &[char], reach: usize) -> Option<usize> {
    if reach == 0 || a.len().abs_diff(b.len()) > reach {
        return None;
    }
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        if row.iter().min().is_some_and(|fewest| *fewest > reach) {
            return None;
        }
        (before_last, last, row) = (last, row, before_last);
    }
    Some(last[b.len()]).filter(|errors| *errors <= reach)
}

#[cfg(test)]
mod tests {
    use super::{errors_allowed, typing_errors};

    fn between(a: &str, b: &str) -> Option<usize> {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        typing_errors(&a, &b, errors_allowed(a.len()))
    }

    #[test]
    fn typing_errors_are_counted() {
        for (typed, meant, expected) in [
            ("databse", "database", Some(1)),
            ("dtaabase", "database", Some(1)),
            ("postgers", "postgres", Some(1)),
            ("authentcation", "authentication", Some(1)),
            ("kubernetties", "kubernetes", Some(2)),
            ("миграцая", "миграция", Some(1)),
            ("cat", "car", None),
            ("deploy", "delete", None),
            ("test", "testing", None),
        ] {
            assert_eq!(between(typed, meant), expected, "{typed}");
        }
    }
}
