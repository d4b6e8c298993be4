//! One of two statements denies what the other says.

use super::reading::Reading;
use super::{Related, Relation, related, vocabulary};
use crate::remember::alternatives;

pub(super) const EACH_DENIES: &str = "each denies what the other says";

/// One denies what the other says: "use pnpm, not npm" after "use npm".
pub(super) fn denied(a: &Reading, b: &Reading) -> Option<Related> {
    let denies = |one: &Reading, other: &Reading| {
        let all: Vec<&String> = one.rejected.iter().filter(|stem| !vocabulary::only_ties(stem)).collect();
        let alone: Vec<&String> = all.iter().copied().filter(|stem| !one.content.contains(*stem)).collect();
        let rejected = if alone.is_empty() { all } else { alone };
        let hits = !rejected.is_empty()
            && rejected.iter().all(|stem| other.content.contains(*stem))
            && !other.is_negative
            && !one.is_negative;
        let rest = other.content.difference(&one.rejected).filter(|stem| !vocabulary::only_ties(stem));
        let more = rest.filter(|stem| !one.content.contains(*stem)).count();
        let names_one =
            rejected.iter().any(|stem| other.marked.contains(*stem) || alternatives::is_known(stem));
        hits && (more <= 1 || names_one && more <= 2 && !other.content.is_disjoint(&one.content))
    };
    let agrees = !a.content.is_empty() && a.content == b.content;
    match (denies(a, b), denies(b, a)) {
        _ if agrees => None,
        (true, true) => Some(related(Relation::Opposite, 0.95, EACH_DENIES)),
        (true, false) | (false, true) => {
            Some(related(Relation::Opposite, 0.9, "one denies what the other says"))
        }
        (false, false) => None,
    }
}
