//! What an answer says is still to be done: the list below such a heading, or what follows one on its line.

use crate::words::is_in;

const HEADINGS: [&str; 45] = [
    "next steps",
    "next step",
    "next",
    "next up",
    "remaining",
    "remaining work",
    "remaining steps",
    "remaining tasks",
    "remaining items",
    "what remains",
    "what's left",
    "what is left",
    "left open",
    "left for later",
    "for later",
    "deferred",
    "outstanding",
    "pending",
    "todo",
    "todos",
    "to do",
    "to-do",
    "still to do",
    "still open",
    "still missing",
    "left to do",
    "open items",
    "open points",
    "open tasks",
    "unfinished",
    "not done",
    "not done yet",
    "not yet done",
    "not tested",
    "not verified",
    "follow-up",
    "follow-ups",
    "follow up",
    "nächste schritte",
    "nächster schritt",
    "offen",
    "noch offen",
    "prochaine étape",
    "prochaines étapes",
    "próximos pasos",
];
/// How a sentence begins that names the step after this one, before the step.
const NEXT: [&str; 19] = [
    "the next step is ",
    "my next step is ",
    "our next step is ",
    "next step is ",
    "the next step would be ",
    "the next step will be ",
    "the next thing is ",
    "the next thing to do is ",
    "next up is ",
    "next, i'll ",
    "next i'll ",
    "next, i will ",
    "next i will ",
    "next, we'll ",
    "next, we should ",
    "next, i need to ",
    "i'll next ",
    "i still need to ",
    "i still have to ",
];
/// How one begins that says what somebody could not do, before what that is.
const UNABLE: [&str; 8] = [
    "i was not able to ",
    "i wasn't able to ",
    "i was unable to ",
    "i am not able to ",
    "i could not ",
    "i couldn't ",
    "i cannot ",
    "i can't ",
];
/// What is left to do by whom it was not done.
const DOING: &str = "run test verify check finish complete build install update migrate write add implement fix deploy push execute \
    validate confirm commit measure";
/// Who did not these has left them out.
const OMITTED: [&str; 2] = ["i did not ", "i didn't "];
const CHECKING: &str = "run test verify check validate";
/// With one of these it was done after all.
const AFTER_ALL: [&str; 6] = ["at first", "initially", "but now", "until ", ", so i ", "any more"];
/// How one begins that says that all is done.
const NOTHING_LEFT: [&str; 5] =
    ["nothing is left", "nothing's left", "nothing is open", "there is nothing left", "there's nothing left"];
/// What may stand before any sentence.
const LEADS: [&str; 7] =
    ["unfortunately, ", "however, ", "but ", "note that ", "note: ", "also, ", "sadly, "];
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
const UNDONE: [&str; 12] = [
    " were not run",
    " was not run",
    " not been run",
    " not been tested",
    " is still open",
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

/// What an answer says is left.
#[derive(Debug, Default)]
pub(super) struct Stated {
    pub(super) steps: Vec<Step>,
    /// It says all that is next, be it nothing: what was next before is so no more.
    pub(super) is_list: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) text: String,
    /// It is what the one who says so does next: who works on has taken it up.
    pub(super) is_at_once: bool,
}

impl Stated {
    fn list<'a>(&mut self, steps: impl IntoIterator<Item = &'a str>) {
        for step in steps {
            self.is_list = true;
            self.steps.extend((!says_nothing(step)).then(|| Step::later(step)));
        }
    }

    fn take(&mut self, sentence: &str) {
        let told = without_lead(sentence);
        let plain = told.to_lowercase().replace('’', "'");
        if NOTHING_LEFT.iter().any(|nothing| plain.starts_with(nothing)) {
            self.is_list = true;
        } else if let Some(begin) = NEXT.iter().find(|begin| plain.starts_with(**begin)) {
            let step = told.get(begin.len()..).unwrap_or(told);
            self.is_list = true;
            self.steps.push(Step { is_at_once: true, ..Step::later(step.trim_start_matches("to ")) });
        } else if is_left(&plain) || is_omitted(&plain) {
            self.steps.push(Step::later(sentence));
        }
    }
}

impl Step {
    fn later(text: &str) -> Step {
        Step { text: text.to_owned(), is_at_once: false }
    }
}

pub(super) fn read(text: &str) -> Stated {
    let mut stated = Stated::default();
    let (mut is_below, mut is_code) = (false, false);
    for line in text.lines().map(str::trim) {
        is_code ^= line.starts_with("```");
        if is_code || line.is_empty() {
            continue;
        }
        if let Some(rest) = after_heading(line) {
            is_below = true;
            stated.list(in_one_line(rest));
        } else if let Some(step) = bullet(line) {
            stated.list(unticked(step).or_else(|| (is_below && !is_ticked(step)).then_some(step)));
        } else if let Some(rest) = later_heading(line) {
            is_below = rest.is_empty();
            stated.list(in_one_line(rest));
        } else {
            is_below = false;
            sentences(line).for_each(|sentence| stated.take(sentence));
        }
    }
    stated
}

/// The first steps of an answer, and how many there are beside them.
pub(crate) fn in_short(text: &str) -> Vec<String> {
    let mut steps: Vec<String> = read(text).steps.into_iter().map(|step| step.text).collect();
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

fn sentences(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(". ").map(str::trim).filter(|sentence| !sentence.ends_with('?'))
}

fn without_lead(sentence: &str) -> &str {
    let lead = LEADS
        .iter()
        .find(|lead| sentence.get(..lead.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(lead)));
    lead.map_or(sentence, |lead| &sentence[lead.len()..])
}

fn is_left(plain: &str) -> bool {
    LEFT.iter().any(|begin| plain.starts_with(begin)) || UNDONE.iter().any(|undone| plain.contains(undone))
}

/// "I was not able to run the e2e tests", "I didn't verify it on Windows".
fn is_omitted(plain: &str) -> bool {
    let does = |begins: &[&str], verbs: &'static str| {
        let rest = begins.iter().find_map(|begin| plain.strip_prefix(*begin));
        rest.and_then(|rest| rest.split(' ').next()).is_some_and(|verb| is_in(verbs, verb))
    };
    (does(&UNABLE, DOING) || does(&OMITTED, CHECKING)) && !AFTER_ALL.iter().any(|all| plain.contains(all))
}

fn in_one_line(told: &str) -> impl Iterator<Item = &str> {
    let steps =
        told.split("; ").flat_map(|part| part.split(", then ")).flat_map(|part| part.split(", and then "));
    steps.map(str::trim).filter(|step| !step.is_empty())
}

fn bullet(line: &str) -> Option<&str> {
    let marked = ["- ", "* ", "• "].iter().find_map(|mark| line.strip_prefix(mark));
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < line.len())
            .then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))
            .flatten()
    };
    let boxed = || line.starts_with(['☐', '☑', '☒']).then_some(line);
    marked.or_else(numbered).or_else(boxed).map(str::trim).filter(|step| !step.is_empty())
}

/// What stands beside an empty box.
fn unticked(step: &str) -> Option<&str> {
    ["[ ] ", "☐ "].iter().find_map(|mark| step.strip_prefix(mark)).map(str::trim)
}

fn is_ticked(step: &str) -> bool {
    ["[x]", "[X]", "☑", "☒", "✅", "~~"].iter().any(|mark| step.starts_with(mark))
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
