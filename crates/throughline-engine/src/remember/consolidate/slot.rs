//! Where a thing has one value, and two statements name two.

use super::number::{is_name, is_number};
use super::reading::{Reading, Tie};
use super::{Related, Relation, Set, related, unique, vocabulary};

/// One word is another where a thing has one only: "the frontend is served by nginx", "… by Caddy".
pub(super) fn slot_differs(a: &Reading, b: &Reading) -> Option<Related> {
    let (mut one, mut other) = unique(a, b);
    one.retain(|stem| !vocabulary::only_ties(stem) || a.marked.contains(stem));
    other.retain(|stem| !vocabulary::only_ties(stem) || b.marked.contains(stem));
    let named = |set: &Set| !set.is_empty() && set.iter().all(|stem| is_name(stem));
    let single = one.len() == 1 && other.len() == 1;
    let of_subject = |reading: &Reading, set: &Set| set.iter().any(|stem| reading.subject.contains(stem));
    let same_subject = !a.subject.is_empty() && a.subject == b.subject;
    let tied = a.tie == Tie::One && b.tie == Tie::One;
    // "is small" and "is local" go together; "is served by A" and "… by B" do not, nor two names of one branch.
    let has_one = a.subject.iter().any(|stem| vocabulary::has_one(stem));
    let all_named = named(&one) && named(&other);
    // A region is no product: what is written otherwise is of another sort.
    let is_of_sort = sort(one.iter()) == sort(other.iter());
    let is_slot = is_of_sort && (all_named || single && (has_one || (a.is_placed && b.is_placed)));
    let is_value = is_slot && !of_subject(a, &one) && !of_subject(b, &other);
    (same_subject && tied && is_value)
        .then(|| related(Relation::Opposite, 0.7, "another value where a thing has one"))
        .or_else(|| value_is_other(a, b))
}

/// All is said in the same words but for what stands in one place. There another word is another value: that is no repetition,
/// and where something is done *as* one thing it is not done as another.
pub(super) fn value_is_swapped(a: &Reading, b: &Reading, are_of_one_part: bool) -> Option<Related> {
    let (one, other) = (&a.words, &b.words);
    let begin = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let most = one.len().min(other.len()) - begin;
    let end =
        one.iter().rev().zip(other.iter().rev()).take(most).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[begin..one.len() - end], &other[begin..other.len() - end]);
    let is_short = |words: &[String]| (1..=3).contains(&words.len());
    if begin < 2 && !are_of_one_part || begin + end < 4 || !is_short(one) || !is_short(other) {
        return None;
    }
    let is_like = |(one, other): (&String, &String)| {
        let (one, other) = (vocabulary::canonical(one), vocabulary::canonical(other));
        one == other || one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count() > 3
    };
    if one.iter().zip(other).any(is_like) {
        return None;
    }
    let lead = begin.checked_sub(1).map_or("", |before| a.words[before].as_str());
    match lead {
        "as" => Some(related(Relation::Opposite, 0.75, "another value in the same place")),
        "in" | "on" | "at" | "by" | "with" | "to" | "from" | "via" => {
            Some(related(Relation::Unrelated, 0.75, "another word in one place"))
        }
        "the" if are_of_one_part => Some(related(Relation::Unrelated, 0.75, "another word in one place")),
        _ => None,
    }
}

/// Beside words that only tie, the two differ in what they name: "uploads are capped at 20 MB", "… now at 50 MB"; and
/// neither says that there are several.
fn value_is_other(a: &Reading, b: &Reading) -> Option<Related> {
    let told = |reading: &Reading| -> Set {
        let tells = |stem: &&String| !vocabulary::only_ties(stem) && !vocabulary::is_weak(stem);
        let kept = reading.content.iter().filter(|stem| tells(stem) || reading.marked.contains(*stem));
        kept.cloned().collect()
    };
    let (mine, theirs) = (told(a), told(b));
    let one: Vec<&String> = mine.difference(&theirs).collect();
    let other: Vec<&String> = theirs.difference(&mine).collect();
    let common: Vec<&String> = mine.intersection(&theirs).collect();
    let is_value = |reading: &Reading, set: &[&String]| {
        let all_marked =
            (1..=2).contains(&set.len()) && set.iter().all(|stem| reading.marked.contains(*stem));
        let is_last = set.len() == 1 && reading.is_led(set[0]);
        (all_marked || is_last && b.is_change)
            && set.iter().all(|stem| !reading.subject.contains(*stem) || is_whole_subject(reading, stem))
            && !set.iter().any(|stem| vocabulary::qualifies(stem))
    };
    // A thing that both name, and not only the unit of a number.
    let is_about_one = common.iter().any(|stem| !is_number(stem) && !is_unit(stem));
    let is_loose = a.tie != Tie::One || b.tie != Tie::One;
    let alike = sort(one.iter().copied()) == sort(other.iter().copied());
    let holds = is_about_one
        && is_value(a, &one)
        && is_value(b, &other)
        && alike
        && (!is_loose || b.is_change)
        && !a.is_negative
        && !b.is_negative;
    holds.then(|| related(Relation::Opposite, 0.72, "another value of the same"))
}

/// "Priya signs off releases": who does it comes first, and is what differs.
fn is_whole_subject(reading: &Reading, stem: &str) -> bool {
    reading.subject.len() == 1 && reading.subject.contains(stem)
}

/// How values are written: as numbers, as paths and hosts, or as words.
fn sort<'a>(mut value: impl Iterator<Item = &'a String> + Clone) -> u8 {
    let mut again = value.clone();
    match () {
        () if value.any(|stem| is_number(stem)) => 0,
        () if again.any(|stem| stem.contains(['/', '.', ':', '@', '-', '#'])) => 1,
        () => 2,
    }
}

fn is_unit(stem: &str) -> bool {
    matches!(
        stem,
        "second"
            | "minut"
            | "hour"
            | "day"
            | "week"
            | "month"
            | "year"
            | "mb"
            | "gb"
            | "kb"
            | "ms"
            | "percent"
            | "%"
    )
}
