//! What time does to memories, what it leaves alone, and the archive.

use std::time::Duration;

use throughline_store::memory::{Kind, Memory, Source, Status};

use super::{found, present, remember};
use crate::capture::{During, Opening};
use crate::remember::{Archiving, FeedbackOutcome, Statement, Word};
use crate::testing::{Fixture, of};

fn days(n: u64) -> Duration {
    Duration::from_secs(n * 24 * 60 * 60)
}

fn made(fixture: &Fixture, source: Source, kind: Kind) -> Memory {
    remember(fixture, Statement { source, kind, ..Statement::of(format!("memory {kind}-{source}")) }).memory
}

fn during() -> During {
    During { session: of("a"), opening: Opening::default() }
}

fn archive(fixture: &Fixture, archiving: Archiving) -> Vec<String> {
    let archived = fixture.engine.archive_memories(&fixture.caller, archiving, &during()).unwrap();
    archived.into_iter().map(|memory| memory.content).collect()
}

#[test]
fn nothing_explicit_decays_and_the_rest_halves_in_its_time() {
    let fixture = Fixture::new();
    let explicit = made(&fixture, Source::Explicit, Kind::Context);
    let fact = made(&fixture, Source::Implicit, Kind::Fact);
    let context = made(&fixture, Source::Bootstrap, Kind::Context);
    fixture.time.advance(days(180));
    let now = fixture.time.now();
    assert_eq!(explicit.confidence_at(now), explicit.confidence);
    assert!((fact.confidence_at(now) - 0.3).abs() < 1e-9);
    assert!((context.confidence_at(now) - 0.7 / 64.0).abs() < 1e-9);
    assert_eq!(present(&fixture, &fact).confidence, 0.6, "what is recorded stays");
}

#[test]
fn what_is_confirmed_begins_anew_and_what_is_only_used_does_not() {
    let fixture = Fixture::new();
    let (used, confirmed, said) = (
        made(&fixture, Source::Implicit, Kind::Fact),
        made(&fixture, Source::Implicit, Kind::Skill),
        made(&fixture, Source::Bootstrap, Kind::Fact),
    );
    fixture.time.advance(days(100));
    fixture.engine.expand(&fixture.caller, &[used.id.to_string()], None).unwrap();
    let within = (&of("a"), &Opening::default());
    let names = [confirmed.id.to_string()];
    fixture.engine.feedback(&fixture.caller, &names, FeedbackOutcome::Helpful, None, within).unwrap();
    made(&fixture, Source::Bootstrap, Kind::Fact);
    let verified = |memory: &Memory| present(&fixture, memory).last_verified_at;
    let now = Some(fixture.time.now());
    assert_eq!((verified(&used), verified(&confirmed), verified(&said)), (None, now, now));
    assert_eq!(present(&fixture, &used).last_used_at, now);
}

#[test]
fn what_comes_back_from_the_archive_stays_found_among_many() {
    let fixture = Fixture::new();
    let old = made(&fixture, Source::Bootstrap, Kind::Context);
    let fill = |from: usize| {
        let many = (from..from + 130).map(|n| Statement::of(format!("filler{n} stands alone{n}"))).collect();
        fixture.engine.remember(&fixture.caller, many).unwrap();
    };
    fill(0);
    fixture.time.advance(days(90));
    archive(&fixture, Archiving::Do);
    let names = [old.id.to_string()];
    fixture.engine.review(&fixture.caller, &names, Word::Approve, None, &during()).unwrap();
    fill(200);
    assert!(found(&fixture, "context bootstrap").contains(&old.content));
    assert_eq!(fixture.engine.index_faults(&fixture.caller).unwrap(), [""; 0]);
}

#[test]
fn what_was_never_used_and_is_hardly_believed_is_archived_and_comes_back() {
    let fixture = Fixture::new();
    let old = made(&fixture, Source::Bootstrap, Kind::Context);
    made(&fixture, Source::Explicit, Kind::Rule);
    let used = remember(
        &fixture,
        Statement { source: Source::Bootstrap, kind: Kind::Context, ..Statement::of("a used one") },
    )
    .memory;
    fixture.engine.expand(&fixture.caller, &[used.id.to_string()], None).unwrap();
    fixture.time.advance(days(29));
    assert_eq!(archive(&fixture, Archiving::Tell), [""; 0], "not yet");
    fixture.time.advance(days(60));
    assert_eq!(archive(&fixture, Archiving::Tell), ["memory context-bootstrap"]);
    assert_eq!(present(&fixture, &old).status, Status::Active, "only told");
    assert_eq!(archive(&fixture, Archiving::Do), ["memory context-bootstrap"]);
    assert_eq!(archive(&fixture, Archiving::Do), [""; 0]);
    let archived = present(&fixture, &old);
    assert_eq!(archived.status, Status::Expired);
    assert_eq!(archived.ended.unwrap().reason, "archived: never used, confidence 0.09");
    assert!(!found(&fixture, "context bootstrap").contains(&old.content));
    let names = [old.id.to_string()];
    fixture.engine.review(&fixture.caller, &names, Word::Approve, None, &during()).unwrap();
    assert_eq!(present(&fixture, &old).ended, None);
    assert!(found(&fixture, "context bootstrap").contains(&old.content));
    assert_eq!(archive(&fixture, Archiving::Do), [""; 0], "it was confirmed");
}
