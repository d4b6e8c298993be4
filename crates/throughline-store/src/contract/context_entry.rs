//! The statements about working sets.

use super::fixture::{project_id, read, write};
use crate::Store;
use crate::context_entry::{self as record, ContextEntry, Holder, State, Tier};
use crate::id::{EntryId, ProjectId};
use crate::time::Timestamp;

fn an_entry_comes_back_whole_and_again_after_it_was_written_again(store: &Store) {
    let odd = ContextEntry {
        entry_type: "ÜBER 'x'; --".into(),
        content: "👩‍👩‍👧 \u{202e}'\"?1 $1\\\r\n".repeat(50_000),
        importance: Some(0.1 + 0.2),
        item_id: Some("TASK-0001".into()),
        tier: Tier::Cold,
        state: State::Gone,
        access_count: i64::MAX,
        created_at: Timestamp(i64::MIN),
        last_accessed_at: Timestamp(i64::MAX),
        loaded_hash: Some(String::new()),
        ..entry(1)
    };
    for entry in [entry(1), odd, entry(1)] {
        put(store, "p", "a", &entry);
        assert_eq!(list(store, "p", "a"), [entry]);
    }
}

fn agents_and_projects_have_their_own(store: &Store) {
    for (project, agent) in [("p", "a"), ("p", "b"), ("q", "a")] {
        put(store, project, agent, &entry(1));
        put(store, project, agent, &entry(2));
    }
    let p = project_id("p");
    let holder = Holder { project: &p, agent: "a" };
    let (one, two) = (entry(1).id, entry(2).id);
    write(store, |tx| {
        record::set_tier(tx, holder, &[&one], Tier::Cold)?;
        record::set_state(tx, holder, &[&one], State::Archived)?;
        record::note_access(tx, holder, &[&one, &two], Timestamp(900))?;
        record::note_loaded(tx, holder, &[&one])?;
        record::delete(tx, holder, &[&two])
    });
    let changed = ContextEntry {
        tier: Tier::Cold,
        state: State::Archived,
        access_count: 1,
        last_accessed_at: Timestamp(900),
        loaded_hash: Some("hash-1".into()),
        ..entry(1)
    };
    assert_eq!(list(store, "p", "a"), [changed]);
    for (project, agent) in [("p", "b"), ("q", "a")] {
        assert_eq!(list(store, project, agent), [entry(1), entry(2)], "{project} {agent}");
    }
    assert_eq!(read(store, |conn| record::agents(conn, &p)), [("b".to_owned(), 2)]);
    write(store, |tx| record::clear(tx, Holder { project: &p, agent: "b" }));
    assert_eq!((list(store, "p", "b").len(), list(store, "p", "a").len()), (0, 1));
    assert_eq!(list(store, "q", "a").len(), 2);
}

fn an_access_of_long_ago_does_not_turn_the_clock_back(store: &Store) {
    put(store, "p", "a", &ContextEntry { last_accessed_at: Timestamp(1000), ..entry(1) });
    let p = project_id("p");
    let holder = Holder { project: &p, agent: "a" };
    write(store, |tx| record::note_access(tx, holder, &[&entry(1).id], Timestamp(7)));
    let after = list(store, "p", "a").remove(0);
    assert_eq!((after.access_count, after.last_accessed_at), (1, Timestamp(1000)));
}

fn many_are_changed_at_once(store: &Store) {
    let ids: Vec<EntryId> = (1..=100).map(|n| entry(n).id).collect();
    (1..=101).for_each(|n| put(store, "p", "a", &entry(n)));
    let p = project_id("p");
    let holder = Holder { project: &p, agent: "a" };
    let ids: Vec<&EntryId> = ids.iter().collect();
    write(store, |tx| {
        record::note_loaded(tx, holder, &ids)?;
        record::note_dropped(tx, holder, &ids[..50])?;
        record::set_state(tx, holder, &ids, State::Archived)?;
        record::set_state(tx, holder, &[], State::Gone)
    });
    let after = list(store, "p", "a");
    let count = |wanted: &dyn Fn(&ContextEntry) -> bool| after.iter().filter(|entry| wanted(entry)).count();
    assert_eq!(count(&|entry| entry.state == State::Archived), 100);
    assert_eq!(count(&|entry| entry.loaded_hash.as_ref() == Some(&entry.content_hash)), 50);
    assert_eq!(after[100], entry(101));
}

fn what_is_held_about_an_item_is_put_aside_for_all_agents(store: &Store) {
    let about = |n, entry_type: &str, item: Option<&str>| ContextEntry {
        entry_type: entry_type.into(),
        item_id: item.map(Into::into),
        ..entry(n)
    };
    for (project, agent) in [("p", "a"), ("p", "b"), ("q", "a")] {
        put(store, project, agent, &about(1, "TASK", Some("TASK-0001")));
        put(store, project, agent, &about(2, "CODE", Some("TASK-0001")));
        put(store, project, agent, &about(3, "TASK", Some("TASK-0002")));
    }
    let archive = || write(store, |tx| record::archive_of_item(tx, &project_id("p"), "TASK", "TASK-0001"));
    assert_eq!((archive(), archive()), (2, 0));
    let states = |project, agent| list(store, project, agent).iter().map(|e| e.state).collect::<Vec<_>>();
    assert_eq!(states("p", "b"), [State::Archived, State::Held, State::Held]);
    assert_eq!(states("q", "a"), [State::Held; 3]);
}

fn entry(n: i64) -> ContextEntry {
    ContextEntry {
        id: EntryId::from(format!("entry-{n:03}")),
        entry_type: "CODE".into(),
        content: format!("content {n}"),
        content_hash: format!("hash-{n}"),
        tokens: n,
        importance: None,
        item_id: None,
        tier: Tier::Warm,
        state: State::Held,
        access_count: 0,
        created_at: Timestamp(n),
        last_accessed_at: Timestamp(n),
        loaded_hash: None,
    }
}

fn put(store: &Store, project: &str, agent: &str, entry: &ContextEntry) {
    let project: ProjectId = project_id(project);
    write(store, |tx| record::put(tx, Holder { project: &project, agent }, entry));
}

fn list(store: &Store, project: &str, agent: &str) -> Vec<ContextEntry> {
    let project = project_id(project);
    read(store, |conn| record::list(conn, Holder { project: &project, agent }))
}

super::contract![
    an_entry_comes_back_whole_and_again_after_it_was_written_again,
    agents_and_projects_have_their_own,
    an_access_of_long_ago_does_not_turn_the_clock_back,
    many_are_changed_at_once,
    what_is_held_about_an_item_is_put_aside_for_all_agents,
];
