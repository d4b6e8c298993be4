//! What a check printed says how it ended, where the status of its line is another command's: `pytest | tail -5`,
//! `cargo test || true`.

use super::command::read;
use crate::shell::cut_at;

/// How a line begins by which a known runner says that it failed.
const FAILED: [&str; 14] = [
    "test result: failed",
    "failed tests/",
    "fail\t",
    "--- fail",
    "build failed",
    "build failure",
    "failures!",
    "errors!",
    "** build failed",
    "make: ***",
    "error: could not compile",
    "error: test failed",
    "failed (",
    "failed!",
];
/// What stands behind the number of what failed.
const COUNTED: [&str; 7] = ["failed", "failing", "failure", "failures", "error", "errors", "problems"];
/// What else stands in a line that sums up.
const SUMMING: [&str; 10] = [
    "passed",
    "passing",
    "tests",
    "examples",
    "assertions",
    "total",
    "problems",
    "warnings",
    "out of",
    " in ",
];

/// Whether what came of the line is a failure that its status hides.
pub fn hides_failure(line: &str, printed: &str) -> bool {
    is_hidden(line) && printed.lines().any(tells_failure)
}

/// A check whose status is not that of the line.
fn is_hidden(line: &str) -> bool {
    let is_safe = line.contains("pipefail");
    let parts = cut_at(line, &["\n", ";", "&&"]);
    let is_piped = |part: &str| cut_at(part, &["||"]).len() > 1 || !is_safe && cut_at(part, &["|"]).len() > 1;
    // Before a semicolon a status is forgotten, whatever comes then.
    let is_forgotten = cut_at(line, &["\n", ";"]).len() > 1;
    let is_left = |at: usize| is_forgotten && at + 1 < parts.len();
    let mut placed = parts.iter().enumerate();
    placed.any(|(at, part)| (is_piped(part) || is_left(at)) && read(part).failed().is_some())
}

fn tells_failure(line: &str) -> bool {
    let lower = line.trim_matches(|c: char| !c.is_alphanumeric() && c != '*').to_lowercase();
    let raw = line.trim_start().to_lowercase();
    FAILED.iter().any(|begin| lower.starts_with(begin) || raw.starts_with(begin)) || counts_failures(&lower)
}

/// "1 failed, 3 passed in 0.1s", "Tests: 2 failed, 4 total", "310 examples, 2 failures".
fn counts_failures(lower: &str) -> bool {
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_counted =
        |pair: &[&str]| COUNTED.contains(&pair[1]) && pair[0].parse::<u64>().is_ok_and(|number| number > 0);
    let starts =
        lower.starts_with("found ") || lower.starts_with("tests") || words.get(..2).is_some_and(is_counted);
    let sums_up = starts || SUMMING.iter().any(|word| lower.contains(word)) && !lower.ends_with("ok");
    sums_up && words.len() <= 16 && words.windows(2).any(is_counted)
}
