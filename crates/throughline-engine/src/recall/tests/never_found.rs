//! What has ended is found by nothing, however it is asked for.

use throughline_store::event::{Filter, Kind as EventKind};
use throughline_store::memory::Source;

use super::{By, Fixture, Kind, Query, Statement, recall, remember, said, say, sorted, text_of, texts};
use crate::capture::{Opening, SessionRef};
use crate::recall::Found;
use crate::remember::FeedbackOutcome;
use crate::testing::{START, hours, in_role, of};

const SESSION: SessionRef = SessionRef::Own;

/// Asks for the text in every way there is.
fn every_way(text: &str) -> Vec<Query> {
    let ways = [By::Words, By::Meaning, By::WordsAndMeaning];
    let kinds = [vec![], vec![Kind::Memory], vec![Kind::Event], vec![Kind::Decision, Kind::Event]];
    let query =
        |by, kinds: &Vec<Kind>| Query { by, kinds: kinds.clone(), floor: Some(0.0), ..Query::of(text, 1000) };
    ways.into_iter()
        .flat_map(|by| kinds.iter().map(move |kinds| query(by, kinds)).collect::<Vec<_>>())
        .collect()
}

fn assert_never_found(fixture: &Fixture, text: &str, forbidden: &str) {
    for query in every_way(text) {
        let recalled = recall(fixture, &query);
        let shown: Vec<&str> = texts(&recalled).into_iter().filter(|text| text.contains(forbidden)).collect();
        assert_eq!(shown, [""; 0], "{query:?}");
    }
}

/// Memories that ended in every way, and their text.
fn ended_memories(fixture: &Fixture) -> &'static str {
    let opening = Opening::default();
    let forgotten = say(fixture, "the zebra is forgotten");
    fixture.engine.forget(&fixture.caller, &[forgotten.id.to_string()], None, (&SESSION, &opening)).unwrap();
    let keyed = |content: &str| Statement { state_key: Some("zebra".into()), ..Statement::of(content) };
    remember(fixture, vec![keyed("the zebra is superseded"), keyed("all is well")]);
    let until = Some(START.plus(hours(1)));
    let by_a_tool = Statement { source: Source::ToolOutput, ..Statement::of("the zebra is quarantined") };
    let expiring = Statement { expires_at: until, ..Statement::of("the zebra is expired") };
    remember(fixture, vec![by_a_tool, expiring]);
    let doubtful = say(fixture, "the zebra is doubtful").id.to_string();
    for _ in 0..2 {
        let names = std::slice::from_ref(&doubtful);
        let misleading = FeedbackOutcome::Misleading;
        fixture.engine.feedback(&fixture.caller, names, misleading, None, (&SESSION, &opening)).unwrap();
    }
    fixture.time.advance(hours(1));
    "zebra"
}

#[test]
fn a_memory_that_ended_is_never_found() {
    let fixture = Fixture::new();
    let word = ended_memories(&fixture);
    assert_never_found(&fixture, word, word);
    assert_never_found(&fixture, "the zebra is forgotten superseded expired", word);
}

#[test]
fn a_memory_that_ended_stays_away_when_it_is_part_of_a_partition() {
    let fixture = Fixture::new();
    let opening = Opening::default();
    let filler = (0..150).map(|n| Statement::of(format!("filler number{n} stands here")));
    let remembered = remember(&fixture, filler.chain([Statement::of("the zebra is late")]).collect());
    let zebra = remembered.last().unwrap().memory.id.to_string();
    let first = remembered[0].memory.id.to_string();
    fixture.engine.forget(&fixture.caller, &[zebra, first], None, (&SESSION, &opening)).unwrap();
    assert_never_found(&fixture, "zebra", "zebra");
    assert_never_found(&fixture, "filler number0 stands here", "number0 ");
    let word = ended_memories(&fixture);
    remember(&fixture, (0..150).map(|n| Statement::of(format!("more filler{n}"))).collect());
    assert_never_found(&fixture, word, word);
}

#[test]
fn the_note_about_a_forgotten_memory_is_no_neighbour_of_anything() {
    let fixture = Fixture::new();
    let secret = Statement { session: of("run"), ..Statement::of("the vault code is swordfish") };
    let memory = remember(&fixture, vec![secret]).remove(0).memory;
    fixture.record(said(EventKind::UserMessage, "run", "how do I open the garage door"));
    fixture
        .engine
        .forget(&fixture.caller, &[memory.id.to_string()], None, (&SESSION, &Opening::default()))
        .unwrap();
    let recalled = recall(&fixture, &Query::of("open the garage door", 10));
    assert_eq!(texts(&recalled), ["how do I open the garage door"]);
}

#[test]
fn a_search_for_decisions_finds_decisions_alone() {
    let fixture = Fixture::new();
    fixture.record(said(EventKind::UserMessage, "run", "which cache should we use"));
    fixture.record(said(EventKind::Decision, "run", "we use the redis cache"));
    fixture.record(said(EventKind::ModelMessage, "run", "fine, I will write it down"));
    let recalled = recall(&fixture, &Query { kinds: vec![Kind::Decision], ..Query::of("redis cache", 10) });
    assert_eq!(texts(&recalled), ["we use the redis cache"]);
}

#[test]
fn a_purged_event_is_never_found() {
    for search_first in [false, true] {
        let fixture = Fixture::new();
        let event = fixture.record(said(EventKind::UserMessage, "run", "my zebra password is on the fridge"));
        fixture.record(said(EventKind::ModelMessage, "run", "I will forget that at once"));
        if search_first {
            assert_eq!(recall(&fixture, &Query::of("zebra", 1)).hits.len(), 1);
        }
        let filter = Filter { ids: vec![event.id.clone()], ..Filter::default() };
        fixture.engine.purge(&fixture.caller, &filter, "privacy").unwrap();
        for query in every_way("zebra password fridge") {
            for hit in recall(&fixture, &query).hits {
                let Found::Event(found) = hit.found else { panic!("{hit:?}") };
                assert_ne!(found.id, event.id, "{} for {query:?}", text_of(&found));
            }
        }
    }
}

#[test]
fn a_purge_leaves_no_word_in_the_index() {
    let fixture = Fixture::new();
    let event = fixture.record(said(EventKind::UserMessage, "run", "the codename is swordfish"));
    recall(&fixture, &Query::of("codename", 1));
    let filter = Filter { ids: vec![event.id], ..Filter::default() };
    fixture.engine.purge(&fixture.caller, &filter, "privacy").unwrap();
    let recalled = recall(&fixture, &Query::of("swordfihs", 1));
    let taken_for: Vec<&String> =
        recalled.searched.iter().flat_map(|s| s.terms.iter().flat_map(|term| &term.taken_for)).collect();
    assert_eq!(taken_for, [""; 0]);
}

#[test]
fn what_the_product_itself_notes_is_no_answer() {
    let fixture = Fixture::new();
    say(&fixture, "the walrus is remembered");
    for kind in [EventKind::SystemEvent, EventKind::MemoryRecall, EventKind::Checkpoint] {
        fixture.record(said(kind, "run", "the walrus is noted"));
    }
    assert_eq!(super::found(&fixture, "walrus"), ["the walrus is remembered"]);
}

#[test]
fn what_is_in_quarantine_hides_nothing() {
    let fixture = Fixture::new();
    let flood = (0..310).map(|n| Statement {
        source: Source::ToolOutput,
        ..Statement::of(format!("deploy deploy deploy deploy number{n}"))
    });
    remember(&fixture, flood.collect());
    say(&fixture, "to deploy, run the script in the tools folder and wait for it");
    let recalled = recall(&fixture, &Query::of("deploy", 5));
    assert_eq!(texts(&recalled), ["to deploy, run the script in the tools folder and wait for it"]);
}

#[test]
fn since_finds_what_is_recent_among_much_that_is_old() {
    let fixture = Fixture::new();
    remember(&fixture, (0..310).map(|n| Statement::of(format!("deploy deploy deploy number{n}"))).collect());
    fixture.time.advance(hours(1));
    say(&fixture, "after the deploy we always look at the dashboards for a while");
    let query = Query { since: Some(fixture.time.now()), ..Query::of("deploy", 5) };
    assert_eq!(texts(&recall(&fixture, &query)).len(), 1);
}

#[test]
fn the_total_counts_only_what_can_be_shown() {
    let fixture = Fixture::new();
    let until = Some(START.plus(hours(1)));
    let expiring =
        (0..60).map(|n| Statement { expires_at: until, ..Statement::of(format!("parcel number{n}")) });
    remember(
        &fixture,
        expiring.chain((60..130).map(|n| Statement::of(format!("parcel number{n}")))).collect(),
    );
    fixture.time.advance(hours(2));
    let recalled = recall(&fixture, &Query { by: By::Words, floor: Some(0.0), ..Query::of("parcel", 1) });
    assert_eq!(recalled.total, 70);
}

#[test]
fn what_another_role_did_is_found_only_by_who_is_in_no_role_or_in_that_one() {
    let fixture = Fixture::new();
    fixture.record(in_role("plan", said(EventKind::UserMessage, "a", "The lighthouse keeper plans.")));
    fixture.record(in_role("build", said(EventKind::UserMessage, "b", "The lighthouse keeper builds.")));
    fixture.record(said(EventKind::UserMessage, "c", "The lighthouse keeper rests."));
    say(&fixture, "The lighthouse keeper is Ada");
    let seen_by = |asking: Option<&str>| {
        let asking = asking.map(|name| SessionRef::Named(name.into()));
        let query = Query { asking, floor: Some(0.0), ..Query::of("lighthouse keeper", 100) };
        let recalled = recall(&fixture, &query);
        assert_eq!(recalled.total, recalled.hits.len(), "what is not shown is not counted");
        sorted(&recalled)
            .into_iter()
            .map(|text| text.rsplit(' ').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(seen_by(Some("a")), ["Ada", "plans.", "rests."]);
    assert_eq!(seen_by(Some("b")), ["builds.", "Ada", "rests."]);
    assert_eq!(seen_by(Some("c")).len(), 4);
    assert_eq!(seen_by(None).len(), 4);
}
