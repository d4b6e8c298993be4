//! Beliefs in JSON, with the steps that made them as sure as they are.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::remember::{Believed, Step as EngineStep};
use throughline_engine::store::time::Timestamp;

use super::memory::{Memory, rounded};
use super::time::Moment;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Belief {
    #[serde(flatten)]
    pub(crate) memory: Memory,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Step {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<Moment>,
    pub(crate) action: String,
    /// What it was worth.
    pub(crate) change: f64,
    /// How sure the belief was after it.
    pub(crate) confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) actor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<String>,
    /// The event that led to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) because_of: Option<String>,
}

impl Belief {
    pub(crate) fn at(believed: Believed, now: Timestamp) -> Belief {
        Belief {
            memory: Memory::at(believed.belief, now),
            steps: believed.steps.into_iter().map(Step::from).collect(),
        }
    }
}

impl From<EngineStep> for Step {
    fn from(step: EngineStep) -> Step {
        // The difference of what is shown, so that the shown steps add up.
        let change = rounded(step.after) - rounded(step.before.unwrap_or(0.0));
        Step {
            at: step.at.map(Moment),
            action: step.action,
            change: rounded(change),
            confidence: rounded(step.after),
            reason: step.reason,
            actor: step.actor.map(|actor| actor.to_string()),
            event_id: step.event.map(|id| id.to_string()),
            session_id: step.session.map(|id| id.to_string()),
            because_of: step.because_of.map(|id| id.to_string()),
        }
    }
}
