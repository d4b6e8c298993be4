//! Statements that cannot be remembered: the message says why, and nothing of them stays.

use throughline_store::time::Timestamp;

use super::{Statement, story};
use crate::testing::{Fixture, SECRET, START, refused};

#[test]
fn wrong_statements_are_refused_with_what_is_wrong() {
    let of = || Statement::of("fine");
    let tags = |tags: &[&str]| Statement { tags: tags.iter().map(|tag| (*tag).to_owned()).collect(), ..of() };
    let key = |key: &str| Statement { state_key: Some(key.into()), ..of() };
    let many: Vec<String> = (0..33).map(|n| format!("tag-{n}")).collect();
    let cases = [
        (Statement::of(""), "there is nothing to remember: the content is empty; write what shall last"),
        (
            Statement::of(" \n\t "),
            "there is nothing to remember: the content is empty; write what shall last",
        ),
        (Statement::of("x".repeat(65_537)), "the memory's content has 65537 bytes and the limit is 65536; "),
        (
            Statement { title: Some("x".repeat(501)), ..of() },
            "the memory's title has 501 bytes and the limit is 500; ",
        ),
        (Statement { importance: Some(1.1), ..of() }, "the memory's importance must be between 0 and 1"),
        (Statement { importance: Some(f64::NAN), ..of() }, "the memory's importance must be between 0 and 1"),
        (Statement { confidence: Some(-0.1), ..of() }, "the memory's confidence must be between 0 and 1"),
        (
            Statement { confidence: Some(f64::INFINITY), ..of() },
            "the memory's confidence must be between 0 and 1",
        ),
        (Statement { tags: many, ..of() }, "the memory has 33 tags and the limit is 32; "),
        (tags(&["ok", " "]), "the tag \"\" must have 1 to 100 bytes and no line breaks"),
        (tags(&["a\nb"]), "the tag \"a\\nb\" must have 1 to 100 bytes"),
        (tags(&[&"é".repeat(51)]), "the tag \"ééé"),
        (tags(&[SECRET]), "the tag looks like a secret; use a plain name"),
        (key(" "), "the state key must have 1 to 200 bytes"),
        (key("a\u{7}b"), "the state key must have 1 to 200 bytes"),
        (key(&"k".repeat(201)), "the state key must have 1 to 200 bytes"),
        (key(SECRET), "the state key looks like a secret; use a plain name"),
        (
            Statement { expires_at: Some(START), ..of() },
            "the memory would have expired already; name a later time",
        ),
        (Statement { expires_at: Some(Timestamp(0)), ..of() }, "the memory would have expired already"),
    ];
    for (statement, why) in cases {
        let fixture = Fixture::new();
        let shown = format!("{statement:.80?}");
        let batch = vec![Statement::of("before"), statement, Statement::of("after")];
        let message = refused(fixture.engine.remember(&fixture.caller, batch));
        assert!(message.starts_with(&format!("invalid: {why}")), "{message}\nfor {shown}");
        assert_eq!((story(&fixture), fixture.log().len()), (vec![], 0), "{shown}");
    }
}

#[test]
fn a_batch_whose_last_statement_fails_in_the_database_leaves_nothing() {
    let fixture = Fixture::new();
    let unknown = Statement { supersedes: Some("nobody".into()), ..Statement::of("second") };
    refused(fixture.engine.remember(&fixture.caller, vec![Statement::of("first"), unknown]));
    assert_eq!((story(&fixture), fixture.log().len(), fixture.jobs().len()), (vec![], 0, 0));
    assert_eq!(super::found(&fixture, "first"), [""; 0]);
}

#[test]
fn the_largest_statement_is_accepted() {
    let fixture = Fixture::new();
    let largest = Statement {
        title: Some("t".repeat(500)),
        tags: (0..32).map(|n| format!("{n:0>100}")).collect(),
        importance: Some(1.0),
        confidence: Some(0.0),
        state_key: Some("k".repeat(200)),
        ..Statement::of("word ".repeat(13_107))
    };
    let memory = super::remember(&fixture, largest).memory;
    assert_eq!((memory.content.len(), memory.tags.len()), (65_534, 32));
}

#[test]
fn tags_that_come_together_are_counted_together() {
    let fixture = Fixture::new();
    let tagged = |prefix: &str| Statement {
        tags: (0..20).map(|n| format!("{prefix}{n}")).collect(),
        ..Statement::of("the same")
    };
    super::remember(&fixture, tagged("a"));
    let message = refused(fixture.engine.remember(&fixture.caller, vec![tagged("b")]));
    assert!(message.starts_with("invalid: the memory has 40 tags and the limit is 32; "), "{message}");
}

#[test]
fn a_tool_that_names_an_unknown_memory_is_refused_too() {
    let fixture = Fixture::new();
    let unknown = Statement { supersedes: Some("nobody".into()), ..Statement::of("second") };
    let message = refused(fixture.engine.remember(&fixture.caller, vec![super::by_a_tool(unknown)]));
    assert!(message.starts_with("not found: there is no memory \"nobody\"; "), "{message}");
}

#[test]
fn tags_are_trimmed_sorted_and_kept_once() {
    let fixture = Fixture::new();
    let tags = ["b ", "a", " b", "A"].map(str::to_owned).to_vec();
    assert_eq!(
        super::remember(&fixture, Statement { tags, ..Statement::of("x") }).memory.tags,
        ["A", "a", "b"]
    );
}

#[test]
fn a_title_that_is_accepted_is_kept_whole() {
    let fixture = Fixture::new();
    let title = "word ".repeat(60).trim().to_owned();
    let memory =
        super::remember(&fixture, Statement { title: Some(title.clone()), ..Statement::of("x") }).memory;
    assert_eq!(memory.title, title);
}
