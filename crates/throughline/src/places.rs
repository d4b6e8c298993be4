//! Where calls of the engine run: on threads where they may block, a few at a time, and never inside async code, which the
//! client of PostgreSQL does not survive.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use throughline_engine::clock::Clock;
use throughline_engine::store::Error as StoreError;
use throughline_engine::work::Outcome;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tracing::Span;

use crate::door::Door;
use crate::hooks::{take_up_all, waiting};
use crate::took::Times;

/// Clones share the places.
#[derive(Clone)]
pub(crate) struct Places {
    door: Arc<Door>,
    free: Arc<Semaphore>,
    /// Those who write wait for each other; who only reads need not wait for them.
    free_to_write: Arc<Semaphore>,
    jobs: Arc<Times<Ran>>,
}

/// A background job that was run, and how that ended.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ran {
    pub(crate) kind: String,
    pub(crate) outcome: &'static str,
}

/// So many that read, and so many that write: more at once would only wait for each other.
const CALLS_AT_ONCE: usize = 4;
/// Whoever waits longer for a place is told that the server is busy.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

impl Places {
    pub(crate) fn new(door: Arc<Door>) -> Places {
        let places = || Arc::new(Semaphore::new(CALLS_AT_ONCE));
        Places { door, free: places(), free_to_write: places(), jobs: Arc::default() }
    }

    pub(crate) fn door(&self) -> &Arc<Door> {
        &self.door
    }

    /// Nobody is calling.
    pub(crate) fn are_all_free(&self) -> bool {
        self.in_use() == 0
    }

    pub(crate) fn in_use(&self) -> usize {
        2 * CALLS_AT_ONCE - self.free.available_permits() - self.free_to_write.available_permits()
    }

    /// How long the jobs took that were run here.
    pub(crate) fn jobs(&self) -> &Times<Ran> {
        &self.jobs
    }

    /// Takes up what hooks put aside and runs a background job that is due, beside the places of the calls; says whether
    /// there was one. A database that is not there yet has none, but what waits is a reason to make it.
    pub(crate) async fn work_one(&self, worker: &str) -> Result<bool> {
        let (door, jobs, worker) = (self.door.clone(), self.jobs.clone(), worker.to_owned());
        let worked = tokio::task::spawn_blocking(move || {
            if waiting(&door.config.home) > 0 {
                take_up_all(&door.config, door.engine()?, worker.split(':').next().unwrap_or(&worker));
            }
            let Some(engine) = door.existing_engine()? else { return Ok(false) };
            let clock = Clock::system();
            let began = clock.now();
            let Some(run) = engine.work_one(&worker)? else { return Ok(false) };
            let ran = Ran { kind: run.job.kind, outcome: ended(&run.outcome) };
            jobs.add(ran, clock.now().since(began));
            Ok(true)
        });
        worked.await.context("a background job broke off")?
    }

    pub(crate) async fn run<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Door) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.run_at(&self.free, run).await
    }

    /// The same for a call that is sure to write.
    pub(crate) async fn run_writing<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Door) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.run_at(&self.free_to_write, run).await
    }

    async fn run_at<T: Send + 'static>(
        &self,
        free: &Arc<Semaphore>,
        run: impl FnOnce(&Door) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let waited = timeout(LONGEST_WAIT, free.clone().acquire_owned()).await;
        let busy = StoreError::Busy { waited_ms: LONGEST_WAIT.as_millis() as u64 };
        let place = waited.map_err(|_| busy)?.context("the server is closing; try again when it is up")?;
        let (door, span) = (self.door.clone(), Span::current());
        let called = tokio::task::spawn_blocking(move || {
            let _place = place;
            let _inside = span.entered();
            run(&door)
        });
        called.await.context("the call broke off; this is a bug in Throughline")?
    }
}

fn ended(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Postponed(_) => "postponed",
        Outcome::Failed { .. } => "failed",
        Outcome::Dead { .. } => "dead",
        Outcome::Lost => "lost",
    }
}
