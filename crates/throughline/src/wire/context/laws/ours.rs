//! Laws 61 to 64: what we promise beyond the others.

use std::collections::HashSet;

use anyhow::ensure;
use throughline_engine::hydrate::{Relation, Rendering as _, Role};

use super::backlog::{ELSEWHERE, PRIVATE};
use super::case::Case;
use super::{Law, Verdict};

pub(super) const LAWS: &[Law] = &[
    (&[61], "two requests at the same position of the log give the same bytes", same_bytes),
    (&[62], "every cap says how many there are in truth", true_counts),
    (&[62], "the whole blocking chain is there, what blocks first", whole_chain),
    (&[64], "nothing of another project, and nothing of another role's private log", nothing_of_others),
];

fn same_bytes(case: &Case<'_>) -> Verdict {
    let again = case.backlog.engine.hydrate(&case.backlog.caller, &case.request, &case.format)?;
    ensure!(case.format.whole(&again) == case.sent, "other bytes");
    Ok(())
}

fn true_counts(case: &Case<'_>) -> Verdict {
    let (focal, limits) = (case.focal(), &case.request.limits);
    let depth = case.request.depth.steps();
    let chain = case.model.upstream(focal).into_keys().chain(case.model.waiting(focal)).collect();
    let roles = [
        (Role::Dependencies, chain, limits.dependencies),
        (Role::Children, case.model.children(focal), limits.children),
        (Role::Siblings, case.model.siblings(focal), limits.siblings),
        (Role::Descendants, case.model.descendants(focal, depth).into_keys().collect(), 0),
    ];
    for (role, members, limit) in roles {
        let placed = case.placed_before(role);
        let truth: HashSet<&String> = members.iter().filter(|id| !placed.contains(*id)).collect();
        let (said, got) = (case.total(role), case.candidates(role));
        ensure!(said == truth.len(), "{role}: {said} said, {} in truth", truth.len());
        ensure!(got.iter().all(|id| truth.contains(id)), "{role}: {got:?} is not all of {truth:?}");
        let full = role == Role::Descendants || got.len() == limit.min(truth.len());
        ensure!(full, "{role}: {} of {} with a limit of {limit}", got.len(), truth.len());
    }
    all_descendants(case)
}

/// Without a cap on the way, everything below is there.
fn all_descendants(case: &Case<'_>) -> Verdict {
    let limits = &case.request.limits;
    let got = case.candidates(Role::Descendants).len();
    ensure!(got <= limits.descendants, "{got} descendants, at most {}", limits.descendants);
    let wide = case
        .model
        .items
        .iter()
        .any(|item| case.model.children(item.id.as_str()).len() > limits.per_parent.min(limits.children));
    let all = case.total(Role::Descendants);
    ensure!(wide || all > limits.descendants || got == all, "{got} of {all} descendants");
    Ok(())
}

fn whole_chain(case: &Case<'_>) -> Verdict {
    let chain = case.model.upstream(case.focal());
    for dependency in &case.answer.dependencies {
        let id = dependency.entity.item.id.as_str();
        let relation = if chain.contains_key(id) { Relation::DependsOn } else { Relation::Blocks };
        ensure!(dependency.relation == relation, "{id} {}", dependency.relation);
        let (from, to) = match relation {
            Relation::DependsOn => (dependency.of.as_str(), id),
            Relation::Blocks => (id, dependency.of.as_str()),
        };
        ensure!(case.model.depends_on(from).iter().any(|first| first == to), "{from} does not wait for {to}");
        let status = dependency.entity.item.status;
        ensure!(status == case.model.item(id).status, "{id} is not {status}");
    }
    let blocking: Vec<bool> = case.answer.dependencies.iter().map(|it| !it.is_blocking()).collect();
    ensure!(blocking.is_sorted(), "what blocks does not come first");
    Ok(())
}

fn nothing_of_others(case: &Case<'_>) -> Verdict {
    for mark in [ELSEWHERE, PRIVATE] {
        ensure!(!case.sent.contains(mark), "{mark} was sent");
    }
    Ok(())
}
