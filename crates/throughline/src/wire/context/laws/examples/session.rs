//! What the last session did.

use throughline_engine::backlog::{NewItem, Patch};
use throughline_engine::hydrate::{Include, Request, Stage};
use throughline_engine::store::item::{Context, Status};

use super::super::backlog::{Backlog, minutes, own, session};
use super::{about, evidence};
use crate::wire::context::Format;

#[test]
fn a_session_is_told_over_an_item_and_its_children() {
    let backlog = Backlog::empty(21);
    let focal = backlog.create(NewItem::of("Focal"));
    let child = backlog.below(&focal, "Child");
    let done = Patch { status: Some(Status::Done), ..Patch::default() };
    backlog.time.advance(minutes(60));
    backlog.update("agent:claude", &focal, &evidence("build is green"), &session("one"));
    // Hours later, and others in between: a client says itself what its session is.
    backlog.time.advance(minutes(120));
    backlog.update("agent:codex", &focal, &evidence("another"), &session("two"));
    backlog.time.advance(minutes(120));
    backlog.update("agent:claude", &child, &done, &session("one"));
    let summary = backlog.all_about(&focal).session_summary.unwrap();
    assert_eq!(summary.summary, format!("added evidence; {child}: status → done"));
    assert_eq!((summary.operations, summary.actor.to_string().as_str()), (2, "agent:claude"));
    assert_eq!(summary.ended_at.since(summary.started_at), minutes(240));
}

#[test]
fn on_the_command_line_half_an_hour_without_anything_ends_a_session() {
    let backlog = Backlog::empty(22);
    let focal = backlog.create(NewItem::of("Focal"));
    for (gap, what) in [(10, "old"), (31, "first"), (30, "second"), (29, "third")] {
        backlog.time.advance(minutes(gap));
        backlog.update("user:ana", &focal, &evidence(what), &own());
        // Somebody else at the same time has a session of their own.
        backlog.update("user:ben", &focal, &evidence(&format!("{what} too")), &own());
    }
    backlog.update("user:ana", &focal, &evidence("last"), &own());
    let summary = backlog.all_about(&focal).session_summary.unwrap();
    assert_eq!((summary.operations, summary.actor.to_string().as_str()), (4, "user:ana"));
    assert_eq!(summary.summary, "added evidence (4 times)");
    assert_eq!(summary.ended_at.since(summary.started_at), minutes(59));
}

#[test]
fn isolated_work_has_no_history() {
    let backlog = Backlog::empty(23);
    let other = backlog.create(NewItem::of("payment gateway timeouts"));
    let isolated = NewItem {
        context: Some(Context::Isolated),
        depends_on: vec![other],
        ..NewItem::of("payment gateway timeouts again")
    };
    let id = backlog.create(isolated);
    let answer = backlog.all_about(&id);
    assert!(answer.session_summary.is_none() && answer.activity.is_empty() && answer.related.is_empty());
    assert_eq!(answer.dependencies.len(), 1);
    for stage in [Stage::Semantic, Stage::Session, Stage::Temporal] {
        assert!(!answer.metadata.stages.contains(&stage), "{stage}");
    }
}

#[test]
fn what_is_not_wanted_is_not_there() {
    let backlog = Backlog::empty(24);
    let id = backlog.create(NewItem::of("payment gateway"));
    backlog.create(NewItem::of("payment gateway too"));
    let no = Include::No;
    let answer =
        backlog.hydrate(&Request { related: no, activity: no, session: no, ..about(&id) }, Format::Json);
    assert!(answer.session_summary.is_none() && answer.activity.is_empty() && answer.related.is_empty());
    assert_eq!(answer.metadata.stages.len(), 4);
}
