//! The statements about handoffs.

use std::sync::Barrier;

use super::fixture::{actor, project_id, read, session_id, write};
use crate::Store;
use crate::handoff::{self as record, Filter, Handoff, Taken, Which};
use crate::id::HandoffId;
use crate::time::Timestamp;

fn a_handoff_comes_back_whole(store: &Store) {
    let full = Handoff {
        workflow: Some("create-service".into()),
        context: "{\"notes\":[\"über 港\"]}".into(),
        taken: Some(Taken { by: actor("user:ann"), session: Some(session_id("t")), at: Timestamp(70) }),
        ..handoff(2)
    };
    let taken_outside = Handoff {
        taken: Some(Taken { by: actor("agent:b: c"), session: None, at: Timestamp(5) }),
        ..handoff(3)
    };
    let all = [handoff(1), full, taken_outside];
    all.iter().for_each(|handoff| insert(store, "p", handoff));
    assert_eq!(list(store, "p", &Filter::default()), all);
    assert_eq!(list(store, "q", &Filter::default()), []);
}

fn pending_ones_are_found_by_role_and_workflow_the_oldest_first(store: &Store) {
    let to = |n, role: &str, workflow: Option<&str>| Handoff {
        to_role: role.into(),
        workflow: workflow.map(Into::into),
        ..handoff(n)
    };
    let all = [to(1, "build", None), to(2, "review", None), to(3, "build", Some("w")), to(4, "build", None)];
    all.iter().for_each(|handoff| insert(store, "p", handoff));
    assert!(take(store, "p", &all[0].id, "agent:a"));
    let ids = |filter: &Filter| list(store, "p", filter).iter().map(|one| one.id.clone()).collect::<Vec<_>>();
    let role = Some("build".to_owned());
    let pending = Filter { to_role: role.clone(), which: Which::Pending, ..Filter::default() };
    assert_eq!(ids(&pending), [all[2].id.clone(), all[3].id.clone()]);
    assert_eq!(ids(&Filter { workflow: Some("w".into()), ..pending.clone() }), [all[2].id.clone()]);
    assert_eq!(ids(&Filter { to_role: role, ..Filter::default() }).len(), 3);
    assert_eq!(read(store, |conn| record::count(conn, &project_id("p"), &pending)), 2);
}

fn it_is_taken_once_and_only_in_its_project(store: &Store) {
    insert(store, "p", &handoff(1));
    insert(store, "q", &handoff(1));
    let id = handoff(1).id;
    assert_eq!((take(store, "p", &id, "agent:a"), take(store, "p", &id, "agent:b")), (true, false));
    let taken = list(store, "p", &Filter::default()).remove(0).taken.unwrap();
    assert_eq!(taken.by, actor("agent:a"));
    assert_eq!(list(store, "q", &Filter::default()), [handoff(1)]);
    assert!(!take(store, "p", &HandoffId::from("none".to_owned()), "agent:a"));
}

fn a_purge_erases_what_was_said(store: &Store) {
    insert(store, "p", &handoff(1));
    insert(store, "p", &Handoff { session: session_id("t"), ..handoff(2) });
    assert_eq!(write(store, |tx| record::purge(tx, &project_id("p"), &session_id("s"))), 1);
    let left = list(store, "p", &Filter::default());
    let said: Vec<_> = left.iter().map(|one| (one.context.as_str(), one.summary.as_str())).collect();
    assert_eq!(said, [("{}", ""), ("{\"notes\":1}", "what was done")]);
}

/// Both ask at the same moment, a thousand times, each on a connection of its own.
fn of_two_takers_exactly_one_gets_it(store: &Store) {
    const ROUNDS: i64 = 1000;
    (1..=ROUNDS).for_each(|n| insert(store, "p", &handoff(n)));
    let start = Barrier::new(2);
    let taker = |name: &'static str| {
        let wins = (1..=ROUNDS).map(|n| {
            start.wait();
            take(store, "p", &handoff(n).id, name)
        });
        wins.collect::<Vec<bool>>()
    };
    let (first, second) = std::thread::scope(|scope| {
        let second = scope.spawn(|| taker("agent:second"));
        (taker("agent:first"), second.join().unwrap())
    });
    let both = first.iter().zip(&second).filter(|(a, b)| a == b).count();
    assert_eq!(both, 0, "rounds that both or neither won");
    for (handoff, first_won) in list(store, "p", &Filter::default()).iter().zip(first) {
        let winner = if first_won { "agent:first" } else { "agent:second" };
        assert_eq!(handoff.taken.as_ref().unwrap().by, actor(winner));
    }
}

fn handoff(n: i64) -> Handoff {
    Handoff {
        id: HandoffId::from(format!("handoff-{n:04}")),
        from_role: "architect".into(),
        to_role: "build".into(),
        workflow: None,
        session: session_id("s"),
        given_by: actor("agent:claude"),
        given_at: Timestamp(n * 10),
        context: "{\"notes\":1}".into(),
        summary: "what was done".into(),
        taken: None,
    }
}

fn insert(store: &Store, project: &str, handoff: &Handoff) {
    write(store, |tx| record::insert(tx, &project_id(project), handoff));
}

fn take(store: &Store, project: &str, id: &HandoffId, by: &str) -> bool {
    let taken = Taken { by: actor(by), session: None, at: Timestamp(99) };
    write(store, |tx| record::take(tx, &project_id(project), id, &taken))
}

fn list(store: &Store, project: &str, filter: &Filter) -> Vec<Handoff> {
    read(store, |conn| record::list(conn, &project_id(project), filter, i64::MAX))
}

super::contract![
    a_handoff_comes_back_whole,
    pending_ones_are_found_by_role_and_workflow_the_oldest_first,
    it_is_taken_once_and_only_in_its_project,
    a_purge_erases_what_was_said;
    parallel: of_two_takers_exactly_one_gets_it,
];
