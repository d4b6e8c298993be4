//! The model that helps in JSON: which one, its budget, what it was asked for and what went wrong.

use serde::Serialize;
use throughline_engine::ask::{ModelStatus as EngineStatus, Tested as EngineTested};
use throughline_engine::store::model_call::{ModelCall, Tally};

use super::time::Moment;

#[derive(Debug, Serialize)]
pub(crate) struct Status {
    /// `none`, `anthropic`, `openai`, `command` or `client`.
    pub(crate) provider: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// Why it cannot be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    pub(crate) budget: Budget,
    pub(crate) today: Vec<Calls>,
    /// How often today the built-in way took over.
    pub(crate) fallbacks: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rests_until: Option<Moment>,
    pub(crate) answers_kept: i64,
    pub(crate) failures: Vec<Failure>,
}

/// In tokens, of this project, for a day in UTC.
#[derive(Debug, Serialize)]
pub(crate) struct Budget {
    pub(crate) daily: i64,
    pub(crate) spent: i64,
    pub(crate) left: i64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Calls {
    pub(crate) purpose: String,
    pub(crate) outcome: String,
    pub(crate) calls: i64,
    pub(crate) tokens_in: i64,
    pub(crate) tokens_out: i64,
    pub(crate) cost: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    pub(crate) at: Moment,
    pub(crate) purpose: String,
    pub(crate) outcome: String,
    pub(crate) detail: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Tested {
    pub(crate) model: String,
    pub(crate) duration_ms: i64,
    pub(crate) tokens_in: i64,
    pub(crate) tokens_out: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cost: Option<f64>,
}

impl From<EngineStatus> for Status {
    fn from(status: EngineStatus) -> Status {
        Status {
            provider: status.provider,
            model: status.model,
            problem: status.problem,
            budget: Budget {
                daily: status.daily_tokens,
                spent: status.spent_tokens,
                left: (status.daily_tokens - status.spent_tokens).max(0),
            },
            today: status.today.into_iter().map(Calls::from).collect(),
            fallbacks: status.fallbacks,
            rests_until: status.rests_until.map(Moment),
            answers_kept: status.answers_kept,
            failures: status.failures.into_iter().map(Failure::from).collect(),
        }
    }
}

impl From<Tally> for Calls {
    fn from(tally: Tally) -> Calls {
        Calls {
            purpose: tally.purpose.to_string(),
            outcome: tally.outcome.to_string(),
            calls: tally.calls,
            tokens_in: tally.tokens_in,
            tokens_out: tally.tokens_out,
            cost: tally.cost,
        }
    }
}

impl From<ModelCall> for Failure {
    fn from(call: ModelCall) -> Failure {
        Failure {
            at: Moment(call.asked_at),
            purpose: call.purpose.to_string(),
            outcome: call.outcome.to_string(),
            detail: call.detail.unwrap_or_default(),
        }
    }
}

impl From<EngineTested> for Tested {
    fn from(tested: EngineTested) -> Tested {
        Tested {
            model: tested.model,
            duration_ms: tested.call.duration_micros / 1000,
            tokens_in: tested.call.tokens_in,
            tokens_out: tested.call.tokens_out,
            cost: tested.call.cost,
        }
    }
}
