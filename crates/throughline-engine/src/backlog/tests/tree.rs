//! The tree: no item below itself, counts that stay true, and data that has a cycle already.

use proptest::prelude::*;
use throughline_store::item::{Filter, Item};

use super::{add, all, assert_counts_are_true, below, during, entry, force_parent, moved, titled, update};
use crate::backlog::{NewItem, Patch, Query, Set};
use crate::testing::{Fixture, refused};

#[test]
fn an_item_is_never_below_itself() {
    let fixture = Fixture::new();
    let top = titled(&fixture, "top");
    let middle = below(&fixture, &top, "middle");
    let low = below(&fixture, &middle, "low");
    let said = [
        refused(moved(&fixture, &top, &top)),
        refused(moved(&fixture, &top, &middle)),
        refused(moved(&fixture, &top, &low)),
    ];
    insta::assert_snapshot!(said.join("\n"), @"
    invalid: TASK-0001 cannot be below TASK-0001: that would be a cycle, TASK-0001 → TASK-0001; choose a parent that is not below it
    invalid: TASK-0001 cannot be below TASK-0002: that would be a cycle, TASK-0001 → TASK-0002 → TASK-0001; choose a parent that is not below it
    invalid: TASK-0001 cannot be below TASK-0003: that would be a cycle, TASK-0001 → TASK-0003 → TASK-0002 → TASK-0001; choose a parent that is not below it
    ");
    assert_counts_are_true(&fixture);
    moved(&fixture, &low, &top).unwrap();
    moved(&fixture, &middle, &low).unwrap();
    assert_counts_are_true(&fixture);
}

/// Three in a ring, one item below them, and counts as nobody kept them.
fn ring(fixture: &Fixture) -> [String; 4] {
    let a = titled(fixture, "ring one");
    let b = below(fixture, &a, "ring two");
    let c = below(fixture, &b, "ring three");
    let low = below(fixture, &b, "below the ring");
    force_parent(fixture, &a, &c);
    [a, b, c, low]
}

#[test]
fn a_ring_is_read_safely() {
    let fixture = Fixture::new();
    let [a, b, c, low] = ring(&fixture);
    for id in [&a, &b, &c, &low] {
        assert_eq!(entry(&fixture, id).item.id.as_str(), id);
    }
    let every = fixture.engine.items(&fixture.caller, &Query::default(), 99).unwrap();
    assert_eq!(every.total, 4);
    let about = Query { text: Some("ring".into()), filter: Filter::default() };
    assert_eq!(fixture.engine.items(&fixture.caller, &about, 99).unwrap().items.len(), 4);
    // Changes beside the ring, below it and of what is in it.
    below(&fixture, &low, "deeper");
    moved(&fixture, &low, &a).unwrap();
    update(&fixture, &b, Patch { title: Some("ring 2".into()), ..Patch::default() }).unwrap();
    fixture.engine.complete_item(&fixture.caller, &c, (None, None, vec![]), &during()).unwrap();
    fixture.engine.recent_work(&fixture.caller, 5).unwrap();
    fixture.engine.rebuild_index(&fixture.caller).unwrap();
}

#[test]
fn a_ring_is_repaired_by_moving_one_of_it() {
    for by in 0..3 {
        for to_the_top in [true, false] {
            let fixture = Fixture::new();
            let ids = ring(&fixture);
            let parent = if to_the_top { Set::Clear } else { Set::To(titled(&fixture, "elsewhere")) };
            update(&fixture, &ids[by], Patch { parent, ..Patch::default() }).unwrap();
            assert_counts_are_true(&fixture);
        }
    }
}

#[test]
fn an_item_below_itself_is_repaired() {
    let fixture = Fixture::new();
    let a = titled(&fixture, "a");
    below(&fixture, &a, "b");
    force_parent(&fixture, &a, &a);
    assert_eq!(entry(&fixture, &a).item.parent.unwrap().as_str(), a);
    update(&fixture, &a, Patch { parent: Set::Clear, ..Patch::default() }).unwrap();
    assert_counts_are_true(&fixture);
}

#[test]
fn one_of_a_ring_can_be_deleted() {
    for by in 0..3 {
        let fixture = Fixture::new();
        let ids = ring(&fixture);
        fixture.engine.delete_item(&fixture.caller, &ids[by], &during()).unwrap();
        assert_eq!(all(&fixture).len(), 3);
        assert_counts_are_true(&fixture);
    }
    let fixture = Fixture::new();
    let a = titled(&fixture, "a");
    force_parent(&fixture, &a, &a);
    fixture.engine.delete_item(&fixture.caller, &a, &during()).unwrap();
    assert_eq!(all(&fixture), []);
}

#[test]
fn a_parent_that_is_gone_keeps_nobody() {
    let fixture = Fixture::new();
    let a = titled(&fixture, "a");
    force_parent(&fixture, &a, "TASK-0099");
    below(&fixture, &a, "b");
    update(&fixture, &a, Patch { parent: Set::Clear, ..Patch::default() }).unwrap();
    assert_counts_are_true(&fixture);
}

#[derive(Debug, Clone)]
enum Step {
    Create(Option<prop::sample::Index>),
    Move(prop::sample::Index, Option<prop::sample::Index>),
    Delete(prop::sample::Index),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let one = any::<prop::sample::Index>;
    let step = prop_oneof![
        4 => prop::option::weighted(0.8, one()).prop_map(Step::Create),
        4 => (one(), prop::option::weighted(0.8, one())).prop_map(|(item, to)| Step::Move(item, to)),
        1 => one().prop_map(Step::Delete),
    ];
    prop::collection::vec(step, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn counts_stay_true_whatever_is_done(steps in steps()) {
        let fixture = Fixture::new();
        for step in steps {
            let items = all(&fixture);
            let named = |at: &prop::sample::Index| -> Option<String> {
                (!items.is_empty()).then(|| items[at.index(items.len())].id.to_string())
            };
            match step {
                Step::Create(parent) => {
                    add(&fixture, NewItem { parent: parent.as_ref().and_then(named), ..NewItem::of("x") });
                }
                Step::Move(item, to) => {
                    let Some(item) = named(&item) else { continue };
                    let to = to.as_ref().and_then(named);
                    let legal = to.as_ref().is_none_or(|to| !is_at_or_below(&items, to, &item));
                    let parent = to.map_or(Set::Clear, Set::To);
                    let outcome = update(&fixture, &item, Patch { parent, ..Patch::default() });
                    prop_assert_eq!(outcome.is_ok(), legal, "{:?}", outcome);
                }
                Step::Delete(item) => {
                    let Some(item) = named(&item) else { continue };
                    fixture.engine.delete_item(&fixture.caller, &item, &during()).unwrap();
                }
            }
            assert_counts_are_true(&fixture);
        }
        prop_assert_eq!(fixture.violations(), Vec::<String>::new());
    }
}

fn is_at_or_below(items: &[Item], id: &str, above: &str) -> bool {
    let mut next = Some(id.to_owned());
    while let Some(id) = next {
        if id == above {
            return true;
        }
        let item = items.iter().find(|item| item.id.as_str() == id);
        next = item.and_then(|item| item.parent.as_ref()).map(ToString::to_string);
    }
    false
}
