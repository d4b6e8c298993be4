//! Handoffs: given with what the session knows, taken once, by role and workflow.

use std::sync::Barrier;

use serde_json::{Map, json};
use throughline_store::Location;
use throughline_store::event::Kind;
use throughline_store::handoff::{Filter, Handoff, Which};

use crate::capture::{During, Observation, Opening, SessionRef};
use crate::hold::handoff::Give;
use crate::orient::Request;
use crate::session::Update;
use crate::settings::Settings;
use crate::testing::{CLIENT, Fixture, SECRET, Time, caller, ids, in_role, of, refused, said, saw, store};
use crate::{Caller, Engine};

fn give(to: &str, workflow: Option<&str>) -> Give {
    Give { to_role: to.into(), workflow: workflow.map(Into::into), context: Map::new() }
}

fn within(session: &str, role: &str) -> During {
    let opening = Opening { chatmode: Some(role.into()), ..Opening::default() };
    During { session: of(session), opening }
}

fn take(fixture: &Fixture, role: &str, workflow: Option<&str>) -> Option<Handoff> {
    fixture.engine.take_handoff(&fixture.caller, (role, workflow), &within("taker", role)).unwrap()
}

#[test]
fn a_handoff_tells_what_the_session_knows_and_what_the_giver_says() {
    let fixture = Fixture::new();
    fixture.capture(vec![
        in_role("architect", said(Kind::UserMessage, "s", "Design the shop")),
        said(Kind::Decision, "s", "Prices are in cents"),
        Observation { target: Some("docs/shop.md".into()), ..saw(Kind::Write, "s") },
    ]);
    let patch =
        json!({ "spec_file": "docs/shop.md", "validation_gates_passed": [1, 2], "blockers": ["no key"] });
    fixture
        .engine
        .update_scratchpad(&fixture.caller, Some("s"), &Update { patch, if_version: None })
        .unwrap();
    let context = json!({ "notes": format!("use {SECRET}"), "key_decisions": ["Prices are in euros"] });
    let Some(context) = context.as_object().cloned() else { unreachable!() };
    let given = fixture
        .engine
        .give_handoff(
            &fixture.caller,
            &Give { context, ..give("builder", Some("shop")) },
            &within("s", "architect"),
        )
        .unwrap();
    assert_eq!((given.from_role.as_str(), given.to_role.as_str()), ("architect", "builder"));
    let context: serde_json::Value = serde_json::from_str(&given.context).unwrap();
    assert_eq!(context["spec_file"], "docs/shop.md");
    assert_eq!(context["gates_passed"], json!([1, 2]));
    assert_eq!(context["artifacts"], json!(["docs/shop.md"]));
    assert_eq!(context["blockers"], json!(["no key"]));
    assert_eq!(context["key_decisions"], json!(["Prices are in euros"]), "the giver has the last word");
    assert!(!given.context.contains(SECRET), "{}", given.context);
    assert!(given.summary.contains("Design the shop") && given.summary.contains("Prices are in cents"));
    assert_eq!(fixture.last_event().kind, Kind::Handoff);
    assert_eq!(take(&fixture, "builder", Some("shop")).unwrap().context, given.context);
    let session = fixture.session("taker");
    assert_eq!(fixture.last_event().session_id, session.id, "the taking is in the taker's log");
}

#[test]
fn it_is_taken_once_the_oldest_first_by_role_and_workflow() {
    let fixture = Fixture::new();
    let given: Vec<_> = [("builder", None), ("builder", Some("shop")), ("reviewer", None), ("builder", None)]
        .into_iter()
        .map(|(role, workflow)| {
            fixture.time.advance(crate::testing::minutes(1));
            let during = within("giver", "architect");
            fixture.engine.give_handoff(&fixture.caller, &give(role, workflow), &during).unwrap().id
        })
        .collect();
    let id = |taken: Option<Handoff>| taken.map(|handoff| handoff.id);
    assert_eq!(id(take(&fixture, "builder", Some("shop"))), Some(given[1].clone()));
    assert_eq!(id(take(&fixture, "builder", Some("shop"))), None);
    assert_eq!(id(take(&fixture, "builder", None)), Some(given[0].clone()));
    assert_eq!(id(take(&fixture, "builder", None)), Some(given[3].clone()));
    assert_eq!(id(take(&fixture, "builder", None)), None);
    let (waiting, total) = fixture
        .engine
        .handoffs(&fixture.caller, &Filter { which: Which::Pending, ..Filter::default() }, 9)
        .unwrap();
    assert_eq!((waiting[0].id.clone(), total), (given[2].clone(), 1));
    assert_eq!(
        fixture.engine.handoffs(&fixture.caller, &Filter::default(), 9).unwrap().1,
        4,
        "history stays"
    );
    refused(fixture.engine.give_handoff(&fixture.caller, &give(" ", None), &within("giver", "a")));
}

#[test]
fn orientation_shows_what_waits_for_the_role_that_asks() {
    let fixture = Fixture::new();
    for role in ["builder", "reviewer"] {
        fixture.time.advance(crate::testing::minutes(1));
        fixture
            .engine
            .give_handoff(&fixture.caller, &give(role, None), &within("giver", "architect"))
            .unwrap();
    }
    fixture.record(in_role("builder", said(Kind::UserMessage, "b", "hello")));
    fixture.record(said(Kind::UserMessage, "nobody", "hello"));
    let waits = |session: &str| {
        let asking = SessionRef::Of { client: CLIENT.into(), session: session.into() };
        let request = Request { focus: None, max_tokens: 9999, folder: None, asking: Some(&asking) };
        let stand = fixture.engine.orient(&fixture.caller, request, &|_| String::new()).unwrap();
        stand.handoffs.shown.into_iter().map(|handoff| handoff.to_role).collect::<Vec<_>>()
    };
    assert_eq!(waits("b"), ["builder"]);
    assert_eq!(waits("nobody"), ["builder", "reviewer"]);
    take(&fixture, "builder", None);
    assert!(waits("b").is_empty());
}

/// Two engines with connections of their own ask at the same moment, a thousand times.
fn race(location: &Location) {
    const ROUNDS: usize = 1000;
    let time = Time::new();
    let engine = |seed| Engine::new(store(location.clone()), time.clock(), ids(seed), Settings::default());
    let (first, second) = (engine(1), engine(2));
    let giver = caller(&first, "agent:giver");
    let own = During { session: SessionRef::Own, opening: Opening::default() };
    let start = Barrier::new(2);
    let play = |engine: &Engine, who: &Caller, gives: bool| {
        let won = (0..ROUNDS).map(|_| {
            if gives {
                engine.give_handoff(&giver, &give("builder", None), &own).unwrap();
            }
            start.wait();
            let taken = engine.take_handoff(who, ("builder", None), &own).unwrap();
            start.wait();
            taken.map(|handoff| handoff.id)
        });
        won.collect::<Vec<_>>()
    };
    let (a, b) = (caller(&first, "agent:a"), caller(&second, "agent:b"));
    let (first_won, second_won) = std::thread::scope(|scope| {
        let other = scope.spawn(|| play(&second, &b, false));
        (play(&first, &a, true), other.join().unwrap())
    });
    let mut won: Vec<_> = first_won.iter().chain(&second_won).flatten().collect();
    assert_eq!(won.len(), ROUNDS, "exactly one gets it each time");
    won.sort();
    won.dedup();
    assert_eq!(won.len(), ROUNDS, "and each handoff once");
    let both = first_won.iter().zip(&second_won).filter(|(a, b)| a.is_some() == b.is_some()).count();
    assert_eq!(both, 0, "rounds that both or neither won");
}

#[test]
fn of_two_takers_exactly_one_gets_it_a_thousand_times_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    race(&Location::File(folder.path().join("throughline.db")));
}

#[test]
#[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
fn of_two_takers_exactly_one_gets_it_a_thousand_times_on_postgres() {
    let server = std::env::var("TEST_POSTGRES").unwrap();
    let schema = format!("handoff_{}", std::process::id());
    let mut admin = postgres::Client::connect(&server, postgres::NoTls).unwrap();
    admin.batch_execute(&format!("drop schema if exists {schema} cascade; create schema {schema}")).unwrap();
    race(&Location::Server(format!("{server}?options=-csearch_path%3D{schema}")));
}
