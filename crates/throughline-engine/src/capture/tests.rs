//! The laws of appending, and what becomes of an observation on its way into the log.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::json;
use throughline_store::event::{Event, Kind, Role};
use throughline_store::id::{EventId, SessionId};
use throughline_store::session::{EndReason, Ended, Session};
use throughline_store::time::Timestamp;

use super::{CLI, DEFAULT_CHATMODE, Observation, Opening, Outcome, Recorded, SessionRef, Then};
use crate::settings::Settings;
use crate::testing::{
    CLIENT, Fixture, SECRET, START, hours, in_role, minutes, named, of, refused, said, saw,
};

/// An observation as the laws vary it; small numbers, so that runs, roles and keys meet again.
#[derive(Debug, Clone)]
struct Seen {
    run: u8,
    role: Option<u8>,
    key: Option<u8>,
    kind: Kind,
    minute: u64,
}

fn seen() -> impl Strategy<Value = Seen> {
    // Within an hour of each other: idleness has tests of its own.
    let kind = prop::sample::select(Kind::ALL);
    (0..3u8, prop::option::of(0..3u8), prop::option::of(0..12u8), kind, 0..50u64)
        .prop_map(|(run, role, key, kind, minute)| Seen { run, role, key, kind, minute })
}

fn batches() -> impl Strategy<Value = Vec<Vec<Seen>>> {
    prop::collection::vec(prop::collection::vec(seen(), 0..12), 1..5)
}

/// The content is unique, so that an event tells which observation it was.
fn observations(batch: &[Seen], name: usize) -> Vec<Observation> {
    let observation = |(n, seen): (usize, &Seen)| {
        let plain = Observation {
            at: Some(START.plus(minutes(seen.minute))),
            client_key: seen.key.map(|key| format!("key {key}")),
            ..said(seen.kind, &format!("run {}", seen.run), &format!("batch {name}, place {n}"))
        };
        match seen.role {
            Some(role) => in_role(&format!("role {role}"), plain),
            None => plain,
        }
    };
    batch.iter().enumerate().map(observation).collect()
}

/// The log without what is chance: ids replaced by what they stand for.
fn without_ids(fixture: &Fixture) -> Vec<(String, Event)> {
    let names: BTreeMap<SessionId, String> = (fixture.sessions().into_iter())
        .map(|session| (session.id, format!("{}/{}", session.client_session, session.chatmode)))
        .collect();
    let nameless = |event: Event| {
        let session = names[&event.session_id].clone();
        let (id, session_id) = (EventId::from(String::new()), SessionId::from(String::new()));
        (session, Event { id, session_id, ..event })
    };
    fixture.log().into_iter().map(nameless).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn places_are_gapless_and_answers_come_in_the_order_of_the_questions(batches in batches()) {
        let fixture = Fixture::new();
        for (name, batch) in batches.iter().enumerate() {
            let before = fixture.log().len() as i64;
            let observations = observations(batch, name);
            let recorded = fixture.capture(observations.clone());
            prop_assert_eq!(recorded.len(), observations.len());
            let mut last = before;
            for (observation, recorded) in observations.iter().zip(&recorded) {
                let event = fixture.event(recorded);
                prop_assert_eq!(recorded, &Recorded::of(&event, recorded.outcome));
                match recorded.outcome {
                    Outcome::Appended => {
                        prop_assert_eq!(&event.content, &observation.content);
                        prop_assert!(event.position > last, "{} after {last}", event.position);
                        last = event.position;
                    }
                    Outcome::AlreadyThere => prop_assert_eq!(&event.client_key, &observation.client_key),
                }
            }
        }
        let log = fixture.log();
        let mut sequences: BTreeMap<SessionId, i64> = BTreeMap::new();
        for (event, position) in log.iter().zip(1..) {
            let sequence = sequences.entry(event.session_id.clone()).or_default();
            *sequence += 1;
            prop_assert_eq!((event.position, event.sequence), (position, *sequence));
        }
        prop_assert_eq!(fixture.violations(), Vec::<String>::new());
        let mut open: Vec<String> = (fixture.sessions().into_iter())
            .filter(|session| session.ended.is_none())
            .map(|session| session.client_session)
            .collect();
        open.sort();
        let one_per_run: Vec<String> = open.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
        prop_assert_eq!(open, one_per_run, "a run has one role at a time");
    }

    #[test]
    fn no_key_is_recorded_twice_and_no_observation_is_lost(batches in batches()) {
        let fixture = Fixture::new();
        let all: Vec<Observation> =
            batches.iter().enumerate().flat_map(|(name, batch)| observations(batch, name)).collect();
        for (name, batch) in batches.iter().enumerate() {
            fixture.capture(observations(batch, name));
        }
        let mut keys = HashSet::new();
        let first_of_each_key = |seen: &&Observation| match &seen.client_key {
            Some(key) => keys.insert(key.clone()),
            None => true,
        };
        let expected: Vec<Option<String>> =
            all.iter().filter(first_of_each_key).map(|seen| seen.content.clone()).collect();
        let ours = |event: &Event| event.content.as_ref().is_some_and(|text| text.starts_with("batch "));
        let recorded: Vec<Option<String>> =
            fixture.log().into_iter().filter(ours).map(|event| event.content).collect();
        prop_assert_eq!(recorded, expected);
    }

    #[test]
    fn a_batch_of_keyed_observations_delivered_again_records_nothing(batch in prop::collection::vec(seen(), 1..20)) {
        let fixture = Fixture::new();
        let keyed: Vec<Observation> = (observations(&batch, 0).into_iter().enumerate())
            .map(|(n, observation)| Observation { client_key: Some(format!("key {n}")), ..observation })
            .collect();
        let first = fixture.capture(keyed.clone());
        let (log, sessions) = (fixture.log(), fixture.sessions());
        let again = fixture.capture(keyed);
        let there_already: Vec<Recorded> = (first.into_iter())
            .map(|recorded| Recorded { outcome: Outcome::AlreadyThere, ..recorded })
            .collect();
        prop_assert_eq!(again, there_already);
        prop_assert_eq!((fixture.log(), fixture.sessions()), (log, sessions));
    }

    #[test]
    fn a_batch_is_recorded_like_its_observations_one_by_one(batch in prop::collection::vec(seen(), 1..16)) {
        let (together, apart) = (Fixture::new(), Fixture::new());
        together.capture(observations(&batch, 0));
        for observation in observations(&batch, 0) {
            apart.record(observation);
        }
        prop_assert_eq!(without_ids(&together), without_ids(&apart));
    }
}

#[test]
fn the_clients_end_event_ends_its_session() {
    let fixture = Fixture::new();
    fixture.record(said(Kind::UserMessage, "a", "that is all"));
    fixture.record(Observation { then: Then::Ends, ..said(Kind::SystemEvent, "a", "the client closed") });
    let ended = fixture.session("a").ended.map(|ended| ended.reason);
    assert_eq!(ended, Some(EndReason::Client));
    assert_eq!(fixture.log().len(), 3, "with a summary");
}

#[test]
fn an_observation_with_every_field_becomes_an_event_with_every_field() {
    let fixture = Fixture::new();
    let recorded = fixture.record(Observation {
        actor: None,
        session: of("a"),
        opening: Opening::default(),
        at: Some(Timestamp(START.0 - 5)),
        kind: Kind::Write,
        role: Some(Role::Tool),
        target: Some("src/main.rs".into()),
        summary: Some("wrote main".into()),
        content: Some("fn main() {}".into()),
        parts: Some(json!({"lines": 1, "b": [null, 1.5]})),
        item_id: Some("BUG-7".into()),
        triggered_by: Some(EventId::from("earlier".to_owned())),
        informs: Some("memory-3".into()),
        rationale: Some("a program needs a main".into()),
        client_key: Some("k1".into()),
        then: Then::GoesOn,
    });
    assert_eq!(
        fixture.event(&recorded),
        Event {
            position: 1,
            id: recorded.id.clone(),
            session_id: fixture.session("a").id,
            sequence: 1,
            at: Timestamp(START.0 - 5),
            actor: "agent:claude".parse().unwrap(),
            kind: Kind::Write,
            role: Role::Tool,
            target: Some("src/main.rs".into()),
            summary: "wrote main".into(),
            content: Some("fn main() {}".into()),
            parts: Some(r#"{"lines":1,"b":[null,1.5]}"#.into()),
            item_id: Some("BUG-7".into()),
            triggered_by: Some(EventId::from("earlier".to_owned())),
            informs: Some("memory-3".into()),
            rationale: Some("a program needs a main".into()),
            client_key: Some("k1".into()),
            tokens: 16,
            redactions: 0,
            purge: None,
        }
    );
}

#[test]
fn the_role_follows_from_the_kind_and_the_actor() {
    let fixture = Fixture::new();
    let role = |actor: &str, kind: Kind| {
        let recorded = fixture.engine.capture(&fixture.by(actor), vec![saw(kind, "a")]).unwrap();
        fixture.event(&recorded[0]).role
    };
    let line = |kind: &Kind| format!("{kind}: {}, {}", role("user:ann", *kind), role("agent:claude", *kind));
    assert_snapshot!(Kind::ALL.iter().map(line).collect::<Vec<_>>().join("\n"), @r"
    user_message: user, user
    model_message: assistant, assistant
    tool_call: assistant, assistant
    tool_result: tool, tool
    read: user, assistant
    write: user, assistant
    search: user, assistant
    decision: user, assistant
    validation_gate: system, system
    memory_recall: system, system
    item_created: user, assistant
    item_updated: user, assistant
    item_deleted: user, assistant
    resource_written: user, assistant
    task_completed: user, assistant
    handoff: user, assistant
    checkpoint: system, system
    system_event: system, system
    ");
}

#[test]
fn every_event_has_a_summary_of_one_line() {
    let fixture = Fixture::new();
    let long = "é".repeat(161);
    let cases = [
        (Some("given"), Some("content"), Some("target"), "given".to_owned()),
        (Some("\n  first \nsecond"), None, None, "first".to_owned()),
        (Some(" \n\t"), Some("\r\n\n  the content\nmore"), Some("target"), "the content".to_owned()),
        (None, Some(" \n "), Some("src/a.rs"), "write src/a.rs".to_owned()),
        (None, None, Some("src/a.rs"), "write src/a.rs".to_owned()),
        (None, None, None, "write".to_owned()),
        (None, Some(&long[..320]), None, "é".repeat(160)),
        (None, Some(&long), None, format!("{}…", "é".repeat(159))),
        (Some(&long), None, None, format!("{}…", "é".repeat(159))),
    ];
    for (summary, content, target, expected) in cases {
        let recorded = fixture.record(Observation {
            summary: summary.map(str::to_owned),
            content: content.map(str::to_owned),
            target: target.map(str::to_owned),
            ..saw(Kind::Write, "a")
        });
        assert_eq!(fixture.event(&recorded).summary, expected, "{summary:?} {content:?} {target:?}");
    }
}

#[test]
fn a_text_at_its_limit_is_recorded_and_one_byte_more_is_refused_whole() {
    let fixture = Fixture::with(Settings { max_content_bytes: 10, ..Settings::default() });
    let text = |bytes: usize| Some("x".repeat(bytes));
    let at = |over: usize| {
        let plain = || saw(Kind::Write, "a");
        [
            Observation { content: text(10 + over), ..plain() },
            Observation { parts: Some(json!("x".repeat(8 + over))), ..plain() },
            Observation { target: text(4096 + over), ..plain() },
            Observation { summary: text(4096 + over), ..plain() },
            Observation { rationale: text(65536 + over), ..plain() },
            Observation { item_id: text(200 + over), ..plain() },
            Observation { informs: text(200 + over), ..plain() },
            Observation { client_key: text(500 + over), ..plain() },
        ]
    };
    let mut messages = Vec::new();
    for (fits, too_large) in at(0).into_iter().zip(at(1)) {
        let before = fixture.log();
        let batch = vec![saw(Kind::Read, "a"), too_large];
        messages.push(refused(fixture.engine.capture(&fixture.caller, batch)));
        assert_eq!(fixture.log(), before, "all or none");
        fixture.record(fits);
    }
    assert_snapshot!(messages.join("\n"), @r"
    invalid: the event's content has 11 bytes and the limit is 10; record a shorter text with a reference to the file, or raise log.max_content_bytes
    invalid: the event's parts has 11 bytes and the limit is 10; record a shorter text with a reference to the file, or raise log.max_content_bytes
    invalid: the event's target is longer than 4096 bytes; put long text into the content
    invalid: the event's summary is longer than 4096 bytes; put long text into the content
    invalid: the event's rationale is longer than 65536 bytes; put long text into the content
    invalid: the event's item is longer than 200 bytes; put long text into the content
    invalid: the event's informs is longer than 200 bytes; put long text into the content
    invalid: the event's key is longer than 500 bytes; put long text into the content
    ");
    assert_eq!(fixture.log().len(), 8);
}

#[test]
fn a_long_text_that_is_stored_packed_reads_the_same() {
    let fixture = Fixture::with(Settings { pack_over_bytes: 100, ..Settings::default() });
    let long = "所有人 everyone 🚀\n".repeat(50);
    let recorded = fixture.record(Observation {
        parts: Some(json!({ "text": long.clone() })),
        ..said(Kind::ModelMessage, "a", &long)
    });
    let event = fixture.event(&recorded);
    assert_eq!((event.summary.as_str(), event.content), ("所有人 everyone 🚀", Some(long.clone())));
    assert_eq!(event.parts, Some(json!({ "text": long }).to_string()));
}

#[test]
fn zero_bytes_are_shown_by_their_picture_where_text_is_kept() {
    let fixture = Fixture::new();
    let recorded = fixture.record(Observation {
        target: Some("a\0b".into()),
        rationale: Some("c\0d".into()),
        opening: Opening { git_branch: Some("e\0f".into()), ..Opening::default() },
        ..said(Kind::Write, "a", "\0g")
    });
    let event = fixture.event(&recorded);
    let texts = (event.target.as_deref(), event.rationale.as_deref(), event.content.as_deref());
    assert_eq!(texts, (Some("a␀b"), Some("c␀d"), Some("␀g")));
    assert_eq!(event.summary, "␀g");
    assert_eq!(fixture.session("a").git_branch.as_deref(), Some("e␀f"));
}

/// PostgreSQL would refuse the row for good, so a hook that tries again would never get it through.
#[test]
fn zero_bytes_reach_the_database_in_no_field() {
    let fixture = Fixture::new();
    let outcome = fixture.engine.capture(
        &fixture.caller,
        vec![Observation {
            item_id: Some("a\0".into()),
            informs: Some("b\0".into()),
            client_key: Some("c\0".into()),
            triggered_by: Some(EventId::from("d\0".to_owned())),
            ..saw(Kind::Write, "a")
        }],
    );
    let stored: Vec<Event> = outcome.into_iter().flatten().map(|recorded| fixture.event(&recorded)).collect();
    assert!(!format!("{stored:?}").contains("\\0"), "{stored:?}");
}

#[test]
fn names_that_cannot_be_names_are_refused() {
    let fixture = Fixture::new();
    let long = "x".repeat(201);
    let outcomes = [
        named(""),
        named("two\nlines"),
        named(&long),
        SessionRef::Of { client: String::new(), session: "a".into() },
        SessionRef::Of { client: CLIENT.into(), session: "zero\0".into() },
    ]
    .map(|session| {
        let message =
            refused(fixture.engine.capture(&fixture.caller, vec![Observation::of(Kind::Read, session)]));
        message.replace(&long, "xxx…")
    });
    assert_snapshot!(outcomes.join("\n"), @r#"
    invalid: a session needs a name of 1 to 200 characters without line breaks, not ""
    invalid: a session needs a name of 1 to 200 characters without line breaks, not "two\nlines"
    invalid: a session needs a name of 1 to 200 characters without line breaks, not "xxx…"
    invalid: a client needs a name of 1 to 200 characters without line breaks, not ""
    invalid: a session needs a name of 1 to 200 characters without line breaks, not "zero\0"
    "#);
    let chatmode = in_role("", saw(Kind::Read, "a"));
    assert_snapshot!(
        refused(fixture.engine.capture(&fixture.caller, vec![chatmode])),
        @r#"invalid: a chatmode needs a name of 1 to 200 characters without line breaks, not """#
    );
    assert_eq!(fixture.sessions(), []);
}

#[test]
fn secrets_reach_no_field_of_the_event_and_are_counted() {
    let fixture = Fixture::new();
    let recorded = fixture.record(Observation {
        target: Some(format!("git push with {SECRET}")),
        summary: Some(format!("pushed with {SECRET}")),
        rationale: Some(format!("because {SECRET} works")),
        parts: Some(json!({ "args": ["push", format!("the token is {SECRET}")] })),
        ..said(Kind::ToolCall, "a", &format!("export TOKEN_1={SECRET}\nand again {SECRET}\n"))
    });
    let event = fixture.event(&recorded);
    assert!(!format!("{event:?}").contains(SECRET), "{event:#?}");
    assert_eq!((recorded.redactions, event.redactions), (6, 6));
}

#[test]
fn a_summary_made_from_the_content_is_made_from_the_redacted_content() {
    let fixture = Fixture::new();
    let recorded = fixture.record(said(Kind::UserMessage, "a", &format!("my token is {SECRET}, use it")));
    let event = fixture.event(&recorded);
    assert_eq!(Some(event.summary), event.content);
    assert_eq!(event.redactions, 1);
}

#[test]
fn secrets_reach_no_field_of_the_session() {
    let fixture = Fixture::new();
    let secret = || Some(format!("x {SECRET} y"));
    fixture.record(Observation {
        opening: Opening {
            chatmode: None,
            user: secret(),
            workflow: secret(),
            skill: secret(),
            git_branch: secret(),
            workspace: secret(),
            parent: None,
            metadata: Some(json!({ "env": { "TOKEN": secret() } })),
        },
        ..saw(Kind::Read, "a")
    });
    let session = fixture.session("a");
    assert!(!format!("{session:?}").contains(SECRET), "{session:#?}");
}

#[test]
fn a_parent_may_be_named_as_the_client_names_it() {
    let fixture = Fixture::new();
    let child = |name: &str, parent: &str| {
        let parent = SessionRef::Of { client: CLIENT.into(), session: parent.into() };
        let opening = Opening { parent: Some(parent), ..Opening::default() };
        fixture.record(Observation { opening, ..saw(Kind::Read, name) });
        fixture.session(name).parent
    };
    let parent = fixture.record(saw(Kind::UserMessage, "main"));
    assert_eq!(child("main/1", "main"), Some(parent.session_id));
    assert_eq!(child("other/1", "other"), None, "nobody knows it yet");
}

#[test]
fn the_first_event_opens_a_session_with_what_is_known_about_it() {
    let fixture = Fixture::new();
    let opening = Opening {
        chatmode: Some("reviewer".into()),
        user: Some("ann".into()),
        workflow: Some("release".into()),
        skill: Some("rust".into()),
        git_branch: Some("main".into()),
        workspace: Some("/work/shop".into()),
        parent: Some(SessionRef::Named("parent".into())),
        metadata: Some(json!({"model": "m", "n": 1})),
    };
    let recorded = fixture.record(Observation { opening, ..saw(Kind::UserMessage, "a") });
    let expected = Session {
        id: recorded.session_id,
        client: CLIENT.into(),
        client_session: "a".into(),
        chatmode: "reviewer".into(),
        user: "ann".into(),
        workflow: Some("release".into()),
        skill: Some("rust".into()),
        git_branch: Some("main".into()),
        workspace: Some("/work/shop".into()),
        parent: Some(SessionId::from("parent".to_owned())),
        metadata: Some(r#"{"model":"m","n":1}"#.into()),
        started_at: START,
        last_event_at: START,
        ended: None,
        last_sequence: 1,
        scratchpad: "{}".into(),
        scratchpad_version: 0,
    };
    assert_eq!(fixture.session("a"), expected);

    fixture.time.advance(minutes(1));
    let opening = Opening { user: Some("bob".into()), skill: Some("go".into()), ..Opening::default() };
    fixture.record(Observation { opening, ..saw(Kind::Read, "a") });
    let after = Session { last_event_at: START.plus(minutes(1)), last_sequence: 2, ..expected };
    assert_eq!(fixture.sessions(), [after], "later openings change nothing");
}

#[test]
fn a_session_of_which_nothing_is_known_belongs_to_its_actor_in_the_default_role() {
    let fixture = Fixture::new();
    let recorded = fixture.record(saw(Kind::UserMessage, "a"));
    let session = fixture.session("a");
    assert_eq!(
        (session.id, session.chatmode, session.user),
        (recorded.session_id, DEFAULT_CHATMODE.into(), "claude".into())
    );
    assert_eq!((session.workflow, session.metadata), (None, None));
}

#[test]
fn what_is_done_outside_a_session_belongs_to_the_actors_own() {
    let fixture = Fixture::new();
    let own = || vec![Observation::of(Kind::Decision, SessionRef::Own)];
    for actor in ["user:ann", "agent:ann", "user:ann"] {
        fixture.engine.capture(&fixture.by(actor), own()).unwrap();
    }
    let sessions: Vec<(String, String, i64)> = (fixture.sessions().into_iter())
        .map(|session| (session.client, session.client_session, session.last_sequence))
        .collect();
    assert!(sessions.contains(&(CLI.into(), "user:ann".into(), 2)), "{sessions:?}");
    assert!(sessions.contains(&(CLI.into(), "agent:ann".into(), 1)), "{sessions:?}");
    assert_eq!(sessions.len(), 2);
}

#[test]
fn a_name_finds_our_id_and_the_clients_and_opens_one_when_it_is_neither() {
    let fixture = Fixture::new();
    let opened = fixture.record(saw(Kind::UserMessage, "a")).session_id;
    let by_our_id = fixture.record(Observation::of(Kind::Read, named(opened.as_str()))).session_id;
    let by_the_clients = fixture.record(Observation::of(Kind::Read, named("a"))).session_id;
    assert_eq!([&by_our_id, &by_the_clients], [&opened; 2]);
    let fresh = fixture.record(Observation::of(Kind::Read, named("b"))).session_id;
    assert_ne!(fresh, opened);
    let session = fixture.session(fresh.as_str());
    assert_eq!((session.client.as_str(), session.client_session.as_str()), (CLI, "b"));
}

#[test]
fn two_clients_with_the_same_name_for_a_session_have_two_sessions() {
    let fixture = Fixture::new();
    let of_client = |client: &str| SessionRef::Of { client: client.into(), session: "1".into() };
    let both =
        || ["claude-code", "cursor"].map(|client| Observation::of(Kind::Read, of_client(client))).to_vec();
    let together = fixture.capture(both());
    let apart: Vec<Recorded> = both().into_iter().map(|observation| fixture.record(observation)).collect();
    assert_ne!(together[0].session_id, together[1].session_id);
    assert_eq!(together[0].session_id, apart[0].session_id);
    assert_eq!(together[1].session_id, apart[1].session_id);
    let open: Vec<Option<Ended>> = fixture.sessions().into_iter().map(|session| session.ended).collect();
    assert_eq!(open, [None, None]);
}

#[test]
fn sessions_of_one_project_are_not_seen_in_another() {
    let fixture = Fixture::new();
    let ours = fixture.record(saw(Kind::Read, "a"));
    let other = fixture.engine.project(&crate::testing::plain("/work/other"), Some("other")).unwrap();
    let elsewhere = crate::Caller { project: other.id, ..fixture.caller.clone() };
    let theirs = fixture.engine.capture(&elsewhere, vec![saw(Kind::Read, "a")]).unwrap().remove(0);
    assert_ne!(ours.session_id, theirs.session_id);
    assert_eq!((theirs.position, theirs.sequence), (1, 1));
    assert_eq!(fixture.log().len(), 1);
}

#[test]
fn an_event_after_the_end_resumes_the_session() {
    let fixture = Fixture::new();
    let before = fixture.record(saw(Kind::UserMessage, "a"));
    fixture.engine.end_session(&fixture.caller, Some("a"), EndReason::Client).unwrap();
    fixture.time.advance(minutes(5));
    let after = fixture.record(saw(Kind::UserMessage, "a"));
    assert_eq!((after.session_id, after.sequence), (before.session_id, 3), "after the summary");
    let session = fixture.session("a");
    assert_eq!((session.ended, session.last_event_at), (None, START.plus(minutes(5))));
    assert_eq!(fixture.violations(), Vec::<String>::new());
}

#[test]
fn a_change_of_role_closes_the_session_after_all_that_was_seen_in_it() {
    let fixture = Fixture::new();
    fixture.capture(vec![
        in_role("plan", said(Kind::UserMessage, "a", "plan it")),
        in_role("plan", said(Kind::ModelMessage, "a", "the plan")),
        said(Kind::Decision, "a", "decided while planning"),
        in_role("build", said(Kind::UserMessage, "a", "build it")),
        said(Kind::ModelMessage, "a", "built"),
        said(Kind::UserMessage, "b", "another run"),
        in_role("plan", said(Kind::UserMessage, "a", "plan more")),
    ]);
    assert_snapshot!(fixture.story(), @r#"
    a/plan 1 user_message: plan it
    a/plan 2 model_message: the plan
    a/plan 3 decision: decided while planning
    a/plan 4 system_event: session ended (role_change): 3 events, last asked "plan it"
    a/build 1 user_message: build it
    a/build 2 model_message: built
    b/default 1 user_message: another run
    a/build 3 system_event: session ended (role_change): 2 events, last asked "build it"
    a/plan 5 user_message: plan more
    "#);
    let ended: Vec<(String, Option<EndReason>)> = (fixture.sessions().into_iter())
        .map(|session| {
            (format!("{}/{}", session.client_session, session.chatmode), session.ended.map(|e| e.reason))
        })
        .collect();
    assert!(ended.contains(&("a/plan".into(), None)), "{ended:?}");
    assert!(ended.contains(&("a/build".into(), Some(EndReason::RoleChange))), "{ended:?}");
    assert!(ended.contains(&("b/default".into(), None)), "{ended:?}");
}

#[test]
fn a_role_by_the_sessions_own_id_is_the_role_of_the_same_run() {
    let fixture = Fixture::new();
    let plan = fixture.record(in_role("plan", saw(Kind::UserMessage, "a"))).session_id;
    let build = fixture.record(in_role("build", Observation::of(Kind::UserMessage, named(plan.as_str()))));
    let session = fixture.session(build.session_id.as_str());
    assert_eq!((session.client.as_str(), session.client_session.as_str()), (CLIENT, "a"));
    assert_ne!(session.id, plan);
    assert_eq!(fixture.session(plan.as_str()).ended.map(|e| e.reason), Some(EndReason::RoleChange));
}

#[test]
fn one_run_may_go_by_two_names_in_one_batch() {
    let fixture = Fixture::new();
    fixture.record(in_role("build", said(Kind::UserMessage, "a", "build")));
    let outcome = fixture.engine.capture(
        &fixture.caller,
        vec![
            in_role("plan", said(Kind::UserMessage, "a", "plan it")),
            in_role("build", Observation { session: named("a"), ..said(Kind::UserMessage, "a", "build it") }),
            in_role("plan", said(Kind::UserMessage, "a", "plan more")),
        ],
    );
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_snapshot!(fixture.story(), @r#"
    a/build 1 user_message: build
    a/build 2 system_event: session ended (role_change): 1 events, last asked "build"
    a/plan 1 user_message: plan it
    a/plan 2 system_event: session ended (role_change): 1 events, last asked "plan it"
    a/build 3 user_message: build it
    a/build 4 system_event: session ended (role_change): 3 events, last asked "build it"
    a/plan 3 user_message: plan more
    "#);
}

#[test]
fn silence_inside_a_batch_ends_the_session_like_silence_between_batches() {
    let later = |time| Observation { at: Some(START.plus(time)), ..saw(Kind::Read, "a") };
    let (together, apart) = (Fixture::new(), Fixture::new());
    together.capture(vec![later(minutes(0)), later(hours(3))]);
    apart.record(later(minutes(0)));
    apart.record(later(hours(3)));
    assert_eq!(together.story(), apart.story());
}

#[test]
fn a_key_that_is_known_opens_no_session() {
    let fixture = Fixture::new();
    let keyed = |session: &str| Observation { client_key: Some("k".into()), ..saw(Kind::Read, session) };
    let first = fixture.record(keyed("a"));
    let again = fixture.record(keyed("b"));
    assert_eq!(again, Recorded { outcome: Outcome::AlreadyThere, ..first });
    assert_eq!(fixture.sessions().len(), 1);
}

#[test]
fn nothing_to_record_is_recorded_as_nothing() {
    let fixture = Fixture::new();
    assert_eq!(fixture.capture(vec![]), []);
    assert_eq!((fixture.log(), fixture.sessions()), (vec![], vec![]));
}

#[test]
fn an_observation_from_the_past_does_not_turn_the_session_back() {
    let fixture = Fixture::new();
    fixture.record(saw(Kind::Read, "a"));
    let past = Timestamp(START.0 - 1_000_000);
    let recorded = fixture.record(Observation { at: Some(past), ..saw(Kind::Read, "a") });
    assert_eq!((fixture.event(&recorded).at, recorded.sequence), (past, 2));
    assert_eq!(fixture.session("a").last_event_at, START);
}

#[test]
fn a_session_does_not_end_before_its_last_event() {
    let fixture = Fixture::new();
    fixture.record(in_role("plan", saw(Kind::Read, "a")));
    let late = Observation { at: Some(Timestamp(START.0 - 1_000_000)), ..saw(Kind::Read, "a") };
    fixture.record(in_role("build", late));
    let plan = fixture.sessions().into_iter().find(|session| session.chatmode == "plan").unwrap();
    assert_eq!(plan.ended, Some(Ended { at: START, reason: EndReason::RoleChange }));
}
