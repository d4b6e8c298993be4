//! Numbers in statements: those that are values, and those that say which thing is meant.

use super::reading::{Reading, Tie};
use super::{Related, Relation, Set, related, unique, vocabulary};
use crate::words::is_in;

pub(super) fn is_number(stem: &str) -> bool {
    stem.starts_with(|c: char| c.is_ascii_digit())
}

/// Names that are written as no word is: paths, hosts, versions, regions.
pub(super) fn is_name(stem: &str) -> bool {
    stem.contains(['/', '_', '.', ':', '@', '=']) || stem.bytes().any(|byte| byte.is_ascii_digit())
}

/// All that differs is numbers, and they are values: not what a thing is numbered by.
pub(super) fn numbers_differ(a: &Reading, b: &Reading) -> Option<Related> {
    let (one, other) = unique(a, b);
    let common = a.content.intersection(&b.content).count();
    let numbers = |set: &Set| -> Set { set.iter().filter(|stem| is_number(stem)).cloned().collect() };
    let words = |set: &Set| -> Vec<String> {
        let telling =
            set.iter().filter(|stem| !(is_number(stem) || common > 0 && vocabulary::only_ties(stem)));
        telling.cloned().collect()
    };
    let (more, others) = (words(&one), words(&other));
    // One may say a little more, as long as that does not make it another thing.
    let says_little = more.len() + others.len() <= usize::from(common > 1)
        || (b.is_change
            && are_versions(a, b)
            && more.len().min(others.len()) == 0
            && more.len() + others.len() <= 2);
    let is_apart = more.iter().chain(&others).any(|stem| vocabulary::qualifies(stem) || is_name(stem));
    let does_more = more.iter().any(|stem| is_done(a, stem)) || others.iter().any(|stem| is_done(b, stem));
    let (one, other) = (numbers(&one), numbers(&other));
    let in_other_units =
        one.iter().any(|number| other.iter().any(|other| measure(a, number) != measure(b, other)));
    if one.is_empty() || other.is_empty() || !says_little || is_apart || does_more || in_other_units {
        return None;
    }
    let numbers_a_thing = |reading: &Reading, set: &Set| {
        let is_value = |stem: &String| {
            is_measured(stem) || counts(reading, stem) || is_versioned(reading, stem) || is_led(reading, stem)
        };
        (reading.tie == Tie::None && !is_imperative(reading) && !set.iter().all(is_value))
            || set.iter().any(|stem| is_ordinal(reading, stem))
    };
    if numbers_a_thing(a, &one) || numbers_a_thing(b, &other) {
        return Some(related(Relation::Unrelated, 0.8, "things with other numbers"));
    }
    (common >= 1 && a.is_negative == b.is_negative)
        .then(|| related(Relation::Opposite, 0.85, "another number for the same thing"))
}

/// "… off port 7800, it is on 9443 now" is said of what had 7800, and not of what has another number and is something more exact.
pub(super) fn is_said_of_another_number((known, a): (&str, &Reading), b: &Reading) -> bool {
    let own: Vec<&String> = a.words.iter().filter(|word| is_long(word)).collect();
    let gone = b.words.windows(3).filter_map(|words| {
        let is_left = |at: usize| is_in("off from", &words[at]) && is_long(&words[2]);
        (is_left(1) || is_left(0) && words[1] == "port").then_some(&words[2])
    });
    let gone: Vec<&String> = gone.chain(b.rejected.iter().filter(|word| is_long(word))).collect();
    let says_more = a.content.iter().any(|stem| !is_number(stem) && !b.content.contains(stem));
    says_more
        && !own.is_empty()
        && !gone.is_empty()
        && gone.iter().all(|number| !known.contains(number.as_str()))
}

/// Both name long numbers, and none of them is the other's: ports, years, ids.
pub(super) fn differ_in_long_numbers(a: &Reading, b: &Reading) -> bool {
    let long =
        |reading: &Reading| -> Set { reading.words.iter().filter(|word| is_long(word)).cloned().collect() };
    let (one, other) = (long(a), long(b));
    !one.is_empty() && !other.is_empty() && one.is_disjoint(&other)
}

/// A port, a year, an id: no unit makes another number of it.
fn is_long(word: &str) -> bool {
    const DIGITS: usize = 4;
    word.len() >= DIGITS && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// "… are rotated every 7 days" says of something else that is done to them.
fn is_done(reading: &Reading, stem: &str) -> bool {
    let is_form = |word: &str| word.len() > 3 && word.starts_with(stem);
    let is = |word: &str| matches!(word, "is" | "are" | "was" | "were" | "get" | "gets" | "be");
    reading.words.windows(2).any(|pair| is(&pair[0]) && is_form(&pair[1]))
}

/// What a number measures, where it says so: minutes cannot contradict a time of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Clock,
    Time,
    Size,
    Share,
    Unknown,
}

fn measure(reading: &Reading, number: &str) -> Measure {
    let at = reading.words.iter().position(|word| word == number);
    let unit = at.and_then(|at| reading.words.get(at + 1)).map_or("", String::as_str);
    match unit.trim_end_matches('s') {
        _ if number.contains(':') => Measure::Clock,
        "second" | "minute" | "hour" | "day" | "week" | "month" | "year" | "m" => Measure::Time,
        "mb" | "gb" | "kb" | "tb" | "byte" => Measure::Size,
        "percent" | "%" => Measure::Share,
        _ if number.ends_with('%') => Measure::Share,
        _ => Measure::Unknown,
    }
}

/// "Go 1.22" here and "Go 1.23" there.
fn are_versions(a: &Reading, b: &Reading) -> bool {
    let named = |reading: &Reading| {
        let at = reading.words.iter().position(|word| is_number(word)).filter(|at| *at > 0);
        at.map(|at| reading.words[at - 1].clone())
    };
    let name = named(a).filter(|name| a.marked.contains(name));
    name.is_some() && name == named(b)
}

/// Both name versions, as 2.0.21, and none of one is one of the other: 2.0 may be 2.0.21, and 2.2 is not.
pub(super) fn differ_in_versions(one: &str, other: &str) -> bool {
    let (one, other) = (versions(one), versions(other));
    let may_be_one = |a: &[u32], b: &[u32]| a.iter().zip(b).all(|(a, b)| a == b);
    let is_shared = one.iter().any(|a| other.iter().any(|b| may_be_one(a, b)));
    !one.is_empty() && !other.is_empty() && !is_shared
}

fn versions(text: &str) -> Vec<Vec<u32>> {
    let parts = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-')));
    let version = |word: &str| {
        let numbers = word.trim_matches(['.', '-']).trim_start_matches(['v', 'V']).split('.');
        numbers.map(|number| number.parse().ok()).collect::<Option<Vec<u32>>>()
    };
    parts.filter_map(version).filter(|numbers| numbers.len() > 1).collect()
}

/// "two approvals": so many of them.
fn counts(reading: &Reading, number: &str) -> bool {
    let at = reading.words.iter().position(|word| word == number);
    let next = at.and_then(|at| reading.words.get(at + 1));
    const VERBS: [&str; 10] =
        ["takes", "needs", "runs", "uses", "gets", "goes", "listens", "times", "fails", "builds"];
    // "3 times", and not "step 3 times out".
    let is_often = next.is_some_and(|next| next == "times")
        && at.and_then(|at| reading.words.get(at + 2)).is_none_or(|after| after != "out");
    is_often
        || next.is_some_and(|next| next.len() > 3 && next.ends_with('s') && !VERBS.contains(&next.as_str()))
}

/// "pushed back to 11:00", "after 30 seconds": a number in the place of a value.
fn is_led(reading: &Reading, number: &str) -> bool {
    let at = reading.words.iter().position(|word| word == number);
    let before = at.and_then(|at| at.checked_sub(1)).map_or("", |at| reading.words[at].as_str());
    matches!(before, "to" | "at" | "for" | "after" | "every" | "within" | "of")
}

/// `30s`, `512mb`, `0x68`: nothing is numbered so.
fn is_measured(number: &str) -> bool {
    const UNITS: &str =
        "s ms us m min h d kb mb gb tb k ki mi gi hz khz mhz ghz px v mv a ma w x % rpm mbit gbit";
    let unit = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    is_address(number) || unit.len() < number.len() && is_in(UNITS, unit)
}

/// `0x68`
pub(super) fn is_address(word: &str) -> bool {
    word.strip_prefix("0x").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_hexdigit()))
}

/// "retry failed jobs 3 times": an order says something without a verb that ties.
fn is_imperative(reading: &Reading) -> bool {
    const ORDERS: &str = "retry set limit wait keep use run indent log retries";
    reading.words.first().is_some_and(|word| is_in(ORDERS, word))
}

/// "service 12 takes 4 minutes": the number says which service, unless it is the version of a product.
fn is_ordinal(reading: &Reading, number: &str) -> bool {
    let Some(at) = reading.words.iter().position(|word| word == number) else { return false };
    if at == 0 || (counts(reading, number) && vocabulary::is_empty(&reading.words[at - 1])) {
        return false;
    }
    reading.subject.contains(number) && !is_versioned(reading, number)
}

/// "Node 22", "port 8443": the number is a value of what stands before it.
fn is_versioned(reading: &Reading, number: &str) -> bool {
    const VERSIONED: &str = "node python postgres postgresql java jdk go ruby php windows macos ubuntu debian rust port version redis mysql \
        terraform kubernetes react django rails spring";
    let at = reading.words.iter().position(|word| word == number);
    let before = at.and_then(|at| at.checked_sub(1)).map_or("", |at| reading.words[at].as_str());
    is_in(VERSIONED, before)
}

#[cfg(test)]
mod tests {
    use super::differ_in_versions;

    #[test]
    fn versions_differ_where_none_may_be_another() {
        for (one, other) in [
            ("dish firmware 3.8.2 had the bug, every site is at 4.0.1", "rolled the dish firmware to 4.1.0"),
            ("we're done with kotlin 1.9.24, catalog says 2.0.21.", "the build is faster with kotlin v2.2.0"),
            ("The exporter binds 10.0.0.1", "the exporter binds 10.0.0.2"),
        ] {
            assert!(differ_in_versions(one, other), "{one} / {other}");
        }
        for (one, other) in [
            ("We are on Python 3.12", "python: 3.12.4"),
            ("We moved from Go 1.22 to 1.23", "Go is 1.23, as everywhere"),
            ("The API is at v2", "The API is at v3"),
            ("Node 22 everywhere", "Node 20.1 in the runner"),
            ("See section 4.1", "The importer reads e.g. CSV ..."),
        ] {
            assert!(!differ_in_versions(one, other), "{one} / {other}");
        }
    }
}
