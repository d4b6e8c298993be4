//! Jobs that succeed, wait, fail, die, and are taken away by another worker.

use std::sync::Mutex;
use std::time::Duration;

use insta::assert_snapshot;
use throughline_store::Location;
use throughline_store::event::Kind;
use throughline_store::job::{self, Job, Lease, Request, State};
use throughline_store::session::EndReason;
use throughline_store::time::Timestamp;

use super::{CLOSE_IDLE_SESSION, Outcome, Run};
use crate::clock::Clock;
use crate::ids::Ids;
use crate::settings::{Jobs, Settings};
use crate::testing::{Fixture, START, Time, caller, hours, ids, minutes, saw, store};
use crate::{Caller, Engine};

const UNKNOWN: &str = "paint_the_bikeshed";

fn enqueue(engine: &Engine, caller: &Caller, request: &Request<'_>) {
    engine.store().write(|tx| job::enqueue(tx, &caller.project, request, engine.now())).unwrap();
}

fn request(kind: &'static str) -> Request<'static> {
    Request { kind, key: "k", payload: "{}", run_at: START, deadline: None }
}

/// A project with one job, which can only fail.
fn with_failing_job(settings: Settings) -> Fixture {
    let fixture = Fixture::with(settings);
    enqueue(&fixture.engine, &fixture.caller, &request(UNKNOWN));
    fixture
}

fn work(fixture: &Fixture) -> Option<Run> {
    fixture.engine.work_one("w").unwrap()
}

/// Runs the one job, which must fail, and says how long it will wait.
fn failure(fixture: &Fixture) -> Option<Duration> {
    match work(fixture).unwrap().outcome {
        Outcome::Failed { again_at, .. } => Some(again_at.since(fixture.time.now())),
        Outcome::Dead { .. } => None,
        other => panic!("{other:?}"),
    }
}

fn settings(jobs: Jobs) -> Settings {
    Settings { jobs, ..Settings::default() }
}

fn jobs() -> Jobs {
    Settings::default().jobs
}

#[test]
fn there_is_nothing_to_do_without_jobs_or_before_their_time() {
    let fixture = Fixture::new();
    assert_eq!(work(&fixture), None);
    fixture.record(saw(Kind::Read, "a"));
    fixture.time.advance(minutes(59));
    assert_eq!(work(&fixture), None);
}

#[test]
fn a_session_that_opens_asks_for_one_job_that_watches_it() {
    let fixture = Fixture::new();
    let recorded = fixture.record(saw(Kind::Read, "a"));
    fixture.record(saw(Kind::Read, "a"));
    let watch = Job {
        project: fixture.caller.project.clone(),
        kind: CLOSE_IDLE_SESSION.into(),
        key: recorded.session_id.to_string(),
        payload: "{}".into(),
        state: State::Ready,
        requests: 1,
        attempts: 0,
        run_at: START.plus(hours(1)),
        deadline: None,
        lease_owner: None,
        leased_until: None,
        error: None,
        created_at: START,
    };
    assert_eq!(fixture.jobs(), [watch]);
}

#[test]
fn the_watch_over_a_session_that_goes_on_is_postponed_until_it_may_be_idle() {
    let fixture = Fixture::new();
    fixture.record(saw(Kind::Read, "a"));
    fixture.time.advance(minutes(40));
    fixture.record(saw(Kind::Read, "a"));
    fixture.time.advance(minutes(20));
    let again_at = START.plus(minutes(100));
    assert_eq!(work(&fixture).unwrap().outcome, Outcome::Postponed(again_at));
    let [job] = &fixture.jobs()[..] else { panic!("one job") };
    assert_eq!((job.state, job.run_at, job.attempts), (State::Ready, again_at, 0));
    assert_eq!((work(&fixture), fixture.log().len()), (None, 2));
    fixture.time.advance(minutes(40));
    assert_eq!(work(&fixture).unwrap().outcome, Outcome::Done);
    assert_eq!(fixture.session("a").ended.map(|ended| ended.reason), Some(EndReason::Idle));
}

#[test]
fn the_watch_over_a_session_that_has_ended_or_never_was_has_nothing_to_do() {
    let fixture = Fixture::new();
    fixture.record(saw(Kind::Read, "a"));
    fixture.engine.end_session(&fixture.caller, None, EndReason::Client).unwrap();
    enqueue(&fixture.engine, &fixture.caller, &request(CLOSE_IDLE_SESSION));
    fixture.time.advance(hours(1));
    let (before, log) = (fixture.sessions(), fixture.log());
    assert_eq!([(); 3].map(|()| work(&fixture).unwrap().outcome), [(); 3].map(|()| Outcome::Done));
    assert_eq!((fixture.sessions(), fixture.log(), fixture.jobs()), (before, log, vec![]));
}

#[test]
fn the_job_that_has_waited_longest_is_first() {
    let fixture = Fixture::new();
    for (key, minute) in [("late", 3), ("early", 1), ("later", 5)] {
        let run_at = START.plus(minutes(minute));
        enqueue(&fixture.engine, &fixture.caller, &Request { key, run_at, ..request(CLOSE_IDLE_SESSION) });
    }
    fixture.time.advance(minutes(4));
    let order: Vec<String> = std::iter::from_fn(|| work(&fixture)).map(|run| run.job.key).collect();
    assert_eq!(order, ["early", "late"]);
}

#[test]
fn an_unknown_kind_fails_with_a_clear_error_and_dies_after_the_last_attempt() {
    let fixture = with_failing_job(Settings::default());
    let mut outcomes = Vec::new();
    while let Some(run) = work(&fixture) {
        outcomes.push(match run.outcome {
            Outcome::Failed { error, .. } => format!("attempt {}: {error}", run.job.attempts),
            Outcome::Dead { error } => format!("dead after {}: {error}", run.job.attempts),
            other => panic!("{other:?}"),
        });
        fixture.time.advance(hours(2));
    }
    assert_snapshot!(outcomes.join("\n"), @r#"
    attempt 1: this throughline knows no job of kind "paint_the_bikeshed"; install the newer one
    attempt 2: this throughline knows no job of kind "paint_the_bikeshed"; install the newer one
    attempt 3: this throughline knows no job of kind "paint_the_bikeshed"; install the newer one
    attempt 4: this throughline knows no job of kind "paint_the_bikeshed"; install the newer one
    dead after 5: this throughline knows no job of kind "paint_the_bikeshed"; install the newer one
    "#);
    let [job] = &fixture.jobs()[..] else { panic!("one job") };
    assert_eq!((job.state, job.attempts, &job.lease_owner), (State::Dead, 5, &None));
    assert!(job.error.as_deref().is_some_and(|error| error.contains(UNKNOWN)));
    assert_eq!(fixture.engine.job_tally().unwrap(), [(State::Dead, 1)]);
}

#[test]
fn a_failed_job_waits_before_it_is_tried_again() {
    let fixture = with_failing_job(Settings::default());
    let wait = failure(&fixture).unwrap();
    assert_eq!(work(&fixture), None);
    fixture.time.advance(wait - Duration::from_micros(1));
    assert_eq!(work(&fixture), None);
    fixture.time.advance(Duration::from_micros(1));
    assert_eq!(work(&fixture).unwrap().job.attempts, 2);
}

#[test]
fn the_wait_doubles_is_half_chance_and_is_capped() {
    let first_backoff = Duration::from_secs(10);
    let mut waits: Vec<Duration> = Vec::new();
    for seed in 1..40 {
        let all = settings(Jobs { max_attempts: 40, first_backoff, ..jobs() });
        let fixture = Fixture::seeded(seed, all);
        enqueue(&fixture.engine, &fixture.caller, &request(UNKNOWN));
        for attempt in 1..40 {
            let wait = failure(&fixture).unwrap();
            let full = first_backoff.saturating_mul(1 << (attempt - 1).min(20)).min(hours(1));
            assert!((full / 2..=full).contains(&wait), "attempt {attempt}: {wait:?} of {full:?}");
            waits.extend((attempt == 1).then_some(wait));
            fixture.time.advance(wait);
        }
        assert_eq!(failure(&fixture), None);
    }
    waits.sort();
    let spread = waits[waits.len() - 1] - waits[0];
    assert!(spread > Duration::from_secs(3), "jobs that failed together do not return together: {waits:?}");
}

#[test]
fn the_wait_may_be_as_short_and_as_long_as_its_bounds_say() {
    let wait = |random: u64| {
        let time = Time::new();
        // The project's id is made of the same chance.
        let engine = Engine::new(
            store(Location::Memory),
            time.clock(),
            Ids::from_fn(move || random),
            Settings::default(),
        );
        let caller = caller(&engine, "agent:claude");
        enqueue(&engine, &caller, &request(UNKNOWN));
        match engine.work_one("w").unwrap().unwrap().outcome {
            Outcome::Failed { again_at, .. } => again_at.since(START),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(wait(0), Duration::from_secs(1));
    assert_eq!(wait(1000), Duration::from_secs(2));
    assert_eq!(wait(1001), Duration::from_secs(1));
}

#[test]
fn a_job_whose_deadline_has_passed_is_given_up_unstarted() {
    let fixture = Fixture::new();
    let deadline = Some(START.plus(minutes(1)));
    enqueue(&fixture.engine, &fixture.caller, &Request { deadline, ..request(UNKNOWN) });
    fixture.time.advance(minutes(1) + Duration::from_micros(1));
    let run = work(&fixture).unwrap();
    assert_eq!(run.outcome, Outcome::Dead { error: "its deadline passed before a worker was free".into() });
    assert_eq!((fixture.jobs()[0].state, work(&fixture)), (State::Dead, None));
}

#[test]
fn a_job_at_its_deadline_is_still_started() {
    let fixture = Fixture::new();
    let deadline = Some(START);
    enqueue(&fixture.engine, &fixture.caller, &Request { deadline, ..request(CLOSE_IDLE_SESSION) });
    assert_eq!(work(&fixture).unwrap().outcome, Outcome::Done);
}

fn lease(owner: &str, now: Timestamp) -> Lease<'_> {
    Lease { owner, now, until: now.plus(jobs().lease), in_turn: "" }
}

#[test]
fn a_job_whose_workers_keep_dying_is_given_up() {
    let fixture = Fixture::with(settings(Jobs { max_attempts: 2, ..jobs() }));
    enqueue(&fixture.engine, &fixture.caller, &request(CLOSE_IDLE_SESSION));
    for worker in ["one", "two"] {
        // A worker that dies: it takes the job and is never heard of again.
        let now = fixture.time.now();
        let leased = fixture.write(|tx| job::claim(tx, &lease(worker, now)));
        assert!(leased.is_some());
        assert_eq!(work(&fixture), None, "while its lease holds");
        fixture.time.advance(jobs().lease);
    }
    let outcome = work(&fixture).unwrap().outcome;
    assert_eq!(outcome, Outcome::Dead { error: "its workers died or failed too often".into() });
}

#[test]
fn the_lease_of_a_worker_that_died_with_its_clock_ahead_ends_when_the_clock_is_right() {
    let fixture = Fixture::new();
    let year = hours(365 * 24);
    enqueue(&fixture.engine, &fixture.caller, &request(CLOSE_IDLE_SESSION));
    fixture.time.advance(year);
    let now = fixture.time.now();
    assert!(fixture.write(|tx| job::claim(tx, &lease("dead", now))).is_some());
    fixture.time.go_back(year);
    assert_eq!(work(&fixture).unwrap().outcome, Outcome::Done);
}

#[test]
fn a_session_of_the_future_ends_and_one_that_goes_on_in_the_present_ends_when_it_is_silent() {
    let fixture = Fixture::new();
    let year = hours(365 * 24);
    fixture.time.advance(year);
    fixture.record(saw(Kind::Read, "gone"));
    fixture.record(saw(Kind::Read, "goes on"));
    fixture.time.go_back(year);
    fixture.record(saw(Kind::Read, "goes on"));
    let open = || {
        while work(&fixture).is_some() {}
        ["gone", "goes on"].map(|name| fixture.session(name).ended.is_none())
    };
    assert_eq!(open(), [false, true]);
    assert_eq!(fixture.session("goes on").last_event_at, fixture.time.now());
    fixture.time.advance(hours(1));
    assert_eq!(open(), [false, false]);
    assert_eq!(fixture.violations(), Vec::<String>::new());
}

#[test]
fn dead_jobs_live_again_when_asked_to() {
    let fixture = with_failing_job(settings(Jobs { max_attempts: 1, ..jobs() }));
    assert_eq!(failure(&fixture), None);
    assert_eq!(work(&fixture), None);
    assert_eq!(fixture.engine.revive_jobs(&fixture.caller).unwrap(), 1);
    assert_eq!(fixture.engine.revive_jobs(&fixture.caller).unwrap(), 0);
    let run = work(&fixture).unwrap();
    assert_eq!((run.job.attempts, run.job.error), (1, None));
}

/// Two engines on one file, which share the time; the second acts while the first is carrying out a job.
struct Rivals {
    first: Engine,
    caller: Caller,
    time: Time,
    _folder: tempfile::TempDir,
}

/// `meanwhile` runs when the first engine looks at the clock for the second time after `arm`: its job is
/// leased then and not yet ended.
fn rivals(meanwhile: impl Fn(&Engine, &Caller, &Time) + Send + Sync + 'static) -> Rivals {
    let folder = tempfile::tempdir().unwrap();
    let file = Location::File(folder.path().join("throughline.db"));
    let time = Time::new();
    let second = Engine::new(store(file.clone()), time.clock(), ids(2), Settings::default());
    let caller = caller(&second, "agent:claude");
    let looks = Mutex::new(0);
    let clock = {
        let (time, caller) = (time.clone(), caller.clone());
        Clock::from_fn(move || {
            let looked = {
                let mut looks = looks.lock().unwrap();
                *looks += 1;
                *looks
            };
            if looked == 2 {
                meanwhile(&second, &caller, &time);
            }
            time.now()
        })
    };
    let first = Engine::new(store(file), clock, ids(1), Settings::default());
    Rivals { first, caller, time, _folder: folder }
}

impl Rivals {
    /// Asks for a job without looking at the first engine's clock.
    fn enqueue(&self, request: &Request<'_>) {
        let now = self.time.now();
        self.first.store().write(|tx| job::enqueue(tx, &self.caller.project, request, now)).unwrap();
    }

    fn work(&self) -> Outcome {
        self.first.work_one("first").unwrap().unwrap().outcome
    }

    fn job(&self) -> Option<Job> {
        self.first.jobs(&self.caller, 9).unwrap().pop()
    }
}

fn take_over(second: &Engine, _: &Caller, time: &Time) {
    time.advance(jobs().lease);
    second.work_one("second").unwrap().unwrap();
}

fn ask_again(second: &Engine, caller: &Caller, _: &Time) {
    let run_at = START.plus(minutes(9));
    enqueue(second, caller, &Request { payload: "[]", run_at, ..request(CLOSE_IDLE_SESSION) });
}

#[test]
fn a_success_of_a_worker_that_was_taken_for_dead_does_not_count() {
    let rivals = rivals(take_over);
    rivals.enqueue(&request(CLOSE_IDLE_SESSION));
    assert_eq!((rivals.work(), rivals.job()), (Outcome::Lost, None));
}

#[test]
fn a_failure_of_a_worker_that_was_taken_for_dead_does_not_count() {
    let rivals = rivals(take_over);
    rivals.enqueue(&request(UNKNOWN));
    assert_eq!(rivals.work(), Outcome::Lost);
    let job = rivals.job().unwrap();
    assert_eq!((job.state, job.attempts), (State::Ready, 2), "as the second worker left it");
}

#[test]
fn a_job_asked_for_while_it_runs_runs_again() {
    let rivals = rivals(ask_again);
    rivals.enqueue(&request(CLOSE_IDLE_SESSION));
    assert_eq!(rivals.work(), Outcome::Done);
    let job = rivals.job().unwrap();
    let again: (State, Timestamp, &str, i64) = (job.state, job.run_at, &job.payload, job.attempts);
    assert_eq!(again, (State::Ready, START.plus(minutes(9)), "[]", 0));
    rivals.time.advance(minutes(9));
    assert_eq!((rivals.work(), rivals.job()), (Outcome::Done, None));
}

#[test]
fn a_job_asked_for_while_it_fails_starts_with_a_clean_record() {
    let rivals = rivals(|second, caller, _| {
        enqueue(second, caller, &Request { run_at: START.plus(minutes(9)), ..request(UNKNOWN) });
    });
    rivals.enqueue(&request(UNKNOWN));
    rivals.work();
    let job = rivals.job().unwrap();
    assert_eq!((job.state, job.attempts, job.error), (State::Ready, 0, None));
    assert_eq!(job.run_at, START.plus(minutes(9)));
}
