//! Laws 21 to 23: what a hydration is about.

use anyhow::ensure;
use throughline_engine::Error;
use throughline_engine::backlog::{Query, ids_in};
use throughline_engine::hydrate::{Focus, Request, ResolvedFrom};

use super::backlog::Backlog;
use super::case::Case;
use super::model::Model;
use super::{Law, Verdict};

pub(super) const LAWS: &[Law] = &[
    (&[21], "focal_resolved_from is id or query", said_how),
    (&[22], "a query resolves to the single best item", best_of_all),
];

pub(super) const NO_MATCH: &str = "law 23: no match is a tool error that names near ids or titles";

fn said_how(case: &Case<'_>) -> Verdict {
    let how = match case.request.focus {
        Focus::Id(_) => ResolvedFrom::Id,
        Focus::Query(_) => ResolvedFrom::Query,
    };
    ensure!(case.answer.metadata.resolved_from == how, "{}", case.answer.metadata.resolved_from);
    let said = case.json().map(|json| json["metadata"]["focal_resolved_from"].clone());
    ensure!(said.is_none_or(|said| said == how.as_str()), "the JSON does not say {how}");
    Ok(())
}

fn best_of_all(case: &Case<'_>) -> Verdict {
    let best = match &case.request.focus {
        Focus::Id(id) => id.to_uppercase(),
        Focus::Query(text) => best(case.backlog, case.model, text).unwrap_or_default(),
    };
    ensure!(case.focal() == best, "{} instead of {best:?}", case.focal());
    Ok(())
}

fn best(backlog: &Backlog, model: &Model, text: &str) -> Option<String> {
    let named = ids_in(text).map(|id| id.to_string()).find(|id| model.get(id).is_some());
    let about = Query { text: Some(text.to_owned()), ..Query::default() };
    let found = || backlog.engine.items(&backlog.caller, &about, 1).unwrap().items;
    named.or_else(|| found().first().map(|item| item.id.to_string()))
}

/// What must be true of a request that found nothing.
pub(super) fn no_match((backlog, model): (&Backlog, &Model), request: &Request, error: &Error) -> Verdict {
    let Error::NotFound(text) = error else { anyhow::bail!("another error: {error}") };
    let exists = match &request.focus {
        Focus::Id(id) => model.get(&id.to_uppercase()).map(|item| item.id.to_string()),
        Focus::Query(text) => best(backlog, model, text),
    };
    ensure!(exists.is_none(), "{exists:?} is there, but: {text}");
    let asked = match &request.focus {
        Focus::Id(text) | Focus::Query(text) => text,
    };
    let hint = text.replace(&format!("{asked:?}"), "");
    ensure!(model.items.iter().any(|item| hint.contains(item.id.as_str())), "no near id: {text}");
    Ok(())
}
