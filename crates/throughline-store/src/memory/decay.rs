//! How sure a memory is at a moment. What somebody said in so many words stays as sure as it is; the rest halves in a time
//! that follows from its kind, counted from when it was last shown to be true.

use std::time::Duration;

use super::{Kind, Memory, Source};
use crate::time::Timestamp;

const DAY: u64 = 24 * 60 * 60;

impl Memory {
    /// After this long without being confirmed it is half as sure; never when nothing is said.
    pub fn half_life(&self) -> Option<Duration> {
        let days = match (self.source, self.kind) {
            (Source::Explicit, _) => return None,
            (_, Kind::Context) => 30,
            (_, Kind::Fact | Kind::Belief) => 180,
            (_, Kind::Skill | Kind::Decision | Kind::Rule | Kind::Preference) => 365,
        };
        Some(Duration::from_secs(days * DAY))
    }

    /// When it was last shown to be true: when it was made, unless somebody confirmed it since.
    pub fn verified_at(&self) -> Timestamp {
        self.last_verified_at.unwrap_or(self.created_at)
    }

    pub fn confidence_at(&self, now: Timestamp) -> f64 {
        let Some(half_life) = self.half_life() else { return self.confidence };
        let age = now.since(self.verified_at()).as_secs_f64();
        self.confidence * 0.5_f64.powf(age / half_life.as_secs_f64())
    }
}
