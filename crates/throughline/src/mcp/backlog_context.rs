//! `backlog_context`: everything that matters for an item, inside a token budget.

use std::collections::BTreeMap;

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use throughline_engine::hydrate::{Depth, Focus, Include, Limits, MaxTokens, Rendering as _, Request};

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::context::{Context, Format};
use crate::wire::error::Usage;

pub(super) const TOOL: Tool = Tool {
    name: "backlog_context",
    description: "Context of a task before working on it, in one call: tree, dependencies and blockers, references, \
                  related items, memories, decisions, last session. By task_id or query.",
    effect: Effect::Reads,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Context>(&[]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// TASK-0042
    task_id: Option<String>,
    query: Option<String>,
    /// 1 to 3
    #[serde(default = "one")]
    depth: u64,
    /// 500 to 32000
    #[serde(default = "four_thousand")]
    max_tokens: u64,
    #[serde(default = "yes")]
    include_related: bool,
    #[serde(default = "yes")]
    include_activity: bool,
    #[serde(default = "yes")]
    include_session: bool,
    #[serde(default)]
    format: Written,
    /// {"children": 20}
    limits: Option<BTreeMap<String, u64>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Written {
    #[default]
    Json,
    Markdown,
    Tree,
}

fn one() -> u64 {
    1
}

fn four_thousand() -> u64 {
    4000
}

fn yes() -> bool {
    true
}

fn run(call: &Call<'_>, args: Args) -> Result<Json> {
    let format = match args.format {
        Written::Json => Format::Json,
        Written::Markdown => Format::WrappedMarkdown,
        Written::Tree => Format::Tree,
    };
    let answer =
        call.engine.hydrate(&call.reader()?, &Request { files: call.files()?, ..request(args)? }, &format)?;
    Ok(serde_json::from_str(&format.whole(&answer))?)
}

fn request(args: Args) -> Result<Request> {
    let focus = match (args.task_id, args.query) {
        (Some(id), None) => Focus::Id(id),
        (None, Some(query)) => Focus::Query(query),
        _ => return Err(Usage("give either task_id or query".to_owned()).into()),
    };
    let mut limits = Limits::default();
    for (role, limit) in args.limits.into_iter().flatten() {
        limits.set(&role, limit)?;
    }
    Ok(Request {
        depth: Depth::new(args.depth)?,
        max_tokens: MaxTokens::new(args.max_tokens)?,
        related: Include::when(args.include_related),
        activity: Include::when(args.include_activity),
        session: Include::when(args.include_session),
        limits,
        ..Request::about(focus)
    })
}
