//! What the demo shows: which sessions there were, what came of them, and what the next agent gets.

use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use serde_json::Value as Json;
use throughline_engine::hydrate::{Focus, MaxTokens, Rendering as _, Request};
use throughline_engine::recall::Files;
use throughline_engine::store::memory::Filter as Memories;
use throughline_engine::store::session::{Filter as Sessions, Session};
use throughline_engine::store::time::Timestamp;
use throughline_engine::{Caller, tokens};

use super::ground::Ground;
use super::play::Played;
use crate::wire::context::Format;
use crate::wire::memory::Memory;
use crate::wire::time::{Moment, length};

/// The task that an agent would go on with.
const TASK: &str = "TASK-0003";
const MAX_TOKENS: u64 = 900;
const LINES_OF_A_TEXT: usize = 14;
/// In this session an agent gives a token away.
const CARELESS: &str = "large-carts";

#[derive(Debug, Serialize)]
pub(super) struct Told {
    home: String,
    /// How many hooks and tools were called.
    calls: usize,
    sessions: Vec<Worked>,
    /// What an agent said, as it is on the disk.
    redacted: Option<String>,
    memories: Vec<Memory>,
    after_compaction: Option<String>,
    handoff: Option<Json>,
    /// Markdown, as it is put before a model.
    context: String,
    context_tokens: u64,
}

#[derive(Debug, Serialize)]
struct Worked {
    client: String,
    session: String,
    started_at: Moment,
    events: i64,
    #[serde(skip)]
    for_people: String,
}

pub(super) fn told(ground: &Ground, played: Played) -> Result<Told> {
    let (engine, caller) = (ground.engine, ground.reader()?);
    let now = engine.now();
    let mut sessions = engine.sessions(&caller, &Sessions::default(), i64::MAX)?.sessions;
    // What the product notes about itself is nobody's session.
    sessions.retain(|session| session.client != "cli");
    sessions.sort_by_key(|session| session.started_at);
    let live = Memories { active_at: Some(now), ..Memories::default() };
    let mut memories = engine.memories(&caller, &live, i64::MAX)?.memories;
    memories.sort_by_key(|memory| memory.number);
    let request = Request {
        max_tokens: MaxTokens::new(MAX_TOKENS)?,
        files: Files::In(ground.folder.clone()),
        ..Request::about(Focus::Id(TASK.to_owned()))
    };
    let hydration = engine.hydrate(&caller, &request, &Format::Markdown)?;
    let context = Format::Markdown.whole(&hydration);
    Ok(Told {
        home: ground.home().display().to_string(),
        calls: played.events,
        redacted: redacted(ground, &caller)?,
        sessions: sessions.into_iter().map(|session| worked(session, now)).collect(),
        memories: memories.into_iter().map(|memory| Memory::at(memory, now)).collect(),
        after_compaction: played.after_compaction,
        handoff: played.handoff,
        context_tokens: tokens::count(&context),
        context,
    })
}

fn redacted(ground: &Ground, caller: &Caller) -> Result<Option<String>> {
    let engine = ground.engine;
    let events = engine.history(caller, Some(CARELESS), engine.settings().history)?.events;
    Ok(events.into_iter().find(|event| event.redactions > 0).and_then(|event| event.content))
}

fn worked(session: Session, now: Timestamp) -> Worked {
    Worked {
        for_people: format!(
            "{:<8} {:<12} {:<16} {:>3} events",
            ago(session.started_at, now),
            session.client,
            session.client_session,
            session.last_sequence
        ),
        client: session.client,
        session: session.client_session,
        started_at: Moment(session.started_at),
        events: session.last_sequence,
    }
}

/// `6d ago`
fn ago(at: Timestamp, now: Timestamp) -> String {
    let whole = length(Duration::from_micros(u64::try_from(now.0 - at.0).unwrap_or_default()));
    format!("{} ago", whole.split(' ').next().unwrap_or_default())
}

pub(super) fn text(told: &Told, now: Timestamp) -> String {
    let sessions: Vec<&str> = told.sessions.iter().map(|worked| worked.for_people.as_str()).collect();
    let memories: Vec<String> = told.memories.iter().map(|memory| remembered(memory, now)).collect();
    let nothing = || "nothing".to_owned();
    [
        format!(
            "A week of two agents on a sample project: {} calls of hooks and tools, through the same doors that\n`throughline \
             install` opens for your agents. All of it is in {}; your own data is not touched.",
            told.calls, told.home
        ),
        section("1. What was recorded, by itself", &format!("{}\n\n{}", sessions.join("\n"), kept_secret(told))),
        section("2. What was learned from it, by rules and without a model", &memories.join("\n")),
        section(
            "3. Compaction: claude-code's context was full and cut; this was put before it at once",
            &told.after_compaction.as_deref().map_or_else(nothing, beginning),
        ),
        section(
            "4. Handoff: claude-code passed its work on, and codex took it two days later",
            &told.handoff.as_ref().map_or_else(nothing, passed),
        ),
        section(
            &format!(
                "5. What the next agent gets for {TASK}, in {} of {MAX_TOKENS} tokens (`throughline context`)",
                told.context_tokens
            ),
            &told.context,
        ),
    ]
    .join("\n\n")
}

fn section(title: &str, body: &str) -> String {
    let lines: Vec<String> =
        body.trim_end().lines().map(|line| format!("  {line}").trim_end().to_owned()).collect();
    format!("# {title}\n\n{}", lines.join("\n"))
}

fn kept_secret(told: &Told) -> String {
    let said = told.redacted.as_deref().unwrap_or("nothing");
    format!("A token that claude-code gave away did not reach the disk. What is there:\n“{said}”")
}

fn remembered(memory: &Memory, now: Timestamp) -> String {
    let statement = memory.content.lines().next().unwrap_or_default();
    format!("{:<9} {statement} ({}, {})", memory.kind, memory.source, ago(memory.created_at.0, now))
}

fn beginning(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    match lines.get(..LINES_OF_A_TEXT) {
        Some(first) => format!("{}\n… and {} lines more", first.join("\n"), lines.len() - first.len()),
        None => text.to_owned(),
    }
}

fn passed(handoff: &Json) -> String {
    let said = |name: &str| handoff[name].as_str().unwrap_or_default().to_owned();
    let notes = handoff["context"]["notes"].as_str().unwrap_or_default();
    format!("for the {}, by {}: {notes}\n{}", said("to"), said("given_by"), beginning(&said("summary")))
}
