//! Sessions of more events than are read at once: they are put together as if they were read in one.

use serde_json::json;
use throughline_store::event::{Event, Filter, Kind};

use super::{held, settings};
use crate::capture::Observation;
use crate::compact::pages::PAGE;
use crate::compact::{Compacted, Digest, Policy, digest_now, parts, shown};
use crate::session::Strategy;
use crate::testing::{Fixture, said, saw};

const MANY: usize = 3 * PAGE as usize + 7;

/// Every second one is a request; between them is one of everything that a digest keeps.
fn varied(n: usize) -> Observation {
    let of = |kind, target: String| Observation {
        target: Some(target),
        parts: Some(json!({ "ok": n.is_multiple_of(3) })),
        ..saw(kind, "s")
    };
    match n % 12 {
        1 => said(Kind::Decision, "s", &format!("Decided {n}")),
        3 => of(Kind::ToolCall, format!("cargo test t{n}")),
        5 => of(Kind::Write, format!("src/{n}.rs")),
        7 => of(Kind::Read, format!("src/{n}.rs")),
        9 => of(Kind::ValidationGate, format!("gate {n}")),
        11 => said(Kind::ModelMessage, "s", &format!("Answer {n}.\nIs it {n}?")),
        4 => said(Kind::UserMessage, "s", &format!("No, not {n}")),
        8 => said(Kind::UserMessage, "s", &format!("Remember {n}")),
        _ => said(Kind::UserMessage, "s", &format!("Request {n}")),
    }
}

fn compact(fixture: &Fixture, strategy: Strategy) -> Compacted {
    fixture.engine.compact_session(&fixture.caller, Some("s"), Some(strategy)).unwrap().unwrap()
}

fn digest(events: &[Event]) -> Digest {
    let mut digest = Digest::default();
    digest.follow(events.iter());
    digest
}

fn tokens(events: &[Event]) -> i64 {
    events.iter().map(|event| event.tokens).sum()
}

#[test]
fn a_session_of_many_pages_is_summarized_as_if_it_were_one() {
    let (keep_turns, keep_tokens) = (PAGE as usize + 20, 2000);
    let fixture = Fixture::with(settings(Policy { keep_turns, keep_tokens, ..Policy::default() }));
    fixture.capture((0..MANY).map(varied).collect());
    let log = fixture.log();
    let session = fixture.session("s");
    let now = fixture.engine.store().read(|conn| digest_now(conn, &fixture.caller, &session)).unwrap();
    assert_eq!(now, digest(&log));
    assert_eq!(held(&fixture).events, log);

    let turns: Vec<usize> = (0..MANY).filter(|n| log[*n].kind == Kind::UserMessage).collect();
    let by_turns = turns[turns.len() - keep_turns];
    let by_tokens = (0..MANY).find(|n| tokens(&log[*n..]) <= keep_tokens).unwrap();
    assert!(MANY - by_tokens > PAGE as usize && by_turns < by_tokens, "{by_turns} {by_tokens}");

    for (strategy, cut, before) in
        [(Strategy::SlidingWindow, by_turns, 0), (Strategy::TokenTruncation, by_tokens, by_turns)]
    {
        let done = compact(&fixture, strategy);
        let summary = parts(&held(&fixture).summary.unwrap());
        assert_eq!(done.range, (1, log[cut - 1].sequence), "{strategy:?}");
        assert_eq!(done.events, cut - before);
        assert_eq!(summary["to_position"], log[cut - 1].position);
        assert_eq!(summary["digest"], digest(&log[..cut]).written());
        assert_eq!(held(&fixture).events, log[cut..]);
    }
}

#[test]
fn a_result_finds_its_call_many_pages_before() {
    let fixture = Fixture::with(settings(Policy { keep_turns: 1, keep_tokens: 0, ..Policy::default() }));
    fixture.capture(vec![said(Kind::UserMessage, "s", "Begin"), said(Kind::ModelMessage, "s", "I do")]);
    let call = fixture.record(Observation { target: Some("serve".into()), ..saw(Kind::ToolCall, "s") });
    let result = || Observation {
        target: Some("serve".into()),
        triggered_by: Some(call.id.clone()),
        ..saw(Kind::ToolResult, "s")
    };
    fixture.record(result());
    fixture.capture((0..MANY).map(|n| said(Kind::UserMessage, "s", &format!("Request {n}"))).collect());
    fixture.record(result());
    assert_eq!(compact(&fixture, Strategy::SlidingWindow).range, (1, 2), "it would stand without its call");
}

#[test]
fn every_decision_is_kept_and_of_what_is_to_be_remembered_the_newest() {
    let fixture = Fixture::with(settings(Policy { keep_turns: 1, keep_tokens: 0, ..Policy::default() }));
    let summary = |from: usize, to: usize| {
        let both = |n| {
            let memo = said(Kind::UserMessage, "s", &format!("Remember {n}."));
            [said(Kind::Decision, "s", &format!("Decided {n}.")), memo]
        };
        fixture.capture((from..to).flat_map(both).collect());
        fixture.record(said(Kind::UserMessage, "s", "Go on"));
        compact(&fixture, Strategy::SlidingWindow);
        held(&fixture).summary.unwrap()
    };
    let all = summary(0, 1000);
    assert!(!all.content.as_ref().unwrap().contains("before these"));
    assert_eq!(parts(&all)["digest"].get("remembered_before"), None);
    for (from, to, before) in [(1000, 1100, 100), (1100, 1105, 105)] {
        let newest = summary(from, to);
        let text = newest.content.as_ref().unwrap();
        let first =
            format!("To be remembered:\n- ({before} before these, found by recall)\n- Remember {before}. [");
        assert!(text.contains(&first), "{text}");
        assert!((0..to).all(|n| text.contains(&format!("\n- Decided {n}. ["))), "{text}");
        assert_eq!(parts(&newest)["digest"]["remembered_before"], before);
    }
}

#[test]
fn a_model_is_told_how_many_events_it_is_not_shown() {
    let fixture = Fixture::new();
    fixture.capture((0..4).map(|n| said(Kind::UserMessage, "s", &format!("Request {n}"))).collect());
    let log = fixture.matching(&Filter::default());
    assert_eq!(shown::within(&log[2..], 0, 100), "user: Request 2\nuser: Request 3\n");
    assert_eq!(
        shown::within(&log[2..], 2, 100),
        "(2 events before are not shown)\nuser: Request 2\nuser: Request 3\n"
    );
    assert_eq!(shown::within(&log[2..], 2, 27), "(3 events before are not shown)\nuser: Request 3\n");
}
