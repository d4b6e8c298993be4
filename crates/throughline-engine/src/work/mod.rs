//! Background work: any long-lived process leases jobs and carries them out, one at a time.

mod close_idle_session;
mod compact_session;
mod leases;

use std::time::Duration;

use throughline_store::Connection;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::id::ProjectId;
use throughline_store::job::{self, Due, Job, Lease, Request, State};
use throughline_store::time::Timestamp;

use crate::clock::AHEAD;
use crate::index::code::job as code;
use crate::index::{embed, events, merge, renew};
use crate::mine::job as tend;
use crate::remember::{files, generate};
use crate::{Caller, Engine, Error, Result};

pub(crate) use close_idle_session::KIND as CLOSE_IDLE_SESSION;
pub(crate) use compact_session::KIND as COMPACT_SESSION;
pub(crate) use leases::Leases;

/// What became of a job that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub job: Job,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// Not yet time; will run again then.
    Postponed(Timestamp),
    /// Failed; will be tried again then.
    Failed {
        error: String,
        again_at: Timestamp,
    },
    /// Given up.
    Dead {
        error: String,
    },
    /// Another worker had taken over: this run did not count.
    Lost,
}

/// What carrying out a job asks for next.
pub(crate) enum Next {
    Done,
    Again(Timestamp),
}

const LONGEST_BACKOFF: Duration = Duration::from_secs(60 * 60);
/// Other workers may have been told of longer leases, but hardly of longer ones than this.
const LONGEST_LEASE: Duration = Duration::from_secs(60 * 60);

impl Engine {
    /// Carries out the job that has waited longest; nothing when none is due.
    pub fn work_one(&self, worker: &str) -> Result<Option<Run>> {
        let now = self.now();
        let Some(job) = self.leases.add(|| self.store.write(|tx| self.claim(tx, worker, now)))? else {
            return Ok(None);
        };
        let outcome = self.outcome(&job, now);
        self.leases.end(&job);
        let outcome = outcome?;
        tracing::debug!(job.kind = %job.kind, job.key = %job.key, ?outcome, "job run");
        Ok(Some(Run { job, outcome }))
    }

    fn outcome(&self, job: &Job, now: Timestamp) -> Result<Outcome> {
        if let Some(error) = self.refusal(job, now) {
            return self.bury(job, error);
        }
        match self.carry_out(job) {
            Ok(Next::Done) => self.finished(job),
            Ok(Next::Again(at)) => self.postponed(job, at),
            Err(error) => self.failed(job, &error),
        }
    }

    fn claim(
        &self,
        tx: &mut dyn Connection,
        worker: &str,
        now: Timestamp,
    ) -> throughline_store::Result<Option<Job>> {
        let until = now.plus(self.settings.jobs.lease);
        // What a session says depends on what earlier ones said.
        let lease = Lease { owner: worker, now, until, in_turn: generate::KIND };
        if let Some(job) = job::claim(tx, &lease)? {
            return Ok(Some(job));
        }
        let lease_end = now.plus((self.settings.jobs.lease * 2).max(LONGEST_LEASE));
        let every = self.settings.files.every.unwrap_or_default();
        let due_end = now.plus(self.settings.idle_after.max(every).max(LONGEST_BACKOFF)).plus(AHEAD);
        match job::free(tx, lease_end, due_end, now)? {
            0 => Ok(None),
            _ => job::claim(tx, &lease),
        }
    }

    /// Asks for work that may begin at once; asked for again before it began, it is one job.
    pub(crate) fn ask_for(
        &self,
        tx: &mut dyn Connection,
        project: &ProjectId,
        kind: &str,
        key: &str,
    ) -> Result<()> {
        let now = self.now();
        let request = Request { kind, key, payload: "{}", run_at: now, deadline: None };
        Ok(job::enqueue(tx, project, &request, now)?)
    }

    pub fn jobs(&self, caller: &Caller, limit: i64) -> Result<Vec<Job>> {
        Ok(self.store.read(|conn| job::list(conn, &caller.project, limit))?)
    }

    /// How many jobs are in each state, over all projects.
    pub fn job_tally(&self) -> Result<Vec<(State, i64)>> {
        Ok(self.store.read(job::tally)?)
    }

    /// What waits for a worker, over all projects.
    pub fn jobs_due(&self) -> Result<Vec<Due>> {
        let now = self.now();
        Ok(self.store.read(|conn| job::due(conn, now))?)
    }

    /// Gives the project's dead jobs another life; says how many.
    pub fn revive_jobs(&self, caller: &Caller) -> Result<u64> {
        let now = self.now();
        Ok(self.store.write(|tx| job::revive(tx, &caller.project, now))?)
    }

    fn carry_out(&self, job: &Job) -> Result<Next> {
        let actor = Actor { kind: ActorKind::Agent, name: "throughline".to_owned() };
        let caller = Caller { project: job.project.clone(), actor };
        match job.kind.as_str() {
            CLOSE_IDLE_SESSION => close_idle_session::run(self, &caller, job),
            COMPACT_SESSION => compact_session::run(self, &caller, job),
            events::KIND => events::run(self, &caller),
            merge::KIND => merge::run(self, &caller, job),
            code::KIND => code::run(self, &caller),
            embed::KIND => embed::run(self, &caller, job),
            renew::KIND => renew::run(self, &caller, job),
            generate::KIND => generate::run(self, &caller, job),
            files::KIND => files::run(self, &caller, job),
            tend::KIND => tend::run(self, &caller),
            other => Err(Error::Invalid(format!(
                "this throughline knows no job of kind {other:?}; install the newer one"
            ))),
        }
    }

    /// Why a leased job must not be started.
    fn refusal(&self, job: &Job, now: Timestamp) -> Option<String> {
        if job.deadline.is_some_and(|deadline| deadline < now) {
            return Some("its deadline passed before a worker was free".to_owned());
        }
        let worn_out = job.attempts > self.settings.jobs.max_attempts;
        worn_out.then(|| "its workers died or failed too often".to_owned())
    }

    fn finished(&self, job: &Job) -> Result<Outcome> {
        let ours = self.store.write(|tx| job::complete(tx, job))?;
        Ok(if ours { Outcome::Done } else { Outcome::Lost })
    }

    fn postponed(&self, job: &Job, at: Timestamp) -> Result<Outcome> {
        let ours = self.store.write(|tx| job::postpone(tx, job, at))?;
        Ok(if ours { Outcome::Postponed(at) } else { Outcome::Lost })
    }

    fn failed(&self, job: &Job, error: &Error) -> Result<Outcome> {
        let error = error.to_string();
        if job.attempts >= self.settings.jobs.max_attempts {
            return self.bury(job, error);
        }
        let again_at = self.now().plus(self.backoff(job.attempts));
        let ours = self.store.write(|tx| job::retry(tx, job, &error, again_at))?;
        Ok(if ours { Outcome::Failed { error, again_at } } else { Outcome::Lost })
    }

    fn bury(&self, job: &Job, error: String) -> Result<Outcome> {
        tracing::warn!(job.kind = %job.kind, job.key = %job.key, error, "job given up");
        let ours = self.store.write(|tx| job::bury(tx, job, &error))?;
        Ok(if ours { Outcome::Dead { error } } else { Outcome::Lost })
    }

    /// Doubles with each attempt; half of it is chance, so that jobs that failed together do not return together.
    fn backoff(&self, attempts: i64) -> Duration {
        let doublings = u32::try_from(attempts - 1).unwrap_or(0).min(20);
        let full = self.settings.jobs.first_backoff.saturating_mul(1 << doublings).min(LONGEST_BACKOFF);
        let half = full / 2;
        half + Duration::from_millis(self.ids.below(half.as_millis() as u64 + 1))
    }
}

#[cfg(test)]
mod tests;
