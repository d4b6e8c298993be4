//! Every change is one event: who, in which session, about which item, in words.

use serde_json::{Value as Json, json};
use throughline_store::event::Kind as EventKind;
use throughline_store::item::{Priority, Reference, Status, Validation};

use super::{Patch, Set, add, during, since, texts, titled, update};
use crate::backlog::NewItem;
use crate::capture::{During, Opening, SessionRef};
use crate::settings::Settings;
use crate::testing::{Fixture, of, refused, said};

#[test]
fn an_event_knows_the_actor_the_session_and_the_item() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "Round the cents");
    let ann = fixture.by("user:ann");
    let elsewhere = During { session: of("another run"), opening: Opening::default() };
    let patch = Patch { status: Some(Status::InProgress), ..Patch::default() };
    fixture.engine.update_item(&ann, &id, &patch, &elsewhere).unwrap();
    let log = fixture.log();
    assert_eq!(log.len(), 2);
    let about: Vec<_> = log.iter().map(|event| (event.kind, event.actor.to_string())).collect();
    assert_eq!(
        about,
        [
            (EventKind::ItemCreated, "agent:claude".to_owned()),
            (EventKind::ItemUpdated, "user:ann".to_owned()),
        ]
    );
    assert_eq!(fixture.session("another run").id, log[1].session_id);
    for event in &log {
        assert_eq!(
            (event.item_id.as_deref(), event.target.as_deref()),
            (Some("TASK-0001"), Some("TASK-0001"))
        );
    }
    insta::assert_snapshot!(fixture.story(), @"
    run/default 1 item_created: created TASK-0001: Round the cents
    another run/default 1 item_updated: TASK-0001: status → in_progress
    ");
}

#[test]
fn changes_are_told_in_words() {
    let fixture = Fixture::new();
    let (parent, id) = (titled(&fixture, "parent"), titled(&fixture, "a"));
    let reference = Reference { url: "https://example.org".into(), title: None };
    let patches = [
        Patch { add_evidence: texts(&["log"]), status: Some(Status::InProgress), ..Patch::default() },
        Patch { evidence: Some(vec![]), ..Patch::default() },
        Patch { title: Some("b".into()), description: Some("text".into()), ..Patch::default() },
        Patch { references: Some(vec![reference]), priority: Set::To(Priority::High), ..Patch::default() },
        Patch { due_date: Set::To("2026-12-24".into()), parent: Set::To(parent), ..Patch::default() },
        Patch { priority: Set::Clear, due_date: Set::Clear, parent: Set::Clear, ..Patch::default() },
        Patch { depends_on: Some(texts(&["TASK-0001"])), ..Patch::default() },
        Patch { depends_on: Some(vec![]), blocks: Some(texts(&["TASK-0001"])), ..Patch::default() },
        Patch {
            status: Some(Status::Blocked),
            blocked_reason: Some(texts(&["x", "no\nkey"])),
            ..Patch::default()
        },
        Patch { status: Some(Status::Cancelled), ..Patch::default() },
    ];
    let before = fixture.log().len();
    let count = patches.len();
    for patch in patches {
        update(&fixture, &id, patch).unwrap();
    }
    let events = since(&fixture, before);
    assert_eq!(events.len(), count, "one event for each change");
    let told: Vec<&str> = events.iter().map(|event| event.summary.as_str()).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    TASK-0002: status → in_progress, added evidence
    TASK-0002: changed evidence
    TASK-0002: renamed to "b", changed description
    TASK-0002: changed references, priority → high
    TASK-0002: due date → 2026-12-24, moved below TASK-0001
    TASK-0002: priority → none, due date → none, moved to the top
    TASK-0002: depends on TASK-0001
    TASK-0002: depends on nothing, blocks TASK-0001
    TASK-0002: status → blocked, blocked: no key
    TASK-0002: status → cancelled, no longer blocked
    "#);
}

#[test]
fn an_event_keeps_what_became_of_what() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "a");
    let patch =
        Patch { status: Some(Status::InProgress), description: Some("new".into()), ..Patch::default() };
    update(&fixture, &id, patch).unwrap();
    let parts: Json = serde_json::from_str(fixture.last_event().parts.as_deref().unwrap()).unwrap();
    assert_eq!(
        parts,
        json!({ "item_id": id, "changes": {
            "status": { "from": "open", "to": "in_progress" },
            "description": { "to": "new" },
        }})
    );
}

#[test]
fn a_created_item_can_be_made_again_from_its_event() {
    let fixture = Fixture::new();
    let new = NewItem {
        description: "text".into(),
        validation: Some(Validation { valid: false, report: Some("no".into()) }),
        source_key: Some("github:7".into()),
        extra: Some(json!({ "labels": ["a"] })),
        ..NewItem::of("a")
    };
    let item = add(&fixture, new).item;
    let parts: Json = serde_json::from_str(fixture.last_event().parts.as_deref().unwrap()).unwrap();
    assert_eq!(
        parts["item"],
        json!({
            "id": "TASK-0001", "type": "task", "title": "a", "description": "text", "status": "open",
            "parent_id": null, "priority": null, "due_date": null, "context": null, "references": [],
            "depends_on": [], "blocks": [], "evidence": [], "blocked_reason": [], "summary": null,
            "validation": { "valid": false, "report": "no" }, "extra": { "labels": ["a"] },
            "source_key": "github:7", "created_at": item.created_at.0,
        })
    );
}

#[test]
fn a_completion_says_what_it_was_for_what_was_done_and_how_it_was_checked() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "Round the cents");
    let validation = Some(Validation { valid: false, report: Some("2 failed".into()) });
    let told = (Some("rounds half to even".to_owned()), validation, texts(&["run 7"]));
    fixture.engine.complete_item(&fixture.caller, &id, told, &during()).unwrap();
    let event = fixture.last_event();
    assert_eq!(
        (event.kind, event.content.as_deref()),
        (EventKind::TaskCompleted, Some("rounds half to even"))
    );
    assert_eq!(event.summary, "completed TASK-0001: Round the cents (not valid)");
    let parts: Json = serde_json::from_str(event.parts.as_deref().unwrap()).unwrap();
    let kept = |field: &str| parts[field].clone();
    assert_eq!((kept("intent"), kept("summary")), (json!("Round the cents"), json!("rounds half to even")));
    assert_eq!((kept("valid"), kept("report")), (json!(false), json!("2 failed")));
    assert_eq!(kept("requires_context"), json!(true));
    assert_eq!(fixture.log().len(), 2, "one event, not one for each field");
}

#[test]
fn a_completion_that_says_nothing_is_summed_up_from_the_log() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "Round the cents");
    for file in ["src/b.rs", "src/a.rs", "src/b.rs"] {
        fixture.record(crate::capture::Observation {
            item_id: Some(id.clone()),
            target: Some(file.into()),
            ..said(EventKind::Write, "run", "text")
        });
    }
    let told = (None, None, texts(&["12 tests\npass"]));
    fixture.engine.complete_item(&fixture.caller, &id, told, &during()).unwrap();
    assert_eq!(
        fixture.last_event().content.as_deref(),
        Some("Round the cents. Evidence: 12 tests pass. Files: src/a.rs, src/b.rs")
    );
}

#[test]
fn a_change_without_its_event_is_none() {
    let fixture = Fixture::with(Settings { max_content_bytes: 400, ..Settings::default() });
    let id = titled(&fixture, "a");
    let before = (super::all(&fixture), fixture.log());
    let long = Patch { description: Some("long ".repeat(100)), ..Patch::default() };
    let said = refused(update(&fixture, &id, long));
    assert_eq!((super::all(&fixture), fixture.log()), before);
    insta::assert_snapshot!(said, @"invalid: the event's parts has 559 bytes and the limit is 400; record a shorter text with a reference to the file, or raise log.max_content_bytes");
    assert_eq!(fixture.violations(), [""; 0]);
}

#[test]
fn an_item_is_finished_by_its_status_as_well() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "a");
    let own = During { session: SessionRef::Own, opening: Opening::default() };
    let done = Patch { status: Some(Status::Done), ..Patch::default() };
    fixture.engine.update_item(&fixture.caller, &id, &done, &own).unwrap();
    assert_eq!(fixture.last_event().kind, EventKind::TaskCompleted);
}
