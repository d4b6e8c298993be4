//! Whether the server lives, whether it can work, and how its background work stands.

use anyhow::Result;

use super::call::Call;
use super::operation::{Nothing, Operation, get};
use super::within::Paged;
use crate::wire::health::Ready;
use crate::wire::index::Index;
use crate::wire::job::Job;
use crate::wire::page::Page;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/ready", "Whether the database can be reached", ready),
        get("/api/jobs", "Background jobs of the project, the next one first", jobs),
        get("/api/code/status", "How findable things are", index),
    ]
}

fn ready(call: &Call<'_>, _: Nothing) -> Result<Ready> {
    call.engine.job_tally()?;
    Ok(Ready { status: "ready" })
}

/// A project has a few dozen jobs; one that is done is gone.
const MOST: i64 = 10_000;

fn jobs(call: &Call<'_>, asked: Paged) -> Result<Page<Job>> {
    let jobs = call.engine.jobs(&call.reader()?, MOST)?.into_iter().map(Job::from).collect();
    Ok(Page::of_all(jobs, asked.limit.size(), asked.cursor.as_ref(), |job: &Job| {
        format!("{:020} {} {}", job.run_at.0.0, job.kind, job.key)
    }))
}

fn index(call: &Call<'_>, _: Nothing) -> Result<Index> {
    Index::of(call.engine, &call.reader()?)
}
