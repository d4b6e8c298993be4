//! From what a session said to memories: once, with where it came from, and the same whenever a run dies.

use serde_json::{Value as Json, json};
use throughline_store::event::{Event, Filter, Kind};
use throughline_store::item::Validation;
use throughline_store::memory::{Memory, Source, Status};
use throughline_store::session::EndReason;

use crate::Caller;
use crate::backlog::NewItem;
use crate::capture::{During, Observation, Opening};
use crate::remember::LEDGER_TARGET;
use crate::session::Update;
use crate::testing::{Fixture, minutes, of, refused, said, saw};

pub(super) fn say(fixture: &Fixture, session: &str, text: &str) -> Event {
    let caller = Caller { actor: "user:ana".parse().unwrap(), ..fixture.caller.clone() };
    let recorded = fixture.engine.capture(&caller, vec![said(Kind::UserMessage, session, text)]).unwrap();
    fixture.event(&recorded[0])
}

pub(super) fn end(fixture: &Fixture, session: &str) {
    fixture.engine.end_session(&fixture.caller, Some(session), EndReason::Request).unwrap();
}

/// Carries out whatever is due.
pub(super) fn work(fixture: &Fixture) {
    while fixture.engine.work_one("w").unwrap().is_some() {}
}

fn active(fixture: &Fixture) -> Vec<Memory> {
    let listed = fixture.engine.memories(&fixture.caller, &Default::default(), 100).unwrap().memories;
    listed.into_iter().filter(|memory| memory.status == Status::Active).collect()
}

pub(super) fn contents(fixture: &Fixture) -> Vec<String> {
    let mut contents: Vec<String> = active(fixture).into_iter().map(|memory| memory.content).collect();
    contents.sort();
    contents
}

fn ledger(fixture: &Fixture) -> Vec<Json> {
    let notes = Filter { target: Some(LEDGER_TARGET.to_owned()), ..Filter::default() };
    let parts = |note: &Event| serde_json::from_str(note.parts.as_deref().unwrap()).unwrap();
    fixture.matching(&notes).iter().map(parts).collect()
}

const RULE: &str = "Remember: never call the Stripe API from a test";

#[test]
fn a_session_that_ends_becomes_memories_with_their_lineage() {
    let fixture = Fixture::new();
    let event = say(&fixture, "a", RULE);
    say(&fixture, "a", "hello, how are you?");
    assert_eq!(active(&fixture), [], "not while it goes on");
    let before = fixture.session("a").last_event_at;
    fixture.time.advance(minutes(5));
    end(&fixture, "a");
    work(&fixture);
    let [memory] = &active(&fixture)[..] else { panic!("{:?}", contents(&fixture)) };
    assert!(memory.content.to_lowercase().contains("stripe"), "{}", memory.content);
    assert_eq!((memory.source, memory.actor.to_string().as_str()), (Source::Explicit, "user:ana"));
    let shown = fixture.engine.memory(&fixture.caller, memory.id.as_str()).unwrap();
    assert_eq!(shown.origins.iter().map(|origin| origin.event.clone()).collect::<Vec<_>>(), [event.id]);
    let [ledger] = &ledger(&fixture)[..] else { panic!("one run") };
    assert_eq!(
        (&ledger["events"], &ledger["candidates"], &ledger["created"]),
        (&json!(2), &json!(1), &json!(1))
    );
    assert!(fixture.session("a").last_event_at <= before.plus(minutes(5)), "looking at it is no activity");
    assert!(fixture.session("a").ended.is_some());
    assert_eq!(fixture.violations(), [""; 0]);
}

#[test]
fn what_was_looked_at_is_not_looked_at_again() {
    let fixture = Fixture::new();
    say(&fixture, "a", RULE);
    let id = fixture.session("a").id;
    assert_eq!(fixture.engine.generate(&fixture.caller, &id).unwrap().len(), 1);
    assert_eq!(fixture.engine.generate(&fixture.caller, &id).unwrap(), []);
    say(&fixture, "a", "From now on, use pnpm instead of npm in this repository");
    let [second] = &fixture.engine.generate(&fixture.caller, &id).unwrap()[..] else { panic!("one") };
    assert_eq!((second.events, second.corroborated), (1, 0));
    assert_eq!(contents(&fixture).len(), 2, "{:?}", contents(&fixture));
    end(&fixture, "a");
    work(&fixture);
    assert_eq!(ledger(&fixture).len(), 2, "nothing was new at the end");
}

#[test]
fn the_same_in_two_sessions_is_one_memory_with_two_origins() {
    let fixture = Fixture::new();
    for session in ["a", "b"] {
        say(&fixture, session, RULE);
        end(&fixture, session);
        work(&fixture);
    }
    let [memory] = &active(&fixture)[..] else { panic!("{:?}", contents(&fixture)) };
    let shown = fixture.engine.memory(&fixture.caller, memory.id.as_str()).unwrap();
    assert_eq!(shown.origins.len(), 2);
    assert_eq!(ledger(&fixture)[1]["corroborated"], 1);
}

fn hear(fixture: &Fixture, session: &str, text: &str) {
    say(fixture, session, text);
    end(fixture, session);
    work(fixture);
}

#[test]
fn what_is_told_as_past_is_kept_where_it_changes_what_is_known() {
    const CHANGE: &str = "yesterday we put the staging server on port 9000";
    let fixture = Fixture::new();
    hear(&fixture, "a", CHANGE);
    assert_eq!(contents(&fixture), [""; 0], "nothing is known that it is about");
    assert_eq!(ledger(&fixture)[0]["discarded"], json!({ "about_nothing_known": 1 }));
    hear(&fixture, "b", "Remember: the staging server listens on port 8000");
    hear(&fixture, "c", CHANGE);
    let [memory] = &contents(&fixture)[..] else { panic!("{:?}", contents(&fixture)) };
    assert!(memory.contains("9000"), "{memory}");
}

#[test]
fn what_was_said_first_never_ends_what_was_said_since() {
    let fixture = Fixture::new();
    say(&fixture, "a", "Remember: the piano lesson is on Tuesday");
    fixture.time.advance(minutes(5));
    say(&fixture, "b", "Remember: the piano lesson is on Thursday");
    for session in ["b", "a"] {
        end(&fixture, session);
        let id = fixture.session(session).id;
        fixture.engine.generate(&fixture.caller, &id).unwrap();
    }
    assert_eq!(contents(&fixture), ["The piano lesson is on Thursday"]);
    assert_eq!(ledger(&fixture)[1]["discarded"]["outdated"], 1);
    let all = fixture.engine.memories(&fixture.caller, &Default::default(), 100).unwrap().memories;
    let before = all.iter().find(|memory| memory.content.contains("Tuesday")).unwrap();
    assert_eq!(before.status, Status::Superseded);
    assert_eq!(before.superseded_by, Some(active(&fixture)[0].id.clone()));
}

#[test]
fn a_task_a_bug_report_and_a_bare_name_are_no_memories() {
    let fixture = Fixture::new();
    for (session, text) in [
        ("a", "asset bundles. i want the ocean scene split in two"),
        ("b", "need to add events for the tutorial funnel"),
        ("c", "write a dag for the weather feed, hourly"),
        ("d", "Timestamps: DST bug in the export"),
        ("e", "you wrote a mart called fct_returns yesterday, rename: mart_returns_daily"),
    ] {
        hear(&fixture, session, text);
    }
    assert_eq!(contents(&fixture), [""; 0]);
    hear(&fixture, "f", "staging runs on Hetzner and production on GKE, might explain the latency you saw");
    assert_eq!(contents(&fixture), ["Staging runs on Hetzner and production on GKE"]);
}

#[test]
fn what_is_not_to_be_kept_is_not() {
    let fixture = Fixture::new();
    hear(&fixture, "a", "don't store this: the gate code at the site is 4471");
    assert_eq!(contents(&fixture), [""; 0]);
    assert_eq!(ledger(&fixture)[0]["discarded"], json!({ "forbidden": 1 }));
}

#[test]
fn a_passed_gate_asks_for_it_too() {
    let fixture = Fixture::new();
    say(&fixture, "a", RULE);
    let gate = |passed: bool| Observation {
        parts: Some(json!({ "passed": passed })),
        ..saw(Kind::ValidationGate, "a")
    };
    fixture.record(gate(false));
    work(&fixture);
    assert_eq!(contents(&fixture).len(), 0);
    fixture.record(gate(true));
    work(&fixture);
    assert_eq!(contents(&fixture).len(), 1);
}

#[test]
fn a_gate_in_the_scratchpad_asks_for_it_once() {
    for within in [false, true] {
        let fixture = Fixture::new();
        say(&fixture, "a", RULE);
        let patch = |patch| {
            let update = Update { patch, if_version: None };
            let place = (&of("a"), &Opening::default());
            let written = match within {
                true => fixture.engine.update_scratchpad_within(&fixture.caller, place, &update),
                false => fixture.engine.update_scratchpad(&fixture.caller, Some("a"), &update),
            };
            written.unwrap();
        };
        patch(json!({ "blockers": ["the lint"] }));
        work(&fixture);
        assert_eq!(contents(&fixture).len(), 0);
        patch(json!({ "validation_gates_passed": ["unit-tests"] }));
        work(&fixture);
        assert_eq!(contents(&fixture).len(), 1);
        patch(json!({ "validation_gates_passed": ["unit-tests"] }));
        assert!(fixture.jobs().iter().all(|job| job.kind != "generate_memories"));
    }
}

#[test]
fn a_task_that_is_completed_and_valid_asks_for_it() {
    for (valid, kept) in [(None, 0), (Some(false), 0), (Some(true), 1)] {
        let fixture = Fixture::new();
        say(&fixture, "a", RULE);
        let during = During { session: of("a"), opening: Opening::default() };
        let task = NewItem::of("Round the totals");
        let task = fixture.engine.create_item(&fixture.caller, task, &during).unwrap().item;
        let verdict = valid.map(|valid| Validation { valid, report: None });
        let said = (None, verdict, vec![]);
        fixture.engine.complete_item(&fixture.caller, task.id.as_str(), said, &during).unwrap();
        work(&fixture);
        assert_eq!(contents(&fixture).len(), kept, "{valid:?}");
    }
}

#[test]
fn it_can_be_switched_off() {
    let fixture = Fixture::with(crate::settings::Settings {
        generate_memories: false,
        ..crate::settings::Settings::default()
    });
    say(&fixture, "a", RULE);
    end(&fixture, "a");
    work(&fixture);
    assert_eq!(contents(&fixture), [""; 0]);
}

#[test]
fn what_the_projects_own_files_say_is_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("AGENTS.md"), "- Never call the Stripe API from a test.\n").unwrap();
    let fixture = Fixture::new();
    let opening = Opening { workspace: Some(folder.path().display().to_string()), ..Opening::default() };
    fixture.record(Observation { opening, ..saw(Kind::Read, "a") });
    say(&fixture, "a", RULE);
    end(&fixture, "a");
    work(&fixture);
    assert_eq!(contents(&fixture), [""; 0]);
    assert_eq!(ledger(&fixture)[0]["discarded"]["in_boot_file"], 1);
}

#[test]
fn purging_what_was_said_erases_the_memory_and_every_note_of_it() {
    let fixture = Fixture::new();
    let event = say(&fixture, "a", "Remember: the vault is opened with the word xylophone every Monday");
    end(&fixture, "a");
    work(&fixture);
    assert_eq!(contents(&fixture).len(), 1);
    let filter = Filter { ids: vec![event.id], ..Filter::default() };
    fixture.engine.purge(&fixture.caller, &filter, "private").unwrap();
    assert_eq!(contents(&fixture), [""; 0]);
    let left = fixture.log().iter().filter(|event| format!("{event:?}").contains("xylophone")).count();
    assert_eq!(left, 0);
}

#[test]
fn what_is_said_after_thousands_of_reads_is_heard() {
    let fixture = Fixture::new();
    fixture.capture(vec![saw(Kind::Read, "a"); 2001]);
    say(&fixture, "a", RULE);
    end(&fixture, "a");
    work(&fixture);
    assert_eq!(contents(&fixture).len(), 1, "{:?}", contents(&fixture));
    let counts: Vec<Json> =
        ledger(&fixture).iter().map(|note| json!([note["to"], note["created"]])).collect();
    assert_eq!(counts[0], json!([2000, 0]), "{counts:?}");
    assert_eq!(counts.len(), 2, "{counts:?}");
}

#[test]
fn a_note_that_cannot_be_read_is_no_reason_to_hear_all_again() {
    for parts in ["null", "'{'", "'{}'"] {
        let fixture = Fixture::new();
        say(&fixture, "a", RULE);
        let id = fixture.session("a").id;
        fixture.engine.generate(&fixture.caller, &id).unwrap();
        let sure = active(&fixture)[0].confidence;
        let damage = format!("update event set parts = {parts} where target = '{LEDGER_TARGET}'");
        fixture.write(|tx| tx.execute(&damage, &[]));
        let error = refused(fixture.engine.generate(&fixture.caller, &id));
        assert!(error.contains("does not say how far") && error.contains("throughline restore"), "{error}");
        assert_eq!(active(&fixture)[0].confidence, sure, "{parts}");
    }
}
