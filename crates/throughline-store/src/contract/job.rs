//! The statements about background work.

use std::sync::Mutex;

use super::fixture::{project_id, read, write};
use crate::Store;
use crate::job::{self, Due, Job, Lease, Request, State};
use crate::sql::Dialect;
use crate::time::Timestamp;

fn a_request_becomes_a_ready_job(store: &Store) {
    let request = Request {
        kind: "summarize",
        key: "session-1",
        payload: r#"{"n":"漢字"}"#,
        run_at: Timestamp(100),
        deadline: Some(Timestamp(900)),
    };
    write(store, |tx| job::enqueue(tx, &project_id("p"), &request, Timestamp(50)));
    let expected = Job {
        project: project_id("p"),
        kind: "summarize".into(),
        key: "session-1".into(),
        payload: r#"{"n":"漢字"}"#.into(),
        state: State::Ready,
        requests: 1,
        attempts: 0,
        run_at: Timestamp(100),
        deadline: Some(Timestamp(900)),
        lease_owner: None,
        leased_until: None,
        error: None,
        created_at: Timestamp(50),
    };
    assert_eq!(list(store), [expected]);
}

fn equal_requests_are_one_job_and_the_newest_wins(store: &Store) {
    enqueue(store, "a", 100);
    let newer = Request {
        payload: "newer",
        run_at: Timestamp(300),
        deadline: Some(Timestamp(900)),
        ..request("a", 0)
    };
    write(store, |tx| job::enqueue(tx, &project_id("p"), &newer, Timestamp(60)));
    let merged = Job {
        payload: "newer".into(),
        requests: 2,
        run_at: Timestamp(300),
        deadline: Some(Timestamp(900)),
        ..ready("a", 100)
    };
    assert_eq!(list(store), [merged]);
}

fn requests_that_differ_in_project_kind_or_key_are_jobs_of_their_own(store: &Store) {
    enqueue(store, "a", 100);
    enqueue(store, "b", 100);
    write(store, |tx| {
        let other_kind = Request { kind: "embed", ..request("a", 100) };
        job::enqueue(tx, &project_id("p"), &other_kind, Timestamp(50))?;
        job::enqueue(tx, &project_id("q"), &request("a", 100), Timestamp(50))
    });
    let other_kind = Job { kind: "embed".into(), ..ready("a", 100) };
    assert_eq!(list(store), [other_kind, ready("a", 100), ready("b", 100)]);
    let elsewhere = read(store, |conn| job::list(conn, &project_id("q"), i64::MAX));
    assert_eq!(elsewhere, [Job { project: project_id("q"), ..ready("a", 100) }]);
}

fn jobs_are_listed_the_next_one_first(store: &Store) {
    enqueue(store, "a", 300);
    enqueue(store, "c", 200);
    enqueue(store, "b", 200);
    assert_eq!(list(store), [ready("b", 200), ready("c", 200), ready("a", 300)]);
    assert_eq!(read(store, |conn| job::list(conn, &project_id("p"), 1)), [ready("b", 200)]);
}

fn a_claimed_job_is_leased(store: &Store) {
    enqueue(store, "a", 100);
    let leased = Job {
        state: State::Running,
        attempts: 1,
        lease_owner: Some("w1".into()),
        leased_until: Some(Timestamp(160)),
        ..ready("a", 100)
    };
    let claimed = write(store, |tx| job::claim(tx, &lease("w1", 100)));
    assert_eq!(claimed, Some(leased.clone()));
    assert_eq!(list(store), [leased]);
}

fn what_is_done_in_turn_waits_for_what_was_due_before_it(store: &Store) {
    let enqueue_in = |project: &str, key: &str, run_at: i64| {
        let request = Request { kind: IN_TURN, ..request(key, run_at) };
        write(store, |tx| job::enqueue(tx, &project_id(project), &request, Timestamp(50)));
    };
    enqueue_in("p", "later", 200);
    enqueue_in("p", "first", 100);
    enqueue_in("q", "elsewhere", 300);
    enqueue(store, "of another kind", 400);
    let claimed: Vec<String> = (0..3).map(|_| claim(store, "w1", 1000).key).collect();
    assert_eq!(claimed, ["first", "elsewhere", "of another kind"], "while the first of the project runs");
    assert_eq!(try_claim(store, "w2", 1000), None);
    assert_eq!(claim(store, "w2", 1000 + LEASE).key, "first", "whose worker died");
    let again = claim(store, "w2", 1000 + 2 * LEASE);
    write(store, |tx| job::complete(tx, &again));
    let next: Vec<String> = (0..3).map(|_| claim(store, "w2", 1000 + 2 * LEASE).key).collect();
    assert!(next.contains(&"later".to_owned()), "{next:?}");
}

fn the_job_that_waited_longest_is_claimed_first(store: &Store) {
    for (key, run_at) in [("a", 300), ("b", 100), ("d", 200), ("c", 200)] {
        enqueue(store, key, run_at);
    }
    let claimed: Vec<String> = (0..4).map(|_| claim(store, "w1", 1000).key).collect();
    assert_eq!(claimed, ["b", "c", "d", "a"]);
}

fn no_job_is_claimed_before_its_time(store: &Store) {
    enqueue(store, "a", 100);
    assert_eq!(try_claim(store, "w1", 99), None);
    assert_eq!(claim(store, "w1", 100).key, "a");
}

fn one_claim_leases_one_job(store: &Store) {
    enqueue(store, "job-00", 100);
    analyze(store);
    (1..20).for_each(|n| enqueue(store, &format!("job-{n:02}"), 100));
    claim(store, "w1", 100);
    assert_eq!(read(store, job::tally), [(State::Ready, 19), (State::Running, 1)]);
}

fn a_leased_job_is_nobody_elses_until_the_lease_runs_out(store: &Store) {
    enqueue(store, "a", 100);
    claim(store, "w1", 100);
    assert_eq!(try_claim(store, "w2", 100 + LEASE - 1), None);
    let taken_over = claim(store, "w2", 100 + LEASE);
    let expected = Job {
        state: State::Running,
        attempts: 2,
        lease_owner: Some("w2".into()),
        leased_until: Some(Timestamp(100 + LEASE + LEASE)),
        ..ready("a", 100)
    };
    assert_eq!(taken_over, expected);
}

fn a_worker_that_was_replaced_changes_nothing(store: &Store) {
    enqueue(store, "a", 100);
    let first = claim(store, "w1", 100);
    let second = claim(store, "w2", 100 + LEASE);
    assert_replaced(store, &first, &second);
}

fn a_run_that_was_replaced_by_one_of_the_same_owner_changes_nothing(store: &Store) {
    enqueue(store, "a", 100);
    let first = claim(store, "w1", 100);
    let second = claim(store, "w1", 100 + LEASE);
    assert_replaced(store, &first, &second);
}

fn a_worker_comes_too_late_to_a_job_that_is_done(store: &Store) {
    enqueue(store, "a", 100);
    let claimed = claim(store, "w1", 100);
    assert!(write(store, |tx| job::complete(tx, &claimed)));
    assert!(!write(store, |tx| job::complete(tx, &claimed)));
    assert!(!write(store, |tx| job::retry(tx, &claimed, "late", Timestamp(500))));
    assert!(!write(store, |tx| job::postpone(tx, &claimed, Timestamp(500))));
    assert!(!write(store, |tx| job::bury(tx, &claimed, "late")));
    assert_eq!(list(store), []);
}

fn a_completed_job_is_gone_and_the_others_stay(store: &Store) {
    enqueue(store, "a", 100);
    enqueue(store, "b", 200);
    let claimed = claim(store, "w1", 100);
    assert!(write(store, |tx| job::complete(tx, &claimed)));
    assert_eq!(list(store), [ready("b", 200)]);
}

fn a_request_during_a_run_makes_the_job_ready_again(store: &Store) {
    enqueue(store, "a", 100);
    let claimed = claim(store, "w1", 100);
    write(store, |tx| {
        job::enqueue(tx, &project_id("p"), &Request { payload: "more", ..request("a", 150) }, Timestamp(60))
    });
    let running = Job { payload: "more".into(), requests: 2, run_at: Timestamp(150), ..claimed.clone() };
    assert_eq!(list(store), [running], "it is still the first worker's");
    assert!(write(store, |tx| job::complete(tx, &claimed)));
    let again = Job { payload: "more".into(), requests: 2, ..ready("a", 150) };
    assert_eq!(list(store), [again]);
    let second_run = claim(store, "w1", 150);
    assert!(write(store, |tx| job::complete(tx, &second_run)));
    assert_eq!(list(store), []);
}

fn a_request_during_a_run_outlives_the_burial_of_that_run(store: &Store) {
    enqueue(store, "a", 100);
    let claimed = claim(store, "w1", 100);
    enqueue(store, "a", 150);
    assert!(write(store, |tx| job::bury(tx, &claimed, "hopeless")));
    assert_eq!(
        try_claim(store, "w1", 150).map(|job| job.requests),
        Some(2),
        "while it runs, it will run once more"
    );
}

fn a_failed_run_waits_and_keeps_its_error_and_attempts(store: &Store) {
    enqueue(store, "a", 100);
    let claimed = claim(store, "w1", 100);
    assert!(write(store, |tx| job::retry(tx, &claimed, "no network", Timestamp(500))));
    let waiting = Job { attempts: 1, error: Some("no network".into()), ..ready("a", 500) };
    assert_eq!(list(store), [waiting]);
    assert_eq!(try_claim(store, "w1", 499), None);
    assert_eq!(claim(store, "w2", 500).attempts, 2);
}

fn a_success_leaves_no_error_of_an_earlier_run(store: &Store) {
    enqueue(store, "a", 100);
    let failed = claim(store, "w1", 100);
    write(store, |tx| job::retry(tx, &failed, "no network", Timestamp(200)));
    let succeeded = claim(store, "w1", 200);
    enqueue(store, "a", 300);
    assert!(write(store, |tx| job::complete(tx, &succeeded)));
    assert_eq!(list(store), [Job { requests: 2, ..ready("a", 300) }]);
}

fn a_postponed_job_waits_with_a_clean_record(store: &Store) {
    enqueue(store, "a", 100);
    let failed = claim(store, "w1", 100);
    write(store, |tx| job::retry(tx, &failed, "no network", Timestamp(200)));
    let early = claim(store, "w1", 200);
    assert!(write(store, |tx| job::postpone(tx, &early, Timestamp(500))));
    assert_eq!(list(store), [ready("a", 500)]);
}

fn a_request_for_a_waiting_job_that_failed_starts_afresh(store: &Store) {
    enqueue(store, "a", 100);
    let claimed = claim(store, "w1", 100);
    write(store, |tx| job::retry(tx, &claimed, "no network", Timestamp(500)));
    enqueue(store, "a", 200);
    assert_eq!(list(store), [Job { requests: 2, ..ready("a", 200) }]);
}

fn a_buried_job_stays_visible_and_is_not_claimed(store: &Store) {
    enqueue(store, "a", 100);
    let claimed = claim(store, "w1", 100);
    assert!(write(store, |tx| job::bury(tx, &claimed, "hopeless")));
    let dead = Job { state: State::Dead, attempts: 1, error: Some("hopeless".into()), ..ready("a", 100) };
    assert_eq!(list(store), [dead]);
    assert_eq!(try_claim(store, "w1", i64::MAX - LEASE), None);
}

fn a_request_for_a_dead_job_brings_it_back(store: &Store) {
    bury(store, "a");
    enqueue(store, "a", 200);
    assert_eq!(list(store), [Job { requests: 2, ..ready("a", 200) }]);
}

fn reviving_makes_the_dead_jobs_of_a_project_ready(store: &Store) {
    bury(store, "a");
    bury(store, "b");
    enqueue(store, "c", 100);
    assert_eq!(write(store, |tx| job::revive(tx, &project_id("q"), Timestamp(700))), 0);
    assert_eq!(write(store, |tx| job::revive(tx, &project_id("p"), Timestamp(700))), 2);
    assert_eq!(list(store), [ready("c", 100), ready("a", 700), ready("b", 700)]);
    assert_eq!(write(store, |tx| job::revive(tx, &project_id("p"), Timestamp(800))), 0);
}

fn what_a_clock_ahead_has_set_is_made_ready(store: &Store) {
    enqueue(store, "leased", 9_000);
    claim(store, "dead", 9_000);
    enqueue(store, "due", 5_000);
    enqueue(store, "soon", 120);
    let free = || write(store, |tx| job::free(tx, Timestamp(1_000), Timestamp(2_000), Timestamp(100)));
    assert_eq!([free(), free()], [2, 0]);
    let found: Vec<_> = list(store).into_iter().map(|job| (job.key, job.state, job.run_at.0)).collect();
    let ready = |key: &str, at| (key.to_owned(), State::Ready, at);
    assert_eq!(found, [ready("due", 100), ready("leased", 100), ready("soon", 120)]);
    assert_eq!(claim(store, "w1", 9_100).attempts, 1);
}

fn jobs_of_all_projects_are_tallied_by_state(store: &Store) {
    assert_eq!(read(store, job::tally), []);
    bury(store, "dead");
    enqueue(store, "running", 100);
    claim(store, "w1", 100);
    enqueue(store, "a", 100);
    write(store, |tx| job::enqueue(tx, &project_id("q"), &request("a", 100), Timestamp(50)));
    assert_eq!(read(store, job::tally), [(State::Dead, 1), (State::Ready, 2), (State::Running, 1)]);
}

fn what_could_run_now_is_counted_by_kind(store: &Store) {
    bury(store, "dead");
    enqueue(store, "a", 90);
    enqueue(store, "b", 80);
    enqueue(store, "later", 101);
    let due = Due { kind: request("a", 90).kind.to_owned(), count: 2, since: Timestamp(80) };
    assert_eq!(read(store, |conn| job::due(conn, Timestamp(100))), [due]);
    assert_eq!(read(store, |conn| job::due(conn, Timestamp(79))), []);
}

fn each_job_is_claimed_by_one_worker_only(store: &Store) {
    let mut keys: Vec<String> = (0..50).map(|n| format!("job-{n:02}")).collect();
    keys.iter().for_each(|key| enqueue(store, key, 100));
    let done = Mutex::new(Vec::new());
    std::thread::scope(|threads| {
        for worker in 0..8 {
            let (owner, done) = (format!("w{worker}"), &done);
            threads.spawn(move || {
                while let Some(claimed) = try_claim(store, &owner, 100) {
                    assert!(write(store, |tx| job::complete(tx, &claimed)));
                    done.lock().unwrap().push(claimed.key);
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort();
    keys.sort();
    assert_eq!(done, keys);
    assert_eq!(list(store), []);
}

const LEASE: i64 = 60;
const IN_TURN: &str = "generate";

fn request(key: &str, run_at: i64) -> Request<'_> {
    Request { kind: "index", key, payload: "{}", run_at: Timestamp(run_at), deadline: None }
}

/// What `enqueue` makes of a first request.
fn ready(key: &str, run_at: i64) -> Job {
    Job {
        project: project_id("p"),
        kind: "index".into(),
        key: key.into(),
        payload: "{}".into(),
        state: State::Ready,
        requests: 1,
        attempts: 0,
        run_at: Timestamp(run_at),
        deadline: None,
        lease_owner: None,
        leased_until: None,
        error: None,
        created_at: Timestamp(50),
    }
}

fn enqueue(store: &Store, key: &str, run_at: i64) {
    write(store, |tx| job::enqueue(tx, &project_id("p"), &request(key, run_at), Timestamp(50)));
}

fn lease(owner: &str, now: i64) -> Lease<'_> {
    Lease { owner, now: Timestamp(now), until: Timestamp(now + LEASE), in_turn: IN_TURN }
}

fn try_claim(store: &Store, owner: &str, now: i64) -> Option<Job> {
    write(store, |tx| job::claim(tx, &lease(owner, now)))
}

fn claim(store: &Store, owner: &str, now: i64) -> Job {
    try_claim(store, owner, now).expect("a job is there to claim")
}

fn bury(store: &Store, key: &str) {
    enqueue(store, key, 100);
    let claimed = claim(store, "gravedigger", 100);
    assert!(write(store, |tx| job::bury(tx, &claimed, "hopeless")));
}

fn list(store: &Store) -> Vec<Job> {
    read(store, |conn| job::list(conn, &project_id("p"), i64::MAX))
}

fn assert_replaced(store: &Store, first: &Job, second: &Job) {
    assert!(!write(store, |tx| job::retry(tx, first, "late", Timestamp(500))));
    assert!(!write(store, |tx| job::postpone(tx, first, Timestamp(500))));
    assert!(!write(store, |tx| job::bury(tx, first, "late")));
    assert!(!write(store, |tx| job::give_back(tx, first)));
    assert!(!write(store, |tx| job::complete(tx, first)));
    assert_eq!(list(store), std::slice::from_ref(second));
    assert!(write(store, |tx| job::complete(tx, second)));
}

/// Tells PostgreSQL, as its own housekeeping does, how few jobs there are; it plans for as many from then on.
fn analyze(store: &Store) {
    match read(store, |conn| Ok(conn.dialect())) {
        Dialect::Sqlite => {}
        Dialect::Postgres => write(store, |tx| tx.batch("analyze job")),
    }
}

super::contract![
    a_request_becomes_a_ready_job,
    equal_requests_are_one_job_and_the_newest_wins,
    requests_that_differ_in_project_kind_or_key_are_jobs_of_their_own,
    jobs_are_listed_the_next_one_first,
    a_claimed_job_is_leased,
    the_job_that_waited_longest_is_claimed_first,
    what_is_done_in_turn_waits_for_what_was_due_before_it,
    no_job_is_claimed_before_its_time,
    one_claim_leases_one_job,
    a_leased_job_is_nobody_elses_until_the_lease_runs_out,
    a_worker_that_was_replaced_changes_nothing,
    a_run_that_was_replaced_by_one_of_the_same_owner_changes_nothing,
    a_worker_comes_too_late_to_a_job_that_is_done,
    a_completed_job_is_gone_and_the_others_stay,
    a_request_during_a_run_makes_the_job_ready_again,
    a_request_during_a_run_outlives_the_burial_of_that_run,
    a_failed_run_waits_and_keeps_its_error_and_attempts,
    a_success_leaves_no_error_of_an_earlier_run,
    a_postponed_job_waits_with_a_clean_record,
    a_request_for_a_waiting_job_that_failed_starts_afresh,
    a_buried_job_stays_visible_and_is_not_claimed,
    a_request_for_a_dead_job_brings_it_back,
    reviving_makes_the_dead_jobs_of_a_project_ready,
    what_a_clock_ahead_has_set_is_made_ready,
    jobs_of_all_projects_are_tallied_by_state,
    what_could_run_now_is_counted_by_kind;
    parallel: each_job_is_claimed_by_one_worker_only,
];
