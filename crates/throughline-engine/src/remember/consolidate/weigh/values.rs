//! The values in a statement, by what sort they are: a time cannot take the place of a person.

use std::collections::{BTreeMap, BTreeSet};

use crate::remember::alternatives;
use crate::remember::shape::{self, Shape};
use crate::words::is_in;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Written(Shape),
    /// A number with what it counts or measures.
    Measured(&'static str),
    Name,
    /// One of things that exclude each other.
    OneOf(&'static str),
    Switch,
}

/// By sort, in small letters.
pub(super) type Values = BTreeMap<Sort, BTreeSet<String>>;

const SWITCHES: [&str; 12] = [
    "on",
    "off",
    "enabled",
    "disabled",
    "opt-in",
    "opt-out",
    "optional",
    "mandatory",
    "required",
    "forbidden",
    "allowed",
    "banned",
];
const NUMBERS: [&str; 13] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "twenty",
];

pub(super) fn of(text: &str) -> Values {
    let raw: Vec<&str> = text.split_whitespace().collect();
    let small: Vec<String> =
        raw.iter().map(|word| shape::bare(word).replace('’', "'").to_lowercase()).collect();
    let mut values = Values::new();
    let mut add = |sort: Sort, value: &str| {
        values.entry(sort).or_default().insert(value.to_owned());
    };
    for known in alternatives::values(&small) {
        add(Sort::OneOf(known.of), known.name);
    }
    for (at, word) in small.iter().enumerate() {
        let next = small.get(at + 1).map_or("", String::as_str);
        let counted = NUMBERS.iter().position(|number| number == word).filter(|at| *at > 0);
        match Shape::of(shape::bare(raw[at])) {
            Some(Shape::Number | Shape::Version) => {
                let (sort, value) = measured(word, next);
                add(sort, &value);
            }
            Some(shape) => add(Sort::Written(shape), word.trim_matches('`')),
            None if counted.is_some() => {
                let number =
                    counted.map_or(0, |at| if at == NUMBERS.len() - 1 { 20 } else { at + 1 }).to_string();
                let (sort, value) = measured(&number, next);
                add(sort, &value);
            }
            None if SWITCHES.contains(&word.as_str()) && is_switch(&small, at) => add(Sort::Switch, word),
            None if at > 0 && shape::is_capital(shape::bare(raw[at])) => {
                add(Sort::Name, word.trim_end_matches("'s"));
            }
            None => {}
        }
    }
    values
}

/// "turned off", "is on", "is disabled": a state, not where something is.
fn is_switch(words: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| words[before].as_str());
    !matches!(words[at].as_str(), "on" | "off")
        || matches!(before, "is" | "are" | "turned" | "switched" | "be" | "stays" | "default" | "now")
}

/// `30s`, `30 seconds`, `30 %`: what is measured is the sort, so that times are compared with times; half an hour is 1,800 s.
fn measured(word: &str, next: &str) -> (Sort, String) {
    let start = word.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let end = word[start..]
        .find(|c: char| !c.is_ascii_digit() && !".,_".contains(c))
        .map_or(word.len(), |end| start + end);
    let number = word[start..end].trim_end_matches(['.', ',']);
    let attached = if start > 0 { &word[..start] } else { word[end..].trim_start_matches('-') };
    let named = if attached.is_empty() { next } else { attached };
    match unit(named) {
        Some(unit) => (Sort::Measured(unit), in_smallest(number, named)),
        None if number.contains('.') => (Sort::Written(Shape::Version), number.to_owned()),
        None => (Sort::Written(Shape::Number), word.to_owned()),
    }
}

/// What is so many of a unit, in the smallest of its kind; as it is written, where there is none.
fn in_smallest(number: &str, unit: &str) -> String {
    let times = TIMES.iter().find(|(_, names)| is_in(names, unit));
    let amount = number.replace(['_', ','], "").parse::<f64>().ok();
    match (times, amount) {
        (Some((times, _)), Some(amount)) => format!("{}", amount * times),
        _ => number.to_owned(),
    }
}

/// In milliseconds, and in bytes.
const TIMES: [(f64, &str); 12] = [
    (1.0, "ms millisecond milliseconds b byte bytes"),
    (1e3, "s sec secs second seconds"),
    (6e4, "min mins minute minutes"),
    (3.6e6, "h hr hrs hour hours"),
    (8.64e7, "d day days"),
    (6.048e8, "week weeks"),
    (1.2096e9, "fortnight"),
    (2.592e9, "month months"),
    (1024.0, "kb kib kilobyte kilobytes"),
    (1_048_576.0, "mb mib meg megs megabyte megabytes"),
    (1_073_741_824.0, "gb gib gig gigs gigabyte gigabytes"),
    (1_099_511_627_776.0, "tb terabytes"),
];

fn unit(word: &str) -> Option<&'static str> {
    let (unit, _) = UNITS.iter().find(|(_, names)| is_in(names, word))?;
    Some(unit)
}

/// Sizes of one kind are one sort: what was in minutes may be in hours now.
const UNITS: &[(&str, &str)] = &[
    (
        "time",
        "ms s sec secs second seconds min mins minute minutes h hr hrs hour hours d day days week weeks month months year years \
         millisecond milliseconds fortnight sprint sprints",
    ),
    (
        "size",
        "b kb mb gb tb kib mib gib byte bytes kilobyte kilobytes megabyte megabytes gigabyte gigabytes terabytes meg megs gig gigs",
    ),
    ("share", "% percent pct"),
    ("money", "$ € £ euro euros eur usd dollar dollars pound pounds chf franc francs cent cents yen"),
    ("times", "times tries attempts retries x"),
    ("rate", "req/s rps qps rpm requests calls"),
    ("length", "mm cm m km metre metres meter meters px pixel pixels chars characters columns lines words"),
    ("people", "people persons reviewers approvals reviewer approval devs engineers"),
    ("copies", "replicas pods nodes instances workers threads connections shards partitions cores copies"),
];

#[cfg(test)]
mod tests {
    use super::{Shape, Sort, of};

    #[test]
    fn values_are_known_with_their_sort() {
        let values = of("The TTL is 15 minutes, Ilse runs it on 7410 since five retries");
        let has = |sort: Sort, value: &str| values.get(&sort).is_some_and(|all| all.contains(value));
        assert!(has(Sort::Measured("time"), "900000"));
        assert!(has(Sort::Measured("times"), "5"));
        assert!(has(Sort::Name, "ilse"));
        assert!(has(Sort::Written(Shape::Number), "7410"));
        assert_eq!(
            of("cut at 30s").keys().collect::<Vec<_>>(),
            of("after 2 hours").keys().collect::<Vec<_>>()
        );
        assert_eq!(of("kept for 14 days"), of("kept two weeks"));
        assert_ne!(of("after 30 minutes"), of("after 30 seconds"));
        assert_eq!(of("the flag is off").into_keys().collect::<Vec<_>>(), [Sort::Switch]);
        assert_eq!(of("it runs on the box").len(), 0);
    }
}
