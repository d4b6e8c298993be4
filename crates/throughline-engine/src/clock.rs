//! Where the time comes from: the system in the product, the test in a test.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use throughline_store::time::Timestamp;

/// What is later than the present by more than this was said by a clock that was ahead.
pub(crate) const AHEAD: Duration = Duration::from_secs(24 * 60 * 60);

pub struct Clock(Box<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    pub fn system() -> Clock {
        Clock(Box::new(system_now))
    }

    pub fn from_fn(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Clock {
        Clock(Box::new(now))
    }

    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the system's clock")]
fn system_now() -> Timestamp {
    // A clock before 1970 is a broken machine; the log's order does not depend on it.
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since_1970.as_micros()).unwrap_or(i64::MAX))
}
