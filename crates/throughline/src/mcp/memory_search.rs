//! `memory_search`: memories alone, by scope, category and tags.

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_engine::recall::{Kind, Query};
use throughline_engine::store::memory::{Kind as Category, Scope};

use super::call::Call;
use super::limit::Limit;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::closed::One;
use crate::wire::recall::{Answer, Detail};

pub(super) const TOOL: Tool = Tool {
    name: "memory_search",
    description: "Search memories alone (facts, preferences, rules, decisions) by scope, category or tag.",
    effect: Effect::Reads,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Answer>(&["hits", "total"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    query: String,
    #[serde(default)]
    scope: Within,
    category: Option<One<Category>>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    limit: Limit<10>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Within {
    User,
    Session,
    App,
    #[default]
    All,
}

impl Within {
    fn scope(self) -> Option<Scope> {
        match self {
            Within::User => Some(Scope::User),
            Within::Session => Some(Scope::Session),
            Within::App => Some(Scope::App),
            Within::All => None,
        }
    }
}

fn run(call: &Call<'_>, args: Args) -> Result<Answer> {
    let query = Query {
        kinds: vec![Kind::Memory],
        memory_kinds: args.category.into_iter().map(|One(category)| category).collect(),
        scope: args.scope.scope(),
        tags: args.tags,
        ..Query::of(args.query, args.limit.get())
    };
    call.recall(&query, Detail { full: false, explain: false })
}
