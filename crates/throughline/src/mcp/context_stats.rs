//! `context_stats`: how many entries and tokens are in each tier.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::hold::Stats;

pub(super) const TOOL: Tool = Tool {
    name: "context_stats",
    description: "How many entries and tokens your working set has in each tier, and whether a flash save is due.",
    effect: Effect::Reads,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || {
        schema::output::<Stats>(&["total_items", "hot_count", "warm_count", "cold_count", "total_tokens"])
    },
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Default: you
    agent_id: Option<String>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Stats> {
    Ok(call.engine.set_stats(&call.reader()?, &call.agent(args.agent_id))?.into())
}
