//! Where calls of the engine run: on threads where they may block, a few at a time, and never inside async code, which the
//! client of PostgreSQL does not survive.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use throughline_engine::store::Error as StoreError;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::door::Door;

/// Clones share the places.
#[derive(Clone)]
pub(crate) struct Places {
    door: Arc<Door>,
    free: Arc<Semaphore>,
}

/// More at once would only wait for each other's locks.
const CALLS_AT_ONCE: usize = 4;
/// Whoever waits longer for a place is told that the server is busy.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

impl Places {
    pub(crate) fn new(door: Arc<Door>) -> Places {
        Places { door, free: Arc::new(Semaphore::new(CALLS_AT_ONCE)) }
    }

    pub(crate) fn door(&self) -> &Arc<Door> {
        &self.door
    }

    /// Nobody is calling.
    pub(crate) fn are_all_free(&self) -> bool {
        self.free.available_permits() == CALLS_AT_ONCE
    }

    pub(crate) fn in_use(&self) -> usize {
        CALLS_AT_ONCE - self.free.available_permits()
    }

    pub(crate) async fn run<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Door) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let waited = timeout(LONGEST_WAIT, self.free.clone().acquire_owned()).await;
        let busy = StoreError::Busy { waited_ms: LONGEST_WAIT.as_millis() as u64 };
        let place = waited.map_err(|_| busy)?.context("the server is closing")?;
        let door = self.door.clone();
        let called = tokio::task::spawn_blocking(move || {
            let _place = place;
            run(&door)
        });
        called.await.context("the call broke off; this is a bug in Throughline")?
    }
}
