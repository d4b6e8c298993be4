//! Who stands around an item, and who names it.

use throughline_engine::backlog::{NewItem, Says, Source};
use throughline_engine::hydrate::{Relation, Role};
use throughline_engine::store::item::{Reference, Status};

use super::super::backlog::{Backlog, own};
use super::{ids, limited};
use crate::wire::context::Format;

#[test]
fn all_four_of_a_thousand_that_refer_to_an_item_are_listed() {
    let backlog = Backlog::empty(11);
    let sources = (1..=1000).map(|n| {
        let mut item = NewItem { id: Some(format!("TASK-{n:04}")), ..NewItem::of(format!("item {n}")) };
        match n {
            17 => item.description = "after TASK-0500 is done".to_owned(),
            400 => item.evidence = vec!["seen in task-0500.".to_owned()],
            401 => {
                item.references =
                    vec![Reference { url: "https://x.example/TASK-0500?tab=1".to_owned(), title: None }];
            }
            1000 => {
                let title = Some("TASK-0500, and TASK-0500 again".to_owned());
                item.references = vec![Reference { url: "https://x.example".to_owned(), title }];
            }
            _ => item.description = "after TASK-500 and TASK-05001".to_owned(),
        }
        Source { key: format!("TASK-{n:04}"), place: String::new(), item, says: Says::Everything }
    });
    backlog.engine.import_items(&backlog.caller, sources.collect(), &own()).unwrap();
    let answer = backlog.all_about("TASK-0500");
    assert_eq!(ids(&answer, Role::ReferencedBy), ["TASK-1000", "TASK-0401", "TASK-0400", "TASK-0017"]);
}

#[test]
fn the_whole_chain_that_blocks_is_shown_with_statuses() {
    let backlog = Backlog::empty(12);
    let last = backlog.create(NewItem { status: Status::InProgress, ..NewItem::of("Schema") });
    let after = |id: &str, title: &str| NewItem { depends_on: vec![id.to_owned()], ..NewItem::of(title) };
    let middle = backlog.create(NewItem { status: Status::Blocked, ..after(&last, "Store") });
    let focal = backlog.create(after(&middle, "Search"));
    let waits = backlog.create(after(&focal, "Page"));
    let answer = backlog.all_about(&focal);
    let told: Vec<_> = answer
        .dependencies
        .iter()
        .map(|it| (it.entity.item.id.as_str(), it.relation, it.entity.item.status, it.entity.graph_depth))
        .collect();
    let expected = [
        (middle.as_str(), Relation::DependsOn, Status::Blocked, None),
        (last.as_str(), Relation::DependsOn, Status::InProgress, Some(2)),
        (waits.as_str(), Relation::Blocks, Status::Open, None),
    ];
    assert_eq!(told, expected);
    let text = super::sent(&answer, Format::Markdown);
    assert!(text.contains(&format!("- blocked by {last} [in_progress] Schema (2 steps)")), "{text}");
}

#[test]
fn a_cap_on_descendants_keeps_nobody_from_another_role() {
    let backlog = Backlog::empty(13);
    let focal = backlog.create(NewItem::of("Focal"));
    let child = backlog.below(&focal, "Child");
    backlog.below(&child, "first");
    let naming =
        NewItem { parent: Some(child), description: format!("see {focal}"), ..NewItem::of("second") };
    let naming = backlog.create(naming);
    let mut request = limited(&focal, "descendants", 1);
    request.depth = throughline_engine::hydrate::Depth::new(2).unwrap();
    let answer = backlog.hydrate(&request, Format::Json);
    assert_eq!(ids(&answer, Role::ReferencedBy), [naming.as_str()]);
}

/// Data that the engine would refuse: two items below each other, and a cap on the way.
#[test]
fn what_is_below_an_item_that_is_below_itself_is_counted_once() {
    let backlog = Backlog::empty(14);
    let focal = backlog.create(NewItem::of("Focal"));
    let other = backlog.below(&focal, "Other");
    let further = backlog.below(&other, "Further");
    super::super::broken::hang(&backlog, &focal, &other);
    super::super::broken::count_again(&backlog);
    let mut request = limited(&focal, "per_parent", 1);
    request.limits.set("siblings", 0).unwrap();
    request.depth = throughline_engine::hydrate::Depth::new(2).unwrap();
    let answer = backlog.hydrate(&request, Format::Json);
    let parent = answer.parent.as_ref().map(|parent| parent.item.id.as_str());
    assert_eq!((parent, ids(&answer, Role::Siblings)), (Some(other.as_str()), vec![]));
    let below = answer.metadata.omitted.iter().find(|it| it.role == Role::Descendants);
    assert_eq!(below.map(|it| it.total), Some(1), "{further} is two steps below");
}
