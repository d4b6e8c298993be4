//! `throughline jobs …`: background work, seen and done by hand.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Subcommand;
use serde::Serialize;
use serde_json::json;

use super::app::App;
use super::output::table;
use crate::hooks::take_up_all;
use crate::wire::job::{Job, Run};
use crate::wire::time::readable;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// The jobs of this project, the next one first
    List {
        /// How many at most
        #[arg(short = 'n', long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Carry out every job that is due, of all projects
    Run {
        /// Go on and wait for more
        #[arg(long)]
        watch: bool,
    },
    /// Give this project's dead jobs another life
    Retry,
}

#[derive(Serialize)]
struct Jobs {
    jobs: Vec<Job>,
}

#[derive(Serialize)]
struct Runs {
    runs: Vec<Run>,
}

const POLL: Duration = Duration::from_secs(1);

pub(super) fn run(command: &Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::List { limit } => list(*limit, app),
        Command::Run { watch } => work(*watch, app),
        Command::Retry => retry(app),
    }
}

fn list(limit: u32, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let jobs = engine.jobs(&app.reader(engine)?, limit.into())?.into_iter().map(Job::from).collect();
    app.output.show(&Jobs { jobs }, |answer| {
        if answer.jobs.is_empty() {
            return "no jobs".to_owned();
        }
        let row = |job: &Job| {
            let error = job.error.clone().unwrap_or_default();
            let attempts = job.attempts.to_string();
            vec![
                job.kind.clone(),
                job.key.clone(),
                job.state.clone(),
                attempts,
                readable(job.run_at.0),
                error,
            ]
        };
        table(&["kind", "key", "state", "attempts", "next run (utc)", "error"], answer.jobs.iter().map(row))
    });
    Ok(ExitCode::SUCCESS)
}

fn work(watch: bool, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    take_up_all(&app.config, engine, "jobs");
    let worker = format!("{}:{}", app.config.actor, std::process::id());
    let mut runs = Vec::new();
    loop {
        match engine.work_one(&worker)? {
            Some(run) if watch => app.output.line(&Run::from(run), sentence),
            Some(run) => runs.push(Run::from(run)),
            None if watch => std::thread::sleep(POLL),
            None => break,
        }
    }
    let all_well = runs.iter().all(|run| run.went_well);
    app.output.show(&Runs { runs }, |answer| {
        let lines: Vec<String> = answer.runs.iter().map(sentence).collect();
        if lines.is_empty() { "nothing is due".to_owned() } else { lines.join("\n") }
    });
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn sentence(run: &Run) -> String {
    format!("{} {}: {}", run.kind, run.key, run.outcome)
}

fn retry(app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let revived = engine.revive_jobs(&app.reader(engine)?)?;
    app.output.show(&json!({ "revived": revived }), |_| format!("{revived} dead jobs will run again"));
    Ok(ExitCode::SUCCESS)
}
