//! What could be done next, and why.

use throughline_engine::backlog::{NewItem, Patch};
use throughline_engine::hydrate::Action;
use throughline_engine::store::item::Status;

use super::super::backlog::{Backlog, minutes, own};

fn check(backlog: &Backlog, id: &str, expected: &[(Action, &str, String)]) {
    let answer = backlog.all_about(id);
    let got: Vec<_> =
        answer.suggestions.iter().map(|it| (it.action, it.item.as_str(), it.reason.clone())).collect();
    assert_eq!(got, expected);
}

#[test]
fn a_parent_whose_children_are_done_can_be_completed() {
    let backlog = Backlog::empty(31);
    let parent = backlog.create(NewItem::of("Parent"));
    let (first, second) = (backlog.below(&parent, "first"), backlog.below(&parent, "second"));
    backlog.set_status(&first, Status::Done);
    check(&backlog, &parent, &[]);
    backlog.set_status(&second, Status::Cancelled);
    let reason = format!("{parent} can be completed: all 2 children are done");
    check(&backlog, &parent, &[(Action::Complete, &parent, reason)]);
}

#[test]
fn what_waited_for_something_done_can_go_on() {
    let backlog = Backlog::empty(32);
    let first = backlog.create(NewItem::of("first"));
    let waits = backlog.create(NewItem {
        status: Status::Blocked,
        blocked_reason: vec!["waits".to_owned()],
        depends_on: vec![first.clone()],
        ..NewItem::of("second")
    });
    check(&backlog, &waits, &[]);
    backlog.set_status(&first, Status::Cancelled);
    let reason = format!("{waits} is blocked, but what it waited for is done: {first}");
    check(&backlog, &waits, &[(Action::Unblock, &waits, reason)]);
    let reason = format!("{waits} waits for {first}, which is cancelled");
    check(&backlog, &first, &[(Action::Unblock, &waits, reason)]);
}

#[test]
fn what_waits_for_its_parent_too_is_not_said_to_be_free() {
    let backlog = Backlog::empty(33);
    let parent = backlog.create(NewItem::of("parent"));
    let first = backlog.create(NewItem { status: Status::Done, ..NewItem::of("first") });
    let waits = backlog.create(NewItem {
        status: Status::Blocked,
        parent: Some(parent.clone()),
        depends_on: vec![first, parent],
        ..NewItem::of("second")
    });
    check(&backlog, &waits, &[]);
}

#[test]
fn a_dependency_that_was_done_and_is_not_any_more() {
    let backlog = Backlog::empty(34);
    let first = backlog.create(NewItem::of("first"));
    let second = backlog.create(NewItem { depends_on: vec![first.clone()], ..NewItem::of("second") });
    backlog.set_status(&first, Status::Done);
    check(&backlog, &second, &[]);
    backlog.set_status(&first, Status::Open);
    let reason = format!("{first} was done and is open again; {second} depends on it");
    check(&backlog, &second, &[(Action::Reopened, &first, reason)]);
}

#[test]
fn work_that_stopped() {
    let backlog = Backlog::empty(35);
    let id = backlog.create(NewItem { status: Status::InProgress, ..NewItem::of("slow") });
    backlog.time.advance(minutes(60 * 24 * 8));
    backlog.create(NewItem::of("something else"));
    let reason = format!("{id} is in progress, but nothing happened to it for 8 days");
    check(&backlog, &id, &[(Action::Stale, &id, reason)]);
}

#[test]
fn what_was_done_without_evidence() {
    let backlog = Backlog::empty(36);
    let id = backlog.create(NewItem::of("quick"));
    backlog.set_status(&id, Status::Done);
    let reason = format!("{id} is done without evidence of it");
    check(&backlog, &id, &[(Action::AddEvidence, &id, reason)]);
    let patch = Patch { add_evidence: vec!["the tests pass".to_owned()], ..Patch::default() };
    backlog.update("agent:claude", &id, &patch, &own());
    check(&backlog, &id, &[]);
}
