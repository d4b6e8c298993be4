//! How the index of the code stands: what is in it, how old it is, how much of it is out of date, what it costs and what
//! it is worth.

use std::path::Path;

use throughline_code::walk::Stamp;
use throughline_store::code_index::{self, CodeIndex};
use throughline_store::file::{self, Count, File};
use throughline_store::job::{self, Job, State};
use throughline_store::time::Timestamp;
use throughline_store::{Connection, item};

use super::job::KIND;
use super::write::FILE;
use crate::{Caller, Engine, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Health {
    pub index: CodeIndex,
    pub count: Count,
    /// The job that keeps it up, while there is one.
    pub job: Option<Job>,
    pub queue: Queue,
    /// Known files that are gone or have changed since, of those that were looked at.
    pub stale: usize,
    pub examined: usize,
}

/// The project's jobs: those that wait and how long the first of them has, those at work, and those given up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Queue {
    pub waiting: usize,
    pub running: usize,
    /// Of those that wait, the ones that have failed before.
    pub failing: usize,
    pub dead: usize,
    /// When the job was due that has waited longest; nothing when none is due.
    pub due_since: Option<Timestamp>,
}

/// So many files are looked at to tell how many are out of date.
const EXAMINED: i64 = 500;
const JOBS: i64 = 200;

impl Engine {
    /// Nothing where nobody has asked for an index yet.
    pub fn code_health(&self, caller: &Caller) -> Result<Option<Health>> {
        let now = self.now();
        let read = self.store.read(|conn| {
            let Some(index) = code_index::get(conn, &caller.project)? else { return Ok(None) };
            let jobs = job::list(conn, &caller.project, JOBS)?;
            let count = file::count(conn, &caller.project)?;
            let queue = Queue::of(&jobs, now);
            let job = jobs.into_iter().find(|job| job.kind == KIND);
            let files = sample(conn, caller)?;
            Ok::<_, crate::Error>(Some((Health { index, count, job, queue, stale: 0, examined: 0 }, files)))
        })?;
        let Some((mut health, files)) = read else { return Ok(None) };
        if health.index.machine == crate::project::machine() {
            health.examined = files.len();
            health.stale = files.iter().filter(|file| is_stale(Path::new(&health.index.root), file)).count();
        }
        Ok(Some(health))
    }
}

impl Health {
    /// The share of files that changed since they were indexed.
    pub fn stale_ratio(&self) -> f64 {
        share(self.stale as i64, self.examined as i64)
    }

    /// The share of searches that found something.
    pub fn hit_rate(&self) -> f64 {
        share(self.index.counts.answered, self.index.counts.searches)
    }

    /// The share of searches that had to do without an index.
    pub fn fallback_rate(&self) -> f64 {
        share(self.index.counts.fallbacks, self.index.counts.searches)
    }

    /// The share of results whose file had changed or was gone.
    pub fn stale_results(&self) -> f64 {
        let counts = self.index.counts;
        share(counts.stale, counts.shown + counts.stale)
    }

    /// What a run takes, in microseconds.
    pub fn mean_run_us(&self) -> i64 {
        self.index.runs.total_us.checked_div(self.index.runs.count).unwrap_or(0)
    }
}

impl Queue {
    fn of(jobs: &[Job], now: Timestamp) -> Queue {
        let mut queue = Queue::default();
        for job in jobs {
            match job.state {
                State::Ready => {
                    queue.waiting += 1;
                    queue.failing += usize::from(job.attempts > 0);
                    if job.run_at <= now {
                        queue.due_since = Some(queue.due_since.map_or(job.run_at, |at| at.min(job.run_at)));
                    }
                }
                State::Running => queue.running += 1,
                State::Dead => queue.dead += 1,
            }
        }
        queue
    }
}

fn share(part: i64, of: i64) -> f64 {
    if of > 0 { part as f64 / of as f64 } else { 0.0 }
}

/// From all over the project.
fn sample(conn: &mut dyn Connection, caller: &Caller) -> Result<Vec<File>> {
    let last = item::last_number(conn, &caller.project, FILE)?;
    let step = usize::try_from(last / EXAMINED).unwrap_or(0) + 1;
    let numbers: Vec<i64> = (1..=last).step_by(step).collect();
    Ok(file::of_numbers(conn, &caller.project, &numbers)?)
}

fn is_stale(root: &Path, file: &File) -> bool {
    let stamp = std::fs::symlink_metadata(root.join(&file.path)).ok().filter(std::fs::Metadata::is_file);
    stamp
        .map(|metadata| Stamp::of(&metadata))
        .is_none_or(|stamp| i64::try_from(stamp.bytes) != Ok(file.bytes) || stamp.modified != file.modified)
}
