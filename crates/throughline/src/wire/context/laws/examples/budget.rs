//! What fits, and what becomes of what does not.

use throughline_engine::backlog::{NewItem, Uri};
use throughline_engine::hydrate::{Depth, MaxTokens, Request, Role};
use throughline_engine::store::item::{Priority, Reference, Status, Validation};
use throughline_engine::tokens;

use super::super::backlog::{Backlog, minutes};
use super::super::case::FORMATS;
use super::{about, evidence, ids, sent};
use crate::wire::context::Format;

#[test]
fn a_huge_item_is_cut_with_a_mark_and_an_address() {
    let backlog = Backlog::empty(1);
    let description = "The payment gateway times out.\n".repeat(7_000);
    assert!(tokens::count(&description) > 40_000);
    let id = backlog.create(NewItem { description, ..NewItem::of("Timeouts") });
    let request = Request { max_tokens: MaxTokens::new(500).unwrap(), ..about(&id) };
    for format in FORMATS {
        let answer = backlog.hydrate(&request, format);
        let text = sent(&answer, format);
        assert!(tokens::count(&text) <= 500, "{format:?}: {}", tokens::count(&text));
        assert!(tokens::count(&text) > 450, "{format:?} leaves room: {}", tokens::count(&text));
        assert!(text.contains("The payment gateway times out.") && text.contains("… [cut;"), "{text}");
        assert!(text.contains(&Uri::of_item(&id)), "{text}");
        assert!(answer.metadata.truncated() && answer.focal.cut == ["description"]);
    }
}

/// The worst that can be asked for: an item whose every text is long, with something to leave out in every role.
#[test]
fn the_smallest_budget_holds_in_every_format() {
    let backlog = Backlog::empty(2);
    let long = "支付网关超时重试 and again ".repeat(400);
    let report = Some(Validation { valid: false, report: Some(long.clone()) });
    let named = |text: &str| format!("{long} {text}");
    let top = backlog.create(NewItem::of("Top"));
    let middle = backlog.below(&top, "Middle");
    let parent = NewItem {
        parent: Some(middle),
        description: long.clone(),
        blocked_reason: vec![long.clone()],
        status: Status::Blocked,
        ..NewItem::of("超时 ".repeat(80))
    };
    let parent = backlog.create(parent);
    let others: Vec<String> = (0..30).map(|n| backlog.create(NewItem::of(format!("支付 {n}")))).collect();
    let focal = backlog.create(NewItem {
        parent: Some(parent.clone()),
        description: named(&others[0]),
        references: (0..40)
            .map(|_| Reference { url: named(&others[1]), title: Some(long.clone()) })
            .collect(),
        evidence: vec![long.clone(); 40],
        blocked_reason: vec![long.clone(); 3],
        status: Status::Blocked,
        summary: Some(long.clone()),
        validation: report,
        source_key: Some("issues/".repeat(100)),
        priority: Some(Priority::Critical),
        due_date: Some("2026-11-15T09:30:00Z".to_owned()),
        depends_on: others[2..12].to_vec(),
        blocks: others[12..20].to_vec(),
        ..NewItem::of("支付网关超时 ".repeat(30))
    });
    surround(&backlog, &focal, &parent);
    let (depth, max_tokens) = (Depth::new(3).unwrap(), MaxTokens::new(500).unwrap());
    for format in FORMATS {
        let answer = backlog.hydrate(&Request { depth, max_tokens, ..about(&focal) }, format);
        let text = sent(&answer, format);
        assert!(answer.metadata.omitted.len() > 11, "{:?}", answer.metadata.omitted);
        assert!(tokens::count(&text) <= 500, "{format:?}: {} tokens\n{text}", tokens::count(&text));
        assert!(text.contains(&Uri::of_item(&focal)) && text.contains(&parent), "{text}");
    }
}

fn surround(backlog: &Backlog, focal: &str, parent: &str) {
    use throughline_engine::backlog::Edit;
    use throughline_engine::remember::Statement;
    use throughline_engine::store::memory::Kind;

    for n in 0..15 {
        backlog.below(parent, &format!("sibling {n}"));
        let child = backlog.below(focal, &format!("child {n}"));
        backlog.below(&child, &format!("grandchild {n}"));
        let naming =
            NewItem { description: format!("after {focal}"), ..NewItem::of(format!("支付网关 {n}")) };
        backlog.create(naming);
    }
    for n in 0..12 {
        let uri = format!("throughline://resource/{focal}/{n}.md");
        let edit = Edit::Create { content: format!("支付网关 {n}") };
        backlog.engine.write_resource(&backlog.caller, &uri, &edit, &super::own()).unwrap();
        for kind in [Kind::Fact, Kind::Decision] {
            let statement = Statement { kind, ..Statement::of(format!("支付网关超时 {kind} {n}")) };
            backlog.engine.remember(&backlog.caller, vec![statement]).unwrap();
        }
    }
    backlog.time.advance(minutes(60 * 24 * 9));
    backlog.set_status(&backlog.below(focal, "other"), Status::InProgress);
}

#[test]
fn a_large_entry_hides_no_smaller_one() {
    let backlog = Backlog::empty(3);
    let parent = backlog.create(NewItem::of("Parent"));
    let title = "支付网关超时重试订单退款 ".repeat(26);
    let first = backlog.below(&parent, &title);
    let second = backlog.below(&parent, "small");
    let request = Request { max_tokens: MaxTokens::new(500).unwrap(), ..about(&parent) };
    let answer = backlog.hydrate(&request, Format::PrettyJson);
    assert_eq!(
        ids(&answer, Role::Children),
        [second.as_str()],
        "{first} has {} tokens",
        tokens::count(&title)
    );
    let omitted = answer.metadata.omitted.iter().find(|it| it.role == Role::Children).unwrap();
    assert_eq!((omitted.total, omitted.shown), (2, 1));
}

#[test]
fn sixty_children_are_counted_and_fifty_shown() {
    let backlog = Backlog::empty(4);
    let parent = backlog.create(NewItem::of("Parent"));
    (0..60).for_each(|n| drop(backlog.below(&parent, &format!("child {n}"))));
    let answer = backlog.all_about(&parent);
    assert_eq!(answer.children.len(), 50);
    let json: serde_json::Value = serde_json::from_str(&sent(&answer, Format::Json)).unwrap();
    let omitted = serde_json::json!({ "total": 60, "shown": 50 });
    assert_eq!(json["metadata"]["omitted"]["children"], omitted);
    assert_eq!(json["metadata"]["truncated"], true);
}

#[test]
fn an_answer_with_everything_in_it_is_not_truncated() {
    let backlog = Backlog::empty(5);
    let parent = backlog.create(NewItem::of("Parent"));
    let child = backlog.below(&parent, "Child");
    backlog.update("agent:claude", &child, &evidence("seen"), &super::own());
    for format in FORMATS {
        let answer = backlog.hydrate(&about(&child), format);
        assert!(!answer.metadata.truncated(), "{:?}", answer.metadata);
        assert!(answer.metadata.omitted.is_empty());
    }
}
