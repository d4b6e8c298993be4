//! `context_save`: keeps something in an agent's working set.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::hold::Draft;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::hold::Saved;

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
    /// TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION or another name in capitals
    item_type: String,
    content: String,
    /// 0 to 1; default: the type's
    importance_score: Option<f64>,
    /// The backlog item it is about
    task_id: Option<String>,
    /// The entry whose content it replaces
    replaces: Option<String>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Saved> {
    let draft = Draft {
        entry_type: args.item_type,
        content: args.content,
        importance: args.importance_score,
        item: args.task_id,
        replaces: args.replaces,
    };
    Ok(call.engine.save_entry(&call.writer()?, &call.agent(args.agent_id), &draft)?.into())
}
