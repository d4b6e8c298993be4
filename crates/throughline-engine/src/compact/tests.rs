//! Compaction: every trigger fires, nothing that must stay is lost, a call is never cut from its result.

mod long;

use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};
use serde_json::json;
use throughline_store::checkpoint::{Filter as Kept, Reason};
use throughline_store::event::{Event, Kind};

use super::boundary::Boundary;
use super::{Cause, Held, Policy, SUMMARY_TARGET, parts};
use crate::capture::{During, Observation, Opening};
use crate::remember::Statement;
use crate::session::Strategy;
use crate::settings::Settings;
use crate::testing::{Fixture, hours, minutes, of, said, saw};
use crate::work::{COMPACT_SESSION, Outcome};

fn settings(policy: Policy) -> Settings {
    Settings { compaction: policy, ..Settings::default() }
}

fn long(n: usize) -> String {
    format!("Request {n}: {}", "please look at the shop again ".repeat(60))
}

fn turn(fixture: &Fixture, n: usize) {
    fixture.time.advance(minutes(1));
    fixture.capture(vec![
        said(Kind::UserMessage, "s", &long(n)),
        said(Kind::ModelMessage, "s", &format!("Answer {n}.")),
    ]);
}

/// Does what is due, as a worker would.
fn work(fixture: &Fixture) -> usize {
    let mut runs = 0;
    while let Some(run) = fixture.engine.work_one("worker").unwrap() {
        assert!(!matches!(run.outcome, Outcome::Failed { .. } | Outcome::Dead { .. }), "{run:?}");
        runs += usize::from(run.job.kind == COMPACT_SESSION);
    }
    runs
}

fn held(fixture: &Fixture) -> Held {
    fixture.engine.held(&fixture.caller, Some("s")).unwrap()
}

fn cause(fixture: &Fixture) -> Option<String> {
    held(fixture).summary.map(|event| parts(&event)["cause"].as_str().unwrap().to_owned())
}

#[test]
fn more_turns_than_allowed_are_compacted_in_the_background() {
    let fixture = Fixture::new();
    for n in 1..=30 {
        turn(&fixture, n);
        work(&fixture);
    }
    assert_eq!(cause(&fixture), None, "30 turns are allowed");
    turn(&fixture, 31);
    assert_eq!(cause(&fixture), None, "recording does not compact");
    work(&fixture);
    assert_eq!(cause(&fixture).as_deref(), Some("turns"));
    let now = held(&fixture);
    let turns = now.events.iter().filter(|event| event.kind == Kind::UserMessage).count();
    assert_eq!(turns, Policy::default().keep_turns);
    let summary = now.summary.unwrap();
    let named = parts(&summary);
    assert_eq!((named["from"].as_i64(), named["to"].as_i64()), (Some(1), Some(42)));
    assert_eq!(named["strategy"], "sliding_window");
    assert_eq!(now.events[0].sequence, 43);
    assert!(named["tokens_after"].as_i64() < named["tokens_before"].as_i64());
    for n in 32..=52 {
        turn(&fixture, n);
        work(&fixture);
    }
    let named = parts(&held(&fixture).summary.unwrap());
    assert_eq!(named["from"], 1, "it covers what the one before covered");
    assert_eq!(named["replaces"], json!(summary.id.as_str()));
}

#[test]
fn too_many_tokens_are_compacted() {
    let fixture =
        Fixture::with(settings(Policy { token_budget: 10_000, keep_tokens: 3000, ..Policy::default() }));
    let result = |n| said(Kind::ToolCall, "s", &long(n).repeat(4));
    for n in 1..=15 {
        fixture.record(result(n));
    }
    assert_eq!(work(&fixture), 0, "single results are not worth a look each");
    fixture.record(result(16));
    assert_eq!(work(&fixture), 1);
    assert_eq!(cause(&fixture).as_deref(), Some("tokens"));
    let now = held(&fixture);
    assert_eq!(parts(now.summary.as_ref().unwrap())["strategy"], "token_truncation");
    assert!(now.events.iter().map(|event| event.tokens).sum::<i64>() <= 3000);
}

#[test]
fn silence_compacts_a_session() {
    let fixture = Fixture::new();
    (1..=8).for_each(|n| turn(&fixture, n));
    work(&fixture);
    assert_eq!(cause(&fixture), None);
    fixture.time.advance(hours(1));
    work(&fixture);
    assert_eq!(cause(&fixture).as_deref(), Some("idle"));
    let session = fixture.session("s");
    assert!(session.ended.is_some());
    let turns = held(&fixture).events.iter().filter(|event| event.kind == Kind::UserMessage).count();
    assert_eq!(turns, 1);
    work(&fixture);
    assert_eq!(
        fixture.log().iter().filter(|event| event.target.as_deref() == Some(SUMMARY_TARGET)).count(),
        1
    );
}

fn gate(name: &str, passed: bool) -> Observation {
    Observation {
        target: Some(name.into()),
        parts: Some(json!({ "passed": passed })),
        ..saw(Kind::ValidationGate, "s")
    }
}

#[test]
fn a_passed_gate_compacts_and_makes_a_checkpoint() {
    let fixture = Fixture::new();
    (1..=8).for_each(|n| turn(&fixture, n));
    fixture.record(gate("lint", false));
    work(&fixture);
    assert_eq!(cause(&fixture), None, "a gate that is not passed is no place to stop");
    fixture.record(gate("lint", true));
    turn(&fixture, 9);
    work(&fixture);
    assert_eq!(cause(&fixture).as_deref(), Some("validation_gate"));
    assert_eq!(held(&fixture).events[0].summary, fixture.log()[18].summary, "it is cut behind the gate");
    let gates = Kept { reason: Some(Reason::Gate), ..Kept::default() };
    assert_eq!(fixture.engine.checkpoints(&fixture.caller, &gates, 9).unwrap().1, 1);
    fixture.record(gate("types", true));
    work(&fixture);
    assert_eq!(
        fixture.engine.checkpoints(&fixture.caller, &gates, 9).unwrap().1,
        2,
        "also with little to compact"
    );
}

#[test]
fn a_workflow_file_sets_its_own_limits() {
    let folder = tempfile::tempdir().unwrap();
    let workflows = folder.path().join(".throughline/workflows");
    std::fs::create_dir_all(&workflows).unwrap();
    let text = "---\nsession:\n  compaction:\n    strategy: recursive_summarization\n    turns: 12\n    \
                checkpoint_on: session_end\n---\n";
    std::fs::write(workflows.join("quick.md"), text).unwrap();
    let fixture = Fixture::with(settings(Policy { keep_turns: 5, ..Policy::default() }));
    let opening = Opening {
        workflow: Some("quick".into()),
        workspace: Some(folder.path().display().to_string()),
        ..Opening::default()
    };
    fixture.record(Observation { opening, ..said(Kind::UserMessage, "s", "begin") });
    (2..=30).for_each(|n| turn(&fixture, n));
    turn(&fixture, 31);
    work(&fixture);
    let named = parts(&held(&fixture).summary.unwrap());
    assert_eq!(
        (named["cause"].as_str(), named["strategy"].as_str()),
        (Some("turns"), Some("recursive_summarization"))
    );
    let made = || fixture.engine.checkpoints(&fixture.caller, &Kept::default(), 9).unwrap().1;
    assert_eq!(made(), 0);
    fixture
        .engine
        .end_session(&fixture.caller, Some("s"), throughline_store::session::EndReason::Request)
        .unwrap();
    work(&fixture);
    assert_eq!(made(), 1);
}

#[test]
fn what_must_stay_stays_over_many_compactions() {
    let fixture =
        Fixture::with(settings(Policy { turns: 5, keep_turns: 2, min_tokens: 0, ..Policy::default() }));
    let failed = |command: &str, ok: bool| Observation {
        target: Some(command.into()),
        content: Some(format!("error: {command} is red")),
        parts: Some(json!({ "ok": ok })),
        ..saw(Kind::ToolResult, "s")
    };
    fixture.capture(vec![
        said(Kind::Decision, "s", "Prices are in cents"),
        failed("cargo test apples", false),
        failed("cargo test pears", false),
        said(Kind::UserMessage, "s", "No, use the blue button instead of the red one"),
        said(Kind::UserMessage, "s", "Remember that the shop closes at six"),
        Observation { target: Some("src/apple.rs".into()), ..saw(Kind::Write, "s") },
    ]);
    let statement = Statement { session: of("s"), ..Statement::of("The till is in the hall") };
    fixture.engine.remember(&fixture.caller, vec![statement]).unwrap();
    for n in 0..100 {
        turn(&fixture, n);
        if n == 50 {
            fixture.record(said(Kind::Decision, "s", "Pears too"));
            fixture.record(failed("cargo test pears", true));
        }
        work(&fixture);
        if n % 3 == 0 {
            fixture.engine.compact_session(&fixture.caller, Some("s"), None).unwrap();
        }
    }
    let text = held(&fixture).summary.unwrap().content.unwrap();
    for kept in [
        "Prices are in cents",
        "Pears too",
        "cargo test apples: error: cargo test apples is red",
        "No, use the blue button",
        "the shop closes at six",
        "The till is in the hall",
        "src/apple.rs",
    ] {
        assert!(text.contains(kept), "{kept} is lost:\n{text}");
    }
    assert!(!text.contains("cargo test pears: error"), "it was settled:\n{text}");
}

#[test]
fn the_same_events_give_the_same_summary_and_each_strategy_its_own_cut() {
    let compacted = |strategy| {
        let fixture = Fixture::with(settings(Policy { keep_tokens: 1000, ..Policy::default() }));
        (1..=20).for_each(|n| turn(&fixture, n));
        let done =
            fixture.engine.compact_session(&fixture.caller, Some("s"), Some(strategy)).unwrap().unwrap();
        (done.range, held(&fixture).summary.unwrap().content.unwrap(), done.cause)
    };
    let all = [Strategy::SlidingWindow, Strategy::TokenTruncation, Strategy::RecursiveSummarization];
    for strategy in all {
        assert_eq!(compacted(strategy), compacted(strategy));
        assert_eq!(compacted(strategy).2, Cause::Request);
    }
    let [window, tokens, recursive] = all.map(compacted);
    assert_eq!((window.0, tokens.0, recursive.0), ((1, 20), (1, 35), (1, 35)));
    assert!(!tokens.1.contains("Asked before") && recursive.1.contains("Asked before"));
}

#[test]
fn there_is_nothing_to_compact_in_a_short_session() {
    let fixture = Fixture::new();
    turn(&fixture, 1);
    assert_eq!(fixture.engine.compact_session(&fixture.caller, Some("s"), None).unwrap(), None);
    let during = During { session: of("s"), opening: Opening::default() };
    fixture.engine.save_checkpoint(&fixture.caller, None, None, &during).unwrap();
    assert_eq!(held(&fixture).summary, None);
}

/// Calls and results in any order, some by name and some by target alone.
fn tangled() -> impl proptest::strategy::Strategy<Value = Vec<(u8, u8, bool)>> {
    proptest::collection::vec((0u8..4, 0u8..3, any::<bool>()), 0..60)
}

/// The events, and for each result the place of the call that it answers.
fn events(shape: &[(u8, u8, bool)]) -> (Vec<Event>, Vec<(usize, usize)>) {
    let fixture = Fixture::new();
    let mut open: Vec<(usize, Event)> = vec![];
    let (mut all, mut pairs) = (vec![], vec![]);
    for (what, target, named) in shape {
        let target = format!("tool {target}");
        let (kind, call) = match what {
            0 | 1 => (Kind::ToolCall, None),
            2 => {
                let place = open.iter().position(|(_, call)| call.target.as_ref() == Some(&target));
                match place {
                    Some(place) => (Kind::ToolResult, Some(open.remove(place))),
                    None => continue,
                }
            }
            _ => (Kind::ModelMessage, None),
        };
        let observation = Observation {
            target: (kind != Kind::ModelMessage).then_some(target),
            triggered_by: call.as_ref().filter(|_| *named).map(|(_, call)| call.id.clone()),
            ..saw(kind, "s")
        };
        let event = fixture.event(&fixture.record(observation));
        if let Some((place, _)) = call {
            pairs.push((place, all.len()));
        }
        if kind == Kind::ToolCall {
            open.push((all.len(), event.clone()));
        }
        all.push(event);
    }
    (all, pairs)
}

/// How many of the events are cut off where so many are wanted to be.
fn cut(events: &[Event], wanted: usize) -> usize {
    let place = |number: usize| events.get(number).map_or(i64::MAX, |event| event.sequence);
    let mut boundary = Boundary::at(place(wanted));
    for event in events {
        let known = events.iter().find(|other| Some(&other.id) == event.triggered_by.as_ref());
        let named = boundary.named(event, &mut |_| Ok(known.map(|known| known.sequence))).unwrap();
        boundary.take(event, named);
    }
    (0..=events.len()).find(|number| place(*number) == boundary.cut()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_cut_separates_a_call_from_its_result(shape in tangled(), share in 0.0..=1.0f64) {
        let (events, pairs) = events(&shape);
        let wanted = (events.len() as f64 * share) as usize;
        let parts_none = |cut: &usize| pairs.iter().all(|(call, result)| !(call < cut && cut <= result));
        let last = (0..=wanted).rev().find(parts_none).expect("before everything nothing is parted");
        prop_assert_eq!(cut(&events, wanted), last, "{:?}", pairs);
    }
}

#[test]
fn a_call_that_needs_no_result_holds_no_cut_back() {
    let fixture = Fixture::new();
    let used = |kind, ok: bool| Observation {
        target: Some("python3 check.py".to_owned()),
        parts: Some(json!({ "ok": ok })),
        ..saw(kind, "s")
    };
    let mut seen = vec![used(Kind::ToolCall, true)];
    seen.extend((0..20).map(|_| saw(Kind::ModelMessage, "s")));
    seen.extend([used(Kind::ToolCall, false), used(Kind::ToolResult, false)]);
    let events: Vec<Event> = seen.into_iter().map(|one| fixture.event(&fixture.record(one))).collect();
    assert_eq!(cut(&events, 10), 10);
    assert_eq!(cut(&events, 22), 21, "the call that failed stays with its result");
}
