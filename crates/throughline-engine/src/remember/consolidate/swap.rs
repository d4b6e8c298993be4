//! Two statements that are word for word the same but for one value, which is a number, a measure, a version, a path or code.
//! They are never the same: the newer takes the place of the older, unless the value says which of several things is meant.

use super::number::is_number;
use super::readable::differ_in_codes;
use super::reading::Reading;
use super::{Related, Relation, related, vocabulary};
use crate::remember::alternatives;
use crate::remember::shape::{self, Shape};
use crate::words::is_in;

pub(super) const SWAPPED: &str = "word for word the same but for one value";
/// Fewer words around a value do not say what it is a value of.
const AROUND: usize = 2;
/// So many words are one value: "10 minutes".
const VALUE: usize = 2;
/// What stands before a value.
const LEADING: &str = "is are was be to at in on by with via from for of after before every within under over than about least most until \
    since into through up down x";
/// After these a number is a value, as it is of what has one version, one port, one limit.
const VALUED: &str = "size depth level count timeout length limit port version budget factor ratio interval ttl max min threshold node \
    python postgres postgresql java jdk go ruby php rust redis mysql chrome react django rails terraform kubernetes";
/// After these a number says which of several is meant.
const COUNTED: &str = "pr prs issue issues adr rfc ticket bug step task chapter section part sprint phase module agent process service note \
    fact item line page case shard";

/// Another value in the place where a thing has one.
pub(super) fn compared((known, a): (&str, &Reading), (new, b): (&str, &Reading)) -> Option<Related> {
    let swap = Swap::of(known, new)?;
    let holds = a.is_negative == b.is_negative && !differ_in_codes(known, new) && swap.is_placed(a, b);
    holds.then(|| related(Relation::Opposite, 0.95, SWAPPED))
}

/// "The unit alder needs 40 degrees", "the unit quince needs 88 degrees": the words are the same but for a name before the verb and
/// a number behind it.
pub(super) fn say_it_of_two_things((known, a): (&str, &Reading), (new, b): (&str, &Reading)) -> bool {
    const SAME_THING: &str = "old new current present default usual our my your previous former first last";
    let (old, new) = (words(known), words(new));
    let differing: Vec<usize> =
        (0..old.len().min(new.len())).filter(|at| old[*at].small != new[*at].small).collect();
    let [name, value] = differing[..] else { return false };
    let small = [old[name].small.as_str(), new[name].small.as_str()];
    let is_name = |word: &str| {
        !vocabulary::is_empty(word)
            && !is_number(word)
            && !is_in(SAME_THING, word)
            && !alternatives::is_known(word)
    };
    let are_names = small.iter().all(|word| is_name(word))
        && vocabulary::canonical(small[0]) != vocabulary::canonical(small[1]);
    let in_subject = !a.subject.is_disjoint(&b.subject) && a.subject != b.subject;
    let are_numbers = is_number(&old[value].small) && is_number(&new[value].small);
    old.len() == new.len() && are_names && in_subject && are_numbers && name < value && !b.is_change
}

/// Whether nothing but a value differs, wherever it stands, or the word that all else leads to: whatever the two are, they do not
/// say the same.
pub(super) fn differ_in_a_value(known: &str, new: &str) -> bool {
    Swap::of(known, new).is_some() || end_otherwise(known, new)
}

/// "… it uses queue fast", "… it uses queue slow"
pub(super) fn end_otherwise(known: &str, new: &str) -> bool {
    const LED: usize = 5;
    let (old, new) = (words(known), words(new));
    let (Some((one, before)), Some((other, its))) = (old.split_last(), new.split_last()) else {
        return false;
    };
    let is_same = before.iter().map(|word| &word.small).eq(its.iter().map(|word| &word.small));
    let is_another = vocabulary::canonical(&one.small) != vocabulary::canonical(&other.small);
    before.len() >= LED
        && is_same
        && is_another
        && !vocabulary::is_empty(&one.small)
        && !vocabulary::is_empty(&other.small)
}

/// Whether two texts name the same numbers, versions, paths and pieces of code.
pub(in crate::remember) fn name_the_same_values(one: &str, other: &str) -> bool {
    let named = |text: &str| {
        let words: Vec<Word<'_>> = words(text);
        let mut named: Vec<String> =
            words.iter().filter(|word| word.shape().is_some()).map(|word| word.small.clone()).collect();
        named.sort_unstable();
        named.dedup();
        named
    };
    named(one) == named(other)
}

/// Whether the new text has a name that the known one has not: "the workers are in apps/worker", "apps/worker runs the jobs through
/// Temporal".
pub(in crate::remember) fn names_more<'a>(known: impl Iterator<Item = &'a str>, new: &str) -> bool {
    let told: String = known.map(str::to_lowercase).collect();
    let is_name = |(at, word): (usize, &Word<'_>)| {
        at > 0 && shape::is_capital(word.raw) || alternatives::is_known(&word.small)
    };
    words(new).iter().enumerate().any(|(at, word)| is_name((at, word)) && !told.contains(&word.small))
}

/// A word as it is written, and in small letters.
#[derive(Debug, Clone)]
struct Word<'a> {
    raw: &'a str,
    small: String,
    is_code: bool,
    /// "port: 7000"
    is_title: bool,
}

impl Word<'_> {
    fn shape(&self) -> Option<Shape> {
        if self.is_code { Some(Shape::Code) } else { Shape::of(self.raw) }
    }
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut in_code = false;
    let word = |written| {
        let bare = shape::bare(written);
        let ticks = bare.matches('`').count();
        let is_code = in_code || ticks > 0;
        in_code ^= ticks % 2 == 1;
        let raw = bare.trim_matches('`');
        Word { raw, small: raw.to_lowercase(), is_code, is_title: written.ends_with([':', '=']) }
    };
    text.split_whitespace().map(word).filter(|word| !word.raw.is_empty()).collect()
}

/// What differs between two texts of the same words.
struct Swap<'a> {
    before: Vec<Word<'a>>,
    old: Vec<Word<'a>>,
    new: Vec<Word<'a>>,
    after: Vec<Word<'a>>,
}

impl<'a> Swap<'a> {
    fn of(known: &'a str, new: &'a str) -> Option<Swap<'a>> {
        let (old, new) = (words(known), words(new));
        let same = |(one, other): &(&Word<'_>, &Word<'_>)| one.small == other.small;
        let begin = old.iter().zip(&new).take_while(same).count();
        let most = old.len().min(new.len()) - begin;
        let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
        let swap = Swap {
            before: old[..begin].to_vec(),
            after: old[old.len() - end..].to_vec(),
            old: old[begin..old.len() - end].to_vec(),
            new: new[begin..new.len() - end].to_vec(),
        };
        (begin + end >= AROUND && swap.is_of_values()).then_some(swap)
    }

    fn is_of_values(&self) -> bool {
        let both = [&self.old, &self.new];
        let all = |is: &dyn Fn(&Word<'_>) -> bool| both.iter().all(|words| words.iter().all(is));
        let is_short = both.iter().all(|words| (1..=VALUE).contains(&words.len()));
        let is_some = both.iter().all(|words| !words.is_empty());
        let is_value = |word: &Word<'_>| word.shape().is_some() || is_unit(&word.small);
        let begins_with_value =
            both.iter().all(|words| words.first().is_some_and(|word| word.shape().is_some()));
        let is_counted = self.before.last().is_some_and(|word| is_number(&word.small));
        is_some && all(&|word| word.is_code)
            || is_short && begins_with_value && all(&is_value)
            || is_short && is_counted && all(&|word| is_unit(&word.small))
    }

    /// Whether the value stands where one says what a thing is, and not which.
    fn is_placed(&self, a: &Reading, b: &Reading) -> bool {
        let Some(lead) = self.before.last() else { return false };
        let (old, new) = (&self.old[0], &self.new[0]);
        // A command takes several.
        if old.shape() == Some(Shape::Flag) {
            return false;
        }
        let is_led = is_in(LEADING, &lead.small) || lead.is_title;
        let in_subject = |reading: &Reading, word: &Word<'_>| reading.subject.contains(&word.small);
        let is_subject = in_subject(a, old) || in_subject(b, new);
        match (is_number(&old.small), is_number(&new.small)) {
            (true, true) => self.is_number_placed(lead, is_led) && (!is_subject || self.is_versioned(lead)),
            _ if is_unit(&old.small) && is_number(&lead.small) => true,
            // What is done with one may be done with another, and so may what must not be.
            _ => is_led && !is_subject && !a.is_negative,
        }
    }

    fn is_number_placed(&self, lead: &Word<'_>, is_led: bool) -> bool {
        let next = self.after.first().map_or("", |word| word.small.as_str());
        let follows_verb = vocabulary::is_verb(&lead.small) || vocabulary::is_empty(&lead.small);
        let counts = next.len() > 3 && next.ends_with('s') && (follows_verb || lead.small.ends_with('s'));
        let is_measured =
            is_unit(next) || self.old.len() > 1 || self.old[0].small.ends_with(|c: char| !c.is_ascii_digit());
        let is_exact = matches!(self.old[0].shape(), Some(Shape::Version | Shape::Time));
        !is_in(COUNTED, &lead.small)
            && (is_led || self.is_versioned(lead) || counts || is_measured || is_exact || follows_verb)
    }

    /// "Node 22", "port 8443", "Chrome 120"
    fn is_versioned(&self, lead: &Word<'_>) -> bool {
        is_in(VALUED, &lead.small)
            || vocabulary::has_one(&lead.small)
            || vocabulary::leads_to_value(&lead.small)
            || self.before.len() > 1 && shape::is_capital(lead.raw) && !is_in(COUNTED, &lead.small)
    }
}

fn is_unit(word: &str) -> bool {
    const UNITS: &str = "ms s sec secs second seconds min mins minute minutes h hr hrs hour hours d day days week weeks month months year \
        years b kb mb gb tb kib mib gib byte bytes percent % pct px req/s rps qps rpm baud hz khz mhz ghz degrees";
    is_in(UNITS, word)
}
