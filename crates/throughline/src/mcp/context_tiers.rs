//! `context_tiers`: recomputes the tiers of a working set; entries can be put aside or deleted with it.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::hold::Removal;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::hold::Tiers;

pub(super) const TOOL: Tool = Tool {
    name: "context_tiers",
    description: "Recompute the tiers of your working set; archive or delete entries you are done with.",
    effect: Effect::Removes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Tiers>(&["moved", "stats"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Default: you
    agent_id: Option<String>,
    /// Ids to put aside
    #[serde(default)]
    archive: Vec<String>,
    /// Ids to delete
    #[serde(default)]
    delete: Vec<String>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Tiers> {
    let caller = call.reader()?;
    let agent = call.agent(args.agent_id);
    let texts = |ids: Vec<_>| ids.iter().map(ToString::to_string).collect();
    let remove = |names: &[String], removal| call.engine.remove_entries(&caller, &agent, names, removal);
    let archived = texts(remove(&args.archive, Removal::Archive)?);
    let deleted = texts(remove(&args.delete, Removal::Delete)?);
    Ok(Tiers { archived, deleted, ..call.engine.update_tiers(&caller, &agent)?.into() })
}
