//! What two statements have in common and what they differ in, in numbers.

use std::collections::BTreeSet;

use super::values::{self, Values};
use crate::index::vectors::Vector;
use crate::remember::consolidate::reading::{Reading, Tie};
use crate::remember::consolidate::{Related, Relation, clause, differ_in_subject, vocabulary};
use crate::remember::shape;

/// A statement, taken apart for comparison.
#[derive(Debug)]
pub(in crate::remember::consolidate) struct Taken {
    values: Values,
    /// All values, of whatever sort.
    all: BTreeSet<String>,
    /// What it is about: its stems without the values and what only ties them.
    topic: BTreeSet<String>,
    whole: Option<Vector>,
    about: Option<Vector>,
}

impl Taken {
    pub(in crate::remember::consolidate) fn of(text: &str, reading: &Reading) -> Taken {
        let values = values::of(text);
        let all: BTreeSet<String> = values.values().flatten().cloned().collect();
        let is_value = |word: &str| all.contains(word) || word.starts_with(|c: char| c.is_ascii_digit());
        let stems = reading.content.iter().chain(&reading.rejected);
        let is_about = |stem: &&String| !is_value(stem) && !vocabulary::only_ties(stem);
        let topic = stems.filter(is_about).cloned().collect();
        let words = text.split_whitespace().filter(|word| {
            let word = shape::bare(word).to_lowercase();
            !is_value(&word) && !vocabulary::says_change(&word)
        });
        let about = words.collect::<Vec<_>>().join(" ");
        let (whole, about) = (Vector::by_table(text), Vector::by_table(&about));
        Taken { topic, whole, about, values, all }
    }
}

/// How many numbers there are.
pub(super) const BASE: usize = 32;

/// What the new one, `b`, is like beside the known one, `a`; `rules` is what the rules say, where they say anything.
pub(in crate::remember::consolidate) fn compared(
    (known, a, one): (&str, &Reading, &Taken),
    (new, b, other): (&str, &Reading, &Taken),
    rules: Option<&Related>,
) -> [f32; BASE] {
    let flag = |is: bool| f32::from(u8::from(is));
    let rule = |relation: Relation| {
        rules.filter(|related| related.relation == relation).map_or(0.0, |related| related.score as f32)
    };
    let cosine = |one: &Option<Vector>, other: &Option<Vector>| {
        one.as_ref().zip(other.as_ref()).and_then(|(one, other)| one.cosine(other)).unwrap_or(0.0)
    };
    let values = Met::of(&one.values, &other.values);
    let (mine, theirs) =
        (count(one.topic.difference(&other.topic)), count(other.topic.difference(&one.topic)));
    let common = count(one.topic.intersection(&other.topic));
    let named_old = one.all.iter().any(|value| other.all.contains(value));
    let left = |value: &String| b.rejected.iter().any(|stem| value.starts_with(stem.as_str()));
    [
        share(&a.content, &b.content),
        within(&a.content, &b.content),
        within(&b.content, &a.content),
        share(&one.topic, &other.topic),
        within(&one.topic, &other.topic),
        within(&other.topic, &one.topic),
        cosine(&one.whole, &other.whole),
        cosine(&one.about, &other.about),
        flag(values.shared),
        flag(values.differ),
        flag(values.extra),
        flag(values.apart),
        flag(one.all.is_empty()),
        flag(other.all.is_empty()),
        flag(named_old && one.all.iter().any(left)),
        flag(!b.rejected.is_empty()),
        flag(b.is_change),
        flag(a.is_negative != b.is_negative),
        flag(vocabulary::qualify_differently(&a.qualifiers, &b.qualifiers)),
        flag(clause::are_about_other_parts(known, new)),
        rule(Relation::Same),
        rule(Relation::Opposite),
        rule(Relation::Refines),
        share(&a.subject, &b.subject),
        (mine / 5.0).min(1.0),
        (theirs / 5.0).min(1.0),
        (common / 4.0).min(1.0),
        flag(a.tie == Tie::Many || b.tie == Tie::Many),
        flag(values.known_differ),
        flag(a.words.len() <= 5 || b.words.len() <= 5),
        rule(Relation::Unrelated),
        flag(differ_in_subject(a, b)),
    ]
}

/// How the values of two statements meet.
struct Met {
    /// A value that both have.
    shared: bool,
    /// Of a sort that both have, none that both have.
    differ: bool,
    /// The new one has what the known one has, and another of the sort.
    extra: bool,
    /// Both have values, of no sort in common.
    apart: bool,
    /// Of things that exclude each other, two.
    known_differ: bool,
}

impl Met {
    fn of(one: &Values, other: &Values) -> Met {
        let mut met = Met {
            shared: false,
            differ: false,
            extra: false,
            apart: !one.is_empty() && !other.is_empty(),
            known_differ: false,
        };
        for (sort, values) in one {
            let Some(others) = other.get(sort) else { continue };
            met.apart = false;
            let is_shared = !values.is_disjoint(others);
            met.shared |= is_shared;
            met.differ |= !is_shared;
            met.extra |= is_shared && others.difference(values).next().is_some();
            met.known_differ |= !is_shared && matches!(sort, values::Sort::OneOf(_));
        }
        met
    }
}

fn count<T>(items: impl Iterator<Item = T>) -> f32 {
    items.count() as f32
}

/// How much of all both have.
fn share(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f32 {
    let all = count(a.union(b));
    if all == 0.0 { 0.0 } else { count(a.intersection(b)) / all }
}

/// How much of the first the second has.
fn within(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f32 {
    if a.is_empty() { 0.0 } else { count(a.intersection(b)) / a.len() as f32 }
}
