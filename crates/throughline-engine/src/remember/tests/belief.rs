//! Why a belief is as sure as it is: each step that moved it, in order, and their sum.

use insta::assert_snapshot;
use throughline_store::event::Kind as EventKind;
use throughline_store::memory::{Kind, Memory, Status};

use super::{insist, present, remember};
use crate::capture::{During, Opening};
use crate::remember::{Action, Adjustment, Evidence, FeedbackOutcome, Moved, Statement, Step};
use crate::testing::{Fixture, minutes, of, refused, said};

fn belief(fixture: &Fixture) -> Memory {
    let statement = Statement {
        kind: Kind::Belief,
        confidence: Some(0.5),
        ..Statement::of("Small commits are reviewed faster")
    };
    remember(fixture, statement).memory
}

fn during() -> During {
    During { session: of("a"), opening: Opening::default() }
}

fn adjustment(evidence: Evidence) -> Adjustment {
    Adjustment { evidence, weight: 1.0, reason: None, event: None, during: during() }
}

fn adjust(fixture: &Fixture, belief: &Memory, adjustment: Adjustment) -> Moved {
    fixture.time.advance(minutes(1));
    fixture.engine.adjust_belief(&fixture.caller, belief.id.as_str(), &adjustment).unwrap()
}

fn told(steps: &[Step]) -> String {
    let line = |step: &Step| {
        let before = step.before.map(|before| format!("{before:.3} ")).unwrap_or_default();
        let reason = step.reason.as_deref().unwrap_or("-");
        format!("{}: {before}-> {:.3} ({reason})", step.action, step.after)
    };
    steps.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_step_is_told_and_they_add_up() {
    let fixture = Fixture::new();
    let belief = belief(&fixture);
    let seen = fixture.record(said(EventKind::UserMessage, "a", "The small one was merged in an hour"));
    let because = Adjustment {
        reason: Some("merged in an hour".into()),
        event: Some(seen.id.to_string()),
        ..adjustment(Evidence::Supports)
    };
    adjust(&fixture, &belief, because);
    adjust(&fixture, &belief, Adjustment { weight: 0.5, ..adjustment(Evidence::Contradicts) });
    let names = [belief.id.to_string()];
    let within = (&of("a"), &Opening::default());
    fixture.engine.feedback(&fixture.caller, &names, FeedbackOutcome::Helpful, None, within).unwrap();
    remember(
        &fixture,
        Statement { kind: Kind::Belief, ..Statement::of("Small commits are reviewed faster.") },
    );
    adjust(
        &fixture,
        &belief,
        Adjustment { reason: Some("measured".into()), ..adjustment(Evidence::Sets(0.85)) },
    );
    let shown = fixture.engine.belief(&fixture.caller, belief.id.as_str()).unwrap();
    assert_snapshot!(told(&shown.steps), @r"
    created: -> 0.500 (-)
    supported: 0.500 -> 0.650 (merged in an hour)
    contradicted: 0.650 -> 0.552 (-)
    helpful: 0.552 -> 0.687 (-)
    corroborated: 0.687 -> 0.781 (-)
    adjusted: 0.781 -> 0.850 (measured)
    ");
    assert_eq!(shown.belief.confidence, 0.85);
    let moved: f64 = shown.steps.iter().map(|step| step.after - step.before.unwrap_or(0.0)).sum();
    assert!((moved - 0.85).abs() < 1e-9, "{moved}");
    assert_eq!(shown.steps[1].because_of, Some(seen.id));
}

#[test]
fn a_change_that_the_log_does_not_know_is_named() {
    let fixture = Fixture::new();
    let belief = belief(&fixture);
    fixture.write(|tx| tx.execute("update memory set confidence = 0.9", &[]));
    let shown = fixture.engine.belief(&fixture.caller, belief.id.as_str()).unwrap();
    assert_snapshot!(told(&shown.steps), @r"
    created: -> 0.500 (-)
    not recorded: 0.500 -> 0.900 (-)
    ");
}

#[test]
fn what_is_hardly_believed_any_more_goes_to_review() {
    let fixture = Fixture::new();
    let belief = belief(&fixture);
    let moved = adjust(&fixture, &belief, adjustment(Evidence::Sets(0.2)));
    assert_eq!((moved.before, moved.belief.status), (0.5, Status::Quarantined));
    let [waiting] = &fixture.engine.review_queue(&fixture.caller, 9).unwrap().waiting[..] else {
        panic!("one")
    };
    assert_eq!(waiting.why, "its conviction was set to 0.20");
    assert_eq!(present(&fixture, &belief).confidence, 0.2);
}

#[test]
fn an_agent_that_says_it_again_outweighs_no_evidence_and_lifts_nothing() {
    let fixture = Fixture::new();
    let belief = belief(&fixture);
    let again = || Statement { kind: Kind::Belief, ..Statement::of("small commits are reviewed faster") };
    assert!((remember(&fixture, again()).memory.confidence - 0.65).abs() < 1e-9);
    for _ in 0..3 {
        adjust(&fixture, &belief, adjustment(Evidence::Contradicts));
    }
    let doubted = present(&fixture, &belief);
    assert_eq!(doubted.status, Status::Quarantined);
    let said = remember(&fixture, again());
    assert_eq!((said.action, said.memory.status), (Action::Quarantined, Status::Quarantined));
    assert_eq!(present(&fixture, &belief).confidence, doubted.confidence);
    let lifted = insist(&fixture, again()).memory;
    assert_eq!(lifted.status, Status::Active);
    let expected = doubted.confidence + (1.0 - doubted.confidence) * 0.3;
    assert!((lifted.confidence - expected).abs() < 1e-9, "{}", lifted.confidence);
}

#[test]
fn evidence_moves_a_belief_by_a_share_and_never_to_certainty() {
    let fixture = Fixture::new();
    let belief = belief(&fixture);
    for _ in 0..30 {
        adjust(&fixture, &belief, adjustment(Evidence::Supports));
    }
    assert_eq!(present(&fixture, &belief).confidence, 0.99);
    let moved = adjust(&fixture, &belief, adjustment(Evidence::Contradicts));
    assert!((moved.belief.confidence - 0.693).abs() < 1e-9, "{}", moved.belief.confidence);
}

#[test]
fn what_cannot_move_a_belief() {
    let fixture = Fixture::new();
    let belief = belief(&fixture);
    let fact = remember(&fixture, Statement::of("a fact")).memory;
    let refusal = |memory: &Memory, adjustment: Adjustment| {
        refused(fixture.engine.adjust_belief(&fixture.caller, memory.id.as_str(), &adjustment))
    };
    assert!(refusal(&fact, adjustment(Evidence::Supports)).contains("is a fact, not a belief"));
    assert!(refusal(&belief, adjustment(Evidence::Sets(1.5))).contains("between 0 and 1"));
    assert!(
        refusal(&belief, Adjustment { weight: -0.1, ..adjustment(Evidence::Supports) })
            .contains("between 0 and 1")
    );
    let unknown = Adjustment { event: Some("nobody".into()), ..adjustment(Evidence::Supports) };
    assert!(refusal(&belief, unknown).contains("there is no event nobody"));
}

#[test]
fn a_belief_that_ended_is_shown_and_does_not_move() {
    let fixture = Fixture::new();
    let old = belief(&fixture);
    let follower = Statement {
        kind: Kind::Belief,
        supersedes: Some(old.id.to_string()),
        ..Statement::of("Small commits are easier to take back")
    };
    let gone = remember(&fixture, follower).memory;
    let within = (&of("a"), &Opening::default());
    fixture.engine.forget(&fixture.caller, &[gone.id.to_string()], None, within).unwrap();
    let events = fixture.log().len();
    for (belief, status) in [(&old, Status::Superseded), (&gone, Status::Forgotten)] {
        let supports = adjustment(Evidence::Supports);
        assert_eq!(
            refused(fixture.engine.adjust_belief(&fixture.caller, belief.id.as_str(), &supports)),
            format!(
                "conflict: memory {} is {status}; feedback is for memories that are in use, which `throughline memory list` shows",
                belief.id
            )
        );
        let shown = fixture.engine.belief(&fixture.caller, belief.id.as_str()).unwrap().belief;
        assert_eq!((shown.status, shown.confidence), (status, belief.confidence));
    }
    assert_eq!(fixture.log().len(), events);
}
