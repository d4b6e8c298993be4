//! How much an entry matters now: one formula, and the tiers that follow from it.
//!
//! `importance = (weight · 2^(−idle / half-life)) ^ (1 / (1 + grip · ln(1 + accesses)))`
//!
//! What was never touched again starts at its weight and halves with each half-life. An access sets `idle` back to nothing
//! and makes the exponent smaller, which lifts everything below 1: the entry starts higher and falls more slowly. So every
//! entry can reach every tier, by use or by silence, and none leaves the range from 0 to 1.

use std::collections::BTreeMap;
use std::time::Duration;

use throughline_store::context_entry::{ContextEntry, State, Tier};
use throughline_store::time::Timestamp;

/// From here on an entry is HOT, from there on WARM.
pub const HOT: f64 = 0.8;
pub const WARM: f64 = 0.4;

/// What counts how much, and when working sets are put aside.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    pub types: BTreeMap<String, Weight>,
    /// For types that are not named.
    pub other: Weight,
    /// How much use holds an entry; nothing is 0.
    pub grip: f64,
    pub token_limit: u64,
    /// A flash save is due at this share of the limit.
    pub flash_at: f64,
    /// And at this many tokens, whatever the limit.
    pub flash_tokens: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// What a new entry counts, between 0 and 1.
    pub weight: f64,
    /// After this long without an access it counts half.
    pub half_life: Duration,
}

/// The type of what an agent works on.
pub const TASK: &str = "TASK";

impl Default for Policy {
    fn default() -> Policy {
        let types = [
            (TASK, 0.95, 16),
            ("CODE", 0.7, 6),
            ("ERROR", 0.85, 8),
            ("TEST_RESULT", 0.75, 2),
            ("PRD_SECTION", 0.9, 24),
        ];
        let weight = |weight, hours: u64| Weight { weight, half_life: Duration::from_secs(hours * 3600) };
        Policy {
            types: types.map(|(name, share, hours)| (name.to_owned(), weight(share, hours))).into(),
            other: weight(0.6, 8),
            grip: 0.5,
            token_limit: 100_000,
            flash_at: 0.8,
            flash_tokens: None,
        }
    }
}

impl Policy {
    pub fn importance(&self, entry: &ContextEntry, now: Timestamp) -> f64 {
        let Weight { weight, half_life } = *self.types.get(&entry.entry_type).unwrap_or(&self.other);
        let weight = entry.importance.unwrap_or(weight);
        let idle = now.since(entry.last_accessed_at).as_secs_f64();
        let decayed = weight * (-idle / half_life.as_secs_f64()).exp2();
        let accesses = entry.access_count.max(0) as f64;
        decayed.powf(1.0 / (1.0 + self.grip * accesses.ln_1p())).clamp(0.0, 1.0)
    }

    /// What was put aside is COLD, however much it once mattered.
    pub fn tier(&self, entry: &ContextEntry, now: Timestamp) -> Tier {
        match entry.state {
            State::Held => tier_of(self.importance(entry, now)),
            State::Archived | State::Gone => Tier::Cold,
        }
    }

    /// Whether so many tokens are to be put aside.
    pub fn is_flash_due(&self, tokens: i64) -> bool {
        let share = self.token_limit as f64 * self.flash_at;
        tokens as f64 >= share
            || self.flash_tokens.is_some_and(|most| u64::try_from(tokens).is_ok_and(|tokens| tokens >= most))
    }
}

pub fn tier_of(importance: f64) -> Tier {
    if importance >= HOT {
        Tier::Hot
    } else if importance >= WARM {
        Tier::Warm
    } else {
        Tier::Cold
    }
}
