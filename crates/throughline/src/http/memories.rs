//! Memories: what lasts, where it came from, and what waits for somebody's word.

use anyhow::{Result, anyhow};
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::recall::{Found, Kind as Recalled, Query};
use throughline_engine::remember::{Archiving, FeedbackOutcome, Word};
use throughline_engine::store::memory::{Filter, Kind, Memory as Record, Scope, Status};

use super::call::Call;
use super::cursor::number;
use super::operation::{Nothing, Operation, delete, get, post};
use super::within::{Limit, Paged};
use crate::wire::closed::One;
use crate::wire::history::History;
use crate::wire::memory::{Archived, Forgetting, Judgement, Memory, Remembered, Shown};
use crate::wire::page::Page;
use crate::wire::review::{Review, Waiting};
use crate::wire::statement::Said;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/memories", "Memories, the newest first, or the best for a query", list),
        post("/api/memories", "Remember a statement", remember),
        get("/api/memories/review", "Memories that wait for somebody's word, and why", review),
        post(
            "/api/memories/archive",
            "Put away what was never used and is hardly believed any more",
            archive,
        ),
        get("/api/memories/{id}", "A memory with where it came from", one),
        delete("/api/memories/{id}", "Make a memory be found no more", forget),
        get(
            "/api/memories/{id}/history",
            "What it took the place of, what took its place, and what happened to it",
            history,
        ),
        post("/api/memories/{id}/approve", "Let a memory hold that waits for a word", approve),
        post("/api/memories/{id}/reject", "Turn down a memory that waits for a word", reject),
        post(
            "/api/memories/{id}/archive",
            "Put a memory away; it is found no more, until it is approved",
            archive_one,
        ),
        post("/api/memories/{id}/feedback", "Say how useful it was", feedback),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    #[serde(default)]
    kind: Vec<One<Kind>>,
    /// Those that hold now without it
    status: Option<One<Status>>,
    /// Of any status
    #[serde(default)]
    all: bool,
    scope: Option<One<Scope>>,
    tag: Option<String>,
    /// About this, the best first; no cursor then
    query: Option<String>,
    #[serde(default)]
    limit: Limit,
    cursor: Option<String>,
}

fn list(call: &Call<'_>, asked: Asked) -> Result<Page<Memory>> {
    if let Some(text) = asked.query.clone() {
        return about(call, text, asked);
    }
    let filter = filter(call, &asked)?;
    page(call, &filter, asked.limit)
}

fn filter(call: &Call<'_>, asked: &Asked) -> Result<Filter> {
    let status = asked.status.map(|One(status)| status);
    let holds_now = !asked.all && status.is_none_or(|status| status == Status::Active);
    Ok(Filter {
        kinds: asked.kind.iter().map(|One(kind)| *kind).collect(),
        scope: asked.scope.map(|One(scope)| scope),
        tag: asked.tag.clone(),
        state_key: None,
        status: status.filter(|_| !holds_now),
        active_at: holds_now.then(|| call.engine.now()),
        before_number: asked.cursor.as_deref().map(number).transpose()?,
    })
}

/// Memories of a filter, the newest first.
pub(super) fn page(call: &Call<'_>, filter: &Filter, limit: Limit) -> Result<Page<Memory>> {
    let found = call.engine.memories(&call.reader()?, filter, limit.and_one())?;
    let now = call.engine.now();
    let place = |memory: &Record| memory.number.to_string();
    Ok(Page::of(found.memories, limit.size(), found.total, place, |memory| Memory::at(memory, now)))
}

fn about(call: &Call<'_>, text: String, asked: Asked) -> Result<Page<Memory>> {
    let query = Query {
        kinds: vec![Recalled::Memory],
        memory_kinds: asked.kind.into_iter().map(|One(kind)| kind).collect(),
        scope: asked.scope.map(|One(scope)| scope),
        tags: asked.tag.into_iter().collect(),
        ..Query::of(text, asked.limit.size())
    };
    let recalled = call.engine.recall(&call.reader()?, &query)?;
    let now = call.engine.now();
    let memory =
        |found| if let Found::Memory(memory) = found { Some(Memory::at(*memory, now)) } else { None };
    let items = recalled.hits.into_iter().filter_map(|hit| memory(hit.found)).collect();
    Ok(Page { items, next: None, total: i64::try_from(recalled.total)? })
}

fn remember(call: &Call<'_>, said: Said) -> Result<Remembered> {
    let root = call.own_folder()?.map(|folder| folder.root.as_path());
    let statement = said.statement(call.during(), root, call.engine.now());
    let remembered = call.engine.remember(&call.writer()?, vec![statement])?;
    Ok(remembered.into_iter().next().ok_or_else(|| anyhow!("nothing was remembered"))?.into())
}

fn review(call: &Call<'_>, asked: Paged) -> Result<Page<Waiting>> {
    let before = asked.cursor.as_deref().map(number).transpose()?;
    let queue = call.engine.review_queue_before(&call.reader()?, before, asked.limit.and_one())?;
    let now = call.engine.now();
    let place = |waiting: &throughline_engine::remember::Waiting| waiting.memory.number.to_string();
    Ok(Page::of(queue.waiting, asked.limit.size(), queue.total, place, |waiting| Waiting::at(waiting, now)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Tidying {
    /// Only say what would be put away
    #[serde(default)]
    dry_run: bool,
}

fn archive(call: &Call<'_>, asked: Tidying) -> Result<Archived> {
    let archiving = if asked.dry_run { Archiving::Tell } else { Archiving::Do };
    let archived = call.engine.archive_memories(&call.reader()?, archiving, &call.during())?;
    let now = call.engine.now();
    let archived = archived.into_iter().map(|memory| Memory::at(memory, now)).collect();
    Ok(Archived { archived, dry_run: asked.dry_run })
}

fn one(call: &Call<'_>, _: Nothing) -> Result<Shown> {
    let shown = call.engine.memory(&call.reader()?, call.path("id"))?;
    let root = call.own_folder()?.map(|folder| folder.root.as_path());
    Ok(Shown::at(shown, call.engine.now(), root))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Why {
    reason: Option<String>,
}

fn forget(call: &Call<'_>, why: Why) -> Result<Forgetting> {
    let within = (&call.session(), &call.opening());
    let ids = [call.path("id").to_owned()];
    Ok(call.engine.forget(&call.reader()?, &ids, why.reason.as_deref(), within)?.into())
}

fn history(call: &Call<'_>, _: Nothing) -> Result<History> {
    let told = call.engine.memory_history(&call.reader()?, call.path("id"))?;
    Ok(History::at(told, call.engine.now()))
}

fn approve(call: &Call<'_>, why: Why) -> Result<Review> {
    reviewed(call, Word::Approve, &why)
}

fn reject(call: &Call<'_>, why: Why) -> Result<Review> {
    reviewed(call, Word::Reject, &why)
}

fn reviewed(call: &Call<'_>, word: Word, why: &Why) -> Result<Review> {
    let ids = [call.path("id").to_owned()];
    Ok(call.engine.review(&call.reader()?, &ids, word, why.reason.as_deref(), &call.during())?.into())
}

fn archive_one(call: &Call<'_>, why: Why) -> Result<Archived> {
    let caller = call.reader()?;
    let reason = why.reason.as_deref();
    let archived = call.engine.archive_memory(&caller, call.path("id"), reason, &call.during())?;
    Ok(Archived { archived: vec![Memory::at(archived, call.engine.now())], dry_run: false })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Outcome {
    outcome: One<FeedbackOutcome>,
    note: Option<String>,
}

fn feedback(call: &Call<'_>, asked: Outcome) -> Result<Judgement> {
    let within = (&call.session(), &call.opening());
    let ids = [call.path("id").to_owned()];
    let note = asked.note.as_deref();
    Ok(call.engine.feedback(&call.reader()?, &ids, asked.outcome.0, note, within)?.into())
}
