//! `search`: what the project knows about something, the most useful first.

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_engine::recall::{CodeQuery, Kind, Query};

use super::call::Call;
use super::limit::Limit;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::closed::One;
use crate::wire::recall::{Answer, Detail};
use crate::wire::time::Asked;

pub(super) const TOOL: Tool = Tool {
    name: "search",
    description: "Search project memory: decisions, facts, preferences, earlier sessions, code. Use before work. \
                  `expand` gives full texts.",
    effect: Effect::Reads,
    loading: Loading::Always,
    input: schema::input::<Args>,
    output: || schema::output::<Answer>(&["hits", "total"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    query: String,
    #[serde(default)]
    kinds: Vec<One<Kind>>,
    #[serde(default)]
    tags: Vec<String>,
    /// 2026-11-15, or 3d
    since: Option<Asked>,
    #[serde(default)]
    limit: Limit<10>,
    #[serde(default)]
    detail: Shown,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Shown {
    #[default]
    Concise,
    Full,
}

fn run(call: &Call<'_>, args: Args) -> Result<Answer> {
    let query = Query {
        kinds: args.kinds.into_iter().map(|One(kind)| kind).collect(),
        tags: args.tags,
        since: args.since.map(|asked| asked.resolve(call.engine.now())),
        code: CodeQuery { files: call.files()?, ..CodeQuery::default() },
        ..Query::of(args.query, args.limit.get())
    };
    call.recall(&query, Detail { full: args.detail == Shown::Full, explain: false })
}
