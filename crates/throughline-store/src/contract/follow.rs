//! Following a project: how far its log and its working sets have come, and hearing of it.

use std::sync::mpsc;
use std::time::Duration;

use super::fixture::{event, full_event, insert_events, insert_log, project, project_id, read, write};
use crate::context_entry::{self, ContextEntry, Holder, State, Tier};
use crate::event::{Event, Part, heads, parts_of, per_day, per_kind};
use crate::follow::{self, Mark};
use crate::id::EntryId;
use crate::time::Timestamp;
use crate::{Store, project as projects};

fn the_mark_moves_with_the_log_and_with_working_sets(store: &Store) {
    let mark = || read(store, |conn| follow::mark(conn, &project_id("p")));
    assert_eq!(mark(), None);
    write(store, |tx| insert_log(tx, &[("s", 3)]));
    assert_eq!(mark(), Some(Mark { position: 3, set_revision: 0 }));
    write(store, |tx| follow::set_changed(tx, &project_id("p"), "agent:a"));
    write(store, |tx| follow::set_changed(tx, &project_id("p"), "agent:b"));
    write(store, |tx| follow::set_changed(tx, &project_id("p"), "agent:a"));
    assert_eq!(mark(), Some(Mark { position: 3, set_revision: 3 }));
    let after = |revision| read(store, |conn| follow::sets_after(conn, &project_id("p"), revision));
    assert_eq!(after(0), ["agent:b", "agent:a"]);
    assert_eq!(after(2), ["agent:a"]);
    assert_eq!(after(3), [""; 0]);
}

fn what_changes_entries_says_so(store: &Store) {
    write(store, |tx| projects::insert(tx, &project("p")));
    let p = project_id("p");
    let holder = Holder { project: &p, agent: "agent:a" };
    write(store, |tx| context_entry::put(tx, holder, &entry()));
    let moved = |change: &dyn Fn(&mut dyn crate::Connection) -> crate::Result<()>| {
        let revision = || read(store, |conn| follow::mark(conn, &p)).unwrap().set_revision;
        let before = revision();
        store.write(|tx| change(tx)).unwrap();
        revision() > before
    };
    let id = entry().id;
    assert!(moved(&|tx| context_entry::set_tier(tx, holder, &[&id], Tier::Hot)));
    assert!(moved(&|tx| context_entry::set_state(tx, holder, &[&id], State::Held)));
    assert!(moved(&|tx| context_entry::note_access(tx, holder, &[&id], Timestamp(9))));
    assert!(!moved(&|tx| context_entry::note_loaded(tx, holder, &[&id])), "nobody else sees that");
    assert!(!moved(&|tx| context_entry::set_tier(tx, holder, &[], Tier::Hot)));
    assert!(moved(&|tx| context_entry::archive_of_item(tx, &p, "TASK", "TASK-0001").map(|_| ())));
    assert!(moved(&|tx| context_entry::delete(tx, holder, &[&id])));
    assert!(moved(&|tx| context_entry::clear(tx, holder)));
}

fn heads_are_events_without_their_texts(store: &Store) {
    insert_events(store, &[event(1), full_event(2), event(3)]);
    let found = read(store, |conn| heads(conn, &project_id("p"), 1, 9));
    assert_eq!(found, [Event { content: None, parts: None, ..full_event(2) }, event(3)]);
    assert_eq!(read(store, |conn| heads(conn, &project_id("p"), 1, 1)).len(), 1);
}

fn what_happened_is_counted_by_day_kind_and_actor(store: &Store) {
    const DAY: i64 = 86_400_000_000;
    let on = |n: i64, day: i64, tokens| Event { at: Timestamp(day * DAY + n), tokens, ..event(n) };
    insert_events(store, &[on(1, 2, 5), on(2, 4, 1), on(3, 4, 2)]);
    let p = project_id("p");
    let days = |part, since| {
        let days = read(store, |conn| per_day(conn, &p, part, Timestamp(since)));
        assert!(days.iter().all(|one| one.actor == event(1).actor));
        days.iter().map(|one| (one.day.0, one.events, one.tokens, one.last_at.0)).collect::<Vec<_>>()
    };
    assert_eq!(days(Part::Whole, 0), [(2, 1, 5, 2 * DAY + 1), (4, 2, 3, 4 * DAY + 3)]);
    assert_eq!(days(Part::Whole, 3 * DAY), [(4, 2, 3, 4 * DAY + 3)]);
    assert_eq!(days(Part::After(2), 0), [(4, 1, 2, 4 * DAY + 3)]);
    assert_eq!(days(Part::After(1), 5 * DAY), []);
    let kinds = |part| read(store, |conn| per_kind(conn, &p, part));
    assert_eq!(
        (kinds(Part::Whole), kinds(Part::After(2))),
        (vec![(event(1).kind, 3)], vec![(event(1).kind, 1)])
    );
}

fn parts_are_read_without_the_rest(store: &Store) {
    let note = |n: i64, target: &str| Event {
        target: Some(target.to_owned()),
        parts: Some(format!("{{\"tokens\":{n}}}")),
        ..event(n)
    };
    insert_events(store, &[note(1, "injection"), note(2, "else"), note(3, "injection")]);
    let asked = (event(1).kind, "injection");
    let parts = |part, limit| {
        let found =
            read(store, |conn| parts_of(conn, &project_id("p"), asked, (part, Timestamp(i64::MIN)), limit));
        found.into_iter().filter_map(|(_, parts)| parts).collect::<Vec<_>>()
    };
    assert_eq!(parts(Part::Whole, 9), [r#"{"tokens":3}"#, r#"{"tokens":1}"#]);
    assert_eq!((parts(Part::After(1), 9).len(), parts(Part::Whole, 1).len()), (1, 1));
    let late =
        read(store, |conn| parts_of(conn, &project_id("p"), asked, (Part::Whole, Timestamp(i64::MAX)), 9));
    assert_eq!(late, []);
}

fn whoever_waits_hears_of_a_change(store: &Store) {
    write(store, |tx| projects::insert(tx, &project("p")));
    let mut watch = store.watch().unwrap();
    // The first look only learns where things stand.
    watch.wait(Duration::ZERO).unwrap();
    let (told, heard) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            watch.wait(Duration::from_secs(30)).unwrap();
            told.send(()).unwrap();
        });
        write(store, |tx| projects::take_positions(tx, &project_id("p"), 1));
        heard.recv_timeout(Duration::from_secs(20)).expect("the change was announced");
    });
}

fn entry() -> ContextEntry {
    ContextEntry {
        id: EntryId::from("e".to_owned()),
        entry_type: "TASK".into(),
        content: "x".into(),
        content_hash: "h".into(),
        tokens: 1,
        importance: None,
        item_id: Some("TASK-0001".into()),
        tier: Tier::Warm,
        state: State::Held,
        access_count: 0,
        created_at: Timestamp(1),
        last_accessed_at: Timestamp(1),
        loaded_hash: None,
    }
}

super::contract![
    the_mark_moves_with_the_log_and_with_working_sets,
    what_changes_entries_says_so,
    heads_are_events_without_their_texts,
    what_happened_is_counted_by_day_kind_and_actor,
    parts_are_read_without_the_rest;
    parallel: whoever_waits_hears_of_a_change,
];
