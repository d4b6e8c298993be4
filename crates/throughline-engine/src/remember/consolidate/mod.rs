//! What a statement is to one that is known already: the same, more exact, the opposite, or something else; and what
//! follows from that. Nothing is read or written here.
//!
//! The thresholds were chosen on the `dev` part of `evals/consolidation/pairs.jsonl`.

mod asked;
mod beside;
mod clause;
mod contrast;
mod cure;
mod denial;
mod detail;
mod edited;
mod frame;
mod fulfilled;
mod gone;
mod levels;
mod many;
mod number;
mod readable;
mod reading;
mod related;
mod said;
mod scope;
mod slot;
mod swap;
mod verdict;
mod vocabulary;
pub mod weigh;

use std::collections::BTreeSet;

pub use asked::is_unsure;
pub(super) use asked::{question as pairs_question, verdicts as pairs_verdicts};
pub(super) use cure::command_that_fails;
pub(super) use edited::{added, has};
pub(super) use gone::{goes_by, gone};
pub(super) use readable::are_under_one_title;
pub(super) use reading::outcome;
pub use related::{Related, Relation};
pub(super) use said::BY_WEIGHT;
pub use said::{New, Stated};
pub(super) use swap::{name_the_same_values, names_more};
pub use verdict::{Standpoint, Verdict, verdict};

use denial::{EACH_DENIES, denied};
use number::{is_name, is_number, numbers_differ};
use reading::Reading;
use slot::{slot_differs, value_is_swapped};

use crate::index::vectors::Vector;

/// What is less sure than this leaves both as they are.
pub(super) const SURE: f64 = 0.7;
/// What the rules are so sure of, nothing else is asked about.
const CERTAIN: f64 = 0.9;
/// So much in common, and the rest of like meaning, is the same said otherwise.
const SAME_OVERLAP: f64 = 0.6;
const SAME_COSINE: f32 = 0.86;
const TURNED_ROUND: &str = "the same the other way round";
pub(super) const AGAIN_OR_OTHERWISE: &str = "about one thing, and likely the same";
const IN_OTHER_WORDS: &str = "the same in other words";
pub(super) const AND_MORE: &str = "the same, and more";
const IN_MORE_WORDS: &str = "the same in more words";
const A_PART: &str = "says a part of it again";
const FEW_IN_COMMON: &str = "one is negative and little is in common";
/// So much in common beside the words that exclude each other.
const OPPOSITE_OVERLAP: f64 = 0.5;

/// What the rules know; nothing where none is about the two.
fn by_rules((known, a): (&str, &Reading), (new, b): (&str, &Reading)) -> Option<Related> {
    if clause::are_about_other_parts(known, new) {
        return Some(related(Relation::Unrelated, 0.9, "about different parts"));
    }
    if a.words == b.words && !a.words.is_empty() {
        return Some(related(Relation::Same, 1.0, "the same words"));
    }
    if many::are_two_of_many((known, a), (new, b)) {
        return Some(related(Relation::Unrelated, 0.9, "two of many"));
    }
    if let Some(swapped) = swap::compared((known, a), (new, b)) {
        return Some(swapped);
    }
    if swap::say_it_of_two_things((known, a), (new, b)) {
        return Some(related(Relation::Unrelated, 0.9, "the same of two things"));
    }
    if clause::add_to_one_statement(known, new) {
        return Some(related(Relation::Unrelated, 0.9, "each adds something else to one statement"));
    }
    // "on the replica, never on the primary": which of the two it is is what is said of it.
    if let Some(turned) = denied(a, b).filter(|related| related.reasons == [EACH_DENIES]) {
        return Some(turned);
    }
    if clause::are_about_two_of_a_sort(known, new)
        || clause::are_of_two_modifiers(known, new)
        || number::is_said_of_another_number((known, a), b)
    {
        return Some(related(Relation::Unrelated, 0.9, "the same of two things of a sort"));
    }
    if qualified_apart(a, b) || readable::are_under_two_titles(known, new) {
        return Some(related(Relation::Unrelated, 0.9, "about different things of a sort"));
    }
    cure::compared(known, new)
        .or_else(|| fulfilled::compared((known, a), (new, b)))
        .or_else(|| framed(a, b).filter(|_| !swap::end_otherwise(known, new)))
        .or_else(|| denied(a, b))
        .or_else(|| values_differ(a, b))
        .or_else(|| antonyms(a, b))
        .or_else(|| negated(a, b))
        .or_else(|| slot_differs(a, b))
        .or_else(|| value_is_swapped(a, b, clause::share_a_part(known, new)))
        .or_else(|| agreement(a, b, (known, new)))
}

/// What need not be read: the same words, or two things that are told apart by name; or what the reader hardly sees, that
/// words have changed places. All else the rules only guess.
fn is_certain(related: &Related) -> bool {
    let is_turned = [TURNED_ROUND, EACH_DENIES, fulfilled::FULFILLED, swap::SWAPPED]
        .iter()
        .any(|why| related.reasons == [*why]);
    let is_told = matches!(related.relation, Relation::Same | Relation::Unrelated) || is_turned;
    is_told && related.score >= CERTAIN && related.reasons != [FEW_IN_COMMON]
}

/// What `new` is to `known`.
pub fn relation(known: &str, new: &str) -> Related {
    New::of(new).relation_to(known)
}

/// Statements of these builds are told from others by how they are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// Who answers for something.
    Role,
    /// With which command something is done.
    Command,
}

/// Of which build a statement is.
pub fn build(text: &str) -> Option<Build> {
    match Reading::of(text).frame? {
        frame::Frame::Role { .. } => Some(Build::Role),
        frame::Frame::Command { does, .. } => (!does.is_empty()).then_some(Build::Command),
    }
}

fn related(relation: Relation, score: f64, reason: &'static str) -> Related {
    Related { relation, score, reasons: vec![reason], perhaps: false }
}

/// Whether a word says anything by itself.
pub(super) fn tells(word: &str) -> bool {
    let reading = Reading::of(word);
    !reading.content.is_empty() || !reading.rejected.is_empty()
}

type Set = BTreeSet<String>;

/// Both say who answers for something, or with which command something is done.
fn framed(a: &Reading, b: &Reading) -> Option<Related> {
    let is_positive = !a.is_negative && !b.is_negative;
    frame::compared(a.frame.as_ref()?, b.frame.as_ref()?).filter(|_| is_positive)
}

fn qualified_apart(a: &Reading, b: &Reading) -> bool {
    // What something is written in is its value, not which of several it is.
    let is_written = |reading: &Reading| {
        let is_language = |pair: &[String]| pair[0] == "in" && vocabulary::is_language(&pair[1]);
        reading.plain.iter().any(|word| word == "written") || reading.words.windows(2).any(is_language)
    };
    vocabulary::qualify_differently(&a.qualifiers, &b.qualifiers) && !(is_written(a) && is_written(b))
}

/// The share of all words that both have.
fn overlap(a: &Set, b: &Set) -> f64 {
    let all = a.union(b).count();
    if all == 0 { 0.0 } else { a.intersection(b).count() as f64 / all as f64 }
}

/// Each is about something that the other does not mention at all.
fn differ_in_subject(a: &Reading, b: &Reading) -> bool {
    let alone = |one: &Reading, other: &Reading| {
        one.subject.difference(&other.content).any(|stem| !other.rejected.contains(stem))
    };
    alone(a, b) && alone(b, a)
}

/// Another of things that exclude each other, or another number, under the same subject.
fn values_differ(a: &Reading, b: &Reading) -> Option<Related> {
    for value in &a.values {
        let others: Vec<_> = b.values.iter().filter(|other| other.of == value.of).collect();
        let differs = !others.is_empty() && others.iter().all(|other| other.name != value.name);
        let shared = a
            .values
            .iter()
            .any(|one| one.of == value.of && b.values.iter().any(|other| other.name == one.name));
        if !differs || shared || a.is_negative != b.is_negative {
            continue;
        }
        let mut rests = (a.content.clone(), b.content.clone());
        rests.0.retain(|stem| !a.stems_of(value.name).contains(stem) && !is_form_of(stem, value.name));
        for other in others {
            rests.1.retain(|stem| !b.stems_of(other.name).contains(stem) && !is_form_of(stem, other.name));
        }
        if !rests.0.is_disjoint(&rests.1) {
            rests.0.retain(|stem| !vocabulary::only_ties(stem));
            rests.1.retain(|stem| !vocabulary::only_ties(stem));
        }
        let common = overlap(&rests.0, &rests.1);
        let bare = rests.0.is_empty() && rests.1.is_empty();
        let one_is_bare = rests.0.len() + rests.1.len() == 1;
        if bare || one_is_bare || (common >= OPPOSITE_OVERLAP && !rests_differ(a, b, &rests)) {
            return Some(related(
                Relation::Opposite,
                if bare { 0.8 } else { 0.7 + common * 0.3 },
                "another value of the same thing",
            ));
        }
        return Some(related(Relation::Unrelated, 0.7, "another value of something else"));
    }
    numbers_differ(a, b)
}

/// A value's own forms: the plural, the name it is also known by.
fn is_form_of(stem: &str, name: &str) -> bool {
    name.split(' ').any(|part| {
        part == stem || part.starts_with(stem) && stem.len() > 3 || stem.starts_with(part) && part.len() > 2
    })
}

/// Both have a subject of their own beside the values.
fn rests_differ(a: &Reading, b: &Reading, (one, other): &(Set, Set)) -> bool {
    let alone = |mine: &Reading, rest: &Set, others: &Set| {
        mine.subject.iter().any(|stem| rest.contains(stem) && !others.contains(stem))
    };
    alone(a, one, other) && alone(b, other, one)
}

fn unique(a: &Reading, b: &Reading) -> (Set, Set) {
    (a.content.difference(&b.content).cloned().collect(), b.content.difference(&a.content).cloned().collect())
}

/// "enabled" here and "disabled" there, and the rest alike.
fn antonyms(a: &Reading, b: &Reading) -> Option<Related> {
    let pair = a.plain.iter().chain(&a.words).find_map(|one| {
        let opposites = vocabulary::opposites(one);
        let mut words = b.plain.iter().chain(&b.words).filter(|_| !opposites.is_empty());
        let other = words.find(|other| opposites.contains(&other.as_str()))?;
        (!b.words.contains(one) && !a.words.contains(other)).then_some((one.clone(), other.clone()))
    });
    let (one, other) = pair?;
    let without = |reading: &Reading, word: &str| -> Set {
        let stems = reading.stems_of(word);
        reading
            .content
            .iter()
            .filter(|stem| !stems.contains(*stem) && !is_form_of(stem, word))
            .cloned()
            .collect()
    };
    let rests = (without(a, &one), without(b, &other));
    let in_subject =
        |reading: &Reading, word: &str| reading.subject.iter().any(|stem| is_form_of(stem, word));
    let singled_out = in_subject(a, &one) && in_subject(b, &other);
    let common = overlap(&rests.0, &rests.1);
    if a.is_negative != b.is_negative
        && !matches!(other.as_str(), "no" | "never")
        && !matches!(one.as_str(), "no" | "never")
    {
        return None;
    }
    // "always A" and "never B" are about two things.
    let is_how_often = matches!((one.as_str(), other.as_str()), ("always", "never") | ("never", "always"));
    let needed = if is_how_often { SAME_OVERLAP } else { OPPOSITE_OVERLAP };
    (common >= needed && !singled_out && !rests_differ(a, b, &rests))
        .then(|| related(Relation::Opposite, 0.7 + common * 0.3, "words of opposite meaning"))
}

/// The same with a negation.
fn negated(a: &Reading, b: &Reading) -> Option<Related> {
    if a.is_negative == b.is_negative {
        return None;
    }
    let common = overlap(&a.content, &b.content);
    let (one, other) = unique(a, b);
    let aside = !one.is_empty() && !other.is_empty();
    let near = common >= OPPOSITE_OVERLAP && (!aside || common >= SAME_OVERLAP) && !differ_in_subject(a, b);
    Some(match near {
        true => related(Relation::Opposite, 0.6 + common * 0.4, "one negates the other"),
        false => related(Relation::Unrelated, 1.0 - common, FEW_IN_COMMON),
    })
}

/// Nothing speaks against each other: the same, more exact, or not about one thing.
fn agreement(a: &Reading, b: &Reading, texts: (&str, &str)) -> Option<Related> {
    let (mut one, mut other) = unique(a, b);
    let common = a.content.intersection(&b.content).count();
    if common > 1 {
        let tells = |reading: &Reading, stem: &String| {
            !vocabulary::is_weak(stem) && (!vocabulary::only_ties(stem) || reading.marked.contains(stem))
        };
        one.retain(|stem| tells(a, stem));
        other.retain(|stem| tells(b, stem));
    }
    match (one.is_empty(), other.is_empty()) {
        _ if common == 0 || !numbers_agree(a, b) => None,
        (true, true) if turned_round(a, b) => Some(related(Relation::Opposite, 0.95, TURNED_ROUND)),
        (true, true) => Some(related(Relation::Same, 0.85, IN_OTHER_WORDS)),
        // Who answers for something is not said more exactly by what else is said of both.
        (true, false) | (false, true) if is_role(a) != is_role(b) => None,
        (true, false) => is_about_the_same(a, b, common).then(|| match detail::surely_tells_more(a, b) {
            true => related(Relation::Refines, 0.8, "says the same and more"),
            false => related(Relation::Same, 0.8, IN_MORE_WORDS),
        }),
        // What it denies is no part of what is known.
        (false, true) if !b.rejected.is_subset(&a.rejected) => None,
        (false, true) => is_about_the_same(b, a, common).then(|| related(Relation::Same, 0.8, A_PART)),
        (false, false) => alike(a, b, texts),
    }
}

/// "migrate before you deploy", "deploy before you migrate": what stands on one side of the word stands on the other there.
fn turned_round(a: &Reading, b: &Reading) -> bool {
    let sides = |reading: &Reading, tie: &str| -> Option<(Set, Set)> {
        let at = reading.words.iter().position(|word| word == tie)?;
        // "where to send alerts" has no direction.
        let is_tie = tie != "to" || reading.words[..at].iter().any(|word| word == "from");
        let stems = |words: &[String]| words.iter().flat_map(|word| reading.stems_of(word)).collect();
        is_tie.then(|| (stems(&reading.words[..at]), stems(&reading.words[at + 1..])))
    };
    ["before", "after", "than", "to"].into_iter().any(|tie| {
        let both = sides(a, tie).zip(sides(b, tie));
        both.is_some_and(|((left, right), (its_left, its_right))| {
            let crosses = |one: &Set, other: &Set, stays: &Set| {
                one.intersection(other).any(|stem| !stays.contains(stem))
            };
            crosses(&left, &its_right, &its_left) && crosses(&right, &its_left, &its_right)
        })
    })
}

fn is_role(reading: &Reading) -> bool {
    matches!(reading.frame, Some(frame::Frame::Role { .. }))
}

/// The numbers of one are among those of the other, in their order.
fn numbers_agree(a: &Reading, b: &Reading) -> bool {
    let numbers = |reading: &Reading| -> Vec<String> {
        reading.words.iter().filter(|word| is_number(word)).cloned().collect()
    };
    let (one, other) = (numbers(a), numbers(b));
    let (fewer, more) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let mut more = more.iter();
    fewer.iter().all(|number| more.any(|other| other == number))
}

/// A single word in common is the same subject when both begin alike up to it.
fn is_about_the_same(less: &Reading, more: &Reading, common: usize) -> bool {
    let alike = less.words.iter().zip(&more.words).take_while(|(one, other)| one == other).count();
    let stem_at = less.words.iter().position(|word| less.content.iter().any(|stem| is_form_of(stem, word)));
    common > 1 || stem_at.is_some_and(|at| at < alike)
}

/// Most words in common, the rest of like meaning, and the whole as well.
fn alike(a: &Reading, b: &Reading, (known, new): (&str, &str)) -> Option<Related> {
    let common = overlap(&a.content, &b.content);
    let (one, other) = unique(a, b);
    let named = one.iter().chain(&other).any(|stem| is_name(stem));
    if common < SAME_OVERLAP || named || differ_in_subject(a, b) {
        return None;
    }
    let cosine = cosine(known, new)?;
    (cosine >= SAME_COSINE).then(|| related(Relation::Same, f64::from(cosine), "alike in words and meaning"))
}

fn cosine(one: &str, other: &str) -> Option<f32> {
    Vector::by_table(one)?.cosine(&Vector::by_table(other)?)
}

#[cfg(test)]
mod tests;
