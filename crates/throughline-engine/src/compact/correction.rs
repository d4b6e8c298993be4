//! What in a message must outlive it: where a user puts the agent right or asks it to remember, where an agent decides.

/// How a message begins that takes back or turns what was done.
const BEGINNINGS: [&str; 19] = [
    "no,",
    "no.",
    "no ",
    "nope",
    "don't",
    "do not",
    "stop",
    "actually",
    "instead",
    "wrong",
    "never",
    "always",
    "wait",
    "revert",
    "undo",
    "that's not",
    "that is not",
    "that's wrong",
    "please don't",
];
/// What in it does the same.
const WITHIN: [&str; 12] = [
    " instead of ",
    " rather than ",
    " don't ",
    " do not ",
    " never ",
    " always ",
    " must not ",
    " should not ",
    " mustn't ",
    " shouldn't ",
    " not what i ",
    " i said ",
];
const MEMOS: [&str; 5] = ["remember", "keep in mind", "for the record", "note that", "from now on"];
const DECISIONS: [&str; 7] =
    ["decision:", "decided:", "we decided ", "i decided ", "decided to ", "i have decided ", "i'll go with "];
/// A long message is a document, in which such words mean little.
const LONGEST: usize = 1500;

pub(super) fn is_correction(text: &str) -> bool {
    let said = plain(text);
    said.len() <= LONGEST
        && (BEGINNINGS.iter().any(|beginning| said.starts_with(beginning))
            || WITHIN.iter().any(|words| said.contains(words)))
}

pub(super) fn is_memo(text: &str) -> bool {
    let said = plain(text);
    said.len() <= LONGEST && MEMOS.iter().any(|words| said.contains(words))
}

/// The lines in which an agent says that it has decided something.
pub(super) fn decisions(text: &str) -> impl Iterator<Item = &str> {
    let bare = |line: &str| {
        line.trim_start_matches(['-', '*', '#', '>', ' ']).replace(['*', '_'], "").to_lowercase()
    };
    text.lines()
        .map(str::trim)
        .filter(move |line| DECISIONS.iter().any(|beginning| bare(line).starts_with(beginning)))
}

fn plain(text: &str) -> String {
    text.trim().to_lowercase().replace('’', "'")
}
