//! The statements about checkpoints.

use super::fixture::{project_id, read, session_id, write};
use crate::checkpoint::{self as record, Checkpoint, Filter, Reason};
use crate::id::CheckpointId;
use crate::time::Timestamp;
use crate::{Error, Store};

const PACK_OVER: usize = 100;

fn a_checkpoint_comes_back_whole_with_its_body(store: &Store) {
    let bare = Checkpoint { session: None, ..checkpoint(1) };
    for (n, body) in [(1, String::new()), (2, "{\"ü\":\"港\"}".to_owned()), (3, "long ".repeat(9000))] {
        let whole = Checkpoint { id: CheckpointId::from(format!("c{n}")), ..bare.clone() };
        insert(store, "p", &whole, &body);
        assert_eq!(list(store, &Filter { prefix: Some(format!("c{n}")), ..Filter::default() }), [whole]);
        let id = CheckpointId::from(format!("c{n}"));
        assert_eq!(read(store, |conn| record::body(conn, &project_id("p"), &id)), Some(body));
        assert_eq!(read(store, |conn| record::body(conn, &project_id("q"), &id)), None);
    }
}

fn the_newest_come_first_and_conditions_hold_together(store: &Store) {
    let of = |n, agent: &str, session: &str, reason| Checkpoint {
        agent: agent.into(),
        session: Some(session_id(session)),
        reason,
        ..checkpoint(n)
    };
    let all = [
        of(1, "a", "s", Reason::Request),
        of(2, "a", "t", Reason::Flash),
        of(3, "b", "s", Reason::Flash),
        of(4, "a", "s", Reason::Gate),
    ];
    all.iter().for_each(|checkpoint| insert(store, "p", checkpoint, "{}"));
    insert(store, "q", &checkpoint(1), "{}");
    let names = |filter: &Filter, limit| {
        let found = read(store, |conn| record::list(conn, &project_id("p"), filter, limit));
        found.iter().map(|one| one.position).collect::<Vec<_>>()
    };
    let (agent, session) = (Some("a".to_owned()), Some(session_id("s")));
    assert_eq!(names(&Filter::default(), 9), [4, 3, 2, 1]);
    assert_eq!(names(&Filter::default(), 2), [4, 3]);
    let both = Filter { agent: agent.clone(), session: session.clone(), ..Filter::default() };
    assert_eq!(names(&both, 9), [4, 1]);
    assert_eq!(names(&Filter { reason: Some(Reason::Flash), agent, ..Filter::default() }, 9), [2]);
    assert_eq!(read(store, |conn| record::count(conn, &project_id("p"), &both)), 2);
}

fn an_id_is_taken_once(store: &Store) {
    insert(store, "p", &checkpoint(1), "{}");
    insert(store, "q", &checkpoint(1), "{}");
    let again = store.write(|tx| record::insert(tx, &project_id("p"), &checkpoint(1), "{}", PACK_OVER));
    assert!(matches!(again, Err(Error::Conflict { .. })), "{again:?}");
}

fn a_purge_takes_what_was_kept_of_the_session(store: &Store) {
    for (n, session) in [(1, Some("s")), (2, Some("t")), (3, None)] {
        let kept = Checkpoint { session: session.map(session_id), ..checkpoint(n) };
        insert(store, "p", &kept, "{}");
        insert(store, "q", &kept, "{}");
    }
    assert_eq!(write(store, |tx| record::purge(tx, &project_id("p"), &session_id("s"))), 1);
    assert_eq!(list(store, &Filter::default()).iter().map(|one| one.position).collect::<Vec<_>>(), [3, 2]);
    assert_eq!(read(store, |conn| record::count(conn, &project_id("q"), &Filter::default())), 3);
}

fn checkpoint(n: i64) -> Checkpoint {
    Checkpoint {
        id: CheckpointId::from(format!("checkpoint-{n}")),
        agent: "agent:claude".into(),
        session: Some(session_id("s")),
        reason: Reason::Request,
        title: "Über die 港".into(),
        position: n,
        created_at: Timestamp(n * 10),
        entries: 3,
        tokens: 400,
    }
}

fn insert(store: &Store, project: &str, checkpoint: &Checkpoint, body: &str) {
    write(store, |tx| record::insert(tx, &project_id(project), checkpoint, body, PACK_OVER));
}

fn list(store: &Store, filter: &Filter) -> Vec<Checkpoint> {
    read(store, |conn| record::list(conn, &project_id("p"), filter, 9))
}

super::contract![
    a_checkpoint_comes_back_whole_with_its_body,
    the_newest_come_first_and_conditions_hold_together,
    an_id_is_taken_once,
    a_purge_takes_what_was_kept_of_the_session,
];
