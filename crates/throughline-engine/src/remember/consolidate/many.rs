//! Of some things there are many at once: what is supported, where something is, who may do something. One more of them ends
//! nothing: "we support deliveries to Brazil", "we support deliveries to Chile".

use super::number::is_number;
use super::reading::Reading;
use super::vocabulary;
use crate::remember::shape;
use crate::words::is_in;

/// One of many is named in so many words at most.
const NAMED: usize = 3;
/// Of what these say, there is more than one.
const MANY: &str = "support supports accept accepts include includes contain contains offer offers sell sells import imports cover covers \
    deliver delivers ship ships apply applies";
/// And of where, or for whom, these are done.
const MANY_PLACES: &str =
    "support supports accept accepts include includes offer offers cover covers keep keeps";
/// What these say of somebody or something, they say of others too.
const ALLOWING: [&[&str]; 8] = [
    &["is", "allowed", "to"],
    &["are", "allowed", "to"],
    &["may"],
    &["can"],
    &["must", "not"],
    &["has", "access", "to"],
    &["have", "access", "to"],
    &["is", "able", "to"],
];
/// Behind these stands where, or for whom, something is so.
const APPLYING: [&[&str]; 7] = [
    &["is", "on", "for"],
    &["is", "off", "for"],
    &["are", "on", "for"],
    &["are", "off", "for"],
    &["enabled", "for"],
    &["disabled", "for"],
    &["available", "for"],
];
/// With these words it is the only one.
const ONLY: &str = "only now just solely exclusively alone instead longer anymore not default primary main";
/// After these a number says which of several it is.
const NUMBERED: &str = "region zone shard tenant site plant room line store warehouse terminal";
const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays \
    january february march april may june july august september october november december q1 q2 q3 q4";

/// The same is said of another of many.
pub(super) fn are_two_of_many((known, a): (&str, &Reading), (new, b): (&str, &Reading)) -> bool {
    let (old, new) = (words(known), words(new));
    let is_only = old.iter().chain(&new).any(|word| is_in(ONLY, &word.small));
    if a.is_negative != b.is_negative || b.is_change || is_only {
        return false;
    }
    let shared = old.iter().zip(&new).take_while(|(one, other)| one.small == other.small).count();
    let behind = old[shared..].iter().rev().zip(new[shared..].iter().rev());
    let behind = behind.take_while(|(one, other)| one.small == other.small).count();
    let (one, other) = (&old[shared..old.len() - behind], &new[shared..new.len() - behind]);
    let (before, after) = (&old[..shared], &old[old.len() - behind..]);
    is_one_of_many(one, before) && is_one_of_many(other, before) && leaves_room(before, after, [one, other])
}

struct Word {
    small: String,
    is_capital: bool,
}

fn words(text: &str) -> Vec<Word> {
    let word = |written: &str| {
        let raw = shape::bare(written).trim_matches('`');
        Word { small: raw.to_lowercase(), is_capital: shape::is_capital(raw) }
    };
    text.split_whitespace().map(word).filter(|word| !word.small.is_empty()).collect()
}

/// Named in few words, and no number but one that says which of them it is.
fn is_one_of_many(named: &[Word], before: &[Word]) -> bool {
    let is_numbered = || before.last().is_some_and(|word| is_in(NUMBERED, &word.small));
    (1..=NAMED).contains(&named.len())
        && named.iter().all(|word| !vocabulary::is_empty(&word.small) && !is_in(DAYS, &word.small))
        && (!named.iter().any(|word| is_number(&word.small)) || is_numbered())
}

/// What is said of them can be said of others as well.
fn leaves_room(before: &[Word], after: &[Word], named: [&[Word]; 2]) -> bool {
    let before: Vec<&str> = before.iter().map(|word| word.small.as_str()).collect();
    let after: Vec<&str> = after.iter().map(|word| word.small.as_str()).collect();
    let is_allowed = before.len() <= 1 && ALLOWING.iter().any(|words| after.starts_with(words));
    let applies = APPLYING.iter().any(|words| before.ends_with(words));
    let is_many = match before[..] {
        [.., verb, "to"] | [.., verb] if is_in(MANY, verb) => true,
        _ => is_place(&before, named) && (has_one_more(&before) || is_done_in_many(&before)),
    };
    is_allowed && !after.is_empty() || applies || is_many
}

/// "… in Lyon", "… for Brazil"
fn is_place(before: &[&str], named: [&[Word]; 2]) -> bool {
    let is_name = |words: &[Word]| words.iter().all(|word| word.is_capital || is_number(&word.small));
    before.last().is_some_and(|word| is_in("in for to region zone", word)) && named.into_iter().all(is_name)
}

/// "We have a warehouse in …": one of them.
fn has_one_more(before: &[&str]) -> bool {
    before.windows(2).any(|pair| is_in("have has", pair[0]) && is_in("a an one", pair[1]))
}

/// "We keep the adapter for …"
fn is_done_in_many(before: &[&str]) -> bool {
    before.iter().any(|word| is_in(MANY_PLACES, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_many(known: &str, new: &str) -> bool {
        are_two_of_many((known, &Reading::of(known)), (new, &Reading::of(new)))
    }

    #[test]
    fn one_more_of_many_stands_beside() {
        for (known, new) in [
            ("We support deliveries to Brazil", "We support deliveries to Chile"),
            ("We have a warehouse in Lyon", "We have a warehouse in Turin"),
            ("Anna is allowed to deploy to production", "Ben is allowed to deploy to production"),
            ("Rate limiting is on for /login", "Rate limiting is on for /signup"),
            ("Prices include tax in Germany", "Prices include tax in France"),
            ("We keep the Stripe adapter for Brazil", "We keep the Stripe adapter for Chile"),
            ("We decided to keep the adapter for region 1", "We decided to keep the adapter for region 2"),
            ("We support Firefox", "We support Safari"),
            ("We ship to Austria", "We ship to Norway"),
        ] {
            assert!(are_many(known, new), "{known} / {new}");
        }
    }

    #[test]
    fn what_a_thing_has_one_of_is_another_now() {
        for (known, new) in [
            ("We support Node 18", "We support Node 20"),
            ("We ship on Tuesdays", "We ship on Thursdays"),
            ("We ship releases from main", "We ship releases from trunk"),
            ("We ship logs to Datadog", "We ship logs to Grafana"),
            ("We support only Chrome", "We support only Firefox"),
            ("Anna reviews the migrations", "Ben reviews the migrations"),
            ("We deploy to Frankfurt", "We deploy to Dublin"),
            ("We have two replicas in Lyon", "We have three replicas in Lyon"),
        ] {
            assert!(!are_many(known, new), "{known} / {new}");
        }
    }
}
