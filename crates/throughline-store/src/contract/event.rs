//! The log's statements.

use super::fixture::{
    PACK_OVER, actor, event, event_id, full_event, insert_events, project_id, query, read, session_id, write,
};
use crate::event::{self, Event, Filter, Kind, Order, PURGED_SUMMARY, Purge, Role, Stretch};
use crate::sql::{Row, Value};
use crate::time::Timestamp;
use crate::{Error, Store};

fn an_event_with_every_field_comes_back_whole(store: &Store) {
    let purge = Purge { at: Timestamp(99), by: actor("user:ann: the second"), reason: "a secret".into() };
    assert_comes_back(store, &Event { purge: Some(purge), ..full_event(1) });
}

fn an_event_with_only_what_it_must_have_comes_back_whole(store: &Store) {
    assert_comes_back(store, &event(1));
}

fn an_unknown_event_is_nothing(store: &Store) {
    insert_events(store, &[full_event(1)]);
    let (p, q) = (project_id("p"), project_id("q"));
    assert_eq!(read(store, |conn| event::by_id(conn, &p, &event_id(2))), None);
    assert_eq!(read(store, |conn| event::by_client_key(conn, &p, "key-2")), None);
    assert_eq!(read(store, |conn| event::by_id(conn, &q, &event_id(1))), None, "of another project");
    assert_eq!(read(store, |conn| event::by_client_key(conn, &q, "key-1")), None, "of another project");
}

fn every_kind_and_role_comes_back(store: &Store) {
    let events: Vec<Event> = (Kind::ALL.iter().zip(Role::ALL.iter().cycle()).zip(1..))
        .map(|((&kind, &role), n)| Event { kind, role, ..event(n) })
        .collect();
    insert_events(store, &events);
    assert_eq!(list(store, &Filter::default()), events);
}

fn unicode_comes_back_exactly(store: &Store) {
    let texts = ["漢字とかな", "👩‍👩‍👧‍👦 🚀", "שלום עולם \u{202e}مرحبا", "e\u{301} é", "\u{feff}\r\n\t'\"?1 $1\\"];
    let events: Vec<Event> = (1..)
        .zip(texts)
        .map(|(n, text)| Event {
            summary: text.into(),
            target: Some(text.into()),
            content: Some(text.into()),
            client_key: Some(text.into()),
            ..event(n)
        })
        .collect();
    insert_events(store, &events);
    assert_eq!(list(store, &Filter::default()), events);
    for (event, text) in events.into_iter().zip(texts) {
        assert_eq!(read(store, |conn| event::by_client_key(conn, &project_id("p"), text)), Some(event));
    }
}

fn an_empty_text_is_not_the_same_as_none(store: &Store) {
    let empty = Event {
        summary: String::new(),
        target: Some(String::new()),
        content: Some(String::new()),
        parts: Some(String::new()),
        rationale: Some(String::new()),
        ..event(1)
    };
    let events = [empty, event(2)];
    insert_events(store, &events);
    assert_eq!(list(store, &Filter::default()), events);
}

fn a_zero_byte_in_a_text_comes_back(store: &Store) {
    assert_comes_back(store, &Event { content: Some("before\0after".into()), ..event(1) });
}

fn numbers_at_their_limits_come_back(store: &Store) {
    assert_comes_back(
        store,
        &Event {
            position: i64::MAX,
            at: Timestamp(i64::MIN),
            tokens: i64::MAX,
            redactions: i64::MIN,
            ..event(1)
        },
    );
}

fn texts_over_the_threshold_are_stored_compressed_and_come_back_exactly(store: &Store) {
    let long = "漢字 and words, ".repeat(10_000);
    let event = Event { content: Some(long.clone()), parts: Some(format!("[{long}]")), ..event(1) };
    assert_comes_back(store, &event);
    let [content, content_packed, parts, parts_packed] = text_columns(store);
    assert_eq!((content, parts), (Value::Null, Value::Null));
    for packed in [content_packed, parts_packed] {
        let Value::Blob(bytes) = packed else { panic!("{packed:?}") };
        assert!(bytes.len() < long.len() / 10, "{} bytes", bytes.len());
    }
}

fn texts_of_exactly_the_threshold_are_stored_plain(store: &Store) {
    let content = "é".repeat(PACK_OVER / 2);
    let parts = "x".repeat(PACK_OVER);
    assert_comes_back(
        store,
        &Event { content: Some(content.clone()), parts: Some(parts.clone()), ..event(1) },
    );
    assert_eq!(text_columns(store), [Value::Text(content), Value::Null, Value::Text(parts), Value::Null]);
}

fn one_byte_over_the_threshold_is_compressed(store: &Store) {
    let content = format!("{}x", "é".repeat(PACK_OVER / 2));
    assert_comes_back(store, &Event { content: Some(content), parts: Some("x".into()), ..event(1) });
    let [content, content_packed, parts, parts_packed] = text_columns(store);
    assert!(matches!((content, content_packed), (Value::Null, Value::Blob(_))));
    assert_eq!((parts, parts_packed), (Value::Text("x".into()), Value::Null));
}

fn a_compressed_text_that_was_damaged_is_reported(store: &Store) {
    insert_events(store, &[Event { content: Some("x".repeat(PACK_OVER + 1)), ..event(1) }]);
    write(store, |tx| {
        tx.execute("update event set content_packed = ?1", crate::params![b"not zstd".as_slice()])
    });
    let found = store.read(|conn| event::by_id(conn, &project_id("p"), &event_id(1)));
    assert!(matches!(found, Err(Error::Corrupt(_))), "{found:?}");
}

fn a_kind_that_nobody_knows_is_reported(store: &Store) {
    insert_events(store, &[event(1)]);
    write(store, |tx| tx.execute("update event set kind = 'shout'", &[]));
    let found = store.read(|conn| event::by_id(conn, &project_id("p"), &event_id(1)));
    assert!(matches!(found, Err(Error::Corrupt(_))), "{found:?}");
}

fn each_condition_finds_its_events(store: &Store) {
    insert_varied_log(store);
    let all = Filter::default;
    assert_eq!(positions(store, &all()), [1, 2, 3, 4, 5, 6]);
    assert_eq!(positions(store, &Filter { sessions: vec![session_id("t")], ..all() }), [3, 4, 6]);
    assert_eq!(positions(store, &Filter { item: Some("a".into()), ..all() }), [1, 3, 5]);
    assert_eq!(positions(store, &Filter { kinds: vec![Kind::Read], ..all() }), [2, 3, 6]);
    assert_eq!(positions(store, &Filter { kinds: vec![Kind::Decision, Kind::Read], ..all() }), [2, 3, 5, 6]);
    assert_eq!(positions(store, &Filter { actor: Some(actor("agent:claude")), ..all() }), [2, 3, 4]);
    assert_eq!(positions(store, &Filter { actor: Some(actor("user:claude")), ..all() }), [0; 0]);
    assert_eq!(positions(store, &Filter { ids: vec![event_id(4)], ..all() }), [4]);
    assert_eq!(
        positions(store, &Filter { ids: vec![event_id(5), event_id(99), event_id(2)], ..all() }),
        [2, 5]
    );
    assert_eq!(positions(store, &Filter { since: Some(Timestamp(40)), ..all() }), [4, 5, 6], "inclusive");
    assert_eq!(positions(store, &Filter { until: Some(Timestamp(40)), ..all() }), [1, 2, 3], "exclusive");
    assert_eq!(positions(store, &Filter { after_position: Some(4), ..all() }), [5, 6], "exclusive");
    assert_eq!(positions(store, &Filter { before_position: Some(3), ..all() }), [1, 2], "exclusive");
}

fn what_the_log_has_is_known_by_id_and_by_client_key(store: &Store) {
    let keyed = |n, key: Option<&str>| Event { client_key: key.map(Into::into), ..event(n) };
    insert_events(store, &[keyed(1, Some("k1")), keyed(2, None)]);
    let asked =
        [keyed(1, None), keyed(3, Some("k1")), keyed(4, Some("k4")), keyed(5, Some("k4")), keyed(6, None)];
    let mut known = read(store, |conn| event::known(conn, &project_id("p"), asked.iter()));
    let fresh: Vec<bool> = asked.iter().map(|event| known.add(event)).collect();
    assert_eq!(fresh, [false, false, true, false, true]);
    assert_eq!(
        read(store, |conn| event::known(conn, &project_id("q"), asked.iter())),
        event::Known::default()
    );
}

fn conditions_hold_together(store: &Store) {
    insert_varied_log(store);
    let of_t = Filter { target: Some("target of t".into()), ..Filter::default() };
    assert_eq!(positions(store, &of_t), [3, 4, 6]);
    assert_eq!(read(store, |conn| event::sessions(conn, &project_id("p"), &of_t)), [session_id("t")]);
    let read_in_t = Filter { sessions: vec![session_id("t")], kinds: vec![Kind::Read], ..Filter::default() };
    assert_eq!(positions(store, &read_in_t), [3, 6]);
    let everything = Filter {
        sessions: vec![session_id("t")],
        item: Some("a".into()),
        kinds: vec![Kind::Write, Kind::Read],
        actor: Some(actor("agent:claude")),
        ids: vec![event_id(1), event_id(3), event_id(4)],
        target: Some("target of t".into()),
        informs: None,
        since: Some(Timestamp(30)),
        until: Some(Timestamp(31)),
        after_position: Some(2),
        before_position: Some(4),
    };
    assert_eq!(positions(store, &everything), [3]);
    assert_eq!(positions(store, &Filter { until: Some(Timestamp(30)), ..everything }), [0; 0]);
}

fn events_come_in_either_order_and_no_more_than_asked_for(store: &Store) {
    insert_varied_log(store);
    let list = |order, limit| -> Vec<i64> {
        read(store, |conn| event::list(conn, &project_id("p"), &Filter::default(), order, limit))
            .iter()
            .map(|e| e.position)
            .collect()
    };
    assert_eq!(list(Order::OldestFirst, 4), [1, 2, 3, 4]);
    assert_eq!(list(Order::NewestFirst, 4), [6, 5, 4, 3]);
    assert_eq!(list(Order::NewestFirst, i64::MAX), [6, 5, 4, 3, 2, 1]);
    assert_eq!(list(Order::OldestFirst, 0), [0; 0]);
}

fn a_session_is_walked_from_place_to_place(store: &Store) {
    insert_varied_log(store);
    let list = |kinds: &[Kind], (after, before), order, limit| -> Vec<i64> {
        let part = Stretch { session: session_id("t"), kinds: kinds.to_vec(), after, before };
        let found = read(store, |conn| event::stretch(conn, &project_id("p"), &part, order, limit));
        found.iter().map(|event| event.sequence).collect()
    };
    let all = (0, i64::MAX);
    assert_eq!(list(&[], all, Order::OldestFirst, 9), [3, 4, 6]);
    assert_eq!(list(&[], all, Order::NewestFirst, 2), [6, 4]);
    assert_eq!(list(&[], (3, 6), Order::OldestFirst, 9), [4], "neither end");
    assert_eq!(list(&[Kind::Read], all, Order::NewestFirst, 9), [6, 3]);
}

fn a_session_is_tallied_by_kind(store: &Store) {
    let with =
        |n, session: &str, kind, tokens| Event { session_id: session_id(session), kind, tokens, ..event(n) };
    insert_events(
        store,
        &[
            with(1, "s", Kind::Write, 5),
            with(2, "s", Kind::Read, 10),
            with(3, "s", Kind::Read, 20),
            with(4, "t", Kind::Read, 400),
        ],
    );
    let tally =
        |session: &str| read(store, |conn| event::tally(conn, &project_id("p"), &session_id(session)));
    assert_eq!(tally("s"), [(Kind::Read, 2, 30), (Kind::Write, 1, 5)]);
    assert_eq!(tally("unknown"), []);
}

fn targets_come_once_in_the_order_of_first_use(store: &Store) {
    let reading = |n, session: &str, kind, target: Option<&str>| Event {
        session_id: session_id(session),
        kind,
        target: target.map(Into::into),
        ..event(n)
    };
    insert_events(
        store,
        &[
            reading(1, "s", Kind::Read, Some("z.rs")),
            reading(2, "s", Kind::Read, Some("a.rs")),
            reading(3, "s", Kind::Read, None),
            reading(4, "s", Kind::Write, Some("written.rs")),
            reading(5, "s", Kind::Read, Some("z.rs")),
            reading(6, "t", Kind::Read, Some("elsewhere.rs")),
            reading(7, "s", Kind::Read, Some("m.rs")),
        ],
    );
    let targets = read(store, |conn| event::targets(conn, &project_id("p"), &session_id("s"), Kind::Read));
    assert_eq!(targets, ["z.rs", "a.rs", "m.rs"]);
}

fn a_purge_erases_what_was_said_and_leaves_the_place(store: &Store) {
    let long = "secret ".repeat(PACK_OVER);
    let packed = Event { content: Some(long.clone()), parts: Some(long), ..full_event(2) };
    insert_events(store, &[full_event(1), packed, full_event(3)]);
    let purge = Purge { at: Timestamp(500), by: actor("user:ann"), reason: "a secret".into() };
    let filter = Filter { ids: vec![event_id(1), event_id(2)], ..Filter::default() };
    assert_eq!(write(store, |tx| event::purge(tx, &project_id("p"), &filter, &purge)), 2);

    let erased = |n| Event {
        summary: PURGED_SUMMARY.into(),
        target: None,
        content: None,
        parts: None,
        rationale: None,
        tokens: 0,
        purge: Some(purge.clone()),
        ..full_event(n)
    };
    assert_eq!(list(store, &Filter::default()), [erased(1), erased(2), full_event(3)]);
    assert_eq!(
        read(store, |conn| event::by_client_key(conn, &project_id("p"), "key-1")),
        Some(erased(1)),
        "so that a client that sends it again does not bring it back"
    );
    assert_eq!(text_columns(store), [Value::Null, Value::Null, Value::Null, Value::Null]);
}

fn an_event_is_purged_once(store: &Store) {
    insert_varied_log(store);
    let first = Purge { at: Timestamp(500), by: actor("user:ann"), reason: "first".into() };
    let second = Purge { at: Timestamp(600), by: actor("agent:claude"), reason: "second".into() };
    let in_s = Filter { sessions: vec![session_id("s")], ..Filter::default() };
    let purge =
        |filter: &Filter, purge: &Purge| write(store, |tx| event::purge(tx, &project_id("p"), filter, purge));
    assert_eq!(purge(&in_s, &first), 3);
    assert_eq!(purge(&in_s, &second), 0);
    assert_eq!(purge(&Filter::default(), &second), 3);
    let reasons: Vec<String> =
        list(store, &Filter::default()).into_iter().map(|e| e.purge.unwrap().reason).collect();
    assert_eq!(reasons, ["first", "first", "second", "second", "first", "second"]);
    let elsewhere = read(store, |conn| event::by_id(conn, &project_id("q"), &event_id(1)));
    assert_eq!(elsewhere.unwrap().purge, None, "another project is untouched");
}

fn a_place_or_a_name_that_is_taken_conflicts(store: &Store) {
    insert_events(store, &[full_event(1)]);
    let taken = [
        Event { position: 1, ..full_event(2) },
        Event { id: event_id(1), ..full_event(2) },
        Event { sequence: 1, ..full_event(2) },
        Event { client_key: Some("key-1".into()), ..full_event(2) },
    ];
    for event in &taken {
        let second = store.write(|tx| event::insert(tx, &project_id("p"), event, PACK_OVER));
        assert!(matches!(second, Err(Error::Conflict { .. })), "{second:?} for {event:?}");
    }
    assert_eq!(list(store, &Filter::default()), [full_event(1)]);
}

fn the_same_place_and_names_are_free_in_another_project(store: &Store) {
    insert_events(store, &[full_event(1)]);
    write(store, |tx| event::insert(tx, &project_id("q"), &full_event(1), PACK_OVER));
    assert_eq!(list(store, &Filter::default()), [full_event(1)]);
}

#[test]
fn kinds_and_roles_are_their_text() {
    for kind in Kind::ALL {
        assert_eq!(kind.as_str().parse(), Ok(*kind));
        assert_eq!(kind.to_string(), kind.as_str());
    }
    for role in Role::ALL {
        assert_eq!(role.as_str().parse(), Ok(*role));
        assert_eq!(role.to_string(), role.as_str());
    }
}

#[test]
fn an_unknown_kind_or_role_is_refused_with_the_known_ones() {
    let refused = "shout".parse::<Kind>().unwrap_err();
    assert!(refused.starts_with("\"shout\" is not one of: user_message, model_message, "), "{refused}");
    assert!(Kind::ALL.iter().all(|kind| refused.contains(kind.as_str())), "{refused}");
    assert_eq!(
        "User".parse::<Role>(),
        Err("\"User\" is not one of: user, assistant, tool, system".to_owned()),
        "the text is exact"
    );
}

fn assert_comes_back(store: &Store, event: &Event) {
    let p = project_id("p");
    insert_events(store, std::slice::from_ref(event));
    assert_eq!(read(store, |conn| event::by_id(conn, &p, &event.id)).as_ref(), Some(event));
    if let Some(key) = &event.client_key {
        assert_eq!(read(store, |conn| event::by_client_key(conn, &p, key)).as_ref(), Some(event));
    }
    assert_eq!(list(store, &Filter::default()), std::slice::from_ref(event));
    assert_eq!(read(store, |conn| event::count(conn, &p, &Filter::default())), 1);
}

/// Six events that differ in what a filter can ask for; the same again in project `q`.
fn insert_varied_log(store: &Store) {
    let varied = |n, session: &str, item: Option<&str>, kind, by: &str| Event {
        session_id: session_id(session),
        item_id: item.map(Into::into),
        target: Some(format!("target of {session}")),
        kind,
        actor: actor(by),
        ..event(n)
    };
    let events = [
        varied(1, "s", Some("a"), Kind::UserMessage, "user:ann"),
        varied(2, "s", None, Kind::Read, "agent:claude"),
        varied(3, "t", Some("a"), Kind::Read, "agent:claude"),
        varied(4, "t", Some("b"), Kind::Write, "agent:claude"),
        varied(5, "s", Some("a"), Kind::Decision, "user:ann"),
        varied(6, "t", None, Kind::Read, "agent:codex"),
    ];
    insert_events(store, &events);
    write(store, |tx| events.iter().try_for_each(|e| event::insert(tx, &project_id("q"), e, PACK_OVER)));
}

fn list(store: &Store, filter: &Filter) -> Vec<Event> {
    read(store, |conn| event::list(conn, &project_id("p"), filter, Order::OldestFirst, i64::MAX))
}

/// What the filter finds, and that a count finds as many.
fn positions(store: &Store, filter: &Filter) -> Vec<i64> {
    let found: Vec<i64> = list(store, filter).iter().map(|e| e.position).collect();
    assert_eq!(read(store, |conn| event::count(conn, &project_id("p"), filter)), found.len() as i64);
    found
}

/// The columns of the content and the parts of the first event, as they are stored.
fn text_columns(store: &Store) -> [Value; 4] {
    let rows = query(
        store,
        "select content, content_packed, parts, parts_packed from event where project_id = 'p' order by position",
    );
    let Some(Row(columns)) = rows.into_iter().next() else { panic!("no event") };
    columns.try_into().unwrap()
}

fn tokens_are_summed_over_what_matches(store: &Store) {
    let events: Vec<Event> = (1..=4).map(|n| Event { tokens: n * 10, ..event(n) }).collect();
    insert_events(store, &events);
    let tokens = |filter: &Filter| read(store, |conn| event::tokens(conn, &project_id("p"), filter));
    assert_eq!(tokens(&Filter::default()), 100);
    assert_eq!(tokens(&Filter { after_position: Some(2), ..Filter::default() }), 70);
    assert_eq!(tokens(&Filter { after_position: Some(9), ..Filter::default() }), 0);
    assert_eq!(read(store, |conn| event::tokens(conn, &project_id("q"), &Filter::default())), 0);
}

super::contract![
    tokens_are_summed_over_what_matches,
    an_event_with_every_field_comes_back_whole,
    an_event_with_only_what_it_must_have_comes_back_whole,
    an_unknown_event_is_nothing,
    every_kind_and_role_comes_back,
    unicode_comes_back_exactly,
    an_empty_text_is_not_the_same_as_none,
    a_zero_byte_in_a_text_comes_back,
    numbers_at_their_limits_come_back,
    texts_over_the_threshold_are_stored_compressed_and_come_back_exactly,
    texts_of_exactly_the_threshold_are_stored_plain,
    one_byte_over_the_threshold_is_compressed,
    a_compressed_text_that_was_damaged_is_reported,
    a_kind_that_nobody_knows_is_reported,
    each_condition_finds_its_events,
    conditions_hold_together,
    what_the_log_has_is_known_by_id_and_by_client_key,
    events_come_in_either_order_and_no_more_than_asked_for,
    a_session_is_walked_from_place_to_place,
    a_session_is_tallied_by_kind,
    targets_come_once_in_the_order_of_first_use,
    a_purge_erases_what_was_said_and_leaves_the_place,
    an_event_is_purged_once,
    a_place_or_a_name_that_is_taken_conflicts,
    the_same_place_and_names_are_free_in_another_project,
];
