//! `backlog_get`: items in full.

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use throughline_engine::Error;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::item::Item;
use crate::wire::memory::Missing;

pub(super) const TOOL: Tool = Tool {
    name: "backlog_get",
    description: "Get a backlog task or item in full by id, or several at once.",
    effect: Effect::Reads,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Item>(&[]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// TASK-0042, or a list
    id: OneOrMany,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Serialize)]
struct Several {
    tasks: Vec<Item>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<Missing>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Json> {
    let caller = call.reader()?;
    match args.id {
        OneOrMany::One(id) => Ok(serde_json::to_value(Item::from(call.engine.item(&caller, &id)?))?),
        OneOrMany::Many(ids) => {
            let mut several = Several { tasks: vec![], missing: vec![] };
            for id in ids {
                match call.engine.item(&caller, &id) {
                    Ok(entry) => several.tasks.push(Item::from(entry)),
                    Err(Error::NotFound(why)) => several.missing.push(Missing { id, why }),
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(serde_json::to_value(several)?)
        }
    }
}
