//! `write_resource`: writes a document beside the backlog, whole or in one place.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::error::Usage;
use crate::wire::resource::{Operation, Written};

pub(super) const TOOL: Tool = Tool {
    name: "write_resource",
    description: "Write a document kept beside the backlog (plan, design, notes). A path with an item's id in it belongs \
                  to that item.",
    effect: Effect::Changes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Written>(&["uri"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// throughline://resource/TASK-0042/plan.md
    uri: String,
    operation: Operation,
}

fn run(call: &Call<'_>, args: Args) -> Result<Written> {
    let edit = args.operation.checked().map_err(Usage)?;
    let written = call.engine.write_resource(&call.writer()?, &args.uri, &edit, &call.during())?;
    Ok(Written::from(written))
}
