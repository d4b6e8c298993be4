//! `context_diff`: what changed of the HOT entries since the agent looked last.

use std::collections::BTreeMap;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::hold::Known;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::hold::Diff;

pub(super) const TOOL: Tool = Tool {
    name: "context_diff",
    description: "What was added, changed or removed in your HOT working set since you loaded it.",
    effect: Effect::Changes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Diff>(&["added", "changed", "removed"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Default: you
    agent_id: Option<String>,
    /// What you have: ids with their hashes; default: what was given last
    known: Option<BTreeMap<String, String>>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Diff> {
    let known = args.known.map_or(Known::GivenLast, Known::Said);
    Ok(call.engine.diff_entries(&call.reader()?, &call.agent(args.agent_id), &known)?.into())
}
