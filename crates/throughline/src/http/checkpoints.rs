//! Checkpoints: what sessions and their agents stood at.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::capture::{During, SessionRef};
use throughline_engine::store::checkpoint::{Checkpoint as Record, Cursor, Filter};
use throughline_engine::store::id::CheckpointId;

use super::call::Call;
use super::cursor::{place, written};
use super::operation::{Nothing, Operation, get, post};
use super::within::Limit;
use crate::wire::hold::checkpoint::{Changes, Checkpoint, Restored, Shown};
use crate::wire::page::Page;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/checkpoints", "Checkpoints, the newest first", list),
        post("/api/checkpoints", "Keep what a session and its agent stand at", save),
        get("/api/checkpoints/{id}", "What a checkpoint holds", one),
        get("/api/checkpoints/{id}/diff", "What is different now", diff),
        post("/api/checkpoints/{id}/restore", "Bring the working set and the scratchpad back", restore),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    session: Option<String>,
    agent: Option<String>,
    #[serde(default)]
    limit: Limit,
    cursor: Option<String>,
}

fn list(call: &Call<'_>, asked: Asked) -> Result<Page<Checkpoint>> {
    let caller = call.reader()?;
    let session =
        asked.session.as_deref().map(|name| call.engine.session(&caller, Some(name))).transpose()?;
    let after = asked.cursor.as_deref().map(place).transpose()?;
    let filter = Filter {
        agent: asked.agent,
        session: session.map(|session| session.id),
        after: after.map(|(created_at, position, id)| Cursor {
            created_at,
            position,
            id: CheckpointId::from(id),
        }),
        ..Filter::default()
    };
    let (found, total) = call.engine.checkpoints(&caller, &filter, asked.limit.and_one())?;
    let at = |one: &Record| written(one.created_at, one.position, one.id.as_str());
    Ok(Page::of(found, asked.limit.size(), total, at, Checkpoint::from))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct New {
    title: Option<String>,
    /// Whose working set goes with it
    agent: Option<String>,
    session: Option<String>,
}

fn save(call: &Call<'_>, new: New) -> Result<Checkpoint> {
    let session = new.session.map_or_else(|| call.session(), SessionRef::Named);
    let during = During { session, opening: call.opening() };
    let (agent, title) = (new.agent.as_deref(), new.title.as_deref());
    Ok(call.engine.save_checkpoint(&call.writer()?, agent, title, &during)?.into())
}

fn one(call: &Call<'_>, _: Nothing) -> Result<Shown> {
    Ok(call.engine.checkpoint(&call.reader()?, Some(call.path("id")))?.into())
}

fn diff(call: &Call<'_>, _: Nothing) -> Result<Changes> {
    Ok(call.engine.diff_checkpoint(&call.reader()?, Some(call.path("id")))?.into())
}

fn restore(call: &Call<'_>, _: Nothing) -> Result<Restored> {
    Ok(call.engine.restore_checkpoint(&call.reader()?, Some(call.path("id")), &call.during())?.into())
}
