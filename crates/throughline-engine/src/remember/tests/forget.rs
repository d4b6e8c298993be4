//! Forgetting.

use throughline_store::memory::{Memory, Status};

use super::{found, keyed, present, refused, remember, replacing, say, story};
use crate::Result;
use crate::capture::{Opening, SessionRef};
use crate::remember::{Action, Forgotten, Statement};
use crate::testing::{Fixture, SECRET, hours};

fn try_forget(fixture: &Fixture, names: &[&str], reason: Option<&str>) -> Result<Vec<Forgotten>> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    fixture.engine.forget(&fixture.caller, &names, reason, (&SessionRef::Own, &Opening::default()))
}

fn forget(fixture: &Fixture, memory: &Memory) -> Forgotten {
    try_forget(fixture, &[memory.id.as_str()], None).unwrap().remove(0)
}

#[test]
fn a_forgotten_memory_is_found_no_more_and_says_why() {
    let fixture = Fixture::new();
    let (gone, stays) =
        (say(&fixture, "the old vault code").memory, say(&fixture, "the new vault code").memory);
    fixture.time.advance(hours(1));
    let reason = format!("it held {SECRET}");
    let forgotten = try_forget(&fixture, &[gone.id.as_str()], Some(&reason)).unwrap();
    assert!(!forgotten[0].already);
    assert_eq!(found(&fixture, "vault code"), ["the new vault code"]);
    let ended = present(&fixture, &gone).ended.unwrap();
    assert_eq!(ended.at, fixture.time.now());
    assert!(ended.reason.starts_with("it held ") && !ended.reason.contains(SECRET), "{}", ended.reason);
    let event = fixture.last_event();
    assert_eq!(event.summary, "forgotten: the old vault code");
    assert_eq!(event.informs.as_deref(), Some(gone.id.as_str()));
    assert_eq!(present(&fixture, &stays).status, Status::Active);
}

#[test]
fn forgetting_twice_is_forgetting_once() {
    let fixture = Fixture::new();
    let memory = say(&fixture, "a rumour").memory;
    assert!(!forget(&fixture, &memory).already);
    let (events, ended) = (fixture.log().len(), present(&fixture, &memory).ended);
    fixture.time.advance(hours(1));
    assert!(forget(&fixture, &memory).already);
    assert_eq!((fixture.log().len(), present(&fixture, &memory).ended), (events, ended));
    let twice_at_once = say(&fixture, "another rumour").memory;
    let both = try_forget(&fixture, &[twice_at_once.id.as_str(); 2], None).unwrap();
    assert_eq!(both.iter().map(|one| one.already).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn memories_are_forgotten_all_or_none() {
    let fixture = Fixture::new();
    let memory = say(&fixture, "a rumour").memory;
    let events = fixture.log().len();
    for unknown in ["nobody", "", "%"] {
        let why = refused(try_forget(&fixture, &[memory.id.as_str(), unknown], None));
        assert!(why.starts_with(&format!("not found: there is no memory {unknown:?}; ")), "{why}");
    }
    assert_eq!((story(&fixture), fixture.log().len()), (vec!["active: a rumour".to_owned()], events));
    assert_eq!(try_forget(&fixture, &[], None).unwrap(), []);
}

#[test]
fn a_beginning_of_an_id_names_a_memory_unless_it_names_two() {
    let fixture = Fixture::new();
    let (one, two) = (say(&fixture, "one").memory, say(&fixture, "two").memory);
    let common: String = one
        .id
        .as_str()
        .chars()
        .zip(two.id.as_str().chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a)
        .collect();
    let why = refused(try_forget(&fixture, &[&common], None));
    let expected = format!(
        "invalid: more than one memory's id begins with {common:?}: {}, {}; write more of it",
        one.id, two.id
    );
    assert_eq!(why, expected);
    let longer = &two.id.as_str()[..=common.len()];
    assert_eq!(try_forget(&fixture, &[longer], None).unwrap()[0].memory.id, two.id);
    assert_eq!(story(&fixture), ["active: one", "forgotten: two"]);
}

#[test]
fn what_was_forgotten_does_not_come_back_by_itself() {
    let fixture = Fixture::new();
    let first = remember(&fixture, keyed("editor", "the editor is vim")).memory;
    forget(&fixture, &first);
    let late =
        refused(fixture.engine.remember(&fixture.caller, vec![replacing(&first, "the editor is emacs")]));
    assert_eq!(
        late,
        format!(
            "conflict: memory {} was forgotten; remember the new statement without --supersedes",
            first.id
        )
    );
    let again = remember(&fixture, keyed("editor", "the editor is vim"));
    assert_eq!((again.action, again.superseded.len()), (Action::Created, 0));
    assert_ne!(again.memory.id, first.id);
}

#[test]
fn a_superseded_memory_can_be_forgotten_too() {
    let fixture = Fixture::new();
    let first = remember(&fixture, keyed("os", "the system is debian")).memory;
    remember(&fixture, keyed("os", "the system is nixos"));
    assert!(!forget(&fixture, &first).already);
    assert_eq!(story(&fixture), ["forgotten: the system is debian", "active: the system is nixos"]);
    assert_eq!(found(&fixture, "system"), ["the system is nixos"]);
}

#[test]
fn what_a_person_took_away_no_agent_brings_back_and_the_person_does() {
    let mut fixture = Fixture::new();
    let agent = fixture.caller.clone();
    fixture.caller = fixture.by("user:ann");
    let gone = say(&fixture, "Deploys happen on Fridays").memory;
    forget(&fixture, &gone);
    let again = || vec![Statement::of("deploys happen on Fridays.")];
    for _ in 0..2 {
        let refused = fixture.engine.remember(&agent, again()).unwrap().remove(0);
        assert_eq!((refused.action, refused.memory.id), (Action::Refused, gone.id.clone()));
    }
    assert_eq!(fixture.last_event().summary, "refused: Deploys happen on Fridays");
    assert_eq!(found(&fixture, "deploys"), [""; 0]);
    let back = fixture.engine.remember(&fixture.caller, again()).unwrap().remove(0);
    assert_eq!((back.action, found(&fixture, "deploys").len()), (Action::Created, 1));
}

#[test]
fn what_an_agent_took_away_an_agent_may_say_again() {
    let fixture = Fixture::new();
    let first = say(&fixture, "the cache is cold").memory;
    forget(&fixture, &first);
    assert_eq!(say(&fixture, "the cache is cold").action, Action::Created);
}
