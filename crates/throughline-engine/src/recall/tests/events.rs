//! Finding what happened: the log is searched up to its last event.

use throughline_store::index_page::Collection;

use super::{By, EventKind, Fixture, Kind, Query, Recalled, Settings, found, recall, said, texts};
use crate::capture::Observation;
use crate::testing::saw;

fn events(text: &str) -> Query {
    Query { kinds: vec![Kind::Event], ..Query::of(text, 100) }
}

fn unindexed(recalled: &Recalled) -> i64 {
    recalled.searched.iter().find(|searched| searched.collection == Collection::Events).unwrap().unindexed
}

#[test]
fn an_event_is_found_as_soon_as_it_is_recorded() {
    let fixture = Fixture::new();
    for n in 0..40 {
        let content = format!("question number{n} about invoices");
        fixture.record(said(EventKind::UserMessage, &format!("run {n}"), &content));
        let recalled = recall(&fixture, &Query { by: By::Words, ..events(&format!("number{n}")) });
        assert_eq!((texts(&recalled), unindexed(&recalled)), (vec![content.as_str()], 0));
    }
}

#[test]
fn every_kind_of_event_that_says_something_is_found_by_its_words_and_its_target() {
    let own = [
        EventKind::SystemEvent,
        EventKind::MemoryRecall,
        EventKind::Checkpoint,
        // The item and the resource are found themselves.
        EventKind::ItemCreated,
        EventKind::ItemUpdated,
        EventKind::ItemDeleted,
        EventKind::ResourceWritten,
    ];
    for kind in EventKind::ALL.iter().filter(|kind| !own.contains(kind)) {
        let fixture = Fixture::new();
        let target = Some("src/billing/invoice.rs".to_owned());
        fixture.record(Observation { target, ..said(*kind, "run", "rounding of cents") });
        assert_eq!(found(&fixture, "rounding cents"), ["rounding of cents"], "{kind}");
        assert_eq!(found(&fixture, "billing"), ["rounding of cents"], "{kind}");
    }
}

#[test]
fn a_file_is_found_by_its_name_in_a_small_store() {
    let fixture = Fixture::new();
    let target = Some("src/billing/invoice.rs".to_owned());
    fixture.record(Observation { target, ..said(EventKind::Write, "run", "rounding of cents") });
    assert_eq!(found(&fixture, "invoice.rs"), ["rounding of cents"]);
}

#[test]
fn an_event_without_content_is_found_by_its_summary() {
    let fixture = Fixture::new();
    fixture.record(Observation { summary: Some("ran the linter".into()), ..saw(EventKind::ToolCall, "run") });
    assert_eq!(found(&fixture, "linter"), ["ran the linter"]);
}

#[test]
fn a_long_event_is_found_by_its_beginning() {
    let fixture = Fixture::new();
    let long = format!("aardvark {} zyzzyva", "é".repeat(20_000));
    fixture.record(said(EventKind::ToolResult, "run", &long));
    let by_words = |text: &str| recall(&fixture, &Query { by: By::Words, ..events(text) }).total;
    assert_eq!((by_words("aardvark"), by_words("zyzzyva")), (1, 0));
}

#[test]
fn a_search_takes_in_so_many_events_and_says_how_many_are_left() {
    let mut settings = Settings::default();
    settings.recall.catch_up_events = 600;
    let fixture = Fixture::with(settings);
    fixture.capture((0..1500).map(|n| said(EventKind::Read, "run", &format!("line{n}"))).collect());
    let left: Vec<i64> = (0..3).map(|_| unindexed(&recall(&fixture, &events("line7")))).collect();
    assert_eq!(left, [1500 - 1024, 0, 0]);
    let by_words = Query { by: By::Words, ..events("line1499") };
    assert_eq!(texts(&recall(&fixture, &by_words)), ["line1499"]);
}

#[test]
fn what_a_search_leaves_is_indexed_by_a_worker() {
    let mut settings = Settings::default();
    settings.recall.catch_up_events = 600;
    let fixture = Fixture::with(settings);
    fixture.capture((0..1500).map(|n| said(EventKind::Read, "run", &format!("line{n}"))).collect());
    recall(&fixture, &events("line7"));
    while fixture.engine.work_one("worker").unwrap().is_some() {}
    assert_eq!(fixture.engine.unindexed_events(&fixture.caller).unwrap(), 0);
}

#[test]
fn an_answer_is_found_beside_its_question() {
    let fixture = Fixture::new();
    fixture.record(said(EventKind::UserMessage, "run", "which colour did we choose for the logo"));
    fixture.record(said(EventKind::ModelMessage, "run", "teal"));
    fixture.record(said(EventKind::UserMessage, "another run", "order lunch"));
    let recalled = recall(&fixture, &Query { floor: Some(0.05), ..events("colour chosen for the logo") });
    assert_eq!(texts(&recalled), ["which colour did we choose for the logo", "teal"]);
}

#[test]
fn memories_and_events_come_in_one_list() {
    let fixture = super::knowing(&["invoices are rounded up"]);
    fixture.record(said(EventKind::UserMessage, "run", "are invoices rounded up or down"));
    let mut both = found(&fixture, "invoices rounded");
    both.sort_unstable();
    assert_eq!(both, ["are invoices rounded up or down", "invoices are rounded up"]);
}
