//! Where a project stands, in JSON and in a few lines.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::orient::{Orientation, Shown};
use throughline_engine::store::memory::Memory;

use super::context::excerpt;
use super::item::Stub;
use super::time::{Second, length};

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Orient {
    pub(crate) project: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    focus: Option<Stub>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    in_progress: Section<Stub>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    blocked: Section<Blocker>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    completed: Section<Completed>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    rules: Section<Statement>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    open: Section<Stub>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    decisions: Section<Statement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_session: Option<Session>,
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
    age: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Session {
    id: String,
    client: String,
    chatmode: String,
    last_event_at: Second,
    open: bool,
}

const TEXT_CHARS: usize = 160;

impl From<&Orientation> for Orient {
    fn from(orientation: &Orientation) -> Orient {
        let statement = |memory: Memory| Statement {
            id: memory.id.to_string(),
            text: excerpt(&memory.content, TEXT_CHARS),
            source: format!("{} by {}", memory.source, memory.actor),
            age: length(orientation.now.since(memory.created_at)),
        };
        Orient {
            project: orientation.project.clone(),
            focus: orientation.focus.clone().map(Stub::from),
            in_progress: Section::of(&orientation.in_progress, Stub::from),
            blocked: Section::of(&orientation.blockers, |blocker| Blocker {
                id: blocker.id.to_string(),
                title: blocker.title,
                reason: blocker.reasons.iter().map(|reason| excerpt(reason, TEXT_CHARS)).collect(),
                since: Second(blocker.since),
            }),
            completed: Section::of(&orientation.completed, |completed| Completed {
                id: completed.id.to_string(),
                intent: completed.intent,
                at: Second(completed.at),
                success: completed.success,
            }),
            rules: Section::of(&orientation.rules, statement),
            open: Section::of(&orientation.open, Stub::from),
            decisions: Section::of(&orientation.decisions, statement),
            last_session: orientation.last_session.as_ref().map(|session| Session {
                id: session.id.to_string(),
                client: session.client.clone(),
                chatmode: session.chatmode.clone(),
                last_event_at: Second(session.last_event_at),
                open: session.ended.is_none(),
            }),
            next: next(orientation),
        }
    }
}

/// What is worth asking from here.
fn next(orientation: &Orientation) -> Vec<&'static str> {
    let mut next = vec!["search QUERY: what is known about something"];
    let items = orientation.in_progress.total + orientation.open.total + orientation.blockers.total;
    if items > 0 {
        next.push("backlog_context ID: everything around a task before you begin");
    }
    next
}

/// For people, and for prompts.
pub(crate) fn text(orient: &Orient) -> String {
    let mut text = format!("{}\n", orient.project);
    if let Some(focus) = &orient.focus {
        let _ = writeln!(text, "\nFocus\n  {} [{}] {}", focus.id, focus.status, focus.title);
    }
    let stub = |stub: &Stub| format!("{} {}", stub.id, stub.title);
    section(&mut text, "In progress", &orient.in_progress, stub);
    section(&mut text, "Blocked", &orient.blocked, |blocker| {
        format!("{} {}: {}", blocker.id, blocker.title, blocker.reason.join("; "))
    });
    section(&mut text, "Completed last", &orient.completed, |completed| {
        let verdict = match completed.success {
            Some(true) => " (valid)",
            Some(false) => " (not valid)",
            None => "",
        };
        format!("{} {}{verdict}", completed.id, completed.intent)
    });
    section(&mut text, "Rules and preferences", &orient.rules, |rule| rule.text.clone());
    section(&mut text, "Open", &orient.open, stub);
    section(&mut text, "Decisions", &orient.decisions, |decision| decision.text.clone());
    if let Some(session) = &orient.last_session {
        let _ = writeln!(text, "\nLast session\n  {} {} ({})", session.id, session.client, session.chatmode);
    }
    text
}

fn section<T>(text: &mut String, heading: &str, section: &Section<T>, line: impl Fn(&T) -> String) {
    if section.total == 0 {
        return;
    }
    let _ = write!(text, "\n{heading}");
    if section.total > section.shown.len() as i64 {
        let _ = write!(text, " ({} of {})", section.shown.len(), section.total);
    }
    text.push('\n');
    for entry in &section.shown {
        let _ = writeln!(text, "  {}", line(entry));
    }
}
