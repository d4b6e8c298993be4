//! The statements about sessions.

use super::fixture::{project_id, read, session, session_id, write};
use crate::session::{self, EndReason, Ended, Filter, Session, Step, Which};
use crate::time::Timestamp;
use crate::{Error, Store};

fn a_session_with_every_field_comes_back_whole(store: &Store) {
    let full = Session {
        user: "Åsa 王".into(),
        workflow: Some("fix".into()),
        skill: Some("rust".into()),
        git_branch: Some("feature/ünïcode".into()),
        workspace: Some("/home/ann/demo".into()),
        parent: Some(session_id("parent")),
        metadata: Some(r#"{"pid":7}"#.into()),
        ended: Some(Ended { at: Timestamp(30), reason: EndReason::Client }),
        last_sequence: 12,
        scratchpad: r#"{"plan":"🚀"}"#.into(),
        scratchpad_version: 4,
        ..session("s")
    };
    assert_comes_back(store, &full);
}

fn a_session_with_only_what_it_must_have_comes_back_whole(store: &Store) {
    assert_comes_back(store, &session("s"));
}

fn an_unknown_session_is_nothing(store: &Store) {
    insert(store, &[session("s")]);
    let (p, q) = (project_id("p"), project_id("q"));
    assert_eq!(read(store, |conn| session::by_id(conn, &p, &session_id("t"))), None);
    assert_eq!(read(store, |conn| session::by_id(conn, &q, &session_id("s"))), None, "of another project");
    let of_client = |client: &str, client_session: &str, chatmode: &str| {
        read(store, |conn| session::of_client(conn, &p, client, client_session, chatmode))
    };
    assert_eq!(of_client("claude-code", "client-s", "build"), Some(session("s")));
    assert_eq!(of_client("codex", "client-s", "build"), None);
    assert_eq!(of_client("claude-code", "client-t", "build"), None);
    assert_eq!(of_client("claude-code", "client-s", "review"), None);
}

fn every_end_reason_comes_back(store: &Store) {
    let ended: Vec<Session> = (1..)
        .zip(EndReason::ALL)
        .map(|(n, &reason)| Session {
            ended: Some(Ended { at: Timestamp(n), reason }),
            ..session(&format!("s{n}"))
        })
        .collect();
    insert(store, &ended);
    let newest_first: Vec<Session> = ended.into_iter().rev().collect();
    assert_eq!(list(store, &Filter::default()), newest_first);
}

fn a_session_whose_end_is_half_written_is_reported(store: &Store) {
    insert(store, &[session("s")]);
    write(store, |tx| tx.execute("update session set ended_at = 5", &[]));
    let found = store.read(|conn| session::by_id(conn, &project_id("p"), &session_id("s")));
    assert!(matches!(found, Err(Error::Corrupt(_))), "{found:?}");
}

fn an_id_or_a_run_of_a_client_that_is_taken_conflicts(store: &Store) {
    insert(store, &[session("s")]);
    let same_id = Session { client_session: "other".into(), ..session("s") };
    let same_run = Session { client_session: "client-s".into(), ..session("t") };
    for taken in [same_id, same_run] {
        let second = store.write(|tx| session::insert(tx, &project_id("p"), &taken));
        assert!(matches!(second, Err(Error::Conflict { .. })), "{second:?} for {taken:?}");
    }
    let in_another_role =
        Session { client_session: "client-s".into(), chatmode: "review".into(), ..session("t") };
    insert(store, &[in_another_role]);
    write(store, |tx| session::insert(tx, &project_id("q"), &session("s")));
}

fn a_prefix_finds_by_either_id(store: &Store) {
    let first = || Session { client_session: "zebra".into(), ..session("0198-aaaa") };
    let second = || Session { client_session: "yak".into(), ..session("0199-bbbb") };
    insert(store, &[first(), second()]);
    write(store, |tx| session::insert(tx, &project_id("q"), &session("0198-cccc")));
    assert_eq!(by_prefix(store, "0198"), [first()]);
    assert_eq!(by_prefix(store, "zebra"), [first()]);
    assert_eq!(by_prefix(store, "ya"), [second()]);
    assert_eq!(by_prefix(store, "0199-bbbb"), [second()], "a whole id");
    assert_eq!(by_prefix(store, "0199-bbbbb"), []);
    assert_eq!(by_prefix(store, "aaaa"), [], "the end of an id");
}

fn an_ambiguous_prefix_finds_the_newest_two(store: &Store) {
    let at = |id: &str, at| Session { last_event_at: Timestamp(at), ..session(id) };
    insert(store, &[at("x-1", 10), at("x-2", 30), at("x-3", 20)]);
    assert_eq!(by_prefix(store, "x-"), [at("x-2", 30), at("x-3", 20)]);
    assert_eq!(by_prefix(store, ""), [at("x-2", 30), at("x-3", 20)]);
    insert(store, &[Session { client_session: "x-run".into(), ..at("y", 40) }]);
    assert_eq!(
        by_prefix(store, "x-"),
        [Session { client_session: "x-run".into(), ..at("y", 40) }, at("x-2", 30)]
    );
}

fn a_prefix_has_no_wildcards(store: &Store) {
    let literal = [r"a%b", r"a_b", r"a\b", r"a\%b"];
    let others = ["axb", "a", "ab"];
    insert(store, &literal.iter().chain(&others).map(|id| session(id)).collect::<Vec<_>>());
    for (prefix, id) in [("a%", literal[0]), ("a_", literal[1]), (r"a\b", literal[2]), (r"a\%", literal[3])] {
        assert_eq!(by_prefix(store, prefix), [session(id)], "{prefix}");
    }
    for prefix in ["%", "_", r"\", "a%%", "a_x", r"a\_"] {
        assert_eq!(by_prefix(store, prefix), [], "{prefix}");
    }
}

fn a_prefix_is_exact_about_case(store: &Store) {
    insert(store, &[session("abc")]);
    assert_eq!(by_prefix(store, "abc"), [session("abc")]);
    assert_eq!(by_prefix(store, "ABC"), []);
}

fn sessions_are_listed_by_newest_activity_then_openness_then_id(store: &Store) {
    let at = |id: &str, at| Session { last_event_at: Timestamp(at), ..session(id) };
    let ended = Session { ended: Some(Ended { at: Timestamp(20), reason: EndReason::Idle }), ..at("e", 20) };
    insert(store, &[at("d", 10), at("b", 20), ended.clone(), at("c", 20), at("a", 30)]);
    let newest_first = [at("a", 30), at("c", 20), at("b", 20), ended, at("d", 10)];
    assert_eq!(list(store, &Filter::default()), newest_first);
    let newest = read(store, |conn| session::list(conn, &project_id("p"), &Filter::default(), 2));
    assert_eq!(newest, newest_first[..2]);
}

fn each_condition_finds_its_sessions(store: &Store) {
    let ended = Some(Ended { at: Timestamp(30), reason: EndReason::Idle });
    let run = |id: &str, chatmode: &str, ended| Session {
        client_session: "run-1".into(),
        chatmode: chatmode.into(),
        ended,
        ..session(id)
    };
    insert(store, &[run("a", "build", ended), run("b", "review", None), session("c")]);
    write(store, |tx| session::insert(tx, &project_id("q"), &session("a")));
    let all = Filter::default;
    let in_run_1 = || Filter { client_session: Some("run-1".into()), ..all() };
    assert_eq!(ids(store, &all()), ["c", "b", "a"]);
    assert_eq!(ids(store, &in_run_1()), ["b", "a"]);
    assert_eq!(ids(store, &Filter { chatmode: Some("build".into()), ..all() }), ["c", "a"]);
    assert_eq!(ids(store, &Filter { which: Which::Open, ..all() }), ["c", "b"]);
    assert_eq!(ids(store, &Filter { which: Which::Open, ..in_run_1() }), ["b"]);
    let ended_only = Filter { chatmode: Some("build".into()), which: Which::Open, ..in_run_1() };
    assert_eq!(ids(store, &ended_only), [""; 0]);
}

fn sequences_are_taken_in_order(store: &Store) {
    insert(store, &[session("s"), session("t")]);
    assert_eq!(take(store, "s", 1, 21), Some(1));
    assert_eq!(take(store, "s", 3, 22), Some(4));
    assert_eq!(take(store, "t", 1, 23), Some(1), "each session counts for itself");
    let counted = Session { last_sequence: 4, last_event_at: Timestamp(22), ..session("s") };
    assert_eq!(by_id(store, "s"), counted);
}

fn the_time_of_the_last_event_never_goes_back(store: &Store) {
    insert(store, &[session("s")]);
    take(store, "s", 1, 50);
    take(store, "s", 1, 40);
    let counted = Session { last_sequence: 2, last_event_at: Timestamp(50), ..session("s") };
    assert_eq!(by_id(store, "s"), counted);
}

fn a_last_event_of_the_future_gives_way(store: &Store) {
    insert(store, &[session("s")]);
    take(store, "s", 1, 5_000);
    let step = |at| Step { count: 1, at: Timestamp(at), which: Which::Open, latest: Timestamp(1_000) };
    let last = |at| {
        take_from(store, "s", step(at));
        by_id(store, "s").last_event_at.0
    };
    assert_eq!([last(50), last(40), last(900)], [50, 50, 900]);
}

fn sessions_are_known_to_have_been_between_two_moments(store: &Store) {
    insert(store, &[Session { last_event_at: Timestamp(90), ..session("s") }]);
    let any = |from, until| {
        let between = (Timestamp(from), Timestamp(until));
        read(store, |conn| session::any_between(conn, &project_id("p"), between.0, between.1))
    };
    let started = by_id(store, "s").started_at.0;
    assert!(any(started, started) && any(90, 100));
    assert!(!any(started + 1, 89), "what is between its ends is not known");
}

fn a_session_that_ended_or_never_was_has_no_sequences(store: &Store) {
    let ended =
        Session { ended: Some(Ended { at: Timestamp(30), reason: EndReason::Client }), ..session("s") };
    insert(store, std::slice::from_ref(&ended));
    assert_eq!(take(store, "s", 1, 50), None);
    assert_eq!(by_id(store, "s"), ended);
    assert_eq!(take(store, "unknown", 1, 50), None);
    assert_eq!(
        take_from(
            store,
            "unknown",
            Step { count: 1, at: Timestamp(50), which: Which::All, latest: Timestamp(i64::MAX) }
        ),
        None
    );
}

fn an_ended_session_has_sequences_for_those_who_ask_for_all(store: &Store) {
    let ended =
        Session { ended: Some(Ended { at: Timestamp(30), reason: EndReason::Client }), ..session("s") };
    insert(store, std::slice::from_ref(&ended));
    let late = Step { count: 2, at: Timestamp(50), which: Which::All, latest: Timestamp(i64::MAX) };
    assert_eq!(take_from(store, "s", late), Some(2));
    assert_eq!(by_id(store, "s"), Session { last_sequence: 2, last_event_at: Timestamp(50), ..ended });
}

fn a_run_is_in_its_open_session_else_in_the_last_one(store: &Store) {
    let run = |id: &str, client: &str, at, ended: Option<EndReason>| Session {
        client: client.into(),
        client_session: "run".into(),
        chatmode: id.into(),
        last_event_at: Timestamp(at),
        ended: ended.map(|reason| Ended { at: Timestamp(at), reason }),
        ..session(id)
    };
    let present =
        |client: Option<&str>| read(store, |conn| session::present(conn, &project_id("p"), client, "run"));
    assert_eq!(present(None), None);
    let ended = run("a", "codex", 50, Some(EndReason::RoleChange));
    let ended_earlier = run("b", "codex", 40, Some(EndReason::RoleChange));
    let elsewhere = run("c", "claude-code", 30, Some(EndReason::Client));
    insert(store, &[ended_earlier, ended.clone(), elsewhere.clone(), session("another run")]);
    assert_eq!(present(None), Some(ended.clone()));
    assert_eq!(present(Some("codex")), Some(ended));
    assert_eq!(present(Some("claude-code")), Some(elsewhere));
    assert_eq!(present(Some("cursor")), None);
    let open = run("d", "codex", 20, None);
    insert(store, std::slice::from_ref(&open));
    assert_eq!(present(Some("codex")), Some(open.clone()));
    assert_eq!(present(None), Some(open.clone()));
    let by_id = |id| read(store, |conn| session::present(conn, &project_id("p"), None, id));
    assert_eq!(by_id("d"), Some(open), "our own id is a name too");
    assert_eq!(by_id("b").map(|session| session.id), Some(session_id("b")), "also of a session that ended");
}

fn the_first_end_of_a_session_stays(store: &Store) {
    insert(store, &[session("s"), session("t")]);
    let first = Ended { at: Timestamp(30), reason: EndReason::Idle };
    let second = Ended { at: Timestamp(40), reason: EndReason::Request };
    for ended in [first, second] {
        write(store, |tx| session::end(tx, &project_id("p"), &session_id("s"), ended));
    }
    assert_eq!(by_id(store, "s"), Session { ended: Some(first), ..session("s") });
    assert_eq!(by_id(store, "t"), session("t"));
}

fn a_resumed_session_goes_on_where_it_was(store: &Store) {
    insert(store, &[session("s")]);
    take(store, "s", 2, 25);
    let ended = Ended { at: Timestamp(30), reason: EndReason::RoleChange };
    write(store, |tx| {
        session::end(tx, &project_id("p"), &session_id("s"), ended)?;
        session::resume(tx, &project_id("p"), &session_id("s"))
    });
    let resumed = Session { last_sequence: 2, last_event_at: Timestamp(25), ..session("s") };
    assert_eq!(by_id(store, "s"), resumed);
    assert_eq!(take(store, "s", 1, 35), Some(3));
}

fn a_scratchpad_is_replaced_only_at_the_version_that_was_read(store: &Store) {
    insert(store, &[session("s"), session("t")]);
    let replace = |text: &str, version| {
        write(store, |tx| session::write_scratchpad(tx, &project_id("p"), &session_id("s"), text, version))
    };
    assert!(replace("first", 0));
    assert!(!replace("late", 0));
    assert!(!replace("early", 2));
    assert!(replace("second", 1));
    let replaced = Session { scratchpad: "second".into(), scratchpad_version: 2, ..session("s") };
    assert_eq!(by_id(store, "s"), replaced);
    assert_eq!(by_id(store, "t"), session("t"));
}

fn assert_comes_back(store: &Store, session: &Session) {
    let p = project_id("p");
    insert(store, std::slice::from_ref(session));
    assert_eq!(read(store, |conn| session::by_id(conn, &p, &session.id)).as_ref(), Some(session));
    let of_client = read(store, |conn| {
        session::of_client(conn, &p, &session.client, &session.client_session, &session.chatmode)
    });
    assert_eq!(of_client.as_ref(), Some(session));
    assert_eq!(by_prefix(store, session.id.as_str()), std::slice::from_ref(session));
    assert_eq!(list(store, &Filter::default()), std::slice::from_ref(session));
    assert_eq!(read(store, |conn| session::count(conn, &p, &Filter::default())), 1);
}

fn insert(store: &Store, sessions: &[Session]) {
    write(store, |tx| sessions.iter().try_for_each(|s| session::insert(tx, &project_id("p"), s)));
}

fn by_id(store: &Store, id: &str) -> Session {
    read(store, |conn| session::by_id(conn, &project_id("p"), &session_id(id))).unwrap()
}

fn by_prefix(store: &Store, prefix: &str) -> Vec<Session> {
    read(store, |conn| session::by_prefix(conn, &project_id("p"), prefix))
}

fn list(store: &Store, filter: &Filter) -> Vec<Session> {
    read(store, |conn| session::list(conn, &project_id("p"), filter, i64::MAX))
}

/// What the filter finds, and that a count finds as many.
fn ids(store: &Store, filter: &Filter) -> Vec<String> {
    let found: Vec<String> = list(store, filter).iter().map(|s| s.id.to_string()).collect();
    assert_eq!(read(store, |conn| session::count(conn, &project_id("p"), filter)), found.len() as i64);
    found
}

fn take(store: &Store, id: &str, count: i64, at: i64) -> Option<i64> {
    take_from(store, id, Step { count, at: Timestamp(at), which: Which::Open, latest: Timestamp(i64::MAX) })
}

fn take_from(store: &Store, id: &str, step: Step) -> Option<i64> {
    write(store, |tx| session::take_sequences(tx, &project_id("p"), &session_id(id), step))
}

super::contract![
    a_session_with_every_field_comes_back_whole,
    a_session_with_only_what_it_must_have_comes_back_whole,
    an_unknown_session_is_nothing,
    every_end_reason_comes_back,
    a_session_whose_end_is_half_written_is_reported,
    an_id_or_a_run_of_a_client_that_is_taken_conflicts,
    a_prefix_finds_by_either_id,
    an_ambiguous_prefix_finds_the_newest_two,
    a_prefix_has_no_wildcards,
    a_prefix_is_exact_about_case,
    sessions_are_listed_by_newest_activity_then_openness_then_id,
    each_condition_finds_its_sessions,
    sequences_are_taken_in_order,
    the_time_of_the_last_event_never_goes_back,
    a_last_event_of_the_future_gives_way,
    sessions_are_known_to_have_been_between_two_moments,
    a_session_that_ended_or_never_was_has_no_sequences,
    an_ended_session_has_sequences_for_those_who_ask_for_all,
    a_run_is_in_its_open_session_else_in_the_last_one,
    the_first_end_of_a_session_stays,
    a_resumed_session_goes_on_where_it_was,
    a_scratchpad_is_replaced_only_at_the_version_that_was_read,
];
