//! How long things took, by what they were, as Prometheus reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What is counted together has the same `K`, of which there must not be many.
#[derive(Debug)]
pub(crate) struct Times<K>(Mutex<BTreeMap<K, Taken>>);

/// How many, and how long they took.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    count: u64,
    seconds: f64,
    /// How many took no longer than each of the bounds.
    within: [u64; BOUNDS.len()],
}

const BOUNDS: [f64; 9] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

impl<K> Default for Times<K> {
    fn default() -> Times<K> {
        Times(Mutex::default())
    }
}

impl<K: Ord> Times<K> {
    pub(crate) fn add(&self, what: K, taken: Duration) {
        let seconds = taken.as_secs_f64();
        let mut all = self.lock();
        let sum = all.entry(what).or_default();
        sum.count += 1;
        sum.seconds += seconds;
        for (place, bound) in BOUNDS.iter().enumerate() {
            sum.within[place] += u64::from(seconds <= *bound);
        }
    }

    /// A histogram; `labels` writes what was counted together as Prometheus does.
    pub(crate) fn text(&self, name: &str, help: &str, labels: impl Fn(&K) -> String) -> String {
        let mut text = format!("# HELP {name} {help}\n# TYPE {name} histogram\n");
        for (what, taken) in self.lock().iter() {
            let labels = labels(what);
            for (bound, within) in BOUNDS.iter().zip(taken.within) {
                let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{bound}\"}} {within}");
            }
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", taken.count);
            let _ = writeln!(text, "{name}_sum{{{labels}}} {}", taken.seconds);
            let _ = writeln!(text, "{name}_count{{{labels}}} {}", taken.count);
        }
        text
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<K, Taken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
