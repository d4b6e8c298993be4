//! `backlog_list`: items in short, what changed last first, or the best for a query.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::backlog::Query;
use throughline_engine::store::id::ItemId;
use throughline_engine::store::item::{Filter, Status, Type};

use super::call::Call;
use super::limit::Limit;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::closed::One;
use crate::wire::error::Usage;
use crate::wire::item::{Listed, cursor};

pub(super) const TOOL: Tool = Tool {
    name: "backlog_list",
    description: "List backlog tasks, epics and other items: filter by status, type, parent or query. Answers stubs and \
                  the true total.",
    effect: Effect::Reads,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Listed>(&["tasks", "total"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    #[serde(default)]
    status: Vec<One<Status>>,
    #[serde(rename = "type")]
    item_type: Option<One<Type>>,
    parent_id: Option<String>,
    query: Option<String>,
    #[serde(default)]
    limit: Limit<20>,
    cursor: Option<String>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Listed> {
    let query = Query {
        filter: Filter {
            statuses: args.status.into_iter().map(|One(status)| status).collect(),
            item_type: args.item_type.map(|One(item_type)| item_type),
            parent: args.parent_id.map(|id| ItemId::from(id.to_uppercase())),
            after: args.cursor.as_deref().map(cursor).transpose().map_err(Usage)?,
            ..Filter::default()
        },
        text: args.query,
    };
    Ok(Listed::from(call.engine.items(&call.reader()?, &query, args.limit.get())?))
}
