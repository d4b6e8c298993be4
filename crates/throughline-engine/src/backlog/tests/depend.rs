//! What must come first: refused when it leads round, read from both ends, safe when it leads round already.

use super::{Patch, add, depending, during, entry, force_dependency, ids, texts, titled, update};
use crate::backlog::NewItem;
use crate::testing::{Fixture, refused};

fn blocking(fixture: &Fixture, id: &str, waiting: &[&str]) -> crate::Result<super::Entry> {
    update(fixture, id, Patch { blocks: Some(texts(waiting)), ..Patch::default() })
}

/// So many items, `TASK-0001` and on.
fn items(fixture: &Fixture, count: usize) {
    (0..count).for_each(|_| {
        titled(fixture, "x");
    });
}

#[test]
fn both_ends_say_the_same() {
    let fixture = Fixture::new();
    items(&fixture, 4);
    depending(&fixture, "TASK-0003", &["TASK-0002", "TASK-0001"]).unwrap();
    assert_eq!(ids(&entry(&fixture, "TASK-0003").depends_on), ["TASK-0002", "TASK-0001"], "as given");
    assert_eq!(ids(&entry(&fixture, "TASK-0001").blocks), ["TASK-0003"]);
    blocking(&fixture, "TASK-0001", &["TASK-0004", "TASK-0003"]).unwrap();
    assert_eq!(ids(&entry(&fixture, "TASK-0004").depends_on), ["TASK-0001"]);
    assert_eq!(ids(&entry(&fixture, "TASK-0003").depends_on), ["TASK-0002", "TASK-0001"]);
    blocking(&fixture, "TASK-0001", &["TASK-0004"]).unwrap();
    assert_eq!(ids(&entry(&fixture, "TASK-0003").depends_on), ["TASK-0002"]);
    depending(&fixture, "TASK-0004", &[]).unwrap();
    assert_eq!(entry(&fixture, "TASK-0001").blocks, []);
}

#[test]
fn a_way_round_is_refused_and_shown() {
    let fixture = Fixture::new();
    items(&fixture, 4);
    for (id, on) in [("TASK-0001", "TASK-0002"), ("TASK-0002", "TASK-0003"), ("TASK-0003", "TASK-0004")] {
        depending(&fixture, id, &[on]).unwrap();
    }
    let between = NewItem {
        depends_on: texts(&["TASK-0001"]),
        blocks: texts(&["TASK-0004"]),
        ..NewItem::of("closes the ring")
    };
    let said = [
        refused(depending(&fixture, "TASK-0001", &["TASK-0001"])),
        refused(depending(&fixture, "TASK-0004", &["TASK-0001"])),
        refused(depending(&fixture, "TASK-0003", &["TASK-0004", "TASK-0002"])),
        refused(blocking(&fixture, "TASK-0001", &["TASK-0004"])),
        refused(blocking(&fixture, "TASK-0002", &["TASK-0002"])),
        refused(fixture.engine.create_item(&fixture.caller, between, &during())),
    ];
    insta::assert_snapshot!(said.join("\n"), @"
    invalid: TASK-0001 cannot depend on itself: TASK-0001 → TASK-0001; name another item
    invalid: TASK-0004 cannot depend on TASK-0001: that would be a cycle, TASK-0004 → TASK-0001 → TASK-0002 → TASK-0003 → TASK-0004; remove one of these first
    invalid: TASK-0003 cannot depend on TASK-0002: that would be a cycle, TASK-0003 → TASK-0002 → TASK-0003; remove one of these first
    invalid: TASK-0004 cannot depend on TASK-0001: that would be a cycle, TASK-0004 → TASK-0001 → TASK-0002 → TASK-0003 → TASK-0004; remove one of these first
    invalid: TASK-0002 cannot depend on itself: TASK-0002 → TASK-0002; name another item
    invalid: TASK-0004 cannot depend on TASK-0005: that would be a cycle, TASK-0004 → TASK-0005 → TASK-0001 → TASK-0002 → TASK-0003 → TASK-0004; remove one of these first
    ");
    assert_eq!(ids(&entry(&fixture, "TASK-0003").depends_on), ["TASK-0004"], "as it was");
    depending(&fixture, "TASK-0001", &["TASK-0004", "TASK-0003"]).unwrap();
}

#[test]
fn a_diamond_is_no_cycle() {
    let fixture = Fixture::new();
    items(&fixture, 4);
    depending(&fixture, "TASK-0001", &["TASK-0002", "TASK-0003"]).unwrap();
    depending(&fixture, "TASK-0002", &["TASK-0004"]).unwrap();
    depending(&fixture, "TASK-0003", &["TASK-0004"]).unwrap();
    assert_eq!(ids(&entry(&fixture, "TASK-0004").blocks), ["TASK-0003", "TASK-0002"], "the newest first");
}

#[test]
fn a_ring_is_read_safely_and_repaired() {
    let fixture = Fixture::new();
    items(&fixture, 4);
    for (id, on) in [(1, 2), (2, 3), (3, 1), (4, 4)] {
        force_dependency(&fixture, &format!("TASK-{id:04}"), &format!("TASK-{on:04}"));
    }
    assert_eq!(ids(&entry(&fixture, "TASK-0001").depends_on), ["TASK-0002"]);
    assert_eq!(ids(&entry(&fixture, "TASK-0004").blocks), ["TASK-0004"]);
    // Beside the ring, and to it.
    add(&fixture, NewItem { depends_on: texts(&["TASK-0001"]), ..NewItem::of("waits for the ring") });
    update(&fixture, "TASK-0002", Patch { title: Some("y".into()), ..Patch::default() }).unwrap();
    let closed = refused(depending(&fixture, "TASK-0001", &["TASK-0005"]));
    assert!(closed.contains("TASK-0001 → TASK-0005 → TASK-0001"), "{closed}");
    depending(&fixture, "TASK-0003", &[]).unwrap();
    depending(&fixture, "TASK-0004", &["TASK-0001"]).unwrap();
    assert_eq!(ids(&entry(&fixture, "TASK-0004").depends_on), ["TASK-0001"]);
    assert_eq!(entry(&fixture, "TASK-0004").blocks, []);
    let back = refused(depending(&fixture, "TASK-0003", &["TASK-0001"]));
    assert!(back.contains("TASK-0003 → TASK-0001 → TASK-0002 → TASK-0003"), "{back}");
}

#[test]
fn a_ring_is_repaired_from_the_side_that_blocks() {
    let fixture = Fixture::new();
    items(&fixture, 2);
    force_dependency(&fixture, "TASK-0001", "TASK-0002");
    force_dependency(&fixture, "TASK-0002", "TASK-0001");
    blocking(&fixture, "TASK-0001", &[]).unwrap();
    assert_eq!(entry(&fixture, "TASK-0002").depends_on, []);
    assert_eq!(ids(&entry(&fixture, "TASK-0001").depends_on), ["TASK-0002"]);
}
