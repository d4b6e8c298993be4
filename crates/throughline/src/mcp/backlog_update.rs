//! `backlog_update`: changes an item; also how one is started, blocked and finished.

use anyhow::Result;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde_json::Value as Json;
use throughline_engine::backlog::Patch;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, decoded};
use crate::wire::error::Usage;
use crate::wire::item::{Change, Item};

pub(super) const TOOL: Tool = Tool {
    name: "backlog_update",
    description: "Update a backlog task: status, evidence, blocked_reason, any field. Null clears, arrays replace. On \
                  done give summary and validation.",
    effect: Effect::Adds,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Item>(&["id", "status"]),
    run,
};

/// What the arguments look like; `id` is taken out before the rest is read, for which null means something.
#[derive(Debug, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Args {
    id: String,
    #[serde(flatten)]
    change: Change,
}

fn run(call: &Call<'_>, mut arguments: JsonObject) -> Result<Json> {
    let Some(Json::String(id)) = arguments.remove("id") else {
        return Err(
            Usage("wrong arguments: give the id of the item, for example TASK-0042".to_owned()).into()
        );
    };
    let change: Change = decoded(arguments)?;
    let patch = change.checked().map_err(Usage)?;
    if patch == Patch::default() {
        return Err(Usage(format!("nothing to change in {id}; give the fields that are to be others")).into());
    }
    let entry = call.engine.update_item(&call.writer()?, &id, &patch, &call.during())?;
    Ok(serde_json::to_value(Item::from(entry))?)
}
