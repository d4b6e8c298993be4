//! Laws 24 to 31: further up and further down.

use std::collections::HashSet;

use anyhow::ensure;
use throughline_engine::hydrate::{Brief, Role};

use super::case::{Case, PLACES};
use super::{Law, Verdict};

pub(super) const LAWS: &[Law] = &[
    (&[24, 25], "ancestors and descendants are at reference fidelity", references_only),
    (
        &[26, 27],
        "each has graph_depth of at least two; parent and children are never among them",
        two_steps_away,
    ),
    (&[28, 30], "an id appears in at most one role, and once", once),
    (&[29], "ancestors come closest first, descendants breadth first", in_order),
    (&[31], "at depth 1 both lists are empty", nothing_at_depth_one),
];

const BOTH: [Role; 2] = [Role::Ancestors, Role::Descendants];

fn references_only(case: &Case<'_>) -> Verdict {
    for seen in BOTH.iter().flat_map(|role| case.seen(*role)) {
        ensure!(seen.fidelity == Brief::Reference, "{seen:?}");
    }
    Ok(())
}

fn two_steps_away(case: &Case<'_>) -> Verdict {
    let depth = case.request.depth.steps();
    let children: HashSet<String> = case.model.children(case.focal()).into_iter().collect();
    for seen in BOTH.iter().flat_map(|role| case.seen(*role)) {
        ensure!(seen.graph_depth.is_some_and(|steps| (2..=depth).contains(&steps)), "{seen:?}");
        let parent = case.answer.parent.as_ref().is_some_and(|parent| parent.item.id.as_str() == seen.id);
        ensure!(!parent && !children.contains(&seen.id), "{} is parent or child", seen.id);
    }
    Ok(())
}

fn once(case: &Case<'_>) -> Verdict {
    let parent = case.answer.parent.iter().map(|parent| parent.item.id.to_string());
    let mut seen: HashSet<String> = parent.chain([case.focal().to_owned()]).collect();
    for role in PLACES {
        for id in case.ids(role) {
            ensure!(seen.insert(id.clone()), "{id} is there twice, also as {role}");
        }
    }
    Ok(())
}

fn in_order(case: &Case<'_>) -> Verdict {
    let depth = case.request.depth.steps();
    let placed = case.placed_before(Role::Ancestors);
    let mut above = case.model.ancestors(case.focal(), depth);
    above.retain(|(id, _)| !placed.contains(id));
    let truth: Vec<String> = above.iter().map(|(id, _)| id.clone()).collect();
    ensure!(case.candidates(Role::Ancestors) == truth, "ancestors should be {truth:?}");
    for seen in case.seen(Role::Ancestors) {
        ensure!(above.contains(&(seen.id.clone(), seen.graph_depth.unwrap_or(0))), "{seen:?}");
    }
    let below = case.model.descendants(case.focal(), depth);
    for seen in case.seen(Role::Descendants) {
        ensure!(
            below.get(&seen.id) == seen.graph_depth.as_ref(),
            "{seen:?} should be {:?}",
            below.get(&seen.id)
        );
    }
    let steps: Vec<usize> = case.candidates(Role::Descendants).iter().map(|id| below[id]).collect();
    ensure!(steps.is_sorted(), "not breadth first: {steps:?}");
    Ok(())
}

fn nothing_at_depth_one(case: &Case<'_>) -> Verdict {
    let some = BOTH.iter().map(|role| case.total(*role)).sum::<usize>();
    ensure!(case.request.depth.steps() > 1 || some == 0, "{some} at depth 1");
    Ok(())
}
