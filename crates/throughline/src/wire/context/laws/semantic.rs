//! Laws 8 to 14: what is found by meaning.

use std::collections::HashSet;

use anyhow::ensure;
use throughline_engine::hydrate::{Brief, Include, Role, Stage};
use throughline_engine::store::item::Context;

use super::case::{Case, PLACES};
use super::{Law, Verdict};

pub(super) const LAWS: &[Law] = &[
    (&[8, 41, 52], "related holds no item that any other role holds", related_is_nowhere_else),
    (&[9], "resources found by meaning never repeat resources found by relation", documents_are_once),
    (&[10], "at most as many related items and such resources as the limits say", caps_are_kept),
    (&[11], "related items are summaries unless the budget made them references", related_are_summaries),
    (&[12], "everything found by meaning carries its relevance, also after a downgrade", scores_are_shown),
    (&[13], "the stage runs whenever it is asked for, and never fails", stage_runs),
    (&[14], "include_related=false skips it", can_be_skipped),
];

fn related_is_nowhere_else(case: &Case<'_>) -> Verdict {
    let others = case.placed_before(Role::Related);
    for id in case.candidates(Role::Related) {
        ensure!(!others.contains(&id), "{id} has another role");
    }
    let shown = PLACES.iter().filter(|role| **role != Role::Related).flat_map(|role| case.ids(*role));
    let shown: HashSet<String> = shown.collect();
    for id in case.ids(Role::Related) {
        ensure!(!shown.contains(&id), "{id} is shown twice");
    }
    Ok(())
}

fn documents_are_once(case: &Case<'_>) -> Verdict {
    let mut seen = HashSet::new();
    for document in &case.answer.resources {
        ensure!(seen.insert(&document.resource.path), "{} is there twice", document.resource.path);
    }
    let by_meaning = case.answer.resources.iter().skip_while(|document| document.relevance.is_none());
    ensure!(by_meaning.clone().all(|it| it.relevance.is_some()), "found by relation after found by meaning");
    Ok(())
}

fn caps_are_kept(case: &Case<'_>) -> Verdict {
    let (answer, limits) = (&case.answer, &case.request.limits);
    let by_meaning = answer.resources.iter().filter(|document| document.relevance.is_some()).count();
    for (what, count, limit) in [
        ("related", case.candidates(Role::Related).len(), limits.related),
        ("memories", case.candidates(Role::Memories).len(), limits.memories),
        ("decisions", case.candidates(Role::Decisions).len(), limits.decisions),
        ("resources by meaning", by_meaning, limits.resources),
        ("resources by relation", answer.resources.len() - by_meaning, limits.resources),
    ] {
        ensure!(count <= limit, "{count} {what}, at most {limit}");
    }
    Ok(())
}

fn related_are_summaries(case: &Case<'_>) -> Verdict {
    summaries_unless_truncated(case, Role::Related)
}

/// Only the budget makes references of summaries.
pub(super) fn summaries_unless_truncated(case: &Case<'_>, role: Role) -> Verdict {
    let references = case.seen(role).iter().filter(|it| it.fidelity == Brief::Reference).count();
    let omission = case.answer.metadata.omitted.iter().find(|omission| omission.role == role);
    let said = omission.map_or(0, |omission| omission.downgraded);
    ensure!(references == said, "{references} references among {role}, {said} said");
    Ok(())
}

fn scores_are_shown(case: &Case<'_>) -> Verdict {
    let answer = &case.answer;
    let related = answer.related.iter().map(|entity| entity.relevance);
    let known = answer.memories.iter().chain(&answer.decisions).map(|known| Some(known.relevance));
    for score in related.chain(known).chain(answer.resources.iter().map(|it| it.relevance.or(Some(0.0)))) {
        ensure!(score.is_some_and(|score| (0.0..=1.0).contains(&score)), "a relevance of {score:?}");
    }
    for role in PLACES.iter().filter(|role| **role != Role::Related) {
        ensure!(case.seen(*role).iter().all(|it| it.relevance.is_none()), "{role} has a relevance");
    }
    let Some(json) = case.json() else { return Ok(()) };
    for section in ["related", "memories", "decisions"] {
        let entries = json[section].as_array().into_iter().flatten();
        for entry in entries {
            ensure!(entry["relevance_score"].is_number(), "{section} without relevance_score: {entry}");
        }
    }
    Ok(())
}

fn stage_runs(case: &Case<'_>) -> Verdict {
    let isolated = case.model.item(case.focal()).context == Some(Context::Isolated);
    let asked = case.request.related == Include::Yes && !isolated;
    let ran = case.answer.metadata.stages.contains(&Stage::Semantic);
    ensure!(ran == asked, "asked for: {asked}, ran: {ran}");
    Ok(())
}

fn can_be_skipped(case: &Case<'_>) -> Verdict {
    if case.answer.metadata.stages.contains(&Stage::Semantic) {
        return Ok(());
    }
    let answer = &case.answer;
    let found = case.total(Role::Related) + case.total(Role::Memories) + case.total(Role::Decisions);
    ensure!(found == 0, "{found} found by meaning");
    ensure!(answer.resources.iter().all(|it| it.relevance.is_none()), "a resource found by meaning");
    Ok(())
}
