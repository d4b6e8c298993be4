//! Decisions: found by their subject, replaced by later ones, and what they do to beliefs.

use throughline_store::event::Kind as EventKind;
use throughline_store::link::{self, Kind as LinkKind, Node};
use throughline_store::memory::{Kind, Status};

use super::{found, present, remember};
use crate::capture::During;
use crate::remember::{Decided, Decision, Effect, Statement};
use crate::testing::{Fixture, SECRET, of, refused};

fn decision(subject: &str, choice: &str) -> Decision {
    Decision {
        subject: subject.into(),
        choice: choice.into(),
        rationale: "it is what we know".into(),
        alternatives: vec![],
        confidence: 0.7,
        affects: vec![],
        during: During { session: of("a"), opening: crate::capture::Opening::default() },
    }
}

fn decide(fixture: &Fixture, decision: Decision) -> Decided {
    fixture.engine.decide(&fixture.caller, decision).unwrap()
}

#[test]
fn a_decision_is_an_event_and_a_memory_with_its_options() {
    let fixture = Fixture::new();
    let alternatives = vec!["MySQL".to_owned(), "files".to_owned()];
    let made = decide(&fixture, Decision { alternatives, ..decision("Database", "PostgreSQL") });
    let memory = &made.memory;
    assert_eq!((memory.kind, memory.status, memory.confidence), (Kind::Decision, Status::Active, 0.7));
    assert_eq!(memory.title, "Database: PostgreSQL");
    assert_eq!(memory.content, "Database: PostgreSQL\nBecause: it is what we know\nRejected: MySQL; files");
    assert_eq!(memory.importance, 0.8, "a decision matters");
    let [event] = &fixture.log()[..] else { panic!("one event") };
    assert_eq!((event.kind, &event.id), (EventKind::Decision, &made.event));
    assert_eq!(event.target.as_deref(), Some("Database"));
    assert_eq!(
        (event.summary.as_str(), event.rationale.as_deref()),
        ("PostgreSQL", Some("it is what we know"))
    );
    assert_eq!(event.informs.as_deref(), Some(memory.id.as_str()));
    let options = |kind| {
        let node = Node::memory(&memory.id);
        fixture.engine.store().read(|conn| link::from(conn, &fixture.caller.project, &node, kind)).unwrap()
    };
    assert_eq!(options(LinkKind::Chose), [Node::option("PostgreSQL")]);
    assert_eq!(options(LinkKind::Rejected), ["MySQL", "files"].map(Node::option));
    assert_eq!(found(&fixture, "which database"), [memory.content.as_str()]);
}

#[test]
fn a_later_decision_on_the_subject_takes_the_place_of_the_one_before() {
    let fixture = Fixture::new();
    let first = decide(&fixture, decision("Database", "PostgreSQL"));
    let second = decide(&fixture, decision("  database ", "SQLite"));
    assert_eq!(second.superseded.iter().map(|old| &old.id).collect::<Vec<_>>(), [&first.memory.id]);
    assert_eq!(present(&fixture, &first.memory).status, Status::Superseded);
    assert_eq!(found(&fixture, "database"), [second.memory.content.as_str()]);
    let again = decide(&fixture, decision("Database", "SQLite"));
    assert_eq!((again.superseded.len(), again.again), (0, true), "the same again changes nothing");
    assert_eq!(again.memory.id, second.memory.id);
    let other = decide(&fixture, decision("Database driver", "our own"));
    assert_eq!(other.superseded, [], "another subject");
}

#[test]
fn the_same_choice_for_another_reason_makes_it_surer_and_keeps_both_reasons() {
    let fixture = Fixture::new();
    let because = |why: &str, instead_of: &str| Decision {
        rationale: why.into(),
        alternatives: vec![instead_of.into()],
        ..decision("Database", "SQLite")
    };
    let first = decide(&fixture, because("nothing to start", "PostgreSQL")).memory;
    let again = decide(&fixture, because("one file to copy", "MySQL"));
    assert_eq!((again.again, again.superseded.len(), &again.memory.id), (true, 0, &first.id));
    assert!((again.memory.confidence - 0.79).abs() < 1e-9, "{}", again.memory.confidence);
    assert_eq!(found(&fixture, "file to copy"), [first.content.as_str()]);
    let origins = fixture.engine.memory(&fixture.caller, first.id.as_str()).unwrap().origins;
    let said: Vec<&str> = origins.iter().filter_map(|origin| origin.said.as_deref()).collect();
    assert_eq!(said, ["Database: SQLite\nBecause: one file to copy\nRejected: MySQL"]);
    let node = Node::memory(&first.id);
    let rejected = fixture
        .engine
        .store()
        .read(|conn| link::from(conn, &fixture.caller.project, &node, LinkKind::Rejected))
        .unwrap();
    assert_eq!(rejected, ["PostgreSQL", "MySQL"].map(Node::option));
}

#[test]
fn a_decision_moves_the_beliefs_it_speaks_for_and_against() {
    let fixture = Fixture::new();
    let believe = |content: &str| {
        let belief = Statement { kind: Kind::Belief, confidence: Some(0.5), ..Statement::of(content) };
        remember(&fixture, belief).memory
    };
    let (simple, fast) = (believe("Simple beats fast here"), believe("Speed is what users ask for"));
    let affects = vec![(simple.id.to_string(), Effect::Supports), (fast.id.to_string(), Effect::Contradicts)];
    let made = decide(&fixture, Decision { affects, ..decision("Cache", "none") });
    let after: Vec<(f64, f64)> =
        made.beliefs.iter().map(|moved| (moved.before, moved.belief.confidence)).collect();
    // 0.5 + 0.5 x 0.3 x 0.7, and 0.5 x (1 - 0.3 x 0.7).
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    near(after[0].1, 0.605);
    near(after[1].1, 0.395);
    let linked = |kind, to: &throughline_store::memory::Memory| {
        let node = Node::memory(&made.memory.id);
        let nodes = fixture
            .engine
            .store()
            .read(|conn| link::from(conn, &fixture.caller.project, &node, kind))
            .unwrap();
        assert_eq!(nodes, [Node::memory(&to.id)]);
    };
    linked(LinkKind::Supports, &simple);
    linked(LinkKind::Contradicts, &fast);
}

#[test]
fn what_a_decision_cannot_be() {
    let fixture = Fixture::new();
    let refusal = |decision: Decision| refused(fixture.engine.decide(&fixture.caller, decision));
    assert_eq!(refusal(decision(" ", "x")), "invalid: a decision needs a subject; write it in a few words");
    assert_eq!(refusal(decision("x", "")), "invalid: a decision needs a choice; write it in a few words");
    let unfounded = Decision { rationale: " ".into(), ..decision("x", "y") };
    assert_eq!(
        refusal(unfounded),
        "invalid: a decision needs a rationale; write why this was chosen, in a sentence"
    );
    assert!(refusal(decision(&"x".repeat(200), "x")).contains("at most 180 bytes"));
    assert!(refusal(Decision { confidence: 1.1, ..decision("x", "y") }).contains("between 0 and 1"));
    let unknown = vec![("nobody".to_owned(), Effect::Supports)];
    assert!(refusal(Decision { affects: unknown, ..decision("x", "y") }).contains("there is no memory"));
    let fact = remember(&fixture, Statement::of("a fact")).memory;
    let wrong = vec![(fact.id.to_string(), Effect::Supports)];
    assert!(refusal(Decision { affects: wrong, ..decision("x", "y") }).contains("is a fact, not a belief"));
    assert_eq!(fixture.log().len(), 1, "nothing of them is left");
}

#[test]
fn a_decision_does_not_move_a_forgotten_belief() {
    let fixture = Fixture::new();
    let belief = Statement { kind: Kind::Belief, ..Statement::of("Caches pay") };
    let belief = remember(&fixture, belief).memory;
    let names = [belief.id.to_string()];
    fixture
        .engine
        .forget(&fixture.caller, &names, None, (&of("a"), &crate::capture::Opening::default()))
        .unwrap();
    let events = fixture.log().len();
    let affects = vec![(belief.id.to_string(), Effect::Contradicts)];
    let made = fixture.engine.decide(&fixture.caller, Decision { affects, ..decision("Cache", "none") });
    assert!(refused(made).contains("is forgotten; feedback is for memories that are in use"));
    assert_eq!(fixture.log().len(), events, "nothing of it is left");
}

#[test]
fn nothing_of_a_purged_decision_is_left() {
    let fixture = Fixture::new();
    let belief = Statement { kind: Kind::Belief, ..Statement::of("Gardens need water") };
    let belief = remember(&fixture, belief).memory;
    let affects = vec![(belief.id.to_string(), Effect::Supports)];
    let alternatives = vec!["hydrangeas".to_owned()];
    let made = decide(&fixture, Decision { affects, alternatives, ..decision("Garden", "rhododendrons") });
    let names = [made.memory.id.to_string()];
    fixture
        .engine
        .forget(&fixture.caller, &names, None, (&of("a"), &crate::capture::Opening::default()))
        .unwrap();
    let filter = throughline_store::event::Filter { ids: vec![made.event], ..Default::default() };
    fixture.engine.purge(&fixture.caller, &filter, "private").unwrap();
    let links = fixture.engine.store().read(|conn| link::list(conn, &fixture.caller.project)).unwrap();
    let left = format!("{links:?} {:?} {:?}", fixture.log(), present(&fixture, &made.memory));
    assert!(!left.contains("rhododendrons") && !left.contains("hydrangeas"), "{left}");
    assert_eq!(fixture.violations(), [""; 0]);
    let steps = fixture.engine.belief(&fixture.caller, belief.id.as_str()).unwrap().steps;
    let after: Vec<f64> = steps.iter().map(|step| step.after).collect();
    assert_eq!(
        after.last(),
        Some(&present(&fixture, &belief).confidence),
        "the belief still adds up: {steps:?}"
    );
}

#[test]
fn secrets_do_not_get_into_decisions() {
    let fixture = Fixture::new();
    let alternatives = vec![format!("token {SECRET}")];
    decide(&fixture, Decision { alternatives, ..decision("Access", &format!("with {SECRET}")) });
    let links = fixture.engine.store().read(|conn| link::list(conn, &fixture.caller.project)).unwrap();
    assert!(!format!("{links:?} {:?}", fixture.log()).contains(SECRET));
}
