//! What comes from outside, with chance mixed in: no panic, no wrong exit, no damage. One harness, and a file for each way in.
//!
//! Each target runs a fixed number of rounds in a normal run. `THROUGHLINE_FUZZ_SECONDS=600` goes on for ten minutes on each,
//! and `THROUGHLINE_FUZZ_SEED` begins elsewhere; what fails names its round and its input.

mod change;
mod config;
mod front_matter;
mod imports;
mod mcp;
mod queries;

use std::time::{Duration, Instant};

pub(crate) use change::{bytes, json};

use crate::fixture::Ran;
use crate::processes::Chance;

const SEED: u64 = 20_261_115;

/// Does `one` so many times, or for as long as was asked for. What it takes from chance follows from the seed and the round, so
/// that a failure can be had again.
pub(crate) fn rounds(least: usize, mut one: impl FnMut(&mut Chance)) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("THROUGHLINE_FUZZ_SEED").unwrap_or(SEED);
    let until = now() + Duration::from_secs(number("THROUGHLINE_FUZZ_SECONDS").unwrap_or(0));
    for round in 0.. {
        if round >= least && now() >= until {
            break;
        }
        one(&mut Chance(seed.wrapping_add(round as u64 * 7919)));
    }
}

/// The program said what was wrong, or did it; it did not break.
#[track_caller]
pub(crate) fn unbroken(ran: &Ran, input: &[u8]) {
    let shown = || String::from_utf8_lossy(&input[..input.len().min(4000)]).into_owned();
    assert!(!ran.stderr.contains("panicked"), "{}\n{}", ran.stderr, shown());
    assert!((0..=2).contains(&ran.code), "it ended with {}: {}\n{}", ran.code, ran.stderr, shown());
}

#[expect(clippy::disallowed_methods, reason = "how long to go on is real time")]
fn now() -> Instant {
    Instant::now()
}
