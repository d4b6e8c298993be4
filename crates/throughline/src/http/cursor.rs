//! Places in lists, as texts that mean nothing to others.

use anyhow::Result;
use throughline_engine::store::time::Timestamp;

use crate::wire::error::Usage;

/// A place that is one number.
pub(super) fn number(text: &str) -> Result<i64> {
    Ok(text.parse().map_err(|_| unknown(text))?)
}

/// A place that is a moment, a number that tells equals apart, and a name that tells those apart.
pub(super) fn place(text: &str) -> Result<(Timestamp, i64, String)> {
    let mut parts = text.splitn(3, '.');
    let mut next = || parts.next().ok_or_else(|| unknown(text));
    let (at, number, name) = (next()?, next()?, next()?);
    let whole = |part: &str| part.parse::<i64>().map_err(|_| unknown(text));
    Ok((Timestamp(whole(at)?), whole(number)?, name.to_owned()))
}

pub(super) fn written(at: Timestamp, number: i64, name: &str) -> String {
    format!("{}.{number}.{name}", at.0)
}

fn unknown(text: &str) -> Usage {
    Usage(format!("{text:?} is no cursor; give the `next` of the last answer"))
}
