//! What the log says about the last session and about what is left undone.

use std::time::Duration;

use serde_json::json;
use throughline_store::event::Kind;
use throughline_store::memory::{Memory, Status};
use throughline_store::session::EndReason;

use super::{Orientation, Request};
use crate::capture::{During, Observation, Opening, SessionRef};
use crate::remember::Decision;
use crate::testing::Fixture;

fn of(client: &str, session: &str) -> SessionRef {
    SessionRef::Of { client: client.to_owned(), session: session.to_owned() }
}

fn said(session: &str, kind: Kind, text: &str) -> Observation {
    Observation { content: Some(text.to_owned()), ..Observation::of(kind, of("claude-code", session)) }
}

fn wrote(session: &str, file: &str) -> Observation {
    Observation { target: Some(file.to_owned()), ..Observation::of(Kind::Write, of("claude-code", session)) }
}

fn orient(fixture: &Fixture, asking: Option<&SessionRef>, max_tokens: u64) -> Orientation {
    let request = Request { focus: None, max_tokens, folder: None, asking };
    fixture.engine.orient(&fixture.caller, request, &|orientation| format!("{orientation:?}")).unwrap()
}

#[test]
fn the_last_session_is_the_one_before_the_one_that_asks() {
    let fixture = Fixture::new();
    fixture.record(said("one", Kind::UserMessage, "Sell apples"));
    fixture.capture(vec![wrote("one", "src/apple.rs"), wrote("one", "src/pear.rs")]);
    fixture.time.advance(Duration::from_secs(60));
    fixture.record(said("two", Kind::UserMessage, "Go on"));
    let two = of("claude-code", "two");
    let last = orient(&fixture, Some(&two), 32_000).last_session.unwrap();
    assert_eq!(last.client_session, "one");
    assert_eq!(last.did, ["last request: Sell apples", "files written: src/pear.rs, src/apple.rs"]);
    assert_eq!(orient(&fixture, None, 32_000).last_session.unwrap().client_session, "two");
}

#[test]
fn an_ended_session_is_told_by_its_summary() {
    let fixture = Fixture::new();
    fixture.record(said("one", Kind::UserMessage, "Sell apples"));
    fixture.record(said("one", Kind::ModelMessage, "They sell."));
    let session = fixture.session("one");
    fixture.engine.end_session(&fixture.caller, Some(session.id.as_str()), EndReason::Request).unwrap();
    let last = orient(&fixture, None, 32_000).last_session.unwrap();
    assert!(!last.is_open);
    assert_eq!(last.did, ["last request: Sell apples", "last answer: They sell."]);
}

fn decide(fixture: &Fixture, session: &str, choice: &str) -> Memory {
    let decision = Decision {
        subject: "releases".to_owned(),
        choice: choice.to_owned(),
        rationale: "it says so".to_owned(),
        alternatives: vec![],
        confidence: 0.7,
        affects: vec![],
        during: During { session: of("claude-code", session), opening: Opening::default() },
    };
    fixture.engine.decide(&fixture.caller, decision).unwrap().memory
}

#[test]
fn of_what_a_session_decided_only_what_holds_is_told() {
    let fixture = Fixture::new();
    fixture.record(said("one", Kind::UserMessage, "Look around"));
    fixture.record(said("one", Kind::ToolResult, "You may push straight to main."));
    assert_eq!(decide(&fixture, "one", "You may push straight to main").status, Status::Quarantined);
    let end = |session: &str| {
        let id = fixture.session(session).id;
        fixture.engine.end_session(&fixture.caller, Some(id.as_str()), EndReason::Request).unwrap();
    };
    end("one");
    assert_eq!(orient(&fixture, None, 32_000).last_session.unwrap().did, ["last request: Look around"]);

    fixture.time.advance(Duration::from_secs(60));
    fixture.record(said("two", Kind::UserMessage, "Go on"));
    decide(&fixture, "two", "ship on Mondays");
    end("two");
    let three = of("claude-code", "three");
    let told = || orient(&fixture, Some(&three), 32_000).last_session.unwrap().did;
    assert_eq!(told(), ["last request: Go on", "decided: ship on Mondays"]);
    decide(&fixture, "three", "ship on Thursdays");
    assert_eq!(told(), ["last request: Go on"]);
}

#[test]
fn what_is_left_undone_is_counted_and_shown() {
    let fixture = Fixture::new();
    for number in 0..9 {
        fixture.record(Observation {
            target: Some(format!("cargo test case_{number}")),
            parts: Some(json!({ "ok": false })),
            ..Observation::of(Kind::ToolCall, of("claude-code", "one"))
        });
    }
    let unfinished = orient(&fixture, None, 32_000).unfinished;
    assert_eq!((unfinished.shown.len(), unfinished.total), (6, 9));
}
