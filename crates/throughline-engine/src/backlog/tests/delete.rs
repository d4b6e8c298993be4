//! Deleting items: what was below moves up, what waited waits no more.

use throughline_store::event::Kind as EventKind;
use throughline_store::id::ItemId;

use super::{assert_counts_are_true, below, depending, during, entry, ids, since, titled};
use crate::testing::{Fixture, refused};

#[test]
fn what_was_below_is_where_the_item_was() {
    let fixture = Fixture::new();
    let top = titled(&fixture, "top");
    let middle = below(&fixture, &top, "middle");
    let (one, two) = (below(&fixture, &middle, "one"), below(&fixture, &middle, "two"));
    below(&fixture, &one, "deep");
    let deleted = fixture.engine.delete_item(&fixture.caller, &middle.to_lowercase(), &during()).unwrap();
    assert_eq!(deleted.item.id.as_str(), middle);
    assert_eq!(ids(&deleted.moved), [one.as_str(), two.as_str()]);
    for id in [&one, &two] {
        assert_eq!(entry(&fixture, id).item.parent.as_ref().map(ItemId::as_str), Some(top.as_str()));
    }
    assert_counts_are_true(&fixture);
    let deleted = fixture.engine.delete_item(&fixture.caller, &top, &during()).unwrap();
    assert_eq!(ids(&deleted.moved), [one.as_str(), two.as_str()]);
    assert_eq!(entry(&fixture, &one).item.parent, None);
    assert_counts_are_true(&fixture);
}

#[test]
fn what_waited_waits_no_more() {
    let fixture = Fixture::new();
    let (first, second, last) = (titled(&fixture, "a"), titled(&fixture, "b"), titled(&fixture, "c"));
    depending(&fixture, &second, &[&first]).unwrap();
    depending(&fixture, &last, &[&second, &first]).unwrap();
    let deleted = fixture.engine.delete_item(&fixture.caller, &second, &during()).unwrap();
    assert_eq!(ids(&deleted.released), [last.as_str()]);
    assert_eq!(ids(&entry(&fixture, &last).depends_on), [first.as_str()]);
    assert_eq!(ids(&entry(&fixture, &first).blocks), [last.as_str()]);
    let log = fixture.log();
    let newest: Vec<_> = log.iter().rev().take(2).filter_map(|event| event.item_id.as_deref()).collect();
    assert_eq!(newest, [second.as_str(), last.as_str()], "each change is an event of the item it changes");
}

#[test]
fn the_log_keeps_what_was_deleted() {
    let fixture = Fixture::new();
    let parent = titled(&fixture, "parent");
    let child = below(&fixture, &parent, "child");
    let before = fixture.log().len();
    fixture.engine.delete_item(&fixture.caller, &parent, &during()).unwrap();
    let events = since(&fixture, before);
    let told: Vec<(EventKind, &str, &str)> = events
        .iter()
        .map(|event| (event.kind, event.item_id.as_deref().unwrap(), event.summary.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (EventKind::ItemUpdated, child.as_str(), "TASK-0002: moved to the top"),
            (EventKind::ItemDeleted, parent.as_str(), "deleted TASK-0001: parent"),
        ]
    );
    let parts: serde_json::Value = serde_json::from_str(events[1].parts.as_deref().unwrap()).unwrap();
    assert_eq!(parts["item"]["title"], "parent");
}

#[test]
fn what_is_gone_is_gone() {
    let fixture = Fixture::new();
    let (id, other) = (titled(&fixture, "a"), titled(&fixture, "b"));
    fixture.engine.delete_item(&fixture.caller, &id, &during()).unwrap();
    let said = [
        refused(fixture.engine.item(&fixture.caller, &id)),
        refused(fixture.engine.delete_item(&fixture.caller, &id, &during())),
        refused(depending(&fixture, &other, &[&id])),
        refused(super::moved(&fixture, &other, &id)),
    ];
    insta::assert_snapshot!(said.join("\n"), @r#"
    not found: there is no item "TASK-0001"; near it: TASK-0002
    not found: there is no item "TASK-0001"; near it: TASK-0002
    not found: there is no item "TASK-0001"; near it: TASK-0002
    not found: there is no item "TASK-0001"; near it: TASK-0002
    "#);
}
