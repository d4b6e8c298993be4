//! `record_decision`: what was chosen about a subject, why, and instead of what.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::remember::{Decision, USUAL_CONFIDENCE};

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::decision::{Decided, affected};

pub(super) const TOOL: Tool = Tool {
    name: "record_decision",
    description: "Record a decision and why; it replaces the last one on its subject.",
    effect: Effect::Adds,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Decided>(&["id", "action"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    subject: String,
    choice: String,
    rationale: String,
    #[serde(default)]
    alternatives_considered: Vec<String>,
    #[serde(default = "usual")]
    confidence: f64,
    /// Ids; -ID: contradicts it
    #[serde(default)]
    affects_beliefs: Vec<String>,
}

fn usual() -> f64 {
    USUAL_CONFIDENCE
}

fn run(call: &Call<'_>, args: Args) -> Result<Decided> {
    let decision = Decision {
        subject: args.subject,
        choice: args.choice,
        rationale: args.rationale,
        alternatives: args.alternatives_considered,
        confidence: args.confidence,
        affects: args.affects_beliefs.iter().map(|name| affected(name)).collect(),
        during: call.during(),
    };
    Ok(call.engine.decide(&call.writer()?, decision)?.into())
}
