//! What a search finds, and what it must never find.

mod events;
mod never_found;
mod order;
mod snippets;
mod words;

use throughline_store::event::{Event, Kind as EventKind};
use throughline_store::memory::{Kind as MemoryKind, Memory, Scope};

use super::{By, Found, Kind, Query, Recalled, Weights};
use crate::Caller;
use crate::remember::{Remembered, Statement};
use crate::settings::Settings;
use crate::testing::{Fixture, hours, plain, refused, said};

fn remember(fixture: &Fixture, statements: Vec<Statement>) -> Vec<Remembered> {
    fixture.engine.remember(&fixture.caller, statements).unwrap()
}

fn say(fixture: &Fixture, content: &str) -> Memory {
    remember(fixture, vec![Statement::of(content)]).remove(0).memory
}

/// A project that remembers these.
fn knowing(contents: &[&str]) -> Fixture {
    let fixture = Fixture::new();
    remember(&fixture, contents.iter().map(|content| Statement::of(*content)).collect());
    fixture
}

fn recall(fixture: &Fixture, query: &Query) -> Recalled {
    fixture.engine.recall(&fixture.caller, query).unwrap()
}

/// What was found, the best first: a memory's content or an event's.
fn texts(recalled: &Recalled) -> Vec<&str> {
    fn text(found: &Found) -> &str {
        match found {
            Found::Memory(memory) => memory.content.as_str(),
            Found::Event(event) => text_of(event),
            Found::Item(item) => &item.title,
            Found::Resource(resource) => &resource.content,
            Found::Code(code) => &code.file.path,
        }
    }
    recalled.hits.iter().map(|hit| text(&hit.found)).collect()
}

fn text_of(event: &Event) -> &str {
    event.content.as_deref().unwrap_or(&event.summary)
}

fn found(fixture: &Fixture, text: &str) -> Vec<String> {
    texts(&recall(fixture, &Query::of(text, 100))).into_iter().map(str::to_owned).collect()
}

/// The same in a fixed order, for when the order is not the question.
fn sorted(recalled: &Recalled) -> Vec<&str> {
    let mut texts = texts(recalled);
    texts.sort_unstable();
    texts
}

#[test]
fn what_is_remembered_is_found_at_once() {
    let fixture = Fixture::new();
    for n in 0..300 {
        let content = format!("fact number{n} about the warehouse");
        say(&fixture, &content);
        let query = Query { by: By::Words, ..Query::of(format!("number{n}"), 5) };
        assert_eq!(texts(&recall(&fixture, &query)), [content.as_str()]);
    }
}

#[test]
fn a_store_without_anything_answers_with_nothing() {
    let fixture = Fixture::new();
    for text in ["", "deploy", "the", "漢字", "\u{0}"] {
        let recalled = recall(&fixture, &Query::of(text, 10));
        assert_eq!((recalled.hits.len(), recalled.total), (0, 0), "{text:?}");
        assert!(recalled.searched.iter().all(|searched| searched.documents == 0));
    }
}

#[test]
fn odd_queries_do_no_harm() {
    let fixture = knowing(&["deploy with kubectl", "the database is postgres"]);
    let long = "deploy kubectl zebra ".repeat(2500);
    let queries = [
        "deploy AND (",
        "\"deploy",
        "-deploy",
        "deploy NEAR/3 kubectl",
        "dep*",
        "deploy OR NOT",
        "title:deploy",
        "deploy\u{0}\u{1}\u{7f}\r\n kubectl",
        "' or 1=1 -- deploy",
        "{deploy}^[kubectl]",
        "deploy \u{202e}\u{feff}\u{200d}",
        &long[..50_000],
    ];
    for text in queries {
        assert_eq!(found(&fixture, text)[..1], ["deploy with kubectl"], "{text:.40?}");
    }
    for text in ["", " ", "\u{0}\u{7}", "()\"'*-:^~", "the of and is", "🏽"] {
        let recalled = recall(&fixture, &Query { by: By::Words, ..Query::of(text, 10) });
        assert_eq!(recalled.total, 0, "{text:?}");
    }
    let too_long = refused(fixture.engine.recall(&fixture.caller, &Query::of("x".repeat(65_537), 1)));
    assert_eq!(
        too_long,
        "invalid: the query has 65537 bytes and the limit is 65536; ask for what matters in it"
    );
}

#[test]
fn a_query_of_many_words_says_how_many_it_left_out() {
    let fixture = knowing(&["apple pear"]);
    let words: Vec<String> = (0..200).map(|n| format!("w{n}")).collect();
    let recalled = recall(&fixture, &Query { by: By::Words, ..Query::of(words.join(" "), 3) });
    assert_eq!((recalled.searched[0].terms.len(), recalled.searched[0].ignored_terms), (128, 72));
}

#[test]
fn filters_hold_together() {
    let fixture = Fixture::new();
    let of = |content: &str, kind, scope, tags: &[&str]| Statement {
        kind,
        scope,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..Statement::of(content)
    };
    let (fact, rule, app, user) = (MemoryKind::Fact, MemoryKind::Rule, Scope::App, Scope::User);
    remember(
        &fixture,
        vec![
            of("release one", fact, app, &["ci", "100%"]),
            of("release two", rule, app, &["ci"]),
            of("release three", MemoryKind::Decision, user, &[]),
            of("release four", MemoryKind::Belief, user, &["ci", "a_b", "it's"]),
        ],
    );
    fixture.record(said(EventKind::UserMessage, "run", "release five"));
    fixture.record(said(EventKind::Decision, "another run", "release six"));
    let all = || Query { floor: Some(0.0), by: By::Words, ..Query::of("release", 10) };
    let tags = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
    for (query, expected) in [
        (all(), &["five", "four", "one", "six", "three", "two"][..]),
        (Query { kinds: vec![Kind::Memory], ..all() }, &["four", "one", "three", "two"]),
        (Query { kinds: vec![Kind::Event], ..all() }, &["five", "six"]),
        (Query { kinds: vec![Kind::Decision], ..all() }, &["six", "three"]),
        (Query { kinds: vec![Kind::Belief], ..all() }, &["four"]),
        (Query { kinds: vec![Kind::Belief, Kind::Decision], ..all() }, &["four", "six", "three"]),
        (Query { kinds: vec![Kind::Belief, Kind::Event], ..all() }, &["five", "four", "six"]),
        (Query { memory_kinds: vec![fact, rule], ..all() }, &["one", "two"]),
        (Query { memory_kinds: vec![MemoryKind::Skill], ..all() }, &[]),
        (Query { scope: Some(user), ..all() }, &["four", "three"]),
        (Query { scope: Some(Scope::Session), ..all() }, &[]),
        (Query { tags: tags(&["ci"]), ..all() }, &["four", "one", "two"]),
        (Query { tags: tags(&["ci", "100%"]), ..all() }, &["one"]),
        (Query { tags: tags(&["a_b", "it's"]), ..all() }, &["four"]),
        (Query { tags: tags(&["CI"]), ..all() }, &[]),
        (Query { tags: tags(&["c"]), ..all() }, &[]),
        (Query { tags: tags(&["ci"]), scope: Some(app), memory_kinds: vec![rule], ..all() }, &["two"]),
        (Query { tags: tags(&["ci"]), kinds: vec![Kind::Event], ..all() }, &[]),
    ] {
        let recalled = recall(&fixture, &query);
        let expected: Vec<String> = expected.iter().map(|word| format!("release {word}")).collect();
        assert_eq!(sorted(&recalled), expected, "{query:?}");
        assert_eq!(recalled.total, expected.len(), "{query:?}");
    }
}

#[test]
fn since_looks_at_when_it_happened() {
    let fixture = Fixture::new();
    let start = fixture.time.now();
    fixture.time.advance(hours(10));
    let at = |content: &str, hours_after_start| Statement {
        occurred_at: Some(start.plus(hours(hours_after_start))),
        ..Statement::of(content)
    };
    remember(&fixture, vec![at("meeting early", 1), at("meeting late", 5), Statement::of("meeting now")]);
    for (hour, expected) in [
        (0, &["meeting early", "meeting late", "meeting now"][..]),
        (5, &["meeting late", "meeting now"]),
        (6, &["meeting now"]),
        (11, &[]),
    ] {
        let query = Query { since: Some(start.plus(hours(hour))), ..Query::of("meeting", 10) };
        assert_eq!(sorted(&recall(&fixture, &query)), expected, "{hour}");
    }
}

#[test]
fn the_limit_cuts_what_is_shown_and_not_what_is_counted() {
    let contents: Vec<String> = (0..20).map(|n| format!("parcel number{n}")).collect();
    let fixture = knowing(&contents.iter().map(String::as_str).collect::<Vec<_>>());
    for (limit, shown) in [(0, 0), (1, 1), (7, 7), (20, 20), (1000, 20)] {
        let recalled =
            recall(&fixture, &Query { by: By::Words, floor: Some(0.0), ..Query::of("parcel", limit) });
        assert_eq!((recalled.hits.len(), recalled.total), (shown, 20), "{limit}");
    }
}

#[test]
fn a_limit_of_any_size_is_a_limit() {
    let fixture = knowing(&["parcel one"]);
    assert_eq!(texts(&recall(&fixture, &Query::of("parcel", usize::MAX))), ["parcel one"]);
}

#[test]
fn a_limit_of_more_than_a_hundred_is_kept() {
    let contents: Vec<String> = (0..250).map(|n| format!("parcel number{n}")).collect();
    let fixture = knowing(&contents.iter().map(String::as_str).collect::<Vec<_>>());
    let recalled = recall(&fixture, &Query { by: By::Words, floor: Some(0.0), ..Query::of("parcel", 200) });
    assert_eq!(recalled.hits.len(), 200);
}

#[test]
fn a_total_that_is_not_all_says_so() {
    let contents: Vec<String> = (0..250).map(|n| format!("parcel number{n}")).collect();
    let fixture = knowing(&contents.iter().map(String::as_str).collect::<Vec<_>>());
    let total = |limit| {
        let query = Query { by: By::Words, floor: Some(0.0), ..Query::of("parcel", limit) };
        let recalled = recall(&fixture, &query);
        (recalled.total, recalled.at_least)
    };
    assert_eq!((total(10), total(300)), ((100, true), (250, false)));
}

#[test]
fn projects_are_isolated() {
    let fixture = knowing(&["the treasure is under the oak"]);
    fixture.record(said(EventKind::UserMessage, "run", "where is the treasure?"));
    let project = fixture.engine.project(&plain("/work/elsewhere"), Some("elsewhere")).unwrap();
    let stranger = Caller { project: project.id, ..fixture.caller.clone() };
    for by in [By::Words, By::Meaning, By::WordsAndMeaning] {
        let query = Query { by, floor: Some(0.0), ..Query::of("treasure under the oak", 10) };
        let recalled = fixture.engine.recall(&stranger, &query).unwrap();
        assert_eq!((recalled.total, recalled.searched[0].documents), (0, 0), "{by:?}");
        assert!(recall(&fixture, &query).total > 0, "{by:?}");
    }
}

#[test]
fn a_search_needs_no_model_and_no_network() {
    let settings = Settings::default();
    assert_eq!(settings.embedding, None);
    let fixture = knowing(&["the cat sleeps on the sofa", "invoices are due in March"]);
    let recalled = recall(&fixture, &Query { by: By::Meaning, ..Query::of("a kitten naps on the couch", 1) });
    assert_eq!(texts(&recalled), ["the cat sleeps on the sofa"]);
    assert_eq!((recalled.searched[0].models.len(), &recalled.searched[0].model_problem), (1, &None));
}

#[test]
fn recalling_changes_nothing_but_the_index() {
    let fixture = knowing(&["a quiet fact"]);
    fixture.record(said(EventKind::UserMessage, "run", "a quiet question"));
    let (log, jobs) = (fixture.log(), fixture.jobs());
    let first = recall(&fixture, &Query::of("quiet", 10));
    assert_eq!(recall(&fixture, &Query::of("quiet", 10)), first);
    assert_eq!((fixture.log(), fixture.jobs()), (log, jobs));
    assert_eq!(first.hits[0].score.weights, fixture.engine.settings().recall.weights);
    assert_ne!(first.hits[0].score.weights, Weights::RELEVANCE);
}
