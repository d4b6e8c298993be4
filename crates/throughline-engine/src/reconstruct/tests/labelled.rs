//! Many sessions put together from pieces whose outcome is known, and what must be told of each: every decision, and exactly
//! what was left open. Also a long one, in little room.

use throughline_inference::tokens;
use throughline_store::event::Kind;

use super::{answered, asked, by_name, decided, happened, ran, reconstructed, used, written};
use crate::capture::Observation;
use crate::testing::Fixture;

/// Some of a session, and what a person would note down about it.
struct Piece {
    events: fn(&str) -> Vec<Observation>,
    decision: Option<&'static str>,
    open: Option<&'static str>,
}

const PIECES: [Piece; 9] = [
    Piece {
        events: |s| vec![asked(s, "Where is the port set?"), used(Kind::Read, s, "config.toml", true)],
        decision: None,
        open: None,
    },
    Piece {
        events: |s| vec![ran(s, "cargo test parser", false), used(Kind::Write, s, "docs/parser.md", true)],
        decision: None,
        open: Some("failing: cargo test parser"),
    },
    Piece {
        events: |s| {
            vec![
                ran(s, "npm test", false),
                used(Kind::Write, s, "package.json", true),
                ran(s, "npm test", true),
            ]
        },
        decision: None,
        open: None,
    },
    Piece {
        events: |s| vec![decided(s, "queue", "use the database as the queue")],
        decision: Some("queue"),
        open: None,
    },
    Piece {
        events: |s| {
            let gate = Observation {
                summary: Some("2 findings, not passed".into()),
                ..used(Kind::ValidationGate, s, "review", false)
            };
            vec![Observation { parts: None, ..gate }]
        },
        decision: None,
        open: Some("gate not passed: review: 2 findings, not passed"),
    },
    Piece {
        events: |s| vec![decided(s, "errors", "one enum per crate"), ran(s, "grep -r Error src", false)],
        decision: Some("errors"),
        open: None,
    },
    Piece { events: |s| vec![ran(s, "ls nowhere", false)], decision: None, open: None },
    Piece { events: |s| vec![ran(s, "make lint", false)], decision: None, open: Some("failing: make lint") },
    Piece {
        events: |s| {
            vec![asked(s, "Should we use Redis?"), answered(s, "I would decide for it, but it is up to you.")]
        },
        decision: None,
        open: None,
    },
];

#[test]
fn decisions_and_unfinished_work_are_right_on_every_labelled_session() {
    let fixture = Fixture::new();
    // Every subset that a session may be made of, each in its own order.
    for number in 1..(1_usize << PIECES.len()) {
        if number % 5 != 0 {
            continue;
        }
        let session = format!("labelled {number}");
        let mut pieces: Vec<&Piece> = PIECES
            .iter()
            .enumerate()
            .filter(|(place, _)| number >> place & 1 == 1)
            .map(|(_, piece)| piece)
            .collect();
        let turned = number % pieces.len();
        pieces.rotate_left(turned);
        for piece in &pieces {
            happened(&fixture, (piece.events)(&session));
        }
        let told = reconstructed(&fixture, &by_name(&session));
        let mut decisions: Vec<&str> = told.decisions.iter().map(|one| one.subject.as_str()).collect();
        let mut open: Vec<&str> = told.unfinished.iter().map(String::as_str).collect();
        let mut expected: Vec<&str> = pieces.iter().filter_map(|piece| piece.decision).collect();
        let mut left: Vec<&str> = pieces.iter().filter_map(|piece| piece.open).collect();
        [&mut decisions, &mut open, &mut expected, &mut left].into_iter().for_each(|all| all.sort_unstable());
        assert_eq!(decisions, expected, "{session}");
        assert_eq!(open, left, "{session}");
    }
}

/// Half a thousand events, with all that matters in between.
fn long(fixture: &Fixture) {
    let mut observations = vec![asked("long", "Move the whole shop to integer cents, file by file.")];
    for n in 0..98 {
        let file = format!("src/checkout/payment_provider_{n}/amount_conversion.rs");
        observations.extend([
            used(Kind::Read, "long", &file, true),
            used(Kind::Search, "long", &format!("Amount::from_float_{n}"), true),
            used(Kind::Write, "long", &file, true),
            ran("long", &format!("cargo test --package checkout provider_{n}"), n % 7 != 0),
            answered("long", &format!("Provider {n} converts amounts exactly.")),
        ]);
        if n % 10 == 0 {
            let subject = format!("provider {n}");
            observations.push(decided("long", &subject, "convert at the border, keep cents inside the shop"));
        }
    }
    fixture.capture(observations);
}

#[test]
fn half_a_thousand_events_fit_into_1500_tokens_with_every_decision() {
    let fixture = Fixture::new();
    long(&fixture);
    let told = reconstructed(&fixture, &by_name("long"));
    let size = tokens::count(&written(&told));
    assert!(size < 1500, "{size} tokens");
    assert!(told.session.last_sequence >= 500, "{}", told.session.last_sequence);
    assert_eq!((told.decisions.len(), told.decisions_omitted), (10, 0));
    assert!(told.operations_omitted > 100, "{}", told.operations_omitted);
    assert_eq!(told.unfinished.iter().filter(|one| one.starts_with("failing:")).count(), 10);
}
