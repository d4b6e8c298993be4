//! `remember`: a statement becomes a memory that is found from now on.

use anyhow::{Result, anyhow};
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::remember::{Statement, cited_in};
use throughline_engine::store::memory::{Kind, Scope};

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::closed::One;
use crate::wire::memory::Remembered;
use crate::wire::time::Asked;

pub(super) const TOOL: Tool = Tool {
    name: "remember",
    description: "Remember a fact, preference, rule, decision or lesson for later sessions: save it to memory. One \
                  statement each, understandable alone.",
    effect: Effect::Adds,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Remembered>(&["id", "action"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    content: String,
    title: Option<String>,
    #[serde(default = "fact")]
    kind: One<Kind>,
    #[serde(default = "app")]
    scope: One<Scope>,
    #[serde(default)]
    tags: Vec<String>,
    /// 0 to 1
    importance: Option<f64>,
    /// What this is the value of; replaces its last one
    state_key: Option<String>,
    /// Memory id
    supersedes: Option<String>,
    /// 2026-11-15, or 3d
    expires_at: Option<Asked>,
}

fn fact() -> One<Kind> {
    One(Kind::Fact)
}

fn app() -> One<Scope> {
    One(Scope::App)
}

fn run(call: &Call<'_>, args: Args) -> Result<Remembered> {
    let caller = call.writer()?;
    let now = call.engine.now();
    let folder = call.door.own_folder(call.engine)?;
    let statement = Statement {
        title: args.title,
        kind: args.kind.0,
        scope: args.scope.0,
        tags: args.tags,
        importance: args.importance,
        state_key: args.state_key,
        supersedes: args.supersedes,
        expires_at: args.expires_at.map(|asked| asked.ahead(now)),
        cites: folder.map(|folder| cited_in(&folder.root, &args.content)).unwrap_or_default(),
        session: call.session(),
        opening: call.opening(),
        ..Statement::of(args.content)
    };
    let remembered = call.engine.remember(&caller, vec![statement])?;
    let remembered = remembered.into_iter().next().ok_or_else(|| anyhow!("nothing was remembered"))?;
    Ok(Remembered::from(remembered))
}
