//! What JSON says about an item: null clears, lists replace, what is not there stays.

use serde_json::{Value as Json, json};
use throughline_engine::backlog::{NewItem, Patch, Set};
use throughline_engine::store::item::{Context, Priority, Reference, Status, Type, Validation};

use super::{Change, New, cursor};

fn change(json: Json) -> Result<Patch, String> {
    serde_json::from_value::<Change>(json).map_err(|e| e.to_string())?.checked()
}

fn new(json: Json) -> Result<NewItem, String> {
    serde_json::from_value::<New>(json).map_err(|e| e.to_string())?.checked()
}

#[test]
fn nothing_said_changes_nothing() {
    assert_eq!(change(json!({})), Ok(Patch::default()));
}

#[test]
fn null_clears() {
    let cleared = Patch {
        description: Some(String::new()),
        parent: Set::Clear,
        references: Some(vec![]),
        depends_on: Some(vec![]),
        blocks: Some(vec![]),
        evidence: Some(vec![]),
        blocked_reason: Some(vec![]),
        priority: Set::Clear,
        due_date: Set::Clear,
        context: Set::Clear,
        summary: Set::Clear,
        validation: Set::Clear,
        ..Patch::default()
    };
    let fields = [
        "description",
        "parent_id",
        "references",
        "depends_on",
        "blocks",
        "evidence",
        "blocked_reason",
        "priority",
        "due_date",
        "requires_context",
        "summary",
        "validation",
    ];
    let nulls: serde_json::Map<String, Json> =
        fields.iter().map(|name| ((*name).to_owned(), Json::Null)).collect();
    assert_eq!(change(Json::Object(nulls)), Ok(cleared));
    assert_eq!(
        change(json!({ "title": null, "status": null })),
        Ok(Patch::default()),
        "these cannot be nothing"
    );
}

#[test]
fn values_replace() {
    let said = json!({
        "title": "t", "status": "In Progress", "parent_id": "EPIC-0001", "references": ["u", { "url": "v", "title": "w" }],
        "depends_on": ["a"], "evidence": ["e"], "priority": 0, "requires_context": false,
        "validation": { "valid": true },
    });
    let patch = Patch {
        title: Some("t".into()),
        status: Some(Status::InProgress),
        parent: Set::To("EPIC-0001".into()),
        references: Some(vec![
            Reference { url: "u".into(), title: None },
            Reference { url: "v".into(), title: Some("w".into()) },
        ]),
        depends_on: Some(vec!["a".into()]),
        evidence: Some(vec!["e".into()]),
        priority: Set::To(Priority::Critical),
        context: Set::To(Context::Isolated),
        validation: Set::To(Validation { valid: true, report: None }),
        ..Patch::default()
    };
    assert_eq!(change(said), Ok(patch));
}

#[test]
fn a_new_item_needs_a_title_alone() {
    assert_eq!(new(json!({ "title": "t" })), Ok(NewItem::of("t")));
    let whole =
        new(json!({ "title": "t", "type": "Epic", "priority": "P1", "references": null, "blocks": ["a"] }))
            .unwrap();
    assert_eq!(
        (whole.item_type, whole.priority, whole.blocks),
        (Type::Epic, Some(Priority::High), vec!["a".to_owned()])
    );
}

#[test]
fn what_is_wrong_is_said() {
    for (said, words) in [
        (change(json!({ "state": "open" })).unwrap_err(), "unknown field `state`"),
        (change(json!({ "status": "someday" })).unwrap_err(), "open, in_progress, blocked, done, cancelled"),
        (change(json!({ "priority": 9 })).unwrap_err(), "critical, high, medium, low, lowest"),
        (change(json!({ "depends_on": "TASK-0001" })).unwrap_err(), "expected a sequence"),
        (new(json!({})).map(|_| ()).unwrap_err(), "missing field `title`"),
        (
            new(json!({ "title": "t", "type": "story" })).map(|_| ()).unwrap_err(),
            "task, epic, milestone, folder, artifact",
        ),
        (cursor("abc").map(|_| ()).unwrap_err(), "is no cursor"),
    ] {
        assert!(said.contains(words), "{said}");
    }
}
