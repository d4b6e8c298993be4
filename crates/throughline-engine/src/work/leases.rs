//! What this process has leased: given back when it ends before the work does, so that nobody waits for the lease to run out.

use std::sync::{Mutex, MutexGuard, PoisonError};

use throughline_store::job::{self, Job};

use crate::{Engine, Result};

#[derive(Debug, Default)]
pub(crate) struct Leases(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    jobs: Vec<Job>,
    /// The process ends: it takes no more jobs.
    is_closed: bool,
}

impl Leases {
    /// Holds what `claim` leases. Who gives everything back waits for it, so that no lease is overlooked.
    pub(super) fn add(
        &self,
        claim: impl FnOnce() -> throughline_store::Result<Option<Job>>,
    ) -> Result<Option<Job>> {
        let mut held = self.held();
        if held.is_closed {
            return Ok(None);
        }
        let leased = claim()?;
        held.jobs.extend(leased.clone());
        Ok(leased)
    }

    pub(super) fn end(&self, job: &Job) {
        self.held().jobs.retain(|held| held != job);
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// To be called before the process ends: takes no more jobs and gives back those that still run here. What their runs
    /// go on to say does not count.
    pub fn leave_jobs(&self) -> Result<()> {
        let mut held = self.leases.held();
        held.is_closed = true;
        if held.jobs.is_empty() {
            return Ok(());
        }
        let left = std::mem::take(&mut held.jobs);
        Ok(self.store.write(|tx| left.iter().try_for_each(|job| job::give_back(tx, job).map(drop)))?)
    }
}
