//! `reconstruct_session`: what an earlier session did, told again.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::reconstruct::{Include, Request, Which};

use super::call::Call;
use super::limit::Limit;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::reconstruct::Reconstruction;

pub(super) const TOOL: Tool = Tool {
    name: "reconstruct_session",
    description: "What an earlier session did, decided and left open, to take up its work.",
    effect: Effect::Reads,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Reconstruction>(&["narrative"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    session_id: Option<String>,
    task_description: Option<String>,
    #[serde(default = "yes")]
    include_decisions: bool,
    #[serde(default = "yes")]
    include_reads: bool,
    #[serde(default)]
    include_writes: bool,
    #[serde(default)]
    max_operations: Limit<50>,
}

fn yes() -> bool {
    true
}

fn run(call: &Call<'_>, args: Args) -> Result<Reconstruction> {
    let request = Request {
        which: match (args.session_id, args.task_description) {
            (None, Some(description)) => Which::About(description),
            (name, _) => Which::Session(name),
        },
        include: Include {
            decisions: args.include_decisions,
            reads: args.include_reads,
            writes: args.include_writes,
        },
        max_operations: args.max_operations.get(),
        asking: Some(call.session()),
    };
    told(call, &request)
}

/// A reconstruction that fits when it is written as JSON.
pub(super) fn told(call: &Call<'_>, request: &Request) -> Result<Reconstruction> {
    let write =
        |told: &_| serde_json::to_string(&Reconstruction::from(told)).expect("our shapes are valid JSON");
    Ok(Reconstruction::from(&call.engine.reconstruct(&call.reader()?, request, &write)?))
}
