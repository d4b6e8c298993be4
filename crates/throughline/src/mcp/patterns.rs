//! `patterns`: what finished sessions teach, and a person's word on it.

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, to_value};
use throughline_engine::remember::Word;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::error::Usage;
use crate::wire::pattern::{Mined, Patterns};
use crate::wire::review::Review;

pub(super) const TOOL: Tool = Tool {
    name: "patterns",
    description: "What recurs in finished sessions, as suggested beliefs; mine for more, or approve them for the person \
                  who asked for it.",
    effect: Effect::Adds,
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
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Asked {
    #[default]
    List,
    Mine,
    Approve,
}

fn run(call: &Call<'_>, args: Args) -> Result<Json> {
    let caller = call.reader()?;
    match args.action {
        Asked::List => Ok(to_value(Patterns::from(call.engine.patterns(&caller)?))?),
        Asked::Mine => Ok(to_value(Mined::from(call.engine.mine_patterns(&caller, &call.during())?))?),
        Asked::Approve if args.ids.is_empty() => {
            Err(Usage("name the patterns in ids; the action list shows them".to_owned()).into())
        }
        Asked::Approve => {
            let reviewed = call.engine.review(&caller, &args.ids, Word::Approve, None, &call.during())?;
            Ok(to_value(Review::from(reviewed))?)
        }
    }
}
