//! `context_load`: what an agent holds, by tier or by id.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::hold::Wanted;
use throughline_engine::store::context_entry::Tier;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::closed::One;
use crate::wire::hold::Loaded;

pub(super) const TOOL: Tool = Tool {
    name: "context_load",
    description: "Load your working set: HOT, or another tier, or entries by id, which counts as use and lifts them.",
    effect: Effect::Changes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Loaded>(&["items", "tokens"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Default: you
    agent_id: Option<String>,
    /// Default: HOT; COLD has what was archived as well
    tier: Option<One<Tier>>,
    #[serde(default)]
    ids: Vec<String>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Loaded> {
    let wanted = if args.ids.is_empty() {
        Wanted::Tier(args.tier.map_or(Tier::Hot, |One(tier)| tier))
    } else {
        Wanted::Ids(args.ids)
    };
    Ok(call.engine.load_entries(&call.reader()?, &call.agent(args.agent_id), &wanted)?.into())
}
