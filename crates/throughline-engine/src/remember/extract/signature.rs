//! How a failure is called: by the line of its output that says most of what went wrong. Whatever learns from failures tells
//! them apart by it.

const ERROR_CHARS: usize = 120;
const LINES: usize = 60;
/// Of what a line says, the most telling first.
const TELLING: [&str; 33] = [
    "refused",
    "not found",
    "could not",
    "couldn't",
    "cannot",
    "can't",
    "no module",
    "unable",
    "denied",
    "no such",
    "does not exist",
    "doesn't exist",
    "is locked",
    "already in use",
    "not installed",
    "must be installed",
    "incompatible",
    "unresolved",
    "undefined",
    "missing",
    "required",
    "timed out",
    "out of memory",
    "pending",
    "mismatch",
    "unexpected",
    "invalid",
    "rejected",
    "panicked",
    "exception",
    "fatal",
    "error",
    "failed",
];
/// They count what failed, or say only that something did.
const COUNTING: [&str; 11] = [
    "exit code",
    "exit status",
    "test result:",
    "failures:",
    "error: test failed",
    "error: could not compile",
    "error: process completed",
    "make: ***",
    "npm err! code",
    "npm error code",
    "traceback",
];
const COUNTED: [&str; 6] = [" failed", " failures", " failure", " errors", " error in", " failing"];

pub(crate) fn signature(error: &str) -> Option<String> {
    let lines = error.lines().take(LINES).flat_map(|line| line.split_inclusive(". ")).map(str::trim);
    let lines: Vec<&str> =
        lines.filter(|line| line.chars().any(char::is_alphabetic) && !instructs(line)).collect();
    // The first of the best: later lines repeat it.
    let best = lines.iter().min_by_key(|line| weight(line))?;
    let bare =
        best.trim_start_matches("npm ERR! ").trim_start_matches("error: ").trim_start_matches("Error: ");
    Some(crate::capture::shortened(&bare.replace('"', "'"), ERROR_CHARS))
}

/// Nothing is said where something is only counted; any other line says something.
fn weight(line: &str) -> usize {
    let lower = line.to_lowercase();
    match is_count(&lower) {
        true => TELLING.len() + 1,
        false => TELLING.iter().position(|word| lower.contains(word)).unwrap_or(TELLING.len()),
    }
}

/// "Exit code 1", "FAILED tests/test_a.py::t", "1 failed, 3 passed in 0.2s".
fn is_count(lower: &str) -> bool {
    let plain = lower.trim_start_matches(['=', '-', ' ', '#', '*', '!']);
    let is_number = plain.starts_with(|c: char| c.is_ascii_digit());
    // What stands behind the name of a failed test says why it failed.
    let says_why = plain.starts_with("failed ") && plain.contains(" - ");
    COUNTING.iter().any(|begin| plain.starts_with(begin))
        || names_a_test(plain) && !says_why
        || is_number && COUNTED.iter().any(|word| plain.contains(word))
        || plain == "fail"
        || plain == "failed"
}

/// "FAILED tests/test_a.py::t", and not "failed to get the data key".
fn names_a_test(lower: &str) -> bool {
    let name = ["failed ", "fail ", "fail\t"].iter().find_map(|begin| lower.strip_prefix(begin));
    let is_name = |word: &str| word.contains(['/', ':', '.', '_']);
    name.is_some_and(|rest| rest.split_whitespace().next().is_some_and(is_name))
}

/// What tells its reader what to do is no name for an error: whoever can make a tool print it would have a say.
fn instructs(line: &str) -> bool {
    const ORDERING: [&str; 12] = [
        "always",
        "never",
        "must",
        "should",
        "please",
        "ignore",
        "important",
        "curl",
        "agent",
        "agents",
        "assistant",
        "wget",
    ];
    let lower = line.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.any(|word| ORDERING.contains(&word)) || lower.contains("from now on") || lower.contains("://")
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn a_failure_is_called_by_the_line_that_says_why() {
        for (error, called) in [
            (
                "Exit code 1\npq: relation \"accounts\" does not exist",
                "pq: relation 'accounts' does not exist",
            ),
            (
                "Exit code 101\npanicked at 'database is locked'\ntest result: FAILED. 3 passed; 2 failed",
                "panicked at 'database is locked'",
            ),
            ("Exit code 1\nFAILED tests/test_a.py::t\nKeyError: 'URL'\n1 failed in 0.2s", "KeyError: 'URL'"),
            ("Exit code 128\nFailed to get the data key", "Failed to get the data key"),
            ("Exit code 2", "Exit code 2"),
        ] {
            assert_eq!(signature(error).as_deref(), Some(called));
        }
    }
}
