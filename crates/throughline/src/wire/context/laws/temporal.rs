//! Laws 15 to 20: what happened lately.

use std::collections::HashSet;

use anyhow::ensure;
use throughline_engine::hydrate::{Role, Stage};
use throughline_engine::store::event::Kind as EventKind;
use throughline_engine::store::time::Timestamp;

use super::case::Case;
use super::{Law, Verdict};

pub(super) const LAWS: &[Law] = &[
    (&[15], "activity is newest first, by time", newest_first),
    (&[16], "no two entries share time, item and event", none_twice),
    (&[17], "each entry has time, kind, item, actor and summary", complete),
    (&[18], "summaries are sentences for people, never raw JSON", readable),
    (&[19, 63], "activity is what the log has, the newest of it, all of it counted", as_the_log_says),
    (&[20], "include_activity=false skips it", can_be_skipped),
];

fn newest_first(case: &Case<'_>) -> Verdict {
    let times: Vec<Timestamp> = case.answer.activity.iter().map(|entry| entry.at).collect();
    ensure!(times.is_sorted_by(|a, b| a >= b), "{times:?}");
    Ok(())
}

fn none_twice(case: &Case<'_>) -> Verdict {
    let mut seen = HashSet::new();
    for entry in &case.answer.activity {
        ensure!(seen.insert((entry.at, &entry.item, entry.kind)), "twice: {entry:?}");
    }
    Ok(())
}

fn complete(case: &Case<'_>) -> Verdict {
    for entry in &case.answer.activity {
        ensure!(!entry.item.is_empty() && !entry.actor.name.is_empty(), "{entry:?}");
    }
    let json = case.json().unwrap_or_default();
    for entry in json["activity"].as_array().into_iter().flatten() {
        let has = |field: &str| entry[field].as_str().is_some_and(|text| !text.is_empty());
        ensure!(["at", "kind", "item_id", "actor", "summary"].into_iter().all(has), "{entry}");
    }
    Ok(())
}

fn readable(case: &Case<'_>) -> Verdict {
    let session = case.answer.session_summary.iter().map(|session| &session.summary);
    for summary in case.answer.activity.iter().map(|entry| &entry.summary).chain(session) {
        let is_text = !summary.trim().is_empty() && !summary.starts_with(['{', '[']);
        ensure!(is_text && !summary.contains('\n'), "{summary:?}");
    }
    Ok(())
}

fn as_the_log_says(case: &Case<'_>) -> Verdict {
    if !case.answer.metadata.stages.contains(&Stage::Temporal) {
        return Ok(());
    }
    let parent = case.answer.parent.as_ref().map(|parent| parent.item.id.to_string());
    let around: HashSet<String> =
        case.candidates(Role::Children).into_iter().chain(parent).chain([case.focal().to_owned()]).collect();
    let mut seen: HashSet<(Timestamp, String, EventKind)> = HashSet::new();
    let mut truth: Vec<(Timestamp, String)> = vec![];
    for event in case.model.done_to(&around) {
        let item = event.item_id.clone().unwrap();
        if seen.insert((event.at, item.clone(), event.kind)) {
            truth.push((event.at, item));
        }
    }
    ensure!(case.total(Role::Activity) == truth.len(), "{} in truth", truth.len());
    truth.truncate(case.request.limits.activity);
    let items: Vec<String> = truth.iter().map(|(_, item)| item.clone()).collect();
    ensure!(
        case.candidates(Role::Activity) == items,
        "{:?} should be {items:?}",
        case.candidates(Role::Activity)
    );
    for entry in &case.answer.activity {
        ensure!(truth.contains(&(entry.at, entry.item.clone())), "{entry:?} is not in the log");
    }
    Ok(())
}

fn can_be_skipped(case: &Case<'_>) -> Verdict {
    let ran = case.answer.metadata.stages.contains(&Stage::Temporal);
    ensure!(ran || case.total(Role::Activity) == 0, "there is activity");
    Ok(())
}
