//! The graph of a small project: what was decided, instead of what, and where it came from.

use throughline_store::event::Kind as EventKind;
use throughline_store::link::Kind;
use throughline_store::memory::Kind as MemoryKind;

use super::{Breadth, Graph};
use crate::capture::{During, Opening};
use crate::remember::{Decided, Decision, Effect, Statement};
use crate::testing::{Fixture, of, saw};

fn decide(fixture: &Fixture, choice: &str, belief: &str) -> Decided {
    let decision = Decision {
        subject: "Cache".into(),
        choice: choice.into(),
        rationale: "measured".into(),
        alternatives: vec!["Redis".into()],
        confidence: 0.7,
        affects: vec![(belief.to_owned(), Effect::Supports)],
        during: During { session: of("a"), opening: Opening::default() },
    };
    fixture.engine.decide(&fixture.caller, decision).unwrap()
}

fn count(graph: &Graph, kind: Kind) -> usize {
    graph.edges.iter().filter(|edge| edge.kind == kind).count()
}

#[test]
fn what_is_linked_is_found_from_both_ends() {
    let fixture = Fixture::new();
    fixture.record(saw(EventKind::Read, "a"));
    let belief = Statement { kind: MemoryKind::Belief, session: of("a"), ..Statement::of("Less is more") };
    let belief = fixture.engine.remember(&fixture.caller, vec![belief]).unwrap().remove(0).memory;
    let first = decide(&fixture, "none", belief.id.as_str());
    let second = decide(&fixture, "in the process", belief.id.as_str());
    let graph = |breadth, around| fixture.engine.graph(&fixture.caller, breadth, around).unwrap();
    let knowledge = graph(Breadth::Knowledge, None);
    let counts =
        [Kind::Chose, Kind::Rejected, Kind::Supports, Kind::Supersedes, Kind::DerivedFrom, Kind::Follows]
            .map(|kind| count(&knowledge, kind));
    // Both decisions and both steps support the belief.
    assert_eq!(counts, [2, 2, 4, 1, 3, 0]);
    let ids: Vec<&str> = knowledge.nodes.iter().map(|(node, _)| node.id.as_str()).collect();
    for id in [first.memory.id.as_str(), second.memory.id.as_str(), belief.id.as_str(), "Redis"] {
        assert!(ids.contains(&id), "{ids:?}");
    }
    let around = graph(Breadth::Knowledge, Some(belief.id.as_str()));
    assert!(
        around
            .edges
            .iter()
            .all(|edge| edge.from.id == belief.id.as_str() || edge.to.id == belief.id.as_str())
    );
    assert_eq!((count(&around, Kind::Supports), count(&around, Kind::Chose)), (4, 0));
    let everything = graph(Breadth::Everything, None);
    let events = fixture.log().len();
    assert_eq!((count(&everything, Kind::PartOf), count(&everything, Kind::Follows)), (events, events - 1));
    assert_eq!(count(&everything, Kind::TriggeredBy), 2);
    assert_eq!(everything, graph(Breadth::Everything, None), "the same each time");
}
