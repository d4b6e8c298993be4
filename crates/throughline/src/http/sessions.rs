//! Sessions: what they did, what they hold, and what their models were told.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use throughline_engine::reconstruct::{Include, Request, Which as Told};
use throughline_engine::session::{Strategy, Update};
use throughline_engine::store::event::{Filter as EventFilter, Kind};
use throughline_engine::store::id::SessionId;
use throughline_engine::store::session::{Cursor, EndReason, Filter, Which};
use throughline_engine::turn::INJECTION_TARGET;

use super::call::Call;
use super::cursor::{number, place, written};
use super::events;
use super::operation::{Nothing, Operation, get, patch, post};
use super::within::{Limit, Paged, Within};
use crate::wire::event::Event;
use crate::wire::hold::checkpoint::Compacted;
use crate::wire::page::Page;
use crate::wire::reconstruct::Reconstruction;
use crate::wire::session::{Listed, Session, SessionState, Status};
use crate::wire::turn::Injection;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/sessions", "Sessions, the newest activity first", list),
        get("/api/sessions/{id}", "A session by its id, the client's own, or the beginning of either", one),
        get("/api/sessions/{id}/events", "What happened in it, the newest first", of_session),
        get("/api/sessions/{id}/state", "Its scratchpad", state),
        patch("/api/sessions/{id}/state", "Change its scratchpad by a merge patch", change_state),
        get("/api/sessions/{id}/reconstruct", "What it did, decided and left open, told again", reconstruct),
        get("/api/sessions/{id}/injections", "What its model was told, the newest first", injections),
        get("/api/sessions/{id}/status", "How it stands", status),
        post("/api/sessions/{id}/compact", "Let a summary stand for its older part", compact),
        post("/api/sessions/{id}/end", "End it and write its summary", end),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// Only those that go on
    #[serde(default)]
    open: bool,
    chatmode: Option<String>,
    #[serde(default)]
    limit: Limit,
    cursor: Option<String>,
}

fn list(call: &Call<'_>, asked: Asked) -> Result<Page<Listed>> {
    let after = asked.cursor.as_deref().map(place).transpose()?.map(|(last_event_at, open, id)| Cursor {
        last_event_at,
        which: if open == 0 { Which::All } else { Which::Open },
        id: SessionId::from(id),
    });
    let which = if asked.open { Which::Open } else { Which::All };
    let filter = Filter { chatmode: asked.chatmode, which, after, ..Filter::default() };
    let found = call.engine.sessions(&call.reader()?, &filter, asked.limit.and_one())?;
    let at = |session: &throughline_engine::store::session::Session| {
        written(session.last_event_at, i64::from(session.ended.is_none()), session.id.as_str())
    };
    Ok(Page::of(found.sessions, asked.limit.size(), found.total, at, |one| Listed::of(one, call.engine)))
}

fn one(call: &Call<'_>, _: Nothing) -> Result<Listed> {
    Ok(Listed::of(call.engine.session(&call.reader()?, Some(call.path("id")))?, call.engine))
}

fn of_session(call: &Call<'_>, asked: Paged) -> Result<Page<Event>> {
    let session = call.engine.session(&call.reader()?, Some(call.path("id")))?;
    let filter = EventFilter { sessions: vec![session.id], ..EventFilter::default() };
    events::page(call, filter, (asked.cursor, asked.limit))
}

fn state(call: &Call<'_>, _: Nothing) -> Result<SessionState> {
    Ok(call.engine.scratchpad(&call.reader()?, Some(call.path("id")))?.into())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StateChange {
    /// Merge patch: null removes
    patch: Map<String, Json>,
    /// Only if the scratchpad is still of this version
    if_version: Option<i64>,
}

fn change_state(call: &Call<'_>, asked: StateChange) -> Result<SessionState> {
    let update = Update { patch: Json::Object(asked.patch), if_version: asked.if_version };
    Ok(call.engine.update_scratchpad(&call.reader()?, Some(call.path("id")), &update)?.into())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Retold {
    #[serde(default = "yes")]
    include_decisions: bool,
    #[serde(default = "yes")]
    include_reads: bool,
    #[serde(default)]
    include_writes: bool,
    #[serde(default)]
    max_operations: Within<1, 1000, 50>,
}

fn yes() -> bool {
    true
}

fn reconstruct(call: &Call<'_>, asked: Retold) -> Result<Reconstruction> {
    let request = Request {
        which: Told::Session(Some(call.path("id").to_owned())),
        include: Include {
            decisions: asked.include_decisions,
            reads: asked.include_reads,
            writes: asked.include_writes,
        },
        max_operations: asked.max_operations.size(),
        asking: None,
    };
    let write =
        |told: &_| serde_json::to_string(&Reconstruction::from(told)).expect("our shapes are valid JSON");
    Ok(Reconstruction::from(&call.engine.reconstruct(&call.reader()?, &request, &write)?))
}

fn injections(call: &Call<'_>, asked: Paged) -> Result<Page<Injection>> {
    let caller = call.reader()?;
    let filter = EventFilter {
        sessions: vec![call.engine.session(&caller, Some(call.path("id")))?.id],
        kinds: vec![Kind::MemoryRecall],
        target: Some(INJECTION_TARGET.to_owned()),
        ..EventFilter::default()
    };
    let before = asked.cursor.as_deref().map(number).transpose()?;
    let found = call.engine.events_before(&caller, &filter, before, asked.limit.and_one())?;
    let place = |event: &throughline_engine::store::event::Event| event.position.to_string();
    Ok(Page::of(found.events, asked.limit.size(), found.total, place, Injection::from))
}

fn status(call: &Call<'_>, _: Nothing) -> Result<Status> {
    let folder = call.own_folder()?.unwrap_or(&call.door.folder);
    Ok(call.engine.session_status(&call.reader()?, Some(call.path("id")), folder)?.into())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Compaction {
    strategy: Option<How>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum How {
    SlidingWindow,
    TokenTruncation,
    RecursiveSummarization,
}

impl From<How> for Strategy {
    fn from(how: How) -> Strategy {
        match how {
            How::SlidingWindow => Strategy::SlidingWindow,
            How::TokenTruncation => Strategy::TokenTruncation,
            How::RecursiveSummarization => Strategy::RecursiveSummarization,
        }
    }
}

fn compact(call: &Call<'_>, asked: Compaction) -> Result<Compacted> {
    let strategy = asked.strategy.map(Strategy::from);
    Ok(call.engine.compact_session(&call.reader()?, Some(call.path("id")), strategy)?.into())
}

fn end(call: &Call<'_>, _: Nothing) -> Result<Session> {
    Ok(call.engine.end_session(&call.reader()?, Some(call.path("id")), EndReason::Request)?.into())
}
