//! Documents kept beside the backlog. They are in the database; no file is ever read for them.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::backlog::Uri;
use throughline_engine::store::resource::{Cursor, Resource as Record};

use super::call::Call;
use super::cursor::{place, written};
use super::operation::{Nothing, Operation, get, post};
use super::within::Limit;
use crate::wire::error::Usage;
use crate::wire::page::Page;
use crate::wire::resource::{Operation as Edit, Resource, Stub, Written};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/resources", "Documents, what was written last first", list),
        post("/api/resources", "Write a document, whole or in one place", write),
        get("/api/resources/{path}", "A document by its path, which may have slashes", one),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    #[serde(default)]
    limit: Limit,
    cursor: Option<String>,
}

fn list(call: &Call<'_>, asked: Asked) -> Result<Page<Stub>> {
    let after = asked.cursor.as_deref().map(place).transpose()?;
    let after = after.map(|(updated_at, number, _)| Cursor { updated_at, number });
    let (found, total) = call.engine.resources_after(&call.reader()?, after, asked.limit.and_one())?;
    let at = |one: &Record| written(one.updated_at, one.number, "");
    Ok(Page::of(found, asked.limit.size(), total, at, Stub::from))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Edited {
    /// throughline://resource/TASK-0042/plan.md
    uri: String,
    operation: Edit,
}

fn write(call: &Call<'_>, edited: Edited) -> Result<Written> {
    let edit = edited.operation.checked().map_err(Usage)?;
    Ok(call.engine.write_resource(&call.writer()?, &edited.uri, &edit, &call.during())?.into())
}

fn one(call: &Call<'_>, _: Nothing) -> Result<Resource> {
    let uri = Uri::of_resource(call.path("path"));
    Ok(call.engine.resource(&call.reader()?, &uri)?.into())
}
