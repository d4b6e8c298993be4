//! From ids to full texts.

use throughline_store::event::{Filter, Kind};
use throughline_store::memory::Memory;

use super::{Statement, by_a_tool, keyed, present, remember, say};
use crate::capture::{Opening, SessionRef};
use crate::remember::{Expanded, Full};
use crate::testing::{Fixture, START, hours, said};
use crate::tokens;

fn expand(fixture: &Fixture, ids: &[&str], max_tokens: Option<u64>) -> Expanded {
    let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    fixture.engine.expand(&fixture.caller, &ids, max_tokens).unwrap()
}

fn texts(expanded: &Expanded) -> Vec<&str> {
    expanded.entries.iter().map(|entry| entry.text.as_str()).collect()
}

/// A memory of about so many tokens.
fn long(fixture: &Fixture, word: &str, count: usize) -> Memory {
    say(fixture, &format!("{word} ").repeat(count)).memory
}

#[test]
fn ids_become_full_texts_in_the_order_asked_for() {
    let fixture = Fixture::new();
    let event = fixture.record(said(Kind::UserMessage, "run", "why is the build red?\nsince Monday"));
    let memory = say(&fixture, "the build is red since Monday").memory;
    let expanded = expand(&fixture, &[event.id.as_str(), memory.id.as_str()], None);
    assert_eq!(texts(&expanded), ["why is the build red?\nsince Monday", "the build is red since Monday"]);
    let Full::Memory(_, origins) = &expanded.entries[1].full else { panic!("{expanded:?}") };
    assert_eq!(origins.len(), 1);
    let tokens: u64 = texts(&expanded).iter().map(|text| tokens::count(text)).sum();
    assert_eq!((expanded.tokens, expanded.left_out.len(), expanded.missing.len()), (tokens, 0, 0));
}

#[test]
fn what_may_not_be_shown_is_named_with_why() {
    let fixture = Fixture::new();
    let session = (&SessionRef::Own, &Opening::default());
    let forgotten = say(&fixture, "forgotten").memory;
    fixture.engine.forget(&fixture.caller, &[forgotten.id.to_string()], None, session).unwrap();
    let superseded = remember(&fixture, keyed("k", "superseded")).memory;
    let active = remember(&fixture, keyed("k", "active")).memory;
    let quarantined = remember(&fixture, by_a_tool(Statement::of("quarantined"))).memory;
    let until = Some(START.plus(hours(1)));
    let expired = remember(&fixture, Statement { expires_at: until, ..Statement::of("expired") }).memory;
    fixture.time.advance(hours(1));
    let memories = [&forgotten, &superseded, &quarantined, &expired];
    let mut ids: Vec<&str> = memories.iter().map(|memory| memory.id.as_str()).collect();
    ids.extend(["nothing", "", active.id.as_str()]);
    let expanded = expand(&fixture, &ids, None);
    assert_eq!(texts(&expanded), ["active"]);
    let whys: Vec<&str> = expanded.missing.iter().map(|(_, why)| why.as_str()).collect();
    assert_eq!(
        whys,
        [
            &format!("memory {} is forgotten", forgotten.id),
            &format!("memory {} is superseded", superseded.id),
            &format!("memory {} is quarantined", quarantined.id),
            &format!("memory {} is expired", expired.id),
            "nothing has the id \"nothing\"; `throughline search` shows ids",
            "nothing has the id \"\"; `throughline search` shows ids",
        ]
    );
    assert_eq!(present(&fixture, &expired).use_count, 0);
}

#[test]
fn reading_a_memory_in_full_is_a_use_of_it() {
    let fixture = Fixture::new();
    let (memory, other) = (say(&fixture, "used").memory, say(&fixture, "unused").memory);
    fixture.time.advance(hours(1));
    expand(&fixture, &[memory.id.as_str()], None);
    expand(&fixture, &[&memory.id.as_str()[..18]], Some(1000));
    let used = present(&fixture, &memory);
    assert_eq!((used.use_count, used.last_used_at), (2, Some(fixture.time.now())));
    assert_eq!(present(&fixture, &other), other);
}

#[test]
fn the_budget_is_kept() {
    let fixture = Fixture::new();
    let memories = [long(&fixture, "alpha", 100), long(&fixture, "beta", 100), long(&fixture, "gamma", 100)];
    let ids: Vec<&str> = memories.iter().map(|memory| memory.id.as_str()).collect();
    for budget in [0, 1, 19, 20, 50, 99, 100, 101, 130, 199, 250, 1000] {
        let expanded = expand(&fixture, &ids, Some(budget));
        assert!(expanded.tokens <= budget, "{} of {budget}", expanded.tokens);
        assert_eq!(expanded.entries.len() + expanded.left_out.len(), 3, "{budget}");
        for (entry, memory) in expanded.entries.iter().zip(&memories) {
            assert!(memory.content.starts_with(&entry.text), "{budget}");
            assert_eq!(entry.cut > 0, entry.text.len() < memory.content.len(), "{budget}");
        }
    }
    let none = expand(&fixture, &ids, Some(19));
    assert_eq!((none.entries.len(), none.left_out), (0, ids.iter().map(|id| (*id).to_owned()).collect()));
    assert_eq!(present(&fixture, &memories[2]).use_count, 2, "counted only where it was shown");
}

#[test]
fn a_purged_event_may_not_be_shown() {
    let fixture = Fixture::new();
    let event = fixture.record(said(Kind::UserMessage, "run", "my password is on the fridge"));
    let filter = Filter { ids: vec![event.id.clone()], ..Filter::default() };
    fixture.engine.purge(&fixture.caller, &filter, "privacy").unwrap();
    let expanded = expand(&fixture, &[event.id.as_str()], None);
    assert_eq!((expanded.entries.len(), expanded.missing.len()), (0, 1), "{expanded:?}");
}
