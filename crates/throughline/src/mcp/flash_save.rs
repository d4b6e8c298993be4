//! `flash_save`: the working set into a checkpoint, and on with what is HOT.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::hold::Flashed;

pub(super) const TOOL: Tool = Tool {
    name: "flash_save",
    description: "Before your context runs out: checkpoint your working set, archive COLD, and go on with HOT, which \
                  it returns. `checkpoint` restores it.",
    effect: Effect::Changes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Flashed>(&["checkpoint_id", "items_archived", "hot_items_retained"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Default: you
    agent_id: Option<String>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Flashed> {
    Ok(call.engine.flash_save(&call.writer()?, &call.agent(args.agent_id), &call.during())?.into())
}
