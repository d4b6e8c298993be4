//! Resources: written whole or changed in one place, each time one event.

use throughline_store::event::Kind as EventKind;
use throughline_store::link::{self, Kind as LinkKind, Node};
use throughline_store::resource::Resource;

use super::{during, since};
use crate::backlog::{Edit, Written};
use crate::testing::{Fixture, SECRET, START, minutes, refused};
use crate::{Error, Result};

const PLAN: &str = "throughline://resource/notes/plan.md";

fn write(fixture: &Fixture, uri: &str, edit: &Edit) -> Result<Written> {
    fixture.engine.write_resource(&fixture.caller, uri, edit, &during())
}

fn create(fixture: &Fixture, content: &str) -> Resource {
    write(fixture, PLAN, &Edit::Create { content: content.into() }).unwrap().resource
}

/// The text after an edit.
fn edited(before: &str, edit: Edit) -> String {
    let fixture = Fixture::new();
    create(&fixture, before);
    match write(&fixture, PLAN, &edit) {
        Ok(_) => fixture.engine.resource(&fixture.caller, PLAN).unwrap().content,
        Err(Error::Invalid(why)) => format!("invalid: {why}"),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn a_resource_is_read_as_it_was_written_by_either_address() {
    let fixture = Fixture::new();
    let written = create(&fixture, "\n# The plan \n\ntext\r\n");
    let expected = Resource {
        number: 1,
        path: "notes/plan.md".into(),
        title: "The plan".into(),
        content: "\n# The plan \n\ntext\r\n".into(),
        created_at: START,
        updated_at: START,
        version: 1,
        document: 1,
    };
    assert_eq!(written, expected);
    for uri in [
        PLAN,
        "mcp://backlog/resources/notes/plan.md",
        "mcp://backlog/notes/plan.md",
        "throughline://notes/plan.md",
    ] {
        assert_eq!(fixture.engine.resource(&fixture.caller, uri).unwrap(), expected, "{uri}");
    }
    fixture.time.advance(minutes(1));
    let again = create(&fixture, "other");
    assert_eq!((again.number, again.version, again.title.as_str()), (1, 2, "other"));
    assert_eq!((again.created_at, again.updated_at), (START, fixture.time.now()));
    assert_eq!(fixture.engine.resources(&fixture.caller, 9).unwrap(), (vec![again], 1));
}

#[test]
fn a_text_that_occurs_once_is_replaced() {
    let replace = |old: &str, new: &str| Edit::StrReplace { old: old.into(), new: new.into() };
    assert_eq!(edited("one two three", replace("two", "2 $1")), "one 2 $1 three");
    assert_eq!(edited("one two", replace("one two", "")), "");
    let said = [
        edited("one two two", replace("two", "2")),
        edited("one", replace("two", "2")),
        edited("one", replace("", "2")),
        edited("aaa", replace("aa", "b")),
    ];
    insta::assert_snapshot!(said.join("\n"), @"
    invalid: the text to replace occurs 2 times; give more of what stands around it, so that it is unique
    invalid: the text to replace is not in the resource; read it and give the text exactly
    invalid: the text to replace is empty; give some of what is there
    invalid: the text to replace occurs 2 times; give more of what stands around it, so that it is unique
    ");
}

#[test]
fn lines_go_after_a_line() {
    let insert = |after_line, text: &str| Edit::Insert { after_line, text: text.into() };
    assert_eq!(edited("a\nb\n", insert(0, "x")), "x\na\nb\n");
    assert_eq!(edited("a\nb\n", insert(1, "x\ny\n")), "a\nx\ny\nb\n");
    assert_eq!(edited("a\nb", insert(2, "x")), "a\nb\nx");
    assert_eq!(edited("a\nb\n", insert(2, "x")), "a\nb\nx");
    assert_eq!(edited("a\r\nb", insert(1, "x")), "a\r\nx\nb");
    assert_eq!(edited("", insert(0, "x")), "x");
    insta::assert_snapshot!(edited("a\nb", insert(3, "x")), @"invalid: the resource has 2 lines, so nothing can follow line 3; give 0 to 2");
}

#[test]
fn an_addition_begins_a_line() {
    let append = |text: &str| Edit::Append { text: text.into() };
    assert_eq!(edited("a", append("b")), "a\nb");
    assert_eq!(edited("a\n", append("b\n")), "a\nb\n");
    let fixture = Fixture::new();
    write(&fixture, PLAN, &append("first")).unwrap();
    assert_eq!(
        fixture.engine.resource(&fixture.caller, PLAN).unwrap().content,
        "first",
        "there was nothing yet"
    );
}

#[test]
fn what_is_not_there_cannot_be_read_or_edited() {
    let fixture = Fixture::new();
    let said = [
        refused(fixture.engine.resource(&fixture.caller, PLAN)),
        refused(write(&fixture, PLAN, &Edit::StrReplace { old: "a".into(), new: "b".into() })),
        refused(write(&fixture, PLAN, &Edit::Insert { after_line: 0, text: "b".into() })),
        refused(write(&fixture, "throughline://item/TASK-0001", &Edit::Create { content: "b".into() })),
        refused(write(&fixture, "throughline://memory/x", &Edit::Create { content: "b".into() })),
        refused(write(&fixture, "file:///etc/passwd", &Edit::Create { content: "b".into() })),
    ];
    insta::assert_snapshot!(said.join("\n"), @r#"
    not found: there is no resource throughline://resource/notes/plan.md; create it first (`throughline resource write`, or the operation create)
    not found: there is no resource throughline://resource/notes/plan.md; create it first (`throughline resource write`, or the operation create)
    not found: there is no resource throughline://resource/notes/plan.md; create it first (`throughline resource write`, or the operation create)
    invalid: throughline://item/TASK-0001 is no resource; resources are at throughline://resource/PATH
    invalid: throughline://memory/x is no resource; resources are at throughline://resource/PATH
    invalid: "file:///etc/passwd" is no address of ours; write throughline://resource/PATH, for example throughline://resource/notes/plan.md
    "#);
    assert_eq!(fixture.log().len(), 0);
}

#[test]
fn each_edit_is_one_event_with_the_text_after_it() {
    let fixture = Fixture::new();
    create(&fixture, "# Plan\n");
    write(&fixture, PLAN, &Edit::Append { text: "more".into() }).unwrap();
    write(&fixture, PLAN, &Edit::StrReplace { old: "more".into(), new: "less".into() }).unwrap();
    let told: Vec<_> = fixture
        .log()
        .into_iter()
        .map(|event| (event.kind, event.summary, event.content.unwrap(), event.target.unwrap()))
        .collect();
    let event = |summary: &str, content: &str| {
        (EventKind::ResourceWritten, summary.to_owned(), content.to_owned(), PLAN.to_owned())
    };
    assert_eq!(
        told,
        [
            event("wrote throughline://resource/notes/plan.md: Plan", "# Plan\n"),
            event("added to throughline://resource/notes/plan.md: Plan", "# Plan\nmore"),
            event("edited throughline://resource/notes/plan.md: Plan", "# Plan\nless"),
        ]
    );
    create(&fixture, "# Plan\nless");
    assert_eq!(since(&fixture, 3), [], "nothing changed");
    assert_eq!(fixture.engine.resource(&fixture.caller, PLAN).unwrap().version, 3);
}

#[test]
fn a_resource_in_an_items_folder_happened_to_the_item() {
    let fixture = Fixture::new();
    let uri = "mcp://backlog/resources/TASK-0001/adr.md";
    write(&fixture, uri, &Edit::Create { content: "see EPIC-0002 and throughline://resource/a.md".into() })
        .unwrap();
    assert_eq!(fixture.last_event().item_id.as_deref(), Some("TASK-0001"));
    let read = |conn: &mut dyn throughline_store::Connection| {
        link::from(conn, &fixture.caller.project, &Node::resource("TASK-0001/adr.md"), LinkKind::References)
    };
    let named: Vec<String> =
        fixture.engine.store().read(read).unwrap().into_iter().map(|node| node.id).collect();
    assert_eq!(named, ["TASK-0001", "EPIC-0002", "a.md"]);
}

#[test]
fn secrets_are_taken_out() {
    let fixture = Fixture::new();
    create(&fixture, &format!("token {SECRET}\n"));
    write(&fixture, PLAN, &Edit::Append { text: format!("again {SECRET}") }).unwrap();
    let in_path = format!("throughline://resource/{SECRET}.md");
    let said = refused(write(&fixture, &in_path, &Edit::Create { content: "x".into() }));
    let kept = format!("{:?} {:?} {said}", fixture.engine.resources(&fixture.caller, 9), fixture.log());
    assert!(!kept.contains(SECRET), "{kept}");
    insta::assert_snapshot!(said, @"invalid: the path holds what looks like a secret; choose another");
}

#[test]
fn long_and_odd_texts_are_kept_and_too_long_ones_refused() {
    let fixture = Fixture::new();
    let long = "Größe 港\n".repeat(100_000);
    assert!(create(&fixture, &long).content == long);
    assert_eq!(create(&fixture, "a\0b").content, "a\u{2400}b");
    assert_eq!(create(&fixture, "").title, "plan.md");
    let said = refused(write(&fixture, PLAN, &Edit::Create { content: "x\n".repeat(3_000_000) }));
    insta::assert_snapshot!(said, @"invalid: the resource would have 6000000 bytes and the limit is 4194304; split it");
    assert_eq!(fixture.violations(), [""; 0]);
}
