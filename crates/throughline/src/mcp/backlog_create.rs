//! `backlog_create`: a new item.

use anyhow::Result;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::error::Usage;
use crate::wire::item::{Item, New};

pub(super) const TOOL: Tool = Tool {
    name: "backlog_create",
    description: "Create a backlog task, epic, milestone, folder or artifact; plan work, track a todo.",
    effect: Effect::Changes,
    loading: Loading::OnDemand,
    input: schema::input::<New>,
    output: || schema::output::<Item>(&["id", "status"]),
    run: |call, arguments| answer(call, arguments, run),
};

fn run(call: &Call<'_>, new: New) -> Result<Item> {
    let new = new.checked().map_err(Usage)?;
    Ok(Item::from(call.engine.create_item(&call.writer()?, new, &call.during())?))
}
