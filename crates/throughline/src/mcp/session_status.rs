//! `session_status`: how a session stands.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::session::Status;

pub(super) const TOOL: Tool = Tool {
    name: "session_status",
    description: "How a session stands: state, duration, events, tokens, scratchpad, settings.",
    effect: Effect::Reads,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Status>(&["id", "state", "scratchpad"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Default: your own
    session_id: Option<String>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Status> {
    let caller = call.reader()?;
    let name = call.session_name(&caller, args.session_id)?;
    Ok(call.engine.session_status(&caller, name.as_deref(), &call.door.folder)?.into())
}
