//! The log carried from one machine to another, and what a purge leaves of it.

use std::cell::RefCell;

use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use throughline_store::event::{Event, Filter, Kind, PURGED_SUMMARY, Purge};
use throughline_store::id::EventId;
use throughline_store::session::{EndReason, Ended, Session};

use super::{Carried, Purged, Tally, Traces};
use crate::capture::{Observation, Opening, SessionRef};
use crate::repair::{Health, ProjectHealth};
use crate::session::Update;
use crate::settings::Settings;
use crate::testing::{CLIENT, Fixture, SECRET, START, hours, in_role, minutes, refused, said, saw};

/// Two engines with databases of their own.
fn two() -> (Fixture, Fixture) {
    (Fixture::seeded(1, Settings::default()), Fixture::seeded(2, Settings::default()))
}

fn export(fixture: &Fixture, filter: &Filter) -> Vec<Carried> {
    let out = RefCell::new(Vec::new());
    let each = |exported| {
        out.borrow_mut().push(exported);
        Ok(())
    };
    let count = fixture.engine.export(&fixture.caller, filter, &each).unwrap();
    assert_eq!(count as usize, out.borrow().len());
    out.into_inner()
}

fn import(fixture: &Fixture, records: &[Carried]) -> Tally {
    fixture.engine.import(&fixture.caller, || Ok(records.iter().cloned().map(Ok))).unwrap()
}

/// All of the first log, brought to the second engine the way a person does.
fn carry(from: &Fixture, to: &Fixture) -> Tally {
    let records = export(from, &Filter::default());
    let clean: Vec<Carried> = records.into_iter().map(|record| to.engine.clean(record).unwrap()).collect();
    import(to, &clean)
}

fn purge(fixture: &Fixture, filter: &Filter) -> Purged {
    fixture.engine.purge(&fixture.by("user:ann"), filter, "a customer asked").unwrap()
}

fn only(id: &EventId) -> Filter {
    Filter { ids: vec![id.clone()], ..Filter::default() }
}

/// What a log may hold, varied.
#[derive(Debug, Clone)]
enum Act {
    Seen(Box<Observation>),
    End(EndReason),
    Scratch(Json),
    Purge,
    Wait(u64),
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z ]{0,12}", "\\PC{0,8}", Just("\r\n\u{feff}'\"\\".to_owned()), "[ab\n]{300}"]
}

fn observation() -> impl Strategy<Value = Observation> {
    let texts = (prop::option::of(text()), prop::option::of(text()), prop::option::of(text()));
    let links =
        (prop::option::of("[A-Z]{3}-[0-9]"), prop::option::of("m-[0-9]"), prop::option::of("k-[0-9]{2}"));
    let place = (0..3u8, prop::option::of(0..2u8), prop::sample::select(Kind::ALL), -90..90i64);
    let parts =
        prop::option::of((text(), any::<i32>()).prop_map(|(text, n)| json!({ "t": text, "n": [n, null] })));
    (texts, links, place, parts, text()).prop_map(|(texts, links, (run, role, kind, minute), parts, free)| {
        Observation {
            at: Some(throughline_store::time::Timestamp(START.0 + minute * 60_000_000)),
            opening: Opening {
                chatmode: role.map(|role| format!("role {role}")),
                git_branch: Some(free.clone()),
                metadata: Some(json!({ "free": free })),
                parent: Some(SessionRef::Named("elsewhere".to_owned())),
                ..Opening::default()
            },
            target: texts.0,
            content: texts.1,
            rationale: texts.2,
            item_id: links.0,
            informs: links.1,
            client_key: links.2,
            triggered_by: Some(EventId::from("earlier".to_owned())),
            parts,
            ..saw(kind, &format!("run {run}"))
        }
    })
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => observation().prop_map(|observation| Act::Seen(Box::new(observation))),
        1 => prop::sample::select(EndReason::ALL).prop_map(Act::End),
        1 => text().prop_map(|text| Act::Scratch(json!({ "free": text }))),
        1 => Just(Act::Purge),
        1 => (0..120u64).prop_map(Act::Wait),
    ]
}

fn lived(acts: &[Act]) -> Fixture {
    let fixture = Fixture::with(Settings { pack_over_bytes: 200, ..Settings::default() });
    fixture.record(saw(Kind::UserMessage, "run 0"));
    for act in acts {
        match act {
            Act::Seen(observation) => drop(fixture.record((**observation).clone())),
            Act::End(reason) => drop(fixture.engine.end_session(&fixture.caller, None, *reason).unwrap()),
            Act::Scratch(patch) => {
                let update = Update { patch: patch.clone(), if_version: None };
                fixture.engine.update_scratchpad(&fixture.caller, None, &update).unwrap();
            }
            Act::Purge => drop(purge(&fixture, &only(&fixture.last_event().id))),
            Act::Wait(n) => fixture.time.advance(minutes(*n)),
        }
    }
    fixture
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_log_carried_to_another_machine_is_the_same_log(acts in prop::collection::vec(act(), 0..25)) {
        let (from, to) = (lived(&acts), Fixture::seeded(2, Settings::default()));
        let count = from.log().len() as u64;
        prop_assert_eq!(carry(&from, &to), Tally { imported: count, already_there: 0 });
        prop_assert_eq!(to.log(), from.log());
        prop_assert_eq!(to.sessions(), from.sessions());
        prop_assert_eq!(to.violations(), Vec::<String>::new());

        prop_assert_eq!(carry(&from, &to), Tally { imported: 0, already_there: count });
        prop_assert_eq!((to.log(), to.sessions()), (from.log(), from.sessions()));
    }

    #[test]
    fn logs_that_go_back_and_forth_lose_nothing_and_double_nothing(
        ours in prop::collection::vec(act(), 0..12),
        theirs in prop::collection::vec(act(), 0..12),
    ) {
        let (here, there) = (lived(&ours), Fixture::seeded(2, Settings::default()));
        for act in &theirs {
            if let Act::Seen(observation) = act {
                there.record((**observation).clone());
            }
        }
        carry(&here, &there);
        carry(&there, &here);
        prop_assert_eq!(carry(&here, &there).imported, 0);
        prop_assert_eq!(here.log().len(), there.log().len());
        prop_assert_eq!((here.violations(), there.violations()), (vec![], vec![]));
    }

    #[test]
    fn numbers_in_the_parts_are_carried_exactly(number in any::<f64>().prop_filter("JSON has no others", |n| n.is_finite())) {
        let (from, to) = two();
        from.record(Observation { parts: Some(json!(number)), ..saw(Kind::Write, "a") });
        carry(&from, &to);
        prop_assert_eq!(to.log(), from.log());
    }
}

#[test]
fn an_export_longer_than_a_page_is_in_the_order_of_the_log_and_names_each_session_once() {
    let fixture = Fixture::new();
    fixture.capture((0..1100).map(|n| said(Kind::Read, &format!("run {}", n % 2), &n.to_string())).collect());
    let exported = export(&fixture, &Filter::default());
    let events: Vec<Event> = exported.iter().map(|exported| exported.event.clone()).collect();
    assert_eq!(events, fixture.log());
    let described: Vec<(usize, Session)> = (exported.into_iter().enumerate())
        .filter_map(|(n, exported)| exported.session.map(|session| (n, session)))
        .collect();
    assert_eq!(described, [(0, fixture.session("run 0")), (1, fixture.session("run 1"))]);
}

#[test]
fn a_selection_is_exported_with_its_sessions_and_can_be_imported() {
    let (from, to) = two();
    from.capture(vec![
        in_role("plan", said(Kind::UserMessage, "a", "one")),
        said(Kind::Decision, "a", "two"),
        said(Kind::UserMessage, "b", "three"),
        said(Kind::Decision, "b", "four"),
        said(Kind::Decision, "a", "five"),
    ]);
    let decisions = Filter { kinds: vec![Kind::Decision], after_position: Some(1), ..Filter::default() };
    let exported = export(&from, &decisions);
    let sessions: Vec<Option<Session>> = exported.iter().map(|exported| exported.session.clone()).collect();
    assert_eq!(sessions, [Some(from.session("a")), Some(from.session("b")), None]);
    assert_eq!(import(&to, &exported), Tally { imported: 3, already_there: 0 });
    assert_snapshot!(to.story(), @r"
    a/plan 1 decision: two
    b/default 1 decision: four
    a/plan 2 decision: five
    ");
    assert_eq!(to.violations(), Vec::<String>::new());
    assert_eq!(carry(&from, &to), Tally { imported: 2, already_there: 3 }, "the rest comes later");
    assert_eq!(to.violations(), Vec::<String>::new());
}

#[test]
fn an_export_stops_at_the_first_failure_of_its_reader() {
    let fixture = Fixture::new();
    fixture.capture(vec![saw(Kind::Read, "a"), saw(Kind::Read, "a")]);
    let each = |exported: Carried| match exported.event.position {
        1 => Err(crate::Error::Invalid("the disk is full".into())),
        _ => panic!("goes on after a failure"),
    };
    let outcome = fixture.engine.export(&fixture.caller, &Filter::default(), &each);
    assert_snapshot!(refused(outcome), @"invalid: the disk is full");
}

#[test]
fn an_import_that_fails_in_the_middle_imports_nothing() {
    let (from, to) = two();
    from.capture(vec![saw(Kind::Read, "a"), saw(Kind::Read, "b")]);
    let records = export(&from, &Filter::default());
    let broken = || crate::Error::Invalid("line 3 is not JSON".into());
    let outcome = to.engine.import(&to.caller, || {
        Ok(records.iter().cloned().map(Ok).chain(std::iter::once_with(|| Err(broken()))))
    });
    assert_snapshot!(refused(outcome), @"invalid: line 3 is not JSON");
    assert_eq!((to.log(), to.sessions()), (vec![], vec![]));
}

#[test]
fn a_run_that_is_known_here_by_another_id_is_continued() {
    let (from, to) = two();
    from.capture(vec![said(Kind::UserMessage, "a", "there 1"), said(Kind::UserMessage, "a", "there 2")]);
    to.record(said(Kind::UserMessage, "a", "here 1"));
    let here = to.session("a");
    assert_ne!(here.id, from.session("a").id);
    carry(&from, &to);
    assert_snapshot!(to.story(), @r"
    a/default 1 user_message: here 1
    a/default 2 user_message: there 1
    a/default 3 user_message: there 2
    ");
    assert_eq!(to.sessions(), [Session { last_sequence: 3, ..here }]);
    assert_eq!(carry(&from, &to), Tally { imported: 0, already_there: 2 });
}

#[test]
fn a_run_is_continued_also_when_its_first_event_is_there_already() {
    let (from, to) = two();
    let first =
        || Observation { client_key: Some("k".into()), ..said(Kind::UserMessage, "a", "delivered to both") };
    from.capture(vec![first(), said(Kind::ModelMessage, "a", "only there")]);
    to.record(first());
    assert_eq!(carry(&from, &to), Tally { imported: 1, already_there: 1 });
    assert_snapshot!(to.story(), @r"
    a/default 1 user_message: delivered to both
    a/default 2 model_message: only there
    ");
    assert_eq!(to.sessions().len(), 1);
}

#[test]
fn events_are_added_to_a_session_that_has_ended_here_without_opening_it() {
    let (from, to) = two();
    from.record(said(Kind::UserMessage, "a", "there"));
    to.record(said(Kind::UserMessage, "a", "here"));
    let ended = to.engine.end_session(&to.caller, Some("a"), EndReason::Client).unwrap();
    carry(&from, &to);
    assert_eq!(to.session("a"), Session { last_sequence: 3, ..ended });
    assert_eq!(to.violations(), Vec::<String>::new());
}

#[test]
fn an_event_whose_session_nobody_describes_gets_one_that_is_over() {
    let (from, to) = two();
    from.capture(vec![said(Kind::UserMessage, "a", "one"), said(Kind::UserMessage, "a", "two")]);
    let nameless: Vec<Carried> = (export(&from, &Filter::default()).into_iter())
        .map(|record| Carried { session: None, ..record })
        .collect();
    import(&to, &nameless);
    let id = from.session("a").id;
    let expected = Session {
        client: "import".into(),
        client_session: id.to_string(),
        id,
        ended: Some(Ended { at: START, reason: EndReason::Client }),
        ..from.session("a")
    };
    assert_eq!(to.sessions(), [expected]);
    assert_eq!(to.log(), from.log());
}

#[test]
fn a_session_that_was_imported_open_is_closed_when_it_is_silent() {
    let (from, to) = two();
    from.record(said(Kind::UserMessage, "a", "hello"));
    carry(&from, &to);
    to.time.advance(hours(2));
    to.engine.work_one("w").unwrap();
    assert_eq!(to.session("a").ended.map(|ended| ended.reason), Some(EndReason::Idle));
}

#[test]
fn what_comes_from_elsewhere_is_cleaned_of_secrets() {
    let (from, to) = two();
    let recorded = from.record(Observation {
        opening: Opening { metadata: Some(json!({})), ..Opening::default() },
        parts: Some(json!({})),
        ..saw(Kind::Write, "a")
    });
    let secret = || format!("x {SECRET} y");
    let event = Event {
        target: Some(secret()),
        summary: secret(),
        content: Some(secret()),
        rationale: Some(secret()),
        parts: Some(json!([secret()]).to_string()),
        redactions: 2,
        ..from.event(&recorded)
    };
    let session = Session {
        user: secret(),
        workflow: Some(secret()),
        skill: Some(secret()),
        git_branch: Some(secret()),
        workspace: Some(secret()),
        metadata: Some(json!({ "a": secret() }).to_string()),
        scratchpad: json!({ "a": secret() }).to_string(),
        ..from.session("a")
    };
    let clean = to.engine.clean(Carried { event, session: Some(session) }).unwrap();
    assert!(!format!("{clean:?}").contains(SECRET), "{clean:#?}");
    assert_eq!(clean.event.redactions, 2 + 5);
    assert_eq!(to.engine.clean(clean.clone()).unwrap(), clean, "what is clean stays as it is");
}

#[test]
fn what_is_too_large_or_no_json_is_refused() {
    let (from, to) =
        (Fixture::new(), Fixture::with(Settings { max_content_bytes: 10, ..Settings::default() }));
    let event = from.event(&from.record(saw(Kind::Write, "a")));
    let clean = |event: Event| refused(to.engine.clean(Carried { event, session: None }));
    assert_snapshot!(
        clean(Event { content: Some("x".repeat(11)), ..event.clone() }),
        @"invalid: the event has 11 bytes and the limit is 10; raise log.max_content_bytes to import it"
    );
    assert_snapshot!(
        clean(Event { parts: Some("{".into()), ..event }),
        @"invalid: a part of the event is not JSON: EOF while parsing an object at line 1 column 1; export the event again"
    );
}

#[test]
fn a_purged_event_is_a_tombstone_and_the_log_says_who_and_why() {
    let fixture = Fixture::new();
    let recorded = fixture.capture(vec![
        said(Kind::UserMessage, "a", "hello"),
        Observation {
            target: Some("card.txt".into()),
            summary: Some("the card".into()),
            parts: Some(json!({"n": 1})),
            rationale: Some("private".into()),
            item_id: Some("BUG-1".into()),
            client_key: Some("k".into()),
            ..said(Kind::Write, "a", "4111 1111")
        },
    ]);
    let before = fixture.log();
    fixture.time.advance(minutes(1));
    assert_eq!(
        purge(&fixture, &only(&recorded[1].id)),
        Purged { count: 1, checkpoints: 0, traces: Traces::None }
    );
    let tombstone = Event {
        target: None,
        summary: PURGED_SUMMARY.into(),
        content: None,
        parts: None,
        rationale: None,
        tokens: 0,
        purge: Some(Purge {
            at: START.plus(minutes(1)),
            by: "user:ann".parse().unwrap(),
            reason: "a customer asked".into(),
        }),
        ..before[1].clone()
    };
    let log = fixture.log();
    assert_eq!(log[..2], [before[0].clone(), tombstone]);
    let note = &log[2];
    assert_eq!((note.kind, note.target.as_deref()), (Kind::SystemEvent, Some("purge")));
    assert_eq!((note.actor.to_string(), note.at), ("user:ann".to_owned(), START.plus(minutes(1))));
    assert_eq!(note.parts.as_deref(), Some(r#"{"count":1,"reason":"a customer asked"}"#));
    assert_eq!(fixture.session(note.session_id.as_str()).client_session, "user:ann");
    assert_eq!(fixture.violations(), Vec::<String>::new());

    assert_eq!(
        purge(&fixture, &only(&recorded[1].id)),
        Purged { count: 0, checkpoints: 0, traces: Traces::None }
    );
    assert_eq!(fixture.log(), log, "erased once, noted once");
}

#[test]
fn a_purge_says_in_the_log_how_many_events_it_erased() {
    let fixture = Fixture::new();
    fixture.capture(vec![saw(Kind::Read, "a"), saw(Kind::Read, "a"), saw(Kind::Write, "a")]);
    purge(&fixture, &Filter { kinds: vec![Kind::Read], ..Filter::default() });
    assert_snapshot!(fixture.last_event().summary, @"purged 2 events: a customer asked");
}

#[test]
fn a_purge_without_a_selection_or_with_an_empty_one_erases_nothing() {
    let fixture = Fixture::new();
    fixture.record(saw(Kind::Read, "a"));
    let log = fixture.log();
    let outcome = fixture.engine.purge(&fixture.caller, &Filter::default(), "oops");
    assert_snapshot!(refused(outcome), @"invalid: say which events to purge: by id, session, item, kind, actor or time");
    assert_eq!(
        purge(&fixture, &Filter { item: Some("BUG-1".into()), ..Filter::default() }),
        Purged { count: 0, checkpoints: 0, traces: Traces::None }
    );
    assert_eq!(fixture.log(), log);
}

#[test]
fn the_reason_of_a_purge_does_not_repeat_the_secret() {
    let fixture = Fixture::new();
    let id = fixture.record(saw(Kind::Read, "a")).id;
    let reason = format!("it had {SECRET} in it");
    fixture.engine.purge(&fixture.caller, &only(&id), &reason).unwrap();
    assert!(!format!("{:?}", fixture.log()).contains(SECRET), "{:#?}", fixture.log());
}

#[test]
fn an_import_does_not_bring_back_what_was_purged_here() {
    let (from, to) = two();
    let id = from.record(said(Kind::UserMessage, "a", "private")).id;
    let records = export(&from, &Filter::default());
    import(&to, &records);
    purge(&to, &only(&id));
    let log = to.log();
    assert_eq!(import(&to, &records), Tally { imported: 0, already_there: 1 });
    assert_eq!(to.log(), log);
}

/// The summary of a session quotes what was said in it.
#[test]
fn what_was_purged_is_not_said_by_the_sessions_summary_either() {
    let fixture = Fixture::new();
    let id = fixture.record(said(Kind::UserMessage, "a", "my card is 4111")).id;
    fixture.engine.end_session(&fixture.caller, Some("a"), EndReason::Client).unwrap();
    purge(&fixture, &only(&id));
    assert!(!format!("{:?}", fixture.log()).contains("4111"), "{}", fixture.story());
}

#[test]
fn a_page_of_events_says_how_many_there_are_in_truth() {
    let fixture = Fixture::new();
    fixture.capture((0..5).map(|_| saw(Kind::Read, "a")).collect());
    let newest = throughline_store::event::Order::NewestFirst;
    let page = fixture.engine.events(&fixture.caller, &Filter::default(), newest, 2).unwrap();
    let positions: Vec<i64> = page.events.iter().map(|event| event.position).collect();
    assert_eq!((positions, page.total), (vec![5, 4], 5));
}

#[test]
fn a_check_finds_a_whole_database_sound_and_a_gap_in_a_log() {
    let fixture = Fixture::new();
    fixture.capture(vec![saw(Kind::Read, "a"), saw(Kind::Read, "a")]);
    let project = |violations: &[&str]| ProjectHealth {
        name: "shop".into(),
        events: 2,
        violations: violations.iter().map(ToString::to_string).collect(),
    };
    let sound = Health { damage: vec![], projects: vec![project(&[])], search: vec![], jobs: vec![] };
    assert!(sound.is_sound());
    assert_eq!(fixture.engine.check().unwrap(), sound);

    fixture.write(|tx| tx.execute("delete from event where position = 1", &[]));
    let health = fixture.engine.check().unwrap();
    assert!(!health.is_sound());
    let text = health.projects[0].violations.join("\n").replace(fixture.session("a").id.as_str(), "SESSION");
    assert_snapshot!(text, @r"
    the log has 1 events at positions 2 to 2, and its counter says 2
    session SESSION has 1 events with sequences 2 to 2, and its counter says 2
    ");
    assert_eq!(fixture.session("a").client, CLIENT);
}
