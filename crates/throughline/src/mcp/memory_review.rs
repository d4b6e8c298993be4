//! `memory_review`: memories that wait for somebody's word, and that word.

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, to_value};
use throughline_engine::remember::Word;

use super::call::Call;
use super::limit::Limit;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::error::Usage;
use crate::wire::review::{Queue, Review};

pub(super) const TOOL: Tool = Tool {
    name: "memory_review",
    description: "Memories in quarantine with why; approve or reject them for the person who asked for it.",
    effect: Effect::Removes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Review>(&[]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    #[serde(default)]
    action: Asked,
    #[serde(default)]
    ids: Vec<String>,
    reason: Option<String>,
    #[serde(default)]
    limit: Limit<20>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Asked {
    #[default]
    List,
    Approve,
    Reject,
}

fn run(call: &Call<'_>, args: Args) -> Result<Json> {
    let caller = call.reader()?;
    let word = match args.action {
        Asked::List => {
            let limit = i64::try_from(args.limit.get()).unwrap_or(i64::MAX);
            let queue = call.engine.review_queue(&caller, limit)?;
            return Ok(to_value(Queue::at(queue, call.engine.now()))?);
        }
        Asked::Approve => Word::Approve,
        Asked::Reject => Word::Reject,
    };
    if args.ids.is_empty() {
        return Err(Usage("name the memories in ids; the action list shows them".to_owned()).into());
    }
    let reviewed = call.engine.review(&caller, &args.ids, word, args.reason.as_deref(), &call.during())?;
    Ok(to_value(Review::from(reviewed))?)
}
