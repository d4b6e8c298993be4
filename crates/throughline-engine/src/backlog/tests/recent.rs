//! The working memory of recent work.

use throughline_store::item::{Status, Validation};
use throughline_store::time::Timestamp;

use super::{Patch, add, during, titled, update};
use crate::backlog::{NewItem, RecentWork};
use crate::testing::{Fixture, minutes};

fn recent(fixture: &Fixture, completed: usize) -> RecentWork {
    fixture.engine.recent_work(&fixture.caller, completed).unwrap()
}

fn finish(fixture: &Fixture, id: &str, valid: Option<bool>) {
    let validation = valid.map(|valid| Validation { valid, report: None });
    let said = (Some(format!("did {id}")), validation, vec![]);
    fixture.engine.complete_item(&fixture.caller, id, said, &during()).unwrap();
    fixture.time.advance(minutes(1));
}

fn finished(fixture: &Fixture, completed: usize) -> Vec<String> {
    recent(fixture, completed).completed.iter().map(|one| one.id.to_string()).collect()
}

#[test]
fn what_was_finished_last_comes_first() {
    let fixture = Fixture::new();
    assert_eq!(recent(&fixture, 5), RecentWork { completed: vec![], blockers: vec![], blockers_total: 0 });
    for n in 0..7 {
        titled(&fixture, &format!("task {n}"));
    }
    for (id, valid) in [("TASK-0003", Some(true)), ("TASK-0001", None), ("TASK-0007", Some(false))] {
        finish(&fixture, id, valid);
    }
    let work = recent(&fixture, 2).completed;
    let told: Vec<_> = work
        .iter()
        .map(|one| (one.id.as_str(), one.intent.as_str(), one.summary.as_str(), one.success))
        .collect();
    assert_eq!(
        told,
        [
            ("TASK-0007", "task 6", "did TASK-0007", Some(false)),
            ("TASK-0001", "task 0", "did TASK-0001", None),
        ]
    );
    assert_eq!(finished(&fixture, 9), ["TASK-0007", "TASK-0001", "TASK-0003"]);
    assert_eq!(finished(&fixture, 0), [""; 0]);
}

#[test]
fn a_task_that_was_opened_again_is_not_finished() {
    let fixture = Fixture::new();
    for title in ["a", "b"] {
        let id = titled(&fixture, title);
        finish(&fixture, &id, None);
    }
    update(&fixture, "TASK-0002", Patch { status: Some(Status::InProgress), ..Patch::default() }).unwrap();
    assert_eq!(finished(&fixture, 5), ["TASK-0001"]);
    finish(&fixture, "TASK-0002", Some(true));
    assert_eq!(finished(&fixture, 5), ["TASK-0002", "TASK-0001"], "once, by its last end");
    fixture.engine.delete_item(&fixture.caller, "TASK-0002", &during()).unwrap();
    assert_eq!(finished(&fixture, 5), ["TASK-0002", "TASK-0001"], "it was done, though it is gone");
}

#[test]
fn what_came_finished_from_elsewhere_fills_in() {
    let fixture = Fixture::new();
    let old = NewItem {
        status: Status::Done,
        status_at: Some(Timestamp(1_000_000)),
        summary: Some("long ago".into()),
        ..NewItem::of("imported")
    };
    add(&fixture, old);
    let id = titled(&fixture, "own");
    finish(&fixture, &id, None);
    assert_eq!(finished(&fixture, 5), ["TASK-0002", "TASK-0001"]);
    let work = recent(&fixture, 5).completed.pop().unwrap();
    assert_eq!(
        (work.intent.as_str(), work.summary.as_str(), work.at),
        ("imported", "long ago", Timestamp(1_000_000))
    );
}

#[test]
fn blockers_come_the_longest_stuck_first() {
    let fixture = Fixture::new();
    for title in ["a", "b", "c"] {
        titled(&fixture, title);
    }
    let block = |id: &str, why: &str| {
        fixture.engine.block_item(&fixture.caller, id, why, &during()).unwrap();
        fixture.time.advance(minutes(1));
    };
    block("TASK-0002", "no key");
    block("TASK-0001", "no server");
    block("TASK-0003", "over");
    block("TASK-0002", "nor a lock");
    fixture.engine.unblock_item(&fixture.caller, "TASK-0003", &during()).unwrap();
    let work = recent(&fixture, 5);
    assert_eq!(work.blockers_total, 2);
    let told: Vec<_> = work.blockers.iter().map(|one| (one.id.as_str(), one.reasons.join(", "))).collect();
    assert_eq!(told, [("TASK-0002", "no key, nor a lock".to_owned()), ("TASK-0001", "no server".to_owned())]);
}

#[test]
fn the_window_is_bounded_and_says_how_many_there_are() {
    let fixture = Fixture::new();
    for n in 0..130 {
        let status = if n % 2 == 0 { Status::Blocked } else { Status::Done };
        add(&fixture, NewItem { status, ..NewItem::of("x") });
        add(&fixture, NewItem { status: Status::Blocked, ..NewItem::of("x") });
    }
    let work = recent(&fixture, 1000);
    assert_eq!((work.completed.len(), work.blockers.len(), work.blockers_total), (65, 100, 195));
}
