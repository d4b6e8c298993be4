//! What using a memory showed.

use throughline_store::memory::{Memory, Status};

use super::{Fixture, Statement, found, insist, keyed, present, refused, remember, say};
use crate::Result;
use crate::capture::{Opening, SessionRef};
use crate::remember::{FeedbackOutcome, Judged};
use crate::testing::{SECRET, minutes};

fn try_judge(fixture: &Fixture, names: &[&str], outcome: FeedbackOutcome) -> Result<Vec<Judged>> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let note = format!("seen with {SECRET}");
    fixture.engine.feedback(
        &fixture.caller,
        &names,
        outcome,
        Some(&note),
        (&SessionRef::Own, &Opening::default()),
    )
}

fn judge(fixture: &Fixture, memory: &Memory, outcome: FeedbackOutcome) -> Judged {
    try_judge(fixture, &[memory.id.as_str()], outcome).unwrap().remove(0)
}

#[test]
fn each_outcome_moves_the_confidence() {
    for (outcome, after) in [
        (FeedbackOutcome::Helpful, 0.65),
        (FeedbackOutcome::NotHelpful, 0.45),
        (FeedbackOutcome::Outdated, 0.25),
        (FeedbackOutcome::Misleading, 0.2),
    ] {
        let fixture = Fixture::new();
        let memory =
            remember(&fixture, Statement { confidence: Some(0.5), ..Statement::of("it is so") }).memory;
        fixture.time.advance(minutes(1));
        let judged = judge(&fixture, &memory, outcome);
        assert_eq!(judged.confidence_before, 0.5);
        assert!((judged.memory.confidence - after).abs() < 1e-9, "{outcome}: {}", judged.memory.confidence);
        let now = present(&fixture, &memory);
        assert_eq!((now.confidence, now.status), (judged.memory.confidence, judged.memory.status));
        assert_eq!(now.use_count, i64::from(outcome == FeedbackOutcome::Helpful), "{outcome}");
        let event = fixture.last_event();
        assert_eq!(event.summary, format!("{outcome}: it is so"));
        assert!(!format!("{event:?}").contains(SECRET), "{event:?}");
    }
}

#[test]
fn what_is_certain_stays_so_when_it_is_supported() {
    let fixture = Fixture::new();
    let certain = || Statement { confidence: Some(1.0), ..Statement::of("water is wet") };
    let memory = remember(&fixture, certain()).memory;
    assert_eq!(judge(&fixture, &memory, FeedbackOutcome::Helpful).memory.confidence, 1.0);
    assert_eq!(remember(&fixture, certain()).memory.confidence, 1.0, "said again");
    assert_eq!(present(&fixture, &memory).confidence, 1.0);
}

#[test]
fn a_memory_below_the_limit_waits_for_review() {
    let fixture = Fixture::new();
    let memory =
        remember(&fixture, Statement { confidence: Some(0.5), ..Statement::of("the moon is cheese") }).memory;
    assert_eq!(
        judge(&fixture, &memory, FeedbackOutcome::Outdated).memory.status,
        Status::Active,
        "at the limit"
    );
    assert_eq!(found(&fixture, "cheese").len(), 1);
    assert_eq!(judge(&fixture, &memory, FeedbackOutcome::NotHelpful).memory.status, Status::Quarantined);
    assert_eq!(found(&fixture, "cheese"), [""; 0]);
    let said = say(&fixture, "the moon is cheese").memory;
    assert_eq!(said.status, Status::Quarantined, "an agent lifts nothing");
    let said = insist(&fixture, Statement::of("the moon is cheese")).memory;
    assert_eq!(said.status, Status::Active, "somebody insists");
    assert_eq!(found(&fixture, "cheese"), ["the moon is cheese"]);
}

#[test]
fn a_value_that_waits_for_review_gives_way() {
    let fixture = Fixture::new();
    let first =
        remember(&fixture, Statement { confidence: Some(0.3), ..keyed("port", "the port is 80") }).memory;
    judge(&fixture, &first, FeedbackOutcome::Misleading);
    remember(&fixture, keyed("port", "the port is 81"));
    insist(&fixture, keyed("port", "the port is 80"));
    assert_eq!(found(&fixture, "port"), ["the port is 80"]);
}

#[test]
fn feedback_is_all_or_none_and_for_memories_in_use() {
    let fixture = Fixture::new();
    let memory = say(&fixture, "in use").memory;
    let old = remember(&fixture, keyed("k", "one")).memory;
    remember(&fixture, keyed("k", "two"));
    let gone = say(&fixture, "gone").memory;
    fixture
        .engine
        .forget(&fixture.caller, &[gone.id.to_string()], None, (&SessionRef::Own, &Opening::default()))
        .unwrap();
    let events = fixture.log().len();
    for (other, why) in [
        ("nobody", "not found: there is no memory \"nobody\"".to_owned()),
        (old.id.as_str(), format!("conflict: memory {} is superseded; feedback is for", old.id)),
        (gone.id.as_str(), format!("conflict: memory {} is forgotten; feedback is for", gone.id)),
    ] {
        let message = refused(try_judge(&fixture, &[memory.id.as_str(), other], FeedbackOutcome::Misleading));
        assert!(message.starts_with(&why), "{message}");
    }
    assert_eq!((present(&fixture, &memory), fixture.log().len()), (memory, events));
}

#[test]
fn what_feedback_returns_is_what_is_kept() {
    let fixture = Fixture::new();
    let memory = say(&fixture, "it is so").memory;
    let judged = judge(&fixture, &memory, FeedbackOutcome::Helpful);
    assert_eq!(judged.memory, present(&fixture, &memory));
}
