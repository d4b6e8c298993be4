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
/// How a sentence begins in which a user does.
const RESOLUTIONS: [&str; 24] = [
    "decision:",
    "decided:",
    "agreed:",
    "we decided ",
    "we've decided ",
    "we have decided ",
    "it was decided ",
    "the team decided ",
    "i decided ",
    "i've decided ",
    "we agreed ",
    "we've agreed ",
    "we settled on ",
    "we've settled on ",
    "we chose ",
    "we've chosen ",
    "we will use ",
    "we'll use ",
    "we will go with ",
    "we'll go with ",
    "we're going with ",
    "we are going with ",
    "let's go with ",
    "we're switching to ",
];
/// What may stand before that.
const OPENERS: [&str; 7] = ["so ", "ok, ", "okay, ", "and ", "also, ", "fyi: ", "fyi, "];
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

/// The sentences in which a user says that something is decided.
pub(crate) fn resolutions(text: &str) -> impl Iterator<Item = &str> {
    let is_short = text.len() <= LONGEST;
    let sentences = text.lines().filter(move |_| is_short).flat_map(|line| line.split_inclusive(". "));
    sentences.map(str::trim).filter(|sentence| !sentence.ends_with('?') && resolves(&plain(sentence)))
}

fn resolves(said: &str) -> bool {
    let said = said.trim_start_matches(['-', '*', '#', ' ']);
    let said = OPENERS.iter().find_map(|opener| said.strip_prefix(opener)).unwrap_or(said);
    RESOLUTIONS.iter().any(|beginning| said.starts_with(beginning))
}

fn plain(text: &str) -> String {
    text.trim().to_lowercase().replace('’', "'")
}
