//! The statements about calls of a model.

use super::fixture::{project_id, read, write};
use crate::Store;
use crate::id::ModelCallId;
use crate::model_call::{self as record, ModelCall, Outcome, Purpose, Tally};
use crate::time::Timestamp;

fn a_call_is_reserved_and_settled(store: &Store) {
    let reserved = ModelCall { tokens_in: 100, tokens_out: 900, ..call(1) };
    insert(store, "p", &reserved);
    insert(store, "q", &call(1));
    assert_eq!(spent(store, "p", 7), 1000, "while nobody knows better");
    let settled = ModelCall {
        outcome: Outcome::Failed,
        tokens_in: 90,
        tokens_out: 10,
        cost: Some(0.25),
        duration_micros: 5,
        detail: Some("über 港".into()),
        ..reserved
    };
    write(store, |tx| record::settle(tx, &project_id("p"), &settled));
    assert_eq!(list(store, "p", 0), [settled]);
    assert_eq!(list(store, "q", 0), [call(1)]);
    assert_eq!((spent(store, "p", 7), spent(store, "p", 8)), (100, 0));
    assert_eq!(write(store, |tx| record::purge(tx, &project_id("p"))), 1);
    assert_eq!(list(store, "p", 0)[0].detail, None);
}

fn days_are_told_apart_counted_and_forgotten(store: &Store) {
    let of = |n, day, outcome, cost| ModelCall { day, outcome, cost, tokens_in: n, tokens_out: 1, ..call(n) };
    for call in [
        of(1, 5, Outcome::Answered, Some(0.5)),
        of(2, 6, Outcome::Answered, Some(0.25)),
        of(3, 6, Outcome::Answered, None),
        of(4, 6, Outcome::OverBudget, None),
    ] {
        insert(store, "p", &call);
    }
    let ids: Vec<i64> = list(store, "p", 6).iter().map(|call| call.tokens_in).collect();
    assert_eq!(ids, [4, 3, 2], "the newest first");
    let tally = |outcome, calls, tokens_in, tokens_out, cost| Tally {
        purpose: Purpose::Extract,
        outcome,
        calls,
        tokens_in,
        tokens_out,
        cost,
    };
    assert_eq!(
        read(store, |conn| record::tally(conn, &project_id("p"), 6)),
        [tally(Outcome::Answered, 2, 5, 2, 0.25), tally(Outcome::OverBudget, 1, 4, 1, 0.0)]
    );
    let tokens = |calls: Vec<ModelCall>| calls.iter().map(|call| call.tokens_in).collect::<Vec<_>>();
    assert_eq!(tokens(read(store, |conn| record::ended(conn, &project_id("p"), 2))), [3, 2]);
    assert_eq!(tokens(read(store, |conn| record::failures(conn, &project_id("p"), 6, 9))), [4]);
    assert_eq!(write(store, |tx| record::forget_before(tx, &project_id("p"), 6)), 1);
    assert_eq!(list(store, "p", 0).len(), 3);
}

fn no_claim_is_too_much_for_the_sums(store: &Store) {
    for n in 0..3 {
        insert(store, "p", &ModelCall { tokens_in: i64::MAX, tokens_out: i64::MAX, ..call(n) });
    }
    assert_eq!(spent(store, "p", 7), i64::MAX);
    let tally = read(store, |conn| record::tally(conn, &project_id("p"), 7));
    assert_eq!((tally[0].calls, tally[0].tokens_in, tally[0].tokens_out), (3, i64::MAX, i64::MAX));
}

fn call(n: i64) -> ModelCall {
    ModelCall {
        id: ModelCallId::from(format!("call-{n}")),
        day: 7,
        asked_at: Timestamp(n),
        purpose: Purpose::Extract,
        model: "m".into(),
        outcome: Outcome::Asked,
        tokens_in: 0,
        tokens_out: 0,
        cost: None,
        duration_micros: 0,
        detail: None,
    }
}

fn insert(store: &Store, project: &str, call: &ModelCall) {
    write(store, |tx| record::insert(tx, &project_id(project), call));
}

fn list(store: &Store, project: &str, from_day: i64) -> Vec<ModelCall> {
    read(store, |conn| record::list(conn, &project_id(project), from_day, 100))
}

fn spent(store: &Store, project: &str, day: i64) -> i64 {
    read(store, |conn| record::spent(conn, &project_id(project), day))
}

super::contract![
    a_call_is_reserved_and_settled,
    days_are_told_apart_counted_and_forgotten,
    no_claim_is_too_much_for_the_sums,
];
