//! A project in numbers, and the server in numbers.

use std::collections::BTreeMap;

use anyhow::Result;
use throughline_engine::store::Location;

use super::call::Call;
use super::operation::{Nothing, Operation, get};
use crate::wire::overview::{Overview, Stats};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/overview", "What the project's agents did and know, in numbers", overview),
        get("/api/stats", "What the database holds, over all projects", stats),
    ]
}

fn overview(call: &Call<'_>, _: Nothing) -> Result<Overview> {
    let caller = call.reader()?;
    let told = call.engine.overview(&caller)?;
    let (jobs, due) = (call.engine.job_tally()?, call.engine.jobs_due()?);
    Ok(Overview::new(told, call.engine.index_standing(&caller)?, (&jobs, &due)))
}

fn stats(call: &Call<'_>, _: Nothing) -> Result<Stats> {
    let only = &call.asked.admitted.project;
    let projects = call.engine.projects()?;
    let seen = projects.iter().filter(|one| only.as_ref().is_none_or(|only| *only == one.project.id));
    let positions: Vec<i64> = seen.map(|one| one.project.last_position).collect();
    let jobs: BTreeMap<String, i64> =
        call.engine.job_tally()?.into_iter().map(|(state, count)| (state.to_string(), count)).collect();
    Ok(Stats {
        version: env!("CARGO_PKG_VERSION"),
        database: match call.engine.store().location() {
            Location::File(_) | Location::Memory => "sqlite",
            Location::Server(_) => "postgres",
        },
        projects: positions.len(),
        events: positions.iter().sum(),
        jobs,
    })
}
