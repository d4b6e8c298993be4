//! Where a project stands, in JSON.

mod repository;
mod text;

pub(crate) use text::text;

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::orient::{LastSession, Orientation, Shown};
use throughline_engine::store::memory::Memory;
use throughline_engine::store::time::Timestamp;

use super::context::excerpt;
use super::item::Stub;
use super::memory::rounded;
use super::time::{Second, length};
use repository::Repository;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Orient {
    pub(crate) project: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    focus: Option<Stub>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<Repository>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    in_progress: Section<Stub>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    blocked: Section<Blocker>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    handoffs: Section<Handoff>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    unfinished: Section<Unfinished>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_session: Option<Session>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    completed: Section<Completed>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    rules: Section<Statement>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    open: Section<Stub>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    decisions: Section<Statement>,
    /// What to ask next.
    next: Vec<&'static str>,
}

/// How many there are, and those that are shown.
#[derive(Debug, Serialize, JsonSchema)]
struct Section<T> {
    total: i64,
    shown: Vec<T>,
}

impl<T> Section<T> {
    fn is_empty(&self) -> bool {
        self.total == 0
    }

    fn of<E: Clone>(shown: &Shown<E>, entry: impl Fn(E) -> T) -> Section<T> {
        Section { total: shown.total, shown: shown.shown.iter().cloned().map(entry).collect() }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct Blocker {
    id: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reason: Vec<String>,
    since: Second,
}

/// Waits to be taken over.
#[derive(Debug, Serialize, JsonSchema)]
struct Handoff {
    id: String,
    from: String,
    to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    workflow: Option<String>,
    age: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    about: String,
}

/// Begun and not brought to an end.
#[derive(Debug, Serialize, JsonSchema)]
struct Unfinished {
    why: String,
    text: String,
    age: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Completed {
    id: String,
    intent: String,
    at: Second,
    #[serde(skip_serializing_if = "Option::is_none")]
    success: Option<bool>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Statement {
    id: String,
    text: String,
    source: String,
    confidence: f64,
    age: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Session {
    id: String,
    client: String,
    chatmode: String,
    last_event_at: Second,
    open: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    did: Vec<String>,
}

/// The greatest unit alone: nobody needs the hours of a month.
fn age(orientation: &Orientation, at: Timestamp) -> String {
    let length = length(orientation.now.since(at));
    length.split(' ').next().unwrap_or_default().to_owned()
}

const TEXT_CHARS: usize = 160;

impl From<&Orientation> for Orient {
    fn from(orientation: &Orientation) -> Orient {
        let statement = |memory: Memory| Statement {
            id: memory.id.to_string(),
            text: excerpt(&memory.content, TEXT_CHARS),
            source: format!("{} by {}", memory.source, memory.actor),
            confidence: rounded(memory.confidence_at(orientation.now)),
            age: age(orientation, memory.created_at),
        };
        Orient {
            project: orientation.project.clone(),
            focus: orientation.focus.clone().map(Stub::from),
            repository: orientation.repository.as_ref().map(|found| Repository::of(found, orientation)),
            in_progress: Section::of(&orientation.in_progress, Stub::from),
            blocked: Section::of(&orientation.blockers, |blocker| Blocker {
                id: blocker.id.to_string(),
                title: blocker.title,
                reason: blocker.reasons.iter().map(|reason| excerpt(reason, TEXT_CHARS)).collect(),
                since: Second(blocker.since),
            }),
            handoffs: Section::of(&orientation.handoffs, |handoff| Handoff {
                id: handoff.id.to_string(),
                from: handoff.from_role,
                to: handoff.to_role,
                workflow: handoff.workflow,
                age: age(orientation, handoff.given_at),
                about: excerpt(handoff.summary.lines().next().unwrap_or_default(), TEXT_CHARS),
            }),
            unfinished: Section::of(&orientation.unfinished, |unfinished| Unfinished {
                why: unfinished.reason.to_string(),
                text: unfinished.text,
                age: age(orientation, unfinished.since),
            }),
            last_session: orientation.last_session.as_ref().map(Session::from),
            completed: Section::of(&orientation.completed, |completed| Completed {
                id: completed.id.to_string(),
                intent: completed.intent,
                at: Second(completed.at),
                success: completed.success,
            }),
            rules: Section::of(&orientation.rules, statement),
            open: Section::of(&orientation.open, Stub::from),
            decisions: Section::of(&orientation.decisions, statement),
            next: next(orientation),
        }
    }
}

impl From<&LastSession> for Session {
    fn from(last: &LastSession) -> Session {
        Session {
            id: last.id.to_string(),
            client: last.client.clone(),
            chatmode: last.chatmode.clone(),
            last_event_at: Second(last.last_event_at),
            open: last.is_open,
            did: last.did.clone(),
        }
    }
}

/// What is worth asking from here.
fn next(orientation: &Orientation) -> Vec<&'static str> {
    let mut next = vec!["search QUERY: what is known about something"];
    if orientation.handoffs.total > 0 {
        next.push("handoff take: what another role has passed on");
    }
    let items = orientation.in_progress.total + orientation.open.total + orientation.blockers.total;
    if items > 0 {
        next.push("backlog_context ID: everything around a task before you begin");
    }
    next
}
