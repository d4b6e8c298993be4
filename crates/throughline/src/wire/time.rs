//! Moments as text: RFC 3339 with microseconds in JSON, shorter for people.

use std::borrow::Cow;
use std::time::Duration;

use jiff::SignedDuration;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use throughline_engine::store::time::Timestamp;

use super::error::Usage;

/// A moment in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment(pub(crate) Timestamp);

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&exact(self.0))
    }
}

/// A moment in JSON to the second, where tokens count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Second(pub(crate) Timestamp);

impl Serialize for Second {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let exact = exact(self.0);
        match exact.get(..19) {
            Some(seconds) => serializer.serialize_str(&format!("{seconds}Z")),
            None => serializer.serialize_str(&exact),
        }
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Moment, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_exact(&text).map(Moment).map_err(serde::de::Error::custom)
    }
}

macro_rules! written_as_text {
    ($($name:ident),*) => { $(
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string" })
            }
        }
    )* };
}
written_as_text!(Moment, Second, Asked, Ahead);

/// `2026-11-15T03:31:18.123456Z`
fn exact(at: Timestamp) -> String {
    match jiff::Timestamp::from_microsecond(at.0) {
        Ok(moment) => format!("{moment:.6}"),
        // Further away than any calendar: the number is still exact.
        Err(_) => at.0.to_string(),
    }
}

/// `2026-11-15 03:31:18`, UTC.
pub(crate) fn readable(at: Timestamp) -> String {
    exact(at).get(..19).unwrap_or_default().replace('T', " ")
}

/// `20261115-033118`, for names of files.
pub(crate) fn compact(at: Timestamp) -> String {
    readable(at).replace(['-', ':'], "").replace(' ', "-")
}

/// `2026-11-15`
pub(crate) fn day(at: Timestamp) -> String {
    exact(at).get(..10).unwrap_or_default().to_owned()
}

/// `2h 5m`, `42s`
pub(crate) fn length(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0, s) => format!("{s}s"),
        (0, 0, m, s) => format!("{m}m {s}s"),
        (0, h, m, _) => format!("{h}h {m}m"),
        (d, h, ..) => format!("{d}d {h}h"),
    }
}

/// Exact times as programs write them.
pub(crate) fn parse_exact(text: &str) -> Result<Timestamp, String> {
    if let Ok(number) = text.parse() {
        return Ok(Timestamp(number));
    }
    let moment: jiff::Timestamp = text
        .parse()
        .map_err(|_| format!("{text:?} is not a time; write for instance 2026-11-15T03:31:18Z"))?;
    Ok(Timestamp(moment.as_microsecond()))
}

/// A moment as a person writes it: exact, a date, or a length of time ago (`2h`, `3d`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    At(Timestamp),
    Ago(SignedDuration),
}

impl Asked {
    pub(crate) fn resolve(self, now: Timestamp) -> Timestamp {
        match self {
            Asked::At(at) => at,
            Asked::Ago(ago) => {
                Timestamp(now.0.saturating_sub(i64::try_from(ago.as_micros()).unwrap_or(i64::MAX)))
            }
        }
    }
}

impl Asked {
    /// The moment of what has happened. A day of grace: it may be tomorrow already where whoever writes a date is.
    pub(crate) fn in_the_past(self, now: Timestamp) -> Result<Timestamp, Usage> {
        let at = self.resolve(now);
        match at.0.saturating_sub(now.0) > DAY {
            true => Err(Usage(format!("{} is in the future; write when it happened", readable(at)))),
            false => Ok(at),
        }
    }
}

/// A moment to come as a person writes it: exact, a date, or a length of time from now on (`2h`, `3d`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ahead(Asked);

impl Ahead {
    pub(crate) fn resolve(self, now: Timestamp) -> Timestamp {
        match self.0 {
            Asked::At(at) => at,
            Asked::Ago(length) => {
                Timestamp(now.0.saturating_add(i64::try_from(length.as_micros()).unwrap_or(i64::MAX)))
            }
        }
    }
}

impl std::str::FromStr for Ahead {
    type Err = String;

    fn from_str(text: &str) -> Result<Ahead, String> {
        // A number alone would be microseconds, which nobody means.
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| !is_number).map(Ahead).ok_or_else(|| {
            format!("{text:?} is not a time to come; write 2026-11-15T03:31:18Z, 2026-11-15, or in how long: 30m, 2h, 3d")
        })
    }
}

impl<'de> Deserialize<'de> for Ahead {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ahead, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A number is microseconds since 1970; a smaller one than this (1973) is seconds, days or a mistake.
const FIRST_NUMBER: u64 = 100_000_000_000_000;

const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// A thousand years: nobody means more, and further away there is no calendar.
const LONGEST: Duration = Duration::from_secs(1000 * 366 * 24 * 60 * 60);

impl<'de> Deserialize<'de> for Asked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Asked, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl std::str::FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Asked, String> {
        let is_too_small = text.parse().is_ok_and(|number: i64| number.unsigned_abs() < FIRST_NUMBER);
        if let Ok(exact) = parse_exact(text).or_else(|_| parse_exact(&format!("{text}T00:00:00Z")))
            && !is_too_small
        {
            return Ok(Asked::At(exact));
        }
        // A day is 24 hours here: how long ago something was does not depend on a calendar.
        let days = text.strip_suffix('d').and_then(|days| days.parse::<i64>().ok());
        let of_days = |days: i64| days.checked_mul(24 * 60 * 60).map(SignedDuration::from_secs);
        let ago = days.and_then(of_days).or_else(|| text.parse().ok());
        ago.filter(|ago| ago.unsigned_abs() < LONGEST).map(Asked::Ago).ok_or_else(|| {
            format!(
                "{text:?} is not a time; write 2026-11-15T03:31:18Z, 2026-11-15, or how long ago: 30m, 2h, 3d"
            )
        })
    }
}
