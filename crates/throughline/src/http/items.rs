//! The backlog.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use throughline_engine::backlog::Query;
use throughline_engine::store::event::Filter as EventFilter;
use throughline_engine::store::id::ItemId;
use throughline_engine::store::item::{Filter, Level, Priority, Status, Type};

use super::call::Call;
use super::events;
use super::operation::{Nothing, Operation, delete, get, patch, post};
use super::within::{Limit, Paged};
use crate::wire::closed::One;
use crate::wire::error::Usage;
use crate::wire::event::Event;
use crate::wire::item::{Blocking, Change, Deleted, Item, Listed, New, Stub, cursor};
use crate::wire::page::Page;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/items", "Items in short: what changed last first, or the best for a query", list),
        with_words(post("/api/items", "Add an item", create)),
        get("/api/items/{id}", "An item in full", one),
        with_words(patch("/api/items/{id}", "Change an item: null clears, lists replace", change)),
        delete("/api/items/{id}", "Take an item out; what is below it moves up", remove),
        get("/api/items/{id}/timeline", "What happened to an item, the newest first", timeline),
        get(
            "/api/items/{id}/blocking",
            "Everything unfinished that it waits for, the nearest first",
            blocking,
        ),
    ]
}

/// Other tools number priorities, and references may have a title.
fn with_words(operation: Operation) -> Operation {
    let words: Vec<&str> = Priority::ALL.iter().map(|priority| priority.as_str()).collect();
    let priority = json!({ "anyOf": [
        { "type": "string", "enum": words },
        { "type": "integer", "minimum": 0, "maximum": 4 },
        { "type": "null" },
    ] });
    let titled = json!({
        "type": "object",
        "properties": { "url": { "type": "string" }, "title": { "type": ["string", "null"] } },
        "required": ["url"],
        "additionalProperties": false,
    });
    let references = json!({
        "type": ["array", "null"],
        "items": { "anyOf": [{ "type": "string" }, titled] },
    });
    operation.takes("priority", priority).takes("references", references)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    #[serde(default)]
    status: Vec<One<Status>>,
    #[serde(rename = "type")]
    item_type: Option<One<Type>>,
    /// An id, or `root` for what is below nothing
    parent: Option<String>,
    query: Option<String>,
    #[serde(default)]
    limit: Limit,
    cursor: Option<String>,
}

fn list(call: &Call<'_>, asked: Asked) -> Result<Page<Stub>> {
    let is_top = asked.parent.as_deref() == Some("root");
    let query = Query {
        filter: Filter {
            statuses: asked.status.into_iter().map(|One(status)| status).collect(),
            item_type: asked.item_type.map(|One(item_type)| item_type),
            parent: asked.parent.filter(|_| !is_top).map(|id| ItemId::from(id.to_uppercase())),
            level: if is_top { Level::Top } else { Level::Any },
            after: asked.cursor.as_deref().map(cursor).transpose().map_err(Usage)?,
            ..Filter::default()
        },
        text: asked.query,
    };
    let listed = Listed::from(call.engine.items(&call.reader()?, &query, asked.limit.size())?);
    Ok(Page { items: listed.tasks, next: listed.cursor, total: listed.total })
}

fn create(call: &Call<'_>, new: New) -> Result<Item> {
    let new = new.checked().map_err(Usage)?;
    Ok(call.engine.create_item(&call.writer()?, new, &call.during())?.into())
}

fn one(call: &Call<'_>, _: Nothing) -> Result<Item> {
    Ok(call.engine.item(&call.reader()?, call.path("id"))?.into())
}

fn change(call: &Call<'_>, change: Change) -> Result<Item> {
    let patch = change.checked().map_err(Usage)?;
    Ok(call.engine.update_item(&call.writer()?, call.path("id"), &patch, &call.during())?.into())
}

fn remove(call: &Call<'_>, _: Nothing) -> Result<Deleted> {
    Ok(call.engine.delete_item(&call.writer()?, call.path("id"), &call.during())?.into())
}

fn timeline(call: &Call<'_>, asked: Paged) -> Result<Page<Event>> {
    let entry = call.engine.item(&call.reader()?, call.path("id"))?;
    let filter = EventFilter { item: Some(entry.item.id.to_string()), ..EventFilter::default() };
    events::page(call, filter, (asked.cursor, asked.limit))
}

fn blocking(call: &Call<'_>, _: Nothing) -> Result<Page<Blocking>> {
    let found = call.engine.blocking(&call.reader()?, call.path("id"))?;
    let items: Vec<Blocking> = found.into_iter().map(Blocking::from).collect();
    Ok(Page { total: i64::try_from(items.len())?, items, next: None })
}
