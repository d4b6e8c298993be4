//! What an answer says is still to be done: the list below such a heading, or what follows one on its line.

use crate::words::is_in;

const HEADINGS: [&str; 18] = [
    "next steps",
    "next step",
    "next",
    "remaining",
    "remaining work",
    "todo",
    "still to do",
    "left to do",
    "not done yet",
    "follow-up",
    "follow-ups",
    "follow up",
    "nächste schritte",
    "nächster schritt",
    "offen",
    "prochaine étape",
    "prochaines étapes",
    "próximos pasos",
];
/// How a sentence begins that says what is left.
const LEFT: [&str; 21] = [
    "what remains is ",
    "what's left is ",
    "what is left is ",
    "what is still missing is ",
    "what's still missing is ",
    "still missing is ",
    "still missing are ",
    "still to do is ",
    "i have not yet ",
    "i haven't yet ",
    "i have yet to ",
    "i did not yet ",
    "i didn't yet ",
    "we have not yet ",
    "we still need to ",
    "we still have to ",
    "as a next step",
    "as the next step",
    "tomorrow i'd ",
    "tomorrow i would ",
    "tomorrow we ",
];
/// And what one has that says it of something.
const UNDONE: [&str; 7] = [
    " still needs to be ",
    " still need to be ",
    " is not implemented yet",
    " isn't implemented yet",
    " are not implemented yet",
    " is not done yet",
    " remains to be ",
];
/// So many are told where there is little room.
const FEW: usize = 3;
/// After these words "none" and "nothing" speak of what is left.
const OF_NOTHING: &str = "left remaining remains else more further to needed required necessary pending outstanding planned at for \
    from right open";
const NOTHING: [&str; 6] = ["none", "nothing", "n/a", "na", "nil", "-"];

pub(crate) fn stated(text: &str) -> Vec<String> {
    let mut steps = vec![];
    let mut is_below = false;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = after_heading(line) {
            is_below = true;
            steps.extend(in_one_line(rest));
        } else if let Some(step) = bullet(line) {
            steps.extend((is_below && !step.starts_with("[x]")).then_some(step));
        } else if let Some(rest) = later_heading(line) {
            is_below = rest.is_empty();
            steps.extend(in_one_line(rest));
        } else if !line.is_empty() {
            is_below = false;
            steps.extend(left_open(line));
        }
    }
    steps.into_iter().filter(|step| !says_nothing(step)).map(str::to_owned).collect()
}

/// The first of them, and how many there are beside them.
pub(crate) fn in_short(text: &str) -> Vec<String> {
    let mut steps = stated(text);
    let more = steps.len().saturating_sub(FEW);
    steps.truncate(FEW);
    steps.extend((more > 0).then(|| format!("and {more} more")));
    steps
}

/// What stands on the same line after it.
fn after_heading(line: &str) -> Option<&str> {
    let plain = line.trim_start_matches(['#', '*', '_', ' ']);
    let (heading, rest) = plain.split_once(':').unwrap_or((plain, ""));
    let heading = heading.trim_matches(['*', '_', ' ', '\u{a0}']).to_lowercase();
    let is_one = HEADINGS.contains(&heading.as_str());
    // "Next" alone may be the beginning of anything.
    let is_marked = line.starts_with(['#', '*']) || plain.contains(':');
    (is_one && is_marked).then(|| rest.trim_matches(['*', '_', ' ']))
}

/// The same where it begins a later sentence of the line.
fn later_heading(line: &str) -> Option<&str> {
    let ends = line.match_indices(['.', '!', '?', ')']).map(|(at, _)| &line[at + 1..]);
    let sentences = ends.filter_map(|rest| rest.strip_prefix(' '));
    sentences.filter(|sentence| sentence.contains(':')).find_map(after_heading)
}

/// The sentences of a line that say what is left.
fn left_open(line: &str) -> impl Iterator<Item = &str> {
    let sentences = line.split_inclusive(". ").map(str::trim).filter(|sentence| !sentence.ends_with('?'));
    sentences.filter(|sentence| {
        let plain = sentence.to_lowercase().replace('’', "'");
        LEFT.iter().any(|begin| plain.starts_with(begin))
            || UNDONE.iter().any(|undone| plain.contains(undone))
    })
}

fn in_one_line(told: &str) -> impl Iterator<Item = &str> {
    let steps =
        told.split("; ").flat_map(|part| part.split(", then ")).flat_map(|part| part.split(", and then "));
    steps.map(str::trim).filter(|step| !step.is_empty())
}

fn bullet(line: &str) -> Option<&str> {
    let marked = ["- [ ] ", "- ", "* ", "• "].iter().find_map(|mark| line.strip_prefix(mark));
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < line.len())
            .then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))
            .flatten()
    };
    marked.or_else(numbered).map(str::trim).filter(|step| !step.is_empty())
}

/// "None.", "Nothing left to do", "no further steps".
fn says_nothing(step: &str) -> bool {
    let plain = step.trim_matches(['*', '_', '(', ')', ' ']).to_lowercase();
    let mut words = plain.split(' ');
    let first = words.next().unwrap_or_default();
    let bare = first.trim_end_matches(['.', ',', '!', ';', ':', '—', '–']);
    let next = words.next().map(|word| word.trim_end_matches(['.', ',', '!', ';', ':']));
    let ends = next.is_none_or(|next| is_in(OF_NOTHING, next));
    let is_no =
        bare == "no" && next.is_some_and(|next| matches!(next, "further" | "more" | "next" | "remaining"));
    NOTHING.contains(&bare) && (ends || bare.len() < first.len() || next == Some("—")) || is_no
}
