//! `orient`: where the project stands, for a session that begins.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::orient::Request;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::error::Usage;
use crate::wire::orient::Orient;

pub(super) const TOOL: Tool = Tool {
    name: "orient",
    description: "Start here: where the project stands. What it is, how to build and test it, tasks, rules, decisions, \
                  last session.",
    effect: Effect::Reads,
    loading: Loading::Always,
    input: schema::input::<Args>,
    output: || schema::output::<Orient>(&["project"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Item id
    focus: Option<String>,
    #[serde(default = "eight_hundred")]
    max_tokens: u64,
}

fn eight_hundred() -> u64 {
    800
}

fn run(call: &Call<'_>, args: Args) -> Result<Orient> {
    if !(200..=32_000).contains(&args.max_tokens) {
        return Err(Usage(format!("max_tokens {} is not between 200 and 32000", args.max_tokens)).into());
    }
    let caller = call.reader()?;
    let write = |orientation: &_| {
        serde_json::to_string(&Orient::from(orientation)).expect("our shapes are valid JSON")
    };
    let request = Request {
        focus: args.focus.as_deref(),
        max_tokens: args.max_tokens,
        folder: call.door.own_folder(call.engine)?,
        asking: Some(&call.session()),
    };
    let orientation = call.engine.orient(&caller, request, &write)?;
    Ok(Orient::from(&orientation))
}
