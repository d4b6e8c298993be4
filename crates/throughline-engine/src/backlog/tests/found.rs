//! Found by search: at once after creating, by the words of now after changing, never after deleting.

use throughline_store::item::{Filter, Reference, Status, Type};

use super::{Patch, add, below, during, texts, titled, update};
use crate::backlog::{Edit, NewItem, Query};
use crate::recall::{self, Found, Kind};
use crate::testing::{Fixture, minutes};

/// Ids of items, and paths of resources, that a search finds; the best first.
fn found(fixture: &Fixture, text: &str) -> Vec<String> {
    let name = |hit: recall::Hit| match hit.found {
        Found::Item(item) => item.id.to_string(),
        Found::Resource(resource) => resource.path,
        Found::Code(code) => code.file.path,
        Found::Event(event) => format!("event {}", event.summary),
        Found::Memory(memory) => memory.content,
    };
    let recalled = fixture
        .engine
        .recall(&fixture.caller, &recall::Query { by: recall::By::Words, ..recall::Query::of(text, 50) })
        .unwrap();
    recalled.hits.into_iter().map(name).collect()
}

#[test]
fn an_item_is_found_by_each_of_its_texts_at_once() {
    let fixture = Fixture::new();
    let new = NewItem {
        description: "the zebra crosses".into(),
        references: vec![Reference { url: "https://example.org".into(), title: Some("okapi paper".into()) }],
        evidence: texts(&["quagga.log"]),
        blocked_reason: texts(&["waits for the tapir"]),
        summary: Some("caught the wombat".into()),
        ..NewItem::of("Feed the aardvark")
    };
    let id = add(&fixture, new).item.id.to_string();
    titled(&fixture, "something else entirely");
    for word in ["aardvark", "zebra", "okapi", "quagga", "tapir", "wombat", "TASK-0001"] {
        assert_eq!(found(&fixture, word), [id.as_str()], "{word}");
    }
}

#[test]
fn a_changed_item_is_found_by_its_words_of_now() {
    let fixture = Fixture::new();
    let id =
        add(&fixture, NewItem { description: "zebra".into(), ..NewItem::of("aardvark") }).item.id.to_string();
    let patch = Patch { title: Some("okapi".into()), description: Some("quagga".into()), ..Patch::default() };
    update(&fixture, &id, patch).unwrap();
    for (word, hits) in [("okapi", 1), ("quagga", 1), ("aardvark", 0), ("zebra", 0)] {
        assert_eq!(found(&fixture, word).len(), hits, "{word}");
    }
    for n in 0..150 {
        update(&fixture, &id, Patch { title: Some(format!("okapi turn{n}")), ..Patch::default() }).unwrap();
        assert_eq!(found(&fixture, "okapi"), [id.as_str()], "once, after {n} changes");
    }
    assert_eq!(found(&fixture, "turn148"), [""; 0]);
}

#[test]
fn a_deleted_item_is_never_found() {
    let fixture = Fixture::new();
    let id = titled(&fixture, "zebra");
    below(&fixture, &id, "unrelated");
    fixture.engine.delete_item(&fixture.caller, &id, &during()).unwrap();
    assert_eq!(found(&fixture, "zebra"), [""; 0]);
    fixture.engine.rebuild_index(&fixture.caller).unwrap();
    assert_eq!(found(&fixture, "zebra"), [""; 0]);
    assert_eq!(found(&fixture, "unrelated"), ["TASK-0002"]);
}

#[test]
fn a_rebuilt_index_finds_the_same() {
    let fixture = Fixture::new();
    for n in 0..200 {
        titled(&fixture, &format!("zebra number{n}"));
    }
    update(&fixture, "TASK-0007", Patch { title: Some("okapi".into()), ..Patch::default() }).unwrap();
    fixture.engine.rebuild_index(&fixture.caller).unwrap();
    assert_eq!(found(&fixture, "number150"), ["TASK-0151"]);
    assert_eq!(
        (found(&fixture, "okapi"), found(&fixture, "number6").len()),
        (vec!["TASK-0007".to_owned()], 0)
    );
}

#[test]
fn a_long_text_is_found_by_its_beginning() {
    let fixture = Fixture::new();
    let long = |word: &str| format!("{word} {}", "filler ".repeat(20_000));
    let new = NewItem { description: long("zebra"), evidence: vec![long("okapi")], ..NewItem::of("long") };
    let id = add(&fixture, new).item.id.to_string();
    for word in ["zebra", "okapi"] {
        assert_eq!(found(&fixture, word), [id.as_str()], "{word}");
    }
}

#[test]
fn a_resource_is_found_by_its_words_of_now() {
    let fixture = Fixture::new();
    let write = |edit: &Edit| {
        fixture.engine.write_resource(
            &fixture.caller,
            "throughline://resource/notes/plan.md",
            edit,
            &during(),
        )
    };
    write(&Edit::Create { content: "# Zebra plan\n\nokapi first".into() }).unwrap();
    assert_eq!(
        (found(&fixture, "zebra"), found(&fixture, "okapi").len()),
        (vec!["notes/plan.md".to_owned()], 1)
    );
    write(&Edit::StrReplace { old: "okapi".into(), new: "quagga".into() }).unwrap();
    assert_eq!((found(&fixture, "okapi").len(), found(&fixture, "quagga").len()), (0, 1));
}

#[test]
fn a_list_about_something_obeys_the_other_conditions() {
    let fixture = Fixture::new();
    let parent = add(&fixture, NewItem { item_type: Type::Epic, ..NewItem::of("zebra epic") }).item.id;
    let child = below(&fixture, parent.as_str(), "zebra child");
    let done = titled(&fixture, "zebra done");
    update(&fixture, &done, Patch { status: Some(Status::Done), ..Patch::default() }).unwrap();
    fixture.time.advance(minutes(5));
    titled(&fixture, "zebra newest");
    titled(&fixture, "okapi");
    let about = |filter: Filter| {
        let query = Query { text: Some("zebra".into()), filter };
        let listed = fixture.engine.items(&fixture.caller, &query, 99).unwrap();
        let mut ids: Vec<String> = listed.items.iter().map(|item| item.id.to_string()).collect();
        assert_eq!(listed.total, ids.len() as i64);
        ids.sort();
        ids
    };
    assert_eq!(about(Filter::default()).len(), 4);
    assert_eq!(about(Filter { parent: Some(parent.clone()), ..Filter::default() }), [child.as_str()]);
    assert_eq!(about(Filter { item_type: Some(Type::Epic), ..Filter::default() }), [parent.as_str()]);
    assert_eq!(about(Filter { statuses: vec![Status::Done], ..Filter::default() }), [done.as_str()]);
    assert_eq!(about(Filter { since: Some(fixture.time.now()), ..Filter::default() }), ["TASK-0003"]);
    let query = Query { text: Some("zebra".into()), filter: Filter::default() };
    let listed = fixture.engine.items(&fixture.caller, &query, 1).unwrap();
    assert_eq!((listed.items.len(), listed.total), (1, 4));
    assert_eq!(
        fixture
            .engine
            .recall(
                &fixture.caller,
                &recall::Query { kinds: vec![Kind::Resource], ..recall::Query::of("zebra", 9) }
            )
            .unwrap()
            .hits
            .len(),
        0
    );
}
