//! A moment, as the databases keep it.

use crate::sql::{FromValue, Param, Value};

/// Microseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub fn plus(self, duration: std::time::Duration) -> Timestamp {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Timestamp(self.0.saturating_add(micros))
    }

    /// How long after `earlier` this is; nothing when it is not after it.
    pub fn since(self, earlier: Timestamp) -> std::time::Duration {
        let micros = self.0.saturating_sub(earlier.0);
        std::time::Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }
}

impl From<Timestamp> for Param<'_> {
    fn from(timestamp: Timestamp) -> Self {
        Param::Int(timestamp.0)
    }
}

impl FromValue for Timestamp {
    fn from_value(value: &Value) -> Option<Timestamp> {
        i64::from_value(value).map(Timestamp)
    }
}
