//! Which items and resources a text names.

use throughline_store::item::Reference;
use throughline_store::link::{self, Kind, Node};

use super::{Patch, add, texts, titled, update};
use crate::backlog::{NewItem, ids_in};
use crate::testing::Fixture;

fn in_text(text: &str) -> Vec<String> {
    ids_in(text).map(|id| id.to_string()).collect()
}

/// What an item's texts name, as the links have it.
fn named(fixture: &Fixture, id: &str) -> Vec<String> {
    let node = Node::item(&id.to_owned().into());
    let read = |conn: &mut dyn throughline_store::Connection| {
        link::from(conn, &fixture.caller.project, &node, Kind::References)
    };
    fixture.engine.store().read(read).unwrap().into_iter().map(|node| node.id).collect()
}

#[test]
fn ids_are_words_of_their_own() {
    for (text, found) in [
        ("see TASK-0001 and epic-0002, MLST-12345.", vec!["TASK-0001", "EPIC-0002", "MLST-12345"]),
        (
            "(TASK-0001) [FLDR-0003]\nARTF-0004:TASK-0005",
            vec!["TASK-0001", "FLDR-0003", "ARTF-0004", "TASK-0005"],
        ),
        ("https://example.org/TASK-0001?a=TASK-0002#TASK-0003", vec!["TASK-0001", "TASK-0002", "TASK-0003"]),
        ("TASK-0001-TASK-0002", vec!["TASK-0001", "TASK-0002"]),
        ("TASK-0001 TASK-0001", vec!["TASK-0001", "TASK-0001"]),
        ("XTASK-0001 TASK-12 TASK-0001x TASK_0001 TASK- -0001 ÄTASK-0001 TASK-0001ß _TASK-0001", vec![]),
        ("TASK–0001 TASK 0001 BUG-0001", vec![]),
        ("-", vec![]),
        ("漢字TASK-0001は", vec!["TASK-0001"]),
        ("「TASK-0001」", vec!["TASK-0001"]),
        ("", vec![]),
    ] {
        assert_eq!(in_text(text), found, "{text}");
    }
}

#[test]
fn every_text_of_an_item_may_name_others() {
    let fixture = Fixture::new();
    let new = NewItem {
        description: "after TASK-0003, see throughline://resource/notes/plan.md.".into(),
        references: vec![
            Reference {
                url: "mcp://backlog/resources/TASK-0001/adr.md".into(),
                title: Some("of EPIC-0002".into()),
            },
            Reference { url: "https://example.org".into(), title: None },
        ],
        evidence: texts(&["as in TASK-0004", "again TASK-0003"]),
        blocked_reason: texts(&["until TASK-0005"]),
        summary: Some("like TASK-0006".into()),
        ..NewItem::of("Like TASK-0002")
    };
    let id = add(&fixture, new).item.id.to_string();
    assert_eq!(id, "TASK-0001");
    assert_eq!(
        named(&fixture, &id),
        [
            "TASK-0001/adr.md",
            "EPIC-0002",
            "TASK-0002",
            "TASK-0003",
            "notes/plan.md",
            "TASK-0004",
            "TASK-0005",
            "TASK-0006",
        ],
        "each once, and never itself"
    );
}

#[test]
fn what_a_changed_text_no_longer_names_is_no_link() {
    let fixture = Fixture::new();
    let id =
        add(&fixture, NewItem { description: "TASK-0007".into(), ..NewItem::of("a") }).item.id.to_string();
    update(&fixture, &id, Patch { description: Some("EPIC-0001".into()), ..Patch::default() }).unwrap();
    assert_eq!(named(&fixture, &id), ["EPIC-0001"]);
    update(&fixture, &id, Patch { title: Some("b of TASK-0009".into()), ..Patch::default() }).unwrap();
    assert_eq!(named(&fixture, &id), ["TASK-0009", "EPIC-0001"]);
}

#[test]
fn those_who_name_an_item_are_found_from_it() {
    let fixture = Fixture::new();
    let about =
        |title: &str| add(&fixture, NewItem { description: "see TASK-0001".into(), ..NewItem::of(title) });
    titled(&fixture, "named");
    about("b");
    about("c");
    let node = Node::item(&"TASK-0001".to_owned().into());
    let read = |conn: &mut dyn throughline_store::Connection| {
        link::to(conn, &fixture.caller.project, (&node, Kind::References), (link::End::Item, 9))
    };
    let from: Vec<String> =
        fixture.engine.store().read(read).unwrap().into_iter().map(|node| node.id).collect();
    assert_eq!(from, ["TASK-0003", "TASK-0002"]);
}
