//! What was planned or under way, and is done: "the upgrade is planned", "the upgrade is done". Both are about one thing, and what
//! was before does not hold any more.

use super::reading::Reading;
use super::{Related, Relation, Set, related};
use crate::words::is_in;

pub(super) const FULFILLED: &str = "what was to come has come";
/// Words beside those that both have.
const FEW: usize = 1;

const COMING: &str = "is planned|are planned|plan to|plans to|is being|are being|about to|going to|will be|will get|is scheduled|\
    are scheduled|in the middle of|is missing|are missing|under development|in development|in progress|is pending|are pending|\
    not yet|still have to|still has to|still need to|is underway|is under way|is ongoing|is due to|are due to";
const DONE: &str = "is done|are done|is finished|are finished|is complete|are complete|is completed|are completed|has been|have been|\
    is live|are live|was|were|has shipped|have shipped|we finished|we completed|went live|is over";
/// Of how far something is, and nothing of what it is.
const OF_PROGRESS: &str = "plan planned plans schedule scheduled miss missing middle progress pend pending development develop underway \
    ongo ongoing due done finish finished complete completed live week today now soon still yet ship shipped will go went \
    was were is are be been being has have had get under about";

/// The new one says that what the known one announces has happened.
pub(super) fn compared((known, a): (&str, &Reading), (new, b): (&str, &Reading)) -> Option<Related> {
    let has_come = is_coming(known) && !is_coming(new) && is_done(new);
    (has_come && are_about_one(a, b)).then(|| related(Relation::Opposite, 0.95, FULFILLED))
}

fn is_coming(text: &str) -> bool {
    has_any(text, COMING)
}

fn is_done(text: &str) -> bool {
    has_any(text, DONE) || text.split_whitespace().nth(1).is_some_and(|verb| verb.ends_with("ed"))
}

fn has_any(text: &str, phrases: &str) -> bool {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .collect();
    let plain = format!(" {} ", words.join(" "));
    phrases.split('|').any(|phrase| plain.contains(&format!(" {phrase} ")))
}

fn are_about_one(a: &Reading, b: &Reading) -> bool {
    let about = |reading: &Reading| -> Set {
        let is_progress = |stem: &String| is_in(OF_PROGRESS, stem);
        reading.content.iter().filter(|stem| !is_progress(stem)).cloned().collect()
    };
    let (one, other) = (about(a), about(b));
    let beside = one.difference(&other).count().max(other.difference(&one).count());
    let common = one.intersection(&other).count();
    common > 0 && common > beside && beside <= FEW
}
