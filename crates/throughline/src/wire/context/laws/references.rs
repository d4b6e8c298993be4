//! Laws 38 to 60: who is named, and who names.

use std::collections::HashSet;

use anyhow::ensure;
use serde_json::Value as Json;
use throughline_engine::hydrate::{Role, Stage};

use super::case::{Case, PLACES};
use super::semantic::summaries_unless_truncated;
use super::{Law, Verdict};

pub(super) const LAWS: &[Law] = &[
    (&[38, 44, 45], "cross_referenced holds what the focal item names, then what its parent names", forward),
    (&[39], "they are summaries unless the budget made them references", forward_are_summaries),
    (&[40, 42], "never the focal item or an item of the relational roles", forward_has_no_relative),
    (&[43, 54], "at most ten by default, with the true count said", caps_say_the_truth),
    (&[46, 56], "the stage is listed if and only if something was found", listed_when_found),
    (&[47, 57], "budgeted after siblings and before ancestors, forward first", in_their_place),
    (&[48, 53, 55, 59], "referenced_by holds every item that names the focal one", reverse),
    (&[49], "they too are summaries unless the budget made them references", reverse_are_summaries),
    (&[50, 51], "never an item of another role: forward wins", reverse_is_nowhere_else),
    (&[58], "counted in total_items", counted),
    (&[60], "empty lists are left out of the JSON", nothing_empty),
];

fn forward(case: &Case<'_>) -> Verdict {
    let placed = case.placed_before(Role::CrossReferenced);
    let parent = case.model.parent(case.focal()).map(|parent| parent.id.as_str());
    let named = std::iter::once(case.focal()).chain(parent).flat_map(|id| case.model.named(id));
    let mut seen = HashSet::new();
    let truth: Vec<String> = named.filter(|id| !placed.contains(id) && seen.insert(id.clone())).collect();
    as_many_as_may(case, Role::CrossReferenced, truth, case.request.limits.cross_referenced)
}

fn reverse(case: &Case<'_>) -> Verdict {
    let placed = case.placed_before(Role::ReferencedBy);
    let mut truth = case.model.naming(case.focal());
    truth.retain(|id| !placed.contains(id));
    as_many_as_may(case, Role::ReferencedBy, truth, case.request.limits.referenced_by)
}

fn as_many_as_may(case: &Case<'_>, role: Role, truth: Vec<String>, limit: usize) -> Verdict {
    ensure!(case.total(role) == truth.len(), "{} said of {}", case.total(role), truth.len());
    let (got, shown) = (case.candidates(role), case.ids(role));
    ensure!(got[..] == truth[..limit.min(truth.len())], "{got:?} should begin {truth:?}");
    ensure!(shown.iter().all(|id| got.contains(id)), "{shown:?}");
    Ok(())
}

fn forward_are_summaries(case: &Case<'_>) -> Verdict {
    summaries_unless_truncated(case, Role::CrossReferenced)
}

fn reverse_are_summaries(case: &Case<'_>) -> Verdict {
    summaries_unless_truncated(case, Role::ReferencedBy)
}

fn forward_has_no_relative(case: &Case<'_>) -> Verdict {
    let relatives = case.placed_before(Role::CrossReferenced);
    let shared = case.ids(Role::CrossReferenced).into_iter().find(|id| relatives.contains(id));
    ensure!(shared.is_none(), "{shared:?} has a role already");
    Ok(())
}

fn reverse_is_nowhere_else(case: &Case<'_>) -> Verdict {
    let others = PLACES.iter().filter(|role| **role != Role::ReferencedBy);
    let others: HashSet<String> = others.flat_map(|role| case.ids(*role)).collect();
    let shared = case.ids(Role::ReferencedBy).into_iter().find(|id| others.contains(id));
    ensure!(shared.is_none(), "{shared:?} has another role");
    Ok(())
}

fn caps_say_the_truth(case: &Case<'_>) -> Verdict {
    let limits = &case.request.limits;
    let caps = [(Role::CrossReferenced, limits.cross_referenced), (Role::ReferencedBy, limits.referenced_by)];
    for (role, limit) in caps {
        ensure!(case.ids(role).len() <= limit, "{role} has more than {limit}");
        let all = case.total(role);
        let said = case.answer.metadata.omitted.iter().any(|omission| omission.role == role);
        ensure!(all <= limit || said, "{role} has {all} and does not say so");
    }
    Ok(())
}

fn listed_when_found(case: &Case<'_>) -> Verdict {
    let found = case.total(Role::CrossReferenced) + case.total(Role::ReferencedBy) > 0;
    let listed = case.answer.metadata.stages.contains(&Stage::References);
    ensure!(found == listed, "found: {found}, listed: {listed}");
    Ok(())
}

fn in_their_place(case: &Case<'_>) -> Verdict {
    let order =
        [Role::Siblings, Role::CrossReferenced, Role::ReferencedBy, Role::Ancestors, Role::Descendants];
    let places = case.answer.trace.iter().filter_map(|it| order.iter().position(|role| *role == it.role));
    ensure!(places.is_sorted(), "budgeted in another order");
    Ok(())
}

fn counted(case: &Case<'_>) -> Verdict {
    let both = case.ids(Role::CrossReferenced).len() + case.ids(Role::ReferencedBy).len();
    ensure!(case.answer.total_items() > both, "{} items with {both} references", case.answer.total_items());
    Ok(())
}

fn nothing_empty(case: &Case<'_>) -> Verdict {
    let Some(json) = case.json() else { return Ok(()) };
    let is_empty = |value: &Json| {
        value.is_null()
            || value.as_array().is_some_and(Vec::is_empty)
            || value.as_object().is_some_and(serde_json::Map::is_empty)
    };
    let sections = json.as_object().into_iter().chain(json["metadata"].as_object());
    let empty = sections.flatten().find(|(_, value)| is_empty(value));
    ensure!(empty.is_none(), "{empty:?}");
    Ok(())
}
