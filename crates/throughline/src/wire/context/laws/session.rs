//! Laws 32 to 37: what the last session did.

use std::collections::HashSet;
use std::time::Duration;

use anyhow::ensure;
use throughline_engine::capture::CLI;
use throughline_engine::hydrate::{Brief, Include, Role, Stage};
use throughline_engine::store::event::Event;
use throughline_engine::store::item::Context;
use throughline_engine::store::session;

use super::case::Case;
use super::{Law, Verdict};

pub(super) const LAWS: &[Law] = &[
    (&[32, 33], "a summary has actor, kind, start, end, a positive count and words", complete),
    (&[34], "it is the last session that did something to the item or its children", the_last_one),
    (&[35], "session_memory is listed only when a session was found", listed_when_found),
    (&[36], "graph_depth survives every downgrade", depth_survives),
    (&[37], "the session summary goes before focal or parent", goes_first),
];

const GAP: Duration = Duration::from_secs(30 * 60);

/// The events of the last session that did anything to the focal item or its children, the newest first.
pub(super) fn last<'a>(case: &'a Case<'_>) -> Option<Vec<&'a Event>> {
    let around: HashSet<String> =
        case.model.children(case.focal()).into_iter().chain([case.focal().to_owned()]).collect();
    let events = case.model.done_to(&around);
    let last: &Event = events.first()?;
    let project = &case.backlog.caller.project;
    let client = |event: &Event| {
        let found = case.backlog.engine.store().read(|conn| session::by_id(conn, project, &event.session_id));
        found.unwrap().unwrap().client
    };
    let own = client(last) == CLI;
    let same = |event: &&Event| event.session_id == last.session_id && event.actor == last.actor;
    let of_session: Vec<&Event> = events.iter().copied().filter(same).collect();
    if !own {
        return Some(of_session);
    }
    let near = of_session.iter().zip(&of_session[1..]).take_while(|(after, it)| after.at.since(it.at) <= GAP);
    let count = 1 + near.count();
    Some(of_session[..count].to_vec())
}

fn complete(case: &Case<'_>) -> Verdict {
    let Some(session) = &case.answer.session_summary else { return Ok(()) };
    ensure!(session.operations > 0 && !session.summary.trim().is_empty(), "{session:?}");
    ensure!(session.started_at <= session.ended_at && !session.actor.name.is_empty(), "{session:?}");
    if let Some(json) = case.json() {
        let said = &json["session_summary"];
        ensure!(["user", "agent"].map(Into::into).contains(&said["actor_type"]), "{said}");
        ensure!(said["operation_count"] == session.operations, "{said}");
    }
    Ok(())
}

fn the_last_one(case: &Case<'_>) -> Verdict {
    let Some(session) = &case.answer.session_summary else { return Ok(()) };
    let Some(events) = last(case) else { anyhow::bail!("there is no log, but {session:?}") };
    let (newest, oldest) = (events[0], events[events.len() - 1]);
    ensure!(session.session == newest.session_id && session.actor == newest.actor, "{session:?}, {newest:?}");
    let times = (session.started_at, session.ended_at);
    ensure!(times == (oldest.at, newest.at), "{times:?} should be {:?}", (oldest.at, newest.at));
    ensure!(session.operations == events.len(), "{} of {}", session.operations, events.len());
    Ok(())
}

fn listed_when_found(case: &Case<'_>) -> Verdict {
    let isolated = case.model.item(case.focal()).context == Some(Context::Isolated);
    let asked = case.request.session == Include::Yes && !isolated;
    let listed = case.answer.metadata.stages.contains(&Stage::Session);
    let found = case.total(Role::Session) == 1;
    ensure!(listed == found && (asked || !found), "asked: {asked}, listed: {listed}, found: {found}");
    Ok(())
}

fn depth_survives(case: &Case<'_>) -> Verdict {
    let chain = case.model.upstream(case.focal());
    for (seen, it) in case.seen(Role::Dependencies).iter().zip(&case.answer.dependencies) {
        let steps = chain.get(&seen.id).copied().filter(|steps| *steps > 1);
        ensure!(seen.graph_depth == steps, "{seen:?} of {} should be {steps:?} steps away", it.of);
    }
    let far = [Role::Ancestors, Role::Descendants].iter().flat_map(|role| case.seen(*role));
    for seen in far {
        ensure!(seen.graph_depth.is_some() && seen.fidelity == Brief::Reference, "{seen:?}");
    }
    Ok(())
}

fn goes_first(case: &Case<'_>) -> Verdict {
    let parent = case.model.parent(case.focal()).is_some();
    ensure!(case.answer.parent.is_some() == parent, "the parent went");
    ensure!(case.sent.contains(case.focal()), "the focal item went");
    Ok(())
}
