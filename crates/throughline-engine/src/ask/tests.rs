//! The budget, the rest and the kept answers, with a model that the test lends and a clock that it moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use throughline_inference::complete::{
    Choice, ClientModel, Completion, Error as Unanswered, Question, Usage,
};
use throughline_store::model_call::Purpose;

use super::Reply;
use crate::settings::{Model, Settings};
use crate::testing::{Fixture, hours};

fn fixture(daily_tokens: u64) -> Fixture {
    let model = Model { choice: Some(Choice::Client), daily_tokens, ..Settings::default().model };
    Fixture::with(Settings { model, ..Settings::default() })
}

/// Lends a model that answers each question so, and counts them.
fn lend(
    fixture: &Fixture,
    answer: impl Fn(&Question) -> Result<Completion, Unanswered> + Send + Sync + 'static,
) -> Arc<AtomicUsize> {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    fixture.engine.lend_model(ClientModel::from_fn(move |question, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        answer(question)
    }));
    count
}

fn question(prompt: &str) -> Question {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    Question { system: "s".into(), prompt: prompt.into(), schema, max_tokens: 100 }
}

fn ask(fixture: &Fixture, prompt: &str) -> Reply {
    fixture.engine.ask(&fixture.caller, Purpose::Extract, &question(prompt)).unwrap()
}

fn dear(text: &str) -> Result<Completion, Unanswered> {
    Ok(Completion { text: text.to_owned(), usage: Some(Usage { tokens_in: 60, tokens_out: 100 }) })
}

fn is_answer(reply: &Reply) -> bool {
    matches!(reply, Reply::Answer(_))
}

#[test]
fn a_model_that_failed_in_the_future_does_not_rest_until_then() {
    let fixture = fixture(1_000_000);
    let asked = lend(&fixture, |_| Err(Unanswered::Unavailable("gone".into())));
    fixture.time.advance(hours(365 * 24));
    ask(&fixture, "ahead");
    ask(&fixture, "ahead and resting");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    fixture.time.go_back(hours(365 * 24));
    ask(&fixture, "back");
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[test]
fn a_failing_model_rests_longer_each_time_and_an_answer_ends_it() {
    let fixture = fixture(1_000_000);
    let asked = lend(&fixture, |question| match question.prompt.starts_with("good") {
        true => dear(r#"{"n":1}"#),
        false => Err(Unanswered::Unavailable("gone".into())),
    });
    let mut rests = vec![];
    for round in 0..9 {
        let before = asked.load(Ordering::SeqCst);
        let mut seconds = 0;
        while asked.load(Ordering::SeqCst) == before {
            assert!(!is_answer(&ask(&fixture, &format!("bad {round} {seconds}"))));
            fixture.time.advance(Duration::from_secs(30));
            seconds += 30;
        }
        rests.push(seconds - 30);
    }
    assert_eq!(rests, [0, 0, 30, 90, 210, 450, 930, 1890, 3570], "half a minute doubles up to an hour");
    fixture.time.advance(hours(1));
    assert!(is_answer(&ask(&fixture, "good")));
    assert!(is_answer(&ask(&fixture, "good again")));
    let status = fixture.engine.model_status(&fixture.caller).unwrap();
    assert_eq!((status.rests_until, status.provider), (None, "client"));
    assert!(status.failures[0].detail.as_deref().unwrap().contains("gone"));
}

#[test]
fn a_day_has_its_own_budget() {
    let fixture = fixture(800);
    lend(&fixture, |_| dear(r#"{"n":1}"#));
    let answered = |name: &str| (1..=4).filter(|n| is_answer(&ask(&fixture, &format!("{name}{n}")))).count();
    assert_eq!(answered("a"), 2, "160 each, and room for what the third might cost is not left");
    assert_eq!(fixture.engine.model_status(&fixture.caller).unwrap().fallbacks, 2);
    fixture.time.advance(hours(24));
    assert_eq!(answered("b"), 2);
    let status = fixture.engine.model_status(&fixture.caller).unwrap();
    assert_eq!((status.spent_tokens, status.fallbacks), (320, 2), "of today");
}

#[test]
fn those_who_ask_at_once_do_not_overdraw_together() {
    let fixture = fixture(1000);
    let asked = lend(&fixture, |_| {
        std::thread::yield_now();
        dear(r#"{"n":1}"#)
    });
    std::thread::scope(|scope| {
        for n in 0..16 {
            let fixture = &fixture;
            scope.spawn(move || ask(fixture, &format!("question {n}")));
        }
    });
    let spent = fixture.engine.model_status(&fixture.caller).unwrap().spent_tokens;
    assert!(spent <= 1000 && asked.load(Ordering::SeqCst) >= 1, "{spent}");
    assert_eq!(spent as usize, asked.load(Ordering::SeqCst) * 160);
}

#[test]
fn the_same_question_is_answered_from_what_is_kept_until_something_differs() {
    let fixture = fixture(1_000_000);
    let asked = lend(&fixture, |question| dear(&format!("{{\"n\":{}}}", question.prompt.len())));
    let first = ask(&fixture, "one");
    assert_eq!((ask(&fixture, "one"), asked.load(Ordering::SeqCst)), (first, 1));
    assert_ne!(ask(&fixture, "other"), ask(&fixture, "one"));
    let stricter = Question { max_tokens: 50, ..question("one") };
    fixture.engine.ask(&fixture.caller, Purpose::Relate, &stricter).unwrap();
    assert_eq!(asked.load(Ordering::SeqCst), 3);
}

#[test]
fn nonsense_is_asked_about_once_more_and_kept_by_nobody() {
    let fixture = fixture(1_000_000);
    let asked = lend(&fixture, |_| dear("as you wish"));
    let Reply::Without(why) = ask(&fixture, "one") else { panic!("no answer") };
    assert!(why.contains("no JSON document"), "{why}");
    fixture.time.advance(hours(1));
    ask(&fixture, "one");
    assert_eq!(asked.load(Ordering::SeqCst), 4);
    let status = fixture.engine.model_status(&fixture.caller).unwrap();
    assert_eq!((status.answers_kept, status.fallbacks), (0, 2));
}

#[test]
fn what_nobody_lends_cannot_be_asked_and_costs_nothing() {
    let fixture = fixture(1_000_000);
    let Reply::Without(why) = ask(&fixture, "one") else { panic!("no answer") };
    assert!(why.contains("sampling"), "{why}");
    let status = fixture.engine.model_status(&fixture.caller).unwrap();
    assert_eq!((status.spent_tokens, status.fallbacks, status.model), (0, 1, None));
    let outcomes: Vec<&str> = status.today.iter().map(|tally| tally.outcome.as_str()).collect();
    assert_eq!((outcomes, status.rests_until), (vec!["not_lent"], None));
    lend(&fixture, |_| dear(r#"{"n":1}"#));
    assert!(is_answer(&ask(&fixture, "one")), "who lends one later is asked at once");
}

#[test]
fn what_claims_to_have_used_everything_has_used_up_the_day_and_no_more() {
    let fixture = fixture(1_000_000);
    let everything = Usage { tokens_in: u64::MAX, tokens_out: u64::MAX };
    lend(&fixture, move |_| Ok(Completion { text: r#"{"n":1}"#.to_owned(), usage: Some(everything) }));
    assert!(is_answer(&ask(&fixture, "one")));
    let Reply::Without(why) = ask(&fixture, "other") else { panic!("over budget") };
    assert!(why.contains("has 0 left"), "{why}");
    let status = fixture.engine.model_status(&fixture.caller).unwrap();
    assert_eq!((status.spent_tokens, status.fallbacks), (i64::MAX, 1));
}
