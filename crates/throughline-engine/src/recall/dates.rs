//! The days that a question names: "on 3 May", "in May 2023", "two weeks ago", "last Friday".

use jiff::civil::{Date, Weekday, date};
use jiff::{Span, ToSpan as _};
use throughline_store::time::Timestamp;

/// What a question says about when.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Dates(Vec<When>);

#[derive(Debug, Clone, Copy, PartialEq)]
enum When {
    /// From one day to another.
    Between(Date, Date),
    /// A day of any year.
    Day { month: i8, day: i8 },
    /// A month of any year.
    Month(i8),
}

/// After so many days beside the one that was named, a third of the closeness is left.
const DAY_REACH: f64 = 7.0;
const MONTH_REACH: f64 = 14.0;
/// A named span of so many days is as good as a day.
const DAY_OR_SO: i32 = 10;
const DAY_BONUS: f64 = 0.4;
const MONTH_BONUS: f64 = 0.1;
/// Less is none.
const LEAST: f64 = 0.05;

impl Dates {
    /// The days that `question` names, when it is asked at `now`.
    pub(super) fn named_in(question: &str, now: Timestamp) -> Dates {
        let words: Vec<&str> = question
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .filter(|word| !word.is_empty())
            .collect();
        let mut found = vec![];
        let mut at = 0;
        while at < words.len() {
            let (when, used) = match expression(&words, at, day_of(now)) {
                Some((when, used)) => (Some(when), used),
                None => (None, 1),
            };
            found.extend(when);
            at += used;
        }
        Dates(found)
    }

    /// How much more what happened at a moment counts: up to twice as much when the question names it.
    pub(super) fn lift(&self, at: Timestamp) -> f64 {
        if self.0.is_empty() { 1.0 } else { 1.0 + self.closeness(at) }
    }

    /// What an event is lent for when it happened, whatever it says: more where the question names a day than where it
    /// names a month.
    pub(super) fn bonus(&self, at: Timestamp) -> f64 {
        let Some(day) = day_of(at) else { return 0.0 };
        let bonus = |when: &When| if when.is_a_day_or_so() { DAY_BONUS } else { MONTH_BONUS };
        self.0
            .iter()
            .map(|when| (when.closeness(day), bonus(when)))
            .filter(|(closeness, _)| *closeness >= LEAST)
            .map(|(closeness, bonus)| closeness * bonus)
            .fold(0.0, f64::max)
    }

    /// How close a moment is to what was named: 1 within it, towards 0 with every day beside it.
    fn closeness(&self, at: Timestamp) -> f64 {
        let Some(day) = day_of(at) else { return 0.0 };
        let closest = self.0.iter().map(|when| when.closeness(day)).fold(0.0, f64::max);
        if closest < LEAST { 0.0 } else { closest }
    }
}

impl When {
    fn is_a_day_or_so(self) -> bool {
        match self {
            When::Between(first, last) => days_between(first, last) <= DAY_OR_SO,
            When::Day { .. } => true,
            When::Month(_) => false,
        }
    }

    fn closeness(self, day: Date) -> f64 {
        let years = [day.year() - 1, day.year(), day.year() + 1];
        let (days, reach) = match self {
            When::Between(first, last) => {
                let reach = if days_between(first, last) > 20 { MONTH_REACH } else { DAY_REACH };
                (Some(days_beside(first, last, day)), reach)
            }
            When::Day { month, day: of_month } => {
                let days = years.iter().filter_map(|year| Date::new(*year, month, of_month).ok());
                (days.map(|named| days_beside(named, named, day)).min(), DAY_REACH)
            }
            When::Month(month) => {
                let months = years.iter().filter_map(|year| Date::new(*year, month, 1).ok());
                (months.map(|first| days_beside(first, first.last_of_month(), day)).min(), MONTH_REACH)
            }
        };
        days.map_or(0.0, |days| (-f64::from(days) / reach).exp())
    }
}

fn days_beside(first: Date, last: Date, day: Date) -> i32 {
    if day < first {
        days_between(day, first)
    } else if day > last {
        days_between(last, day)
    } else {
        0
    }
}

fn days_between(earlier: Date, later: Date) -> i32 {
    earlier.until(later).map_or(i32::MAX, |span| span.get_days())
}

fn day_of(at: Timestamp) -> Option<Date> {
    let moment = jiff::Timestamp::from_microsecond(at.0).ok()?;
    Some(moment.to_zoned(jiff::tz::TimeZone::UTC).date())
}

/// The expression that begins at a word, and how many words it has.
fn expression(words: &[&str], at: usize, today: Option<Date>) -> Option<(When, usize)> {
    let word = |n: usize| words.get(at + n).copied();
    iso(word(0)?)
        .or_else(|| day_first(&word))
        .or_else(|| month_first(&word, at.checked_sub(1).and_then(|before| words.get(before)).copied()))
        .or_else(|| today.and_then(|today| relative(&word, today)))
}

/// `2023-05-07`
fn iso(word: &str) -> Option<(When, usize)> {
    let day: Date = (word.len() == 10).then(|| word.parse().ok()).flatten()?;
    Some((When::Between(day, day), 1))
}

/// `3 May`, `3rd of May 2023`
fn day_first<'a>(word: &impl Fn(usize) -> Option<&'a str>) -> Option<(When, usize)> {
    let day = day_number(word(0)?)?;
    let of = usize::from(word(1)?.eq_ignore_ascii_case("of"));
    let month = month_number(word(1 + of)?)?;
    Some(with_year(month, Some(day), word(2 + of), 2 + of))
}

/// `May 3rd, 2023`, `May 2023`, `in May`
fn month_first<'a>(word: &impl Fn(usize) -> Option<&'a str>, before: Option<&str>) -> Option<(When, usize)> {
    let name = word(0)?;
    let month = month_number(name)?;
    if let Some(day) = word(1).and_then(day_number) {
        return Some(with_year(month, Some(day), word(2), 2));
    }
    let of = usize::from(word(1).is_some_and(|word| word.eq_ignore_ascii_case("of")));
    let dated = word(1 + of).and_then(year_number).is_some();
    // "may" and "march" are also verbs.
    let ambiguous = ["may", "march", "mar"].iter().any(|verb| name.eq_ignore_ascii_case(verb));
    let meant = name.starts_with(char::is_uppercase)
        && before.is_some_and(|before| IN.iter().any(|word| before.eq_ignore_ascii_case(word)));
    if !dated && ambiguous && !meant {
        return None;
    }
    Some(with_year(month, None, word(1 + of), 1 + of))
}

/// `two weeks ago`, `last Friday`, `yesterday`
fn relative<'a>(word: &impl Fn(usize) -> Option<&'a str>, today: Date) -> Option<(When, usize)> {
    let first = word(0)?.to_ascii_lowercase();
    match first.as_str() {
        "today" => Some((When::Between(today, today), 1)),
        "yesterday" => around(today, 1.days(), 0.days(), 1),
        "last" => last(&word(1)?.to_ascii_lowercase(), today),
        _ => {
            let (count, used) = amount(word)?;
            let unit = word(used)?.to_ascii_lowercase();
            word(used + 1).filter(|word| word.eq_ignore_ascii_case("ago"))?;
            let (back, slack) = match unit.trim_end_matches('s') {
                "day" => (count.days(), 1.days()),
                "week" => (count.weeks(), 3.days()),
                "month" => (count.months(), 10.days()),
                "year" => (count.years(), 60.days()),
                _ => return None,
            };
            around(today, back, slack, used + 2)
        }
    }
}

/// How many, and in how many words: `5`, `two`, `a`, `a few`, `a couple of`.
fn amount<'a>(word: &impl Fn(usize) -> Option<&'a str>) -> Option<(i64, usize)> {
    let is = |place: usize, name: &str| word(place).is_some_and(|word| word.eq_ignore_ascii_case(name));
    let article = usize::from(is(0, "a") || is(0, "an"));
    if is(article, "few") {
        return Some((3, article + 1));
    }
    if is(article, "couple") {
        return Some((2, article + 1 + usize::from(is(article + 1, "of"))));
    }
    if article == 1 { Some((1, 1)) } else { count(word(0)?).map(|count| (count, 1)) }
}

fn last(what: &str, today: Date) -> Option<(When, usize)> {
    let between = |from: i64, to: i64| {
        let (from, to) = (today.checked_sub(from.days()).ok()?, today.checked_sub(to.days()).ok()?);
        Some((When::Between(from, to), 2))
    };
    match what {
        "week" => between(13, 1),
        "weekend" => between(9, 1),
        "month" => between(61, 1),
        "year" => between(730, 30),
        _ => {
            let weekday = weekday(what)?;
            let back = (i64::from(today.weekday().since(weekday)) + 6) % 7 + 1;
            between(back, back)
        }
    }
}

fn around(today: Date, back: Span, slack: Span, used: usize) -> Option<(When, usize)> {
    let middle = today.checked_sub(back).ok()?;
    Some((When::Between(middle.checked_sub(slack).ok()?, middle.checked_add(slack).ok()?), used))
}

/// The day or month, of the year that follows if one does.
fn with_year(month: i8, day: Option<i8>, year: Option<&str>, used: usize) -> (When, usize) {
    let year = year.and_then(year_number);
    let used = used + usize::from(year.is_some());
    let when = match (year, day) {
        (Some(year), Some(day)) => Date::new(year, month, day).map(|day| When::Between(day, day)).ok(),
        (Some(year), None) => {
            let first = date(year, month, 1);
            Some(When::Between(first, first.last_of_month()))
        }
        (None, _) => None,
    };
    (when.unwrap_or(day.map_or(When::Month(month), |day| When::Day { month, day })), used)
}

fn month_number(word: &str) -> Option<i8> {
    let word = word.to_ascii_lowercase();
    let named = |(name, _): &(&str, i8)| *name == word || (word.len() == 3 && name.starts_with(&word));
    if word == "sept" { Some(9) } else { MONTHS.iter().find(|month| named(month)).map(|(_, number)| *number) }
}

fn day_number(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = word[digits.len()..].to_ascii_lowercase();
    let ordinal = matches!(ending.as_str(), "" | "st" | "nd" | "rd" | "th");
    digits.parse().ok().filter(|day| ordinal && (1..=31).contains(day))
}

fn year_number(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| (1900..2100).contains(year))
}

fn count(word: &str) -> Option<i64> {
    let word = word.to_ascii_lowercase();
    let spelt = COUNTS.iter().position(|name| *name == word).map(|place| place as i64 + 1);
    spelt.or_else(|| word.parse().ok().filter(|count| (1..1000).contains(count)))
}

fn weekday(word: &str) -> Option<Weekday> {
    WEEKDAYS.iter().find(|(name, _)| *name == word).map(|(_, weekday)| *weekday)
}

/// Words that stand before the name of a month.
const IN: [&str; 14] = [
    "in", "of", "since", "during", "by", "last", "this", "until", "before", "after", "from", "to", "early",
    "late",
];
const COUNTS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const MONTHS: [(&str, i8); 12] = [
    ("january", 1),
    ("february", 2),
    ("march", 3),
    ("april", 4),
    ("may", 5),
    ("june", 6),
    ("july", 7),
    ("august", 8),
    ("september", 9),
    ("october", 10),
    ("november", 11),
    ("december", 12),
];
const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};

    use super::{Dates, Timestamp, When};

    /// Asked on Wednesday, 2023-05-24.
    fn named(question: &str) -> Vec<When> {
        Dates::named_in(question, at(date(2023, 5, 24))).0
    }

    fn at(day: Date) -> Timestamp {
        Timestamp(day.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp().as_microsecond())
    }

    fn on(year: i16, month: i8, day: i8) -> When {
        When::Between(date(year, month, day), date(year, month, day))
    }

    #[test]
    fn days_and_months_are_read_as_they_are_written() {
        for (question, expected) in [
            ("What happened on 3 May 2023?", vec![on(2023, 5, 3)]),
            ("on the 3rd of May, 2023", vec![on(2023, 5, 3)]),
            ("on May 3rd, 2023", vec![on(2023, 5, 3)]),
            ("deployed 2023-05-07, why?", vec![on(2023, 5, 7)]),
            ("on August 14?", vec![When::Day { month: 8, day: 14 }]),
            ("What did we do in May?", vec![When::Month(5)]),
            ("sept 2022", vec![When::Between(date(2022, 9, 1), date(2022, 9, 30))]),
            ("May I march to the door of 2023?", vec![]),
            ("the 404 error in 2023", vec![]),
            ("30 tests fail", vec![]),
        ] {
            assert_eq!(named(question), expected, "{question}");
        }
    }

    #[test]
    fn relative_days_count_from_the_question() {
        for (question, expected) in [
            ("yesterday", vec![on(2023, 5, 23)]),
            ("what did I do last Friday", vec![on(2023, 5, 19)]),
            ("last wednesday", vec![on(2023, 5, 17)]),
            ("two weeks ago", vec![When::Between(date(2023, 5, 7), date(2023, 5, 13))]),
            ("5 days ago", vec![When::Between(date(2023, 5, 18), date(2023, 5, 20))]),
            ("a week ago", vec![When::Between(date(2023, 5, 14), date(2023, 5, 20))]),
            ("a few days ago", vec![When::Between(date(2023, 5, 20), date(2023, 5, 22))]),
            ("a couple of weeks ago", vec![When::Between(date(2023, 5, 7), date(2023, 5, 13))]),
            ("last week", vec![When::Between(date(2023, 5, 11), date(2023, 5, 23))]),
            ("long ago", vec![]),
            ("the last test", vec![]),
        ] {
            assert_eq!(named(question), expected, "{question}");
        }
    }

    #[test]
    fn closeness_falls_with_every_day_beside() {
        let dates = Dates::named_in("in May", at(date(2023, 12, 1)));
        let closeness = |month, day| dates.closeness(at(date(2022, month, day)));
        assert_eq!(closeness(5, 9), 1.0);
        assert!(closeness(6, 5) > closeness(6, 10), "{}", closeness(6, 5));
        assert_eq!(closeness(10, 1), 0.0);
        assert_eq!(Dates::default().closeness(at(date(2022, 5, 9))), 0.0);
    }
}
