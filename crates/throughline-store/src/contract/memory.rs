//! The statements about memories.

use super::fixture::{
    event, event_id, full_memory, insert_events, memory, memory_id, project_id, read, session_id, write,
};
use crate::memory::{self, Ended, Filter, Kind, Memory, Origin, Scope, Source, Standing, Status};
use crate::time::Timestamp;
use crate::{Error, Store};

fn a_memory_with_every_field_comes_back_whole(store: &Store) {
    assert_comes_back(store, &full_memory(1));
}

fn a_memory_with_only_what_it_must_have_comes_back_whole(store: &Store) {
    assert_comes_back(store, &memory(1));
}

fn texts_and_numbers_at_their_limits_come_back(store: &Store) {
    let odd = Memory {
        title: String::new(),
        content: "漢字 👩‍👩‍👧 \u{202e}'\"?1 $1\\\r\n".repeat(3000),
        tags: vec!["a%b".into(), "日本".into(), "'; drop table memory --".into()],
        importance: f64::MIN_POSITIVE,
        confidence: 1.0 / 3.0,
        created_at: Timestamp(i64::MIN),
        expires_at: Some(Timestamp(i64::MAX)),
        use_count: i64::MAX,
        number: i64::MAX,
        ..memory(1)
    };
    assert_comes_back(store, &odd);
}

fn every_kind_scope_source_and_status_comes_back(store: &Store) {
    let varied: Vec<Memory> = (1..)
        .zip(Kind::ALL.iter().zip(Scope::ALL.iter().cycle()))
        .zip(Source::ALL.iter().cycle().zip(Status::ALL.iter().cycle()))
        .map(|((n, (&kind, &scope)), (&source, &status))| Memory { kind, scope, source, status, ..memory(n) })
        .collect();
    insert(store, &varied);
    assert_eq!(read(store, |conn| memory::after(conn, &project_id("p"), 0, 99)), varied);
}

fn an_unknown_memory_is_nothing(store: &Store) {
    insert(store, &[memory(1)]);
    for (project, n) in [("p", 2), ("q", 1)] {
        assert_eq!(read(store, |conn| memory::by_id(conn, &project_id(project), &memory_id(n))), None);
        assert_eq!(by_document(store, project, n), None);
    }
    assert_eq!(of_state_key(store, "q", Scope::App, "k"), None);
}

fn a_memory_whose_end_is_half_written_is_reported(store: &Store) {
    insert(store, &[memory(1)]);
    write(store, |tx| tx.execute("update memory set ended_at = 5", &[]));
    let found = store.read(|conn| memory::of_documents(conn, &project_id("p"), &[1]));
    assert!(matches!(found, Err(Error::Corrupt(_))), "{found:?}");
}

fn numbers_follow_each_other_in_each_project(store: &Store) {
    let next = |project: &str| write(store, |tx| memory::next_number(tx, &project_id(project)));
    assert_eq!(next("p"), 1);
    insert(store, &[memory(1), memory(2), Memory { status: Status::Forgotten, ..memory(7) }]);
    assert_eq!((next("p"), next("q")), (8, 1));
}

fn a_memory_with_further_words_has_another_document(store: &Store) {
    let p = project_id("p");
    let next = || write(store, |tx| memory::next_document(tx, &p));
    let documents = |after| -> Vec<(i64, i64)> {
        let page = read(store, |conn| memory::after_document(conn, &p, after, 2));
        page.iter().map(|memory| (memory.document, memory.number)).collect()
    };
    assert_eq!((next(), read(store, |conn| memory::last_document(conn, &p))), (1, 0));
    insert(store, &[memory(1), memory(2), memory(3)]);
    write(store, |tx| memory::set_document(tx, &p, &memory_id(1), 4));
    assert_eq!((next(), documents(0), documents(3)), (5, vec![(2, 2), (3, 3)], vec![(4, 1)]));
    assert_eq!((by_document(store, "p", 1), by_document(store, "q", 4)), (None, None));
    assert_eq!(by_document(store, "p", 4), Some(Memory { document: 4, ..memory(1) }));
    write(store, |tx| memory::number_documents(tx, &p));
    assert_eq!((next(), documents(0), documents(2)), (4, vec![(1, 1), (2, 2)], vec![(3, 3)]));
}

fn a_number_or_an_id_that_is_taken_conflicts(store: &Store) {
    insert(store, &[memory(1)]);
    let same_number = Memory { id: memory_id(2), ..memory(1) };
    let same_id = Memory { id: memory_id(1), ..memory(2) };
    for taken in [same_number, same_id] {
        let second = store.write(|tx| memory::insert(tx, &project_id("p"), &taken));
        assert!(matches!(second, Err(Error::Conflict { .. })), "{second:?} for {taken:?}");
    }
    write(store, |tx| memory::insert(tx, &project_id("q"), &memory(1)));
}

fn a_state_key_has_one_active_value_in_a_scope(store: &Store) {
    let keyed = |n, scope, status| Memory { state_key: Some("port".into()), scope, status, ..memory(n) };
    insert(store, &[keyed(1, Scope::App, Status::Active)]);
    let second =
        store.write(|tx| memory::insert(tx, &project_id("p"), &keyed(2, Scope::App, Status::Active)));
    assert!(matches!(second, Err(Error::Conflict { .. })), "{second:?}");
    let beside = Status::ALL.iter().zip(2..).map(|(&status, n)| match status {
        Status::Active => keyed(n, Scope::User, status),
        ended => keyed(n, Scope::App, ended),
    });
    insert(store, &beside.collect::<Vec<_>>());
    write(store, |tx| memory::insert(tx, &project_id("q"), &keyed(1, Scope::App, Status::Active)));
    let present = |scope| of_state_key(store, "p", scope, "port").map(|memory| memory.number);
    assert_eq!(
        (present(Scope::App), present(Scope::User), present(Scope::Session)),
        (Some(1), Some(2), None)
    );
    for (key, number) in [("Port", Some(1)), ("PORT", Some(1)), ("ports", None)] {
        let found = of_state_key(store, "p", Scope::App, key);
        assert_eq!(found.map(|memory| memory.number), number, "{key}");
    }
    let revived = store
        .write(|tx| memory::set_standing(tx, &project_id("p"), &memory_id(3), &Standing::of(&memory(3))));
    assert!(matches!(revived, Err(Error::Conflict { .. })), "{revived:?}");
}

fn origins_come_oldest_first_and_once(store: &Store) {
    let origin = |n, session: &str| Origin { event: event_id(n), session: session_id(session), said: None };
    let add = |project: &str, memory, origin: &Origin| {
        write(store, |tx| memory::add_origin(tx, &project_id(project), &memory_id(memory), origin));
    };
    for n in [3, 1, 2, 1] {
        add("p", 1, &origin(n, "s"));
    }
    add("p", 2, &origin(9, "s"));
    add("q", 1, &origin(8, "s"));
    add("p", 1, &origin(1, "another session, the same event"));
    let origins = |project: &str, memory| {
        read(store, |conn| memory::origins(conn, &project_id(project), &memory_id(memory)))
    };
    assert_eq!(origins("p", 1), [origin(1, "s"), origin(2, "s"), origin(3, "s")]);
    assert_eq!(origins("p", 2), [origin(9, "s")]);
    assert_eq!(origins("p", 3), []);
}

fn a_memory_was_said_last_when_the_youngest_of_its_origins_was(store: &Store) {
    insert_events(store, &[event(1), event(2), event(3)]);
    for (memory, events) in [(1, &[1, 3][..]), (2, &[2])] {
        for n in events {
            let origin = Origin { event: event_id(*n), session: session_id("s"), said: None };
            write(store, |tx| memory::add_origin(tx, &project_id("p"), &memory_id(memory), &origin));
        }
    }
    let ids = [memory_id(1), memory_id(2), memory_id(3)];
    let mut said = read(store, |conn| memory::last_said(conn, &project_id("p"), &ids.each_ref()));
    said.sort();
    assert_eq!(said, [(memory_id(1), event(3).at), (memory_id(2), event(2).at)]);
    let said_in =
        |n| read(store, |conn| memory::said_in(conn, &project_id("p"), &event_id(n), &ids.each_ref()));
    assert_eq!((said_in(3), said_in(2)), (vec![memory_id(1)], vec![memory_id(2)]));
}

fn an_event_is_overruled_when_nothing_that_it_tells_holds(store: &Store) {
    let having = |n, status| Memory { status, ..memory(n) };
    insert_events(store, &[event(1), event(2), event(3), event(4), event(5)]);
    insert(store, &[having(1, Status::Superseded), having(2, Status::Active), having(3, Status::Forgotten)]);
    for (memory, n) in [(1, 1), (1, 2), (2, 2), (3, 3), (2, 4)] {
        let origin = Origin { event: event_id(n), session: session_id("s"), said: None };
        write(store, |tx| memory::add_origin(tx, &project_id("p"), &memory_id(memory), &origin));
    }
    let all = [event(1), event(2), event(3), event(4), event(5)].map(|event| event.position);
    let mut overruled = read(store, |conn| memory::overruled(conn, &project_id("p"), &all));
    overruled.sort_unstable();
    assert_eq!(overruled, [event(1).position, event(3).position]);
    assert_eq!(read(store, |conn| memory::overruled(conn, &project_id("q"), &all)), [0; 0]);
}

fn other_words_for_a_memory_come_with_its_id_and_go_with_their_event(store: &Store) {
    insert(store, &[memory(1), memory(2), memory(3)]);
    let say = |n, memory, said: Option<&str>| {
        let origin = Origin { event: event_id(n), session: session_id("s"), said: said.map(str::to_owned) };
        write(store, |tx| memory::add_origin(tx, &project_id("p"), &memory_id(memory), &origin));
    };
    say(2, 1, Some("later"));
    say(1, 1, Some("earlier"));
    say(3, 1, None);
    say(4, 2, Some("of another"));
    say(5, 3, Some("not asked for"));
    let (one, two) = (memory_id(1), memory_id(2));
    let wordings = || read(store, |conn| memory::wordings(conn, &project_id("p"), &[&two, &one]));
    let said = |all: &[(i64, &str)]| {
        all.iter().map(|(n, text)| (memory_id(*n), (*text).to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(wordings(), said(&[(1, "earlier"), (1, "later"), (2, "of another")]));
    let ended = Ended { at: Timestamp(77), reason: "purged".into() };
    write(store, |tx| memory::erase(tx, &project_id("p"), &memory_id(2), &ended));
    assert_eq!(wordings(), said(&[(1, "earlier"), (1, "later")]));
    write(store, |tx| memory::erase_purged_wordings(tx, &project_id("p")));
    assert_eq!(wordings(), said(&[(1, "earlier"), (1, "later")]));
}

fn a_standing_replaces_the_one_before_and_nothing_else(store: &Store) {
    insert(store, &[full_memory(1), memory(2)]);
    write(store, |tx| memory::insert(tx, &project_id("q"), &memory(1)));
    let superseded = Standing {
        status: Status::Superseded,
        confidence: 0.25,
        importance: 0.75,
        expires_at: Some(Timestamp(7)),
        superseded_by: Some(memory_id(2)),
        ended: Some(Ended { at: Timestamp(77), reason: "superseded".into() }),
    };
    for standing in [superseded, Standing::of(&memory(1))] {
        write(store, |tx| memory::set_standing(tx, &project_id("p"), &memory_id(1), &standing));
        let expected = standing.applied_to(full_memory(1));
        assert_eq!(Standing::of(&expected), standing);
        assert_eq!(by_document(store, "p", 1), Some(expected));
    }
    assert_eq!(by_document(store, "p", 2), Some(memory(2)));
    assert_eq!(by_document(store, "q", 1), Some(memory(1)));
}

fn uses_are_counted(store: &Store) {
    insert(store, &[memory(1), memory(2)]);
    for at in [50, 40] {
        write(store, |tx| memory::note_use(tx, &project_id("p"), &memory_id(1), Timestamp(at)));
    }
    write(store, |tx| memory::note_use(tx, &project_id("p"), &memory_id(99), Timestamp(1)));
    let used = by_document(store, "p", 1).unwrap();
    assert_eq!((used.use_count, used.last_used_at), (2, Some(Timestamp(50))));
    assert_eq!(by_document(store, "p", 2), Some(memory(2)));
}

fn memories_are_tallied_by_status(store: &Store) {
    let of = |n, status| Memory { status, ..memory(n) };
    insert(store, &[of(1, Status::Forgotten), of(2, Status::Active), of(3, Status::Active)]);
    let tally = |project: &str| read(store, |conn| memory::tally(conn, &project_id(project)));
    assert_eq!(tally("p"), [(Status::Active, 2), (Status::Forgotten, 1)]);
    assert_eq!(tally("q"), []);
}

#[test]
fn a_memory_is_expired_from_the_moment_it_names() {
    let until = |status| Memory { status, expires_at: Some(Timestamp(100)), ..memory(1) };
    for (status, after) in [
        (Status::Active, Status::Expired),
        (Status::Quarantined, Status::Expired),
        (Status::Superseded, Status::Superseded),
        (Status::Forgotten, Status::Forgotten),
        (Status::Expired, Status::Expired),
    ] {
        assert_eq!(until(status).status_at(Timestamp(99)), status);
        assert_eq!(until(status).status_at(Timestamp(100)), after);
    }
    assert_eq!(memory(1).status_at(Timestamp(i64::MAX)), Status::Active);
}

fn assert_comes_back(store: &Store, memory: &Memory) {
    let p = project_id("p");
    insert(store, std::slice::from_ref(memory));
    assert_eq!(read(store, |conn| memory::by_id(conn, &p, &memory.id)).as_ref(), Some(memory));
    assert_eq!(by_document(store, "p", memory.document).as_ref(), Some(memory));
    assert_eq!(
        read(store, |conn| memory::by_prefix(conn, &p, memory.id.as_str())),
        std::slice::from_ref(memory)
    );
    assert_eq!(read(store, |conn| memory::after(conn, &p, 0, 9)), std::slice::from_ref(memory));
    assert_eq!(numbers(store, &Filter::default()), [memory.number]);
}

pub(super) fn insert(store: &Store, memories: &[Memory]) {
    write(store, |tx| memories.iter().try_for_each(|m| memory::insert(tx, &project_id("p"), m)));
}

fn by_document(store: &Store, project: &str, document: i64) -> Option<Memory> {
    let mut found = read(store, |conn| memory::of_documents(conn, &project_id(project), &[document]));
    assert!(found.len() < 2, "{found:?}");
    found.pop()
}

fn of_state_key(store: &Store, project: &str, scope: Scope, key: &str) -> Option<Memory> {
    read(store, |conn| memory::of_state_key(conn, &project_id(project), scope, key))
}

/// What the filter finds, and that a count finds as many.
pub(super) fn numbers(store: &Store, filter: &Filter) -> Vec<i64> {
    let p = project_id("p");
    let found: Vec<i64> =
        read(store, |conn| memory::list(conn, &p, filter, i64::MAX)).iter().map(|m| m.number).collect();
    assert_eq!(read(store, |conn| memory::count(conn, &p, filter)), found.len() as i64);
    found
}

fn being_confirmed_is_not_being_used(store: &Store) {
    insert(store, &[memory(1), memory(2)]);
    write(store, |tx| memory::note_verified(tx, &project_id("p"), &memory_id(1), Timestamp(50)));
    write(store, |tx| memory::note_verified(tx, &project_id("q"), &memory_id(2), Timestamp(50)));
    let confirmed = Memory { last_verified_at: Some(Timestamp(50)), ..memory(1) };
    assert_eq!(read(store, |conn| memory::after(conn, &project_id("p"), 0, 9)), [confirmed, memory(2)]);
}

fn what_a_memory_cites_can_be_noted_anew(store: &Store) {
    insert(store, &[memory(1), memory(2)]);
    write(store, |tx| memory::set_cites(tx, &project_id("p"), &memory_id(1), Some("[1]")));
    write(store, |tx| memory::set_cites(tx, &project_id("q"), &memory_id(2), Some("[2]")));
    let cited = Memory { cites: Some("[1]".to_owned()), ..memory(1) };
    assert_eq!(read(store, |conn| memory::after(conn, &project_id("p"), 0, 9)), [cited, memory(2)]);
}

super::contract![
    being_confirmed_is_not_being_used,
    what_a_memory_cites_can_be_noted_anew,
    a_memory_with_every_field_comes_back_whole,
    a_memory_with_only_what_it_must_have_comes_back_whole,
    texts_and_numbers_at_their_limits_come_back,
    every_kind_scope_source_and_status_comes_back,
    an_unknown_memory_is_nothing,
    a_memory_whose_end_is_half_written_is_reported,
    numbers_follow_each_other_in_each_project,
    a_memory_with_further_words_has_another_document,
    a_number_or_an_id_that_is_taken_conflicts,
    a_state_key_has_one_active_value_in_a_scope,
    origins_come_oldest_first_and_once,
    an_event_is_overruled_when_nothing_that_it_tells_holds,
    a_memory_was_said_last_when_the_youngest_of_its_origins_was,
    other_words_for_a_memory_come_with_its_id_and_go_with_their_event,
    a_standing_replaces_the_one_before_and_nothing_else,
    uses_are_counted,
    memories_are_tallied_by_status,
];
