//! `backlog_delete`: takes an item out of the backlog.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::item::Deleted;

pub(super) const TOOL: Tool = Tool {
    name: "backlog_delete",
    description: "Delete a backlog task or item; what is below it moves up. To finish or drop work, update its status.",
    effect: Effect::Removes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Deleted>(&["id"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    id: String,
}

fn run(call: &Call<'_>, args: Args) -> Result<Deleted> {
    Ok(Deleted::from(call.engine.delete_item(&call.writer()?, &args.id, &call.during())?))
}
