//! Background jobs in JSON.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::store::job::Job as Record;
use throughline_engine::work::{Outcome, Run as EngineRun};

use super::time::{Moment, readable};

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Job {
    pub(crate) kind: String,
    pub(crate) key: String,
    pub(crate) state: String,
    pub(crate) attempts: i64,
    pub(crate) run_at: Moment,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

impl From<Record> for Job {
    fn from(job: Record) -> Job {
        Job {
            kind: job.kind,
            key: job.key,
            state: job.state.to_string(),
            attempts: job.attempts,
            run_at: Moment(job.run_at),
            error: job.error,
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Run {
    pub(crate) kind: String,
    pub(crate) key: String,
    pub(crate) went_well: bool,
    pub(crate) outcome: String,
}

impl From<EngineRun> for Run {
    fn from(run: EngineRun) -> Run {
        let went_well = match run.outcome {
            Outcome::Done | Outcome::Postponed(_) | Outcome::Lost => true,
            Outcome::Failed { .. } | Outcome::Dead { .. } => false,
        };
        Run { kind: run.job.kind, key: run.job.key, went_well, outcome: outcome(run.outcome) }
    }
}

fn outcome(outcome: Outcome) -> String {
    match outcome {
        Outcome::Done => "done".to_owned(),
        Outcome::Postponed(at) => format!("postponed to {}", readable(at)),
        Outcome::Failed { error, again_at } => format!("failed, again at {}: {error}", readable(again_at)),
        Outcome::Dead { error } => format!("given up: {error}"),
        Outcome::Lost => "lost its lease to another worker".to_owned(),
    }
}
