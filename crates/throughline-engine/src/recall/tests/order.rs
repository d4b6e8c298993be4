//! In which order things are found, and why.

use throughline_store::memory::Source;

use super::{By, EventKind, Fixture, Query, Statement, Weights, knowing, recall, remember, said, say, texts};
use crate::recall::{Found, Recalled};
use crate::testing::{START, hours};

fn scores_add_up(recalled: &Recalled) {
    for hit in &recalled.hits {
        let score = &hit.score;
        let weights = score.weights;
        let parts = weights.relevance * score.relevance
            + weights.recency * score.recency
            + weights.importance * score.importance;
        assert!((score.total - parts).abs() < 1e-9, "{score:?}");
        // A byte for each dimension makes a cosine of more than one.
        for part in [score.relevance, score.recency, score.importance, score.confidence] {
            assert!((0.0..=1.01).contains(&part), "{score:?}");
        }
    }
    assert!(recalled.hits.is_sorted_by(|a, b| a.score.total >= b.score.total));
}

#[test]
fn a_score_is_the_sum_of_its_weighted_parts() {
    let fixture = Fixture::new();
    let texts = [
        "deploy the api",
        "deploy deploy deploy",
        "the api is slow",
        "Deploying apis: a guide to deployment",
    ];
    for (n, text) in (0..).zip(texts) {
        fixture.time.advance(hours(100));
        let statement = Statement { importance: Some(f64::from(n) / 3.0), ..Statement::of(text) };
        remember(&fixture, vec![statement]);
        fixture.record(said(EventKind::UserMessage, "run", &format!("{text}, please")));
    }
    let weights = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.4, 0.3, 0.3)];
    for (relevance, recency, importance) in weights {
        let weights = Some(Weights { relevance, recency, importance });
        for text in ["deploy the api", "api", "deploi", "guide to nowhere", "a question without an answer"] {
            for by in [By::Words, By::Meaning, By::WordsAndMeaning] {
                let recalled =
                    recall(&fixture, &Query { weights, by, floor: Some(0.0), ..Query::of(text, 50) });
                scores_add_up(&recalled);
            }
        }
    }
}

#[test]
fn a_text_is_no_nearer_than_the_same() {
    let fixture = knowing(&["deploy the api"]);
    let query = Query { by: By::Meaning, ..Query::of("deploy the api", 1) };
    assert!(recall(&fixture, &query).hits[0].score.relevance <= 1.0);
}

#[test]
fn a_beginning_of_several_forms_scores_no_more_than_a_word() {
    let fixture = knowing(&["deploy deploys deployed deploying deployments", "nothing to see here"]);
    scores_add_up(&recall(&fixture, &Query::of("depl", 5)));
}

#[test]
fn a_beginning_weighs_the_same_in_a_partition() {
    let fixture = knowing(&["configure configured", "configures it"]);
    let weight = |fixture: &Fixture| recall(fixture, &Query::of("confi", 5)).searched[0].terms[0].documents;
    let pending = weight(&fixture);
    remember(&fixture, (0..126).map(|n| Statement::of(format!("x{n}"))).collect());
    assert_eq!(weight(&fixture), pending);
}

#[test]
fn the_recent_comes_before_the_old() {
    let fixture = Fixture::new();
    for content in ["the standup of team nine", "the standup of team ten", "the standup of team noon"] {
        say(&fixture, content);
        fixture.time.advance(fixture.engine.settings().recall.half_life);
    }
    let recalled = recall(&fixture, &Query::of("standup", 5));
    assert_eq!(
        texts(&recalled),
        ["the standup of team noon", "the standup of team ten", "the standup of team nine"]
    );
    let recency: Vec<f64> = recalled.hits.iter().map(|hit| hit.score.recency).collect();
    for (recency, expected) in recency.iter().zip([0.5, 0.25, 0.125]) {
        assert!((recency - expected).abs() < 1e-6, "{recency}: half as much after each half-life");
    }
}

#[test]
fn the_important_comes_before_the_rest() {
    let fixture = Fixture::new();
    let of = |importance, content: &str| Statement { importance: Some(importance), ..Statement::of(content) };
    remember(&fixture, vec![of(0.1, "alarm one"), of(0.9, "alarm two"), of(0.5, "alarm three")]);
    let recalled = recall(&fixture, &Query::of("alarm", 5));
    assert_eq!(texts(&recalled), ["alarm two", "alarm three", "alarm one"]);
}

#[test]
fn the_sure_and_the_used_come_before_the_rest() {
    let fixture = Fixture::new();
    let of = |confidence, content: &str| Statement { confidence: Some(confidence), ..Statement::of(content) };
    let remembered =
        remember(&fixture, vec![of(0.9, "alarm one"), of(0.3, "alarm two"), of(0.9, "alarm three")]);
    let used = remembered[0].memory.id.to_string();
    fixture.engine.expand(&fixture.caller, &[used], None).unwrap();
    let recalled = recall(&fixture, &Query::of("alarm", 5));
    assert_eq!(texts(&recalled), ["alarm one", "alarm three", "alarm two"]);
    assert_eq!(recalled.hits[0].score.uses, 1);
}

#[test]
fn more_of_the_words_comes_before_less() {
    let fixture =
        knowing(&["blue whale", "blue whale song", "blue sky", "green whale hunting boats of the north"]);
    let query = Query { weights: Some(Weights::RELEVANCE), by: By::Words, ..Query::of("blue whale song", 5) };
    let recalled = recall(&fixture, &query);
    assert_eq!(texts(&recalled)[..2], ["blue whale song", "blue whale"]);
    assert!(recalled.hits.iter().all(|hit| hit.score.relevance <= 1.0));
}

#[test]
fn ties_are_broken_the_same_way_every_time() {
    let contents: Vec<String> = (0..50).map(|n| format!("parcel n{n}")).collect();
    let fixture = knowing(&contents.iter().map(String::as_str).collect::<Vec<_>>());
    let query = Query { by: By::Words, ..Query::of("parcel", 50) };
    let first = recall(&fixture, &query);
    let newest_first: Vec<&str> = contents.iter().rev().map(String::as_str).collect();
    assert_eq!(texts(&first), newest_first);
    assert_eq!(recall(&fixture, &query), first);
}

#[test]
fn the_newest_of_many_equals_is_found() {
    let fixture = Fixture::new();
    for n in 0..310 {
        fixture.record(said(EventKind::UserMessage, &format!("run {n}"), "cargo test"));
        fixture.time.advance(hours(24));
    }
    let recalled = recall(&fixture, &Query { by: By::Words, ..Query::of("cargo test", 1) });
    assert_eq!(recalled.hits[0].found.at(), START.plus(hours(24 * 309)));
}

#[test]
fn the_floor_is_where_it_is_set() {
    let fixture = knowing(&["blue whale song", "blue paint", "a recipe for soup"]);
    let count = |floor| recall(&fixture, &Query { floor, ..Query::of("blue whale song", 9) }).total;
    assert_eq!((count(Some(0.0)), count(Some(0.5)), count(Some(1.01))), (3, 1, 0));
    assert_eq!(count(None), count(Some(fixture.engine.settings().recall.floor)));
}

#[test]
fn what_has_yet_to_happen_is_as_recent_as_can_be() {
    let fixture = Fixture::new();
    let tomorrow =
        Statement { occurred_at: Some(START.plus(hours(24))), ..Statement::of("the launch is tomorrow") };
    remember(&fixture, vec![tomorrow]);
    assert_eq!(recall(&fixture, &Query::of("launch", 1)).hits[0].score.recency, 1.0);
}

#[test]
fn what_nobody_confirms_is_less_sure_when_it_is_found() {
    let fixture = Fixture::new();
    let concluded = Statement { source: Source::Implicit, ..Statement::of("the cart counts cents") };
    remember(&fixture, vec![concluded, Statement::of("the till counts cents")]);
    fixture.time.advance(hours(24 * 180));
    let found = recall(&fixture, &Query { floor: Some(0.0), ..Query::of("counts cents", 10) });
    let sure: Vec<(Source, f64)> = found
        .hits
        .iter()
        .filter_map(|hit| match &hit.found {
            Found::Memory(memory) => Some((memory.source, hit.score.confidence)),
            _ => None,
        })
        .collect();
    let of = |source: Source| sure.iter().find(|(known, _)| *known == source).unwrap().1;
    assert!((of(Source::Implicit) - 0.3).abs() < 0.01, "half of 0.6 after its half-life: {sure:?}");
    assert!((of(Source::Explicit) - 0.9).abs() < 1e-9, "what was said stays: {sure:?}");
}
