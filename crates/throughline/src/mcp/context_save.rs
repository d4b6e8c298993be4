//! `context_save`: keeps something in an agent's working set.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::hold::Saved;
use crate::wire::to_keep::ToKeep;

pub(super) const TOOL: Tool = Tool {
    name: "context_save",
    description: "Keep something in your working set, where it is HOT, WARM or COLD by what it is, its age and use.",
    effect: Effect::Changes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Saved>(&["item_id", "tier"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Default: you
    agent_id: Option<String>,
    #[serde(flatten)]
    entry: ToKeep,
}

fn run(call: &Call<'_>, args: Args) -> Result<Saved> {
    Ok(call.engine.save_entry(&call.writer()?, &call.agent(args.agent_id), &args.entry.into())?.into())
}
