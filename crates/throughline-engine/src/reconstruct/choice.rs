//! What a session decided: by `decide`, by an event of that kind, or by remembering it as a decision.

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::event::{Event, Kind};
use throughline_store::id::MemoryId;
use throughline_store::memory::{self, Kind as MemoryKind, Status};

use crate::capture::shortened;
use crate::compact::resolutions;
use crate::remember::{EVENT_TARGET, looked_at_to};
use crate::{Caller, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub sequence: i64,
    /// The memory that holds it.
    pub memory: Option<MemoryId>,
    pub subject: String,
    pub choice: String,
    pub rationale: Option<String>,
    pub rejected: Vec<String>,
    pub confidence: Option<f64>,
    /// A later decision took its place, or it was forgotten.
    pub is_past: bool,
}

const TEXT_CHARS: usize = 180;

pub(super) fn made(conn: &mut dyn Connection, caller: &Caller, events: &[Event]) -> Result<Vec<Choice>> {
    let mut made: Vec<Choice> = vec![];
    let heard = events.iter().filter_map(looked_at_to).max().unwrap_or_default();
    for event in events {
        let mut choice = match event.kind {
            Kind::Decision => decided(event),
            Kind::SystemEvent => match remembered(event) {
                Some(choice) => choice,
                None => continue,
            },
            Kind::UserMessage if event.position > heard => {
                made.extend(
                    resolutions(event.content.as_deref().unwrap_or_default()).map(|said| told(event, said)),
                );
                continue;
            }
            _ => continue,
        };
        // A decision is an event and a memory; it is told once.
        if choice.memory.is_some() && made.iter().any(|known| known.memory == choice.memory) {
            continue;
        }
        if let Some(id) = &choice.memory {
            let status = memory::by_id(conn, &caller.project, id)?.map(|memory| memory.status);
            // What waits for a person is not decided yet.
            if status == Some(Status::Quarantined) {
                continue;
            }
            choice.is_past = status.is_none_or(|it| matches!(it, Status::Superseded | Status::Forgotten));
        }
        made.push(choice);
    }
    Ok(made)
}

/// A decision that was said and that no job has looked at.
fn told(event: &Event, said: &str) -> Choice {
    Choice {
        sequence: event.sequence,
        memory: None,
        subject: String::new(),
        choice: brief(said),
        rationale: None,
        rejected: vec![],
        confidence: None,
        is_past: false,
    }
}

fn decided(event: &Event) -> Choice {
    let parts = parts(event);
    let text = |name: &str| parts.get(name).and_then(Json::as_str).map(brief);
    Choice {
        sequence: event.sequence,
        memory: event.informs.clone().map(MemoryId::from),
        subject: text("subject").or_else(|| event.target.as_deref().map(brief)).unwrap_or_default(),
        choice: text("choice").unwrap_or_else(|| brief(&event.summary)),
        rationale: event.rationale.as_deref().map(brief).or_else(|| text("rationale")),
        rejected: texts(&parts, "alternatives_considered"),
        confidence: parts.get("confidence").and_then(Json::as_f64),
        is_past: false,
    }
}

fn remembered(event: &Event) -> Option<Choice> {
    if event.target.as_deref() != Some(EVENT_TARGET) {
        return None;
    }
    let parts = parts(event);
    let text = |name: &str| parts.get(name).and_then(Json::as_str);
    let is_decision = text("kind") == Some(MemoryKind::Decision.as_str());
    let is_made = text("action").is_some_and(|action| ["created", "superseded"].contains(&action));
    let content = text("content").unwrap_or_default();
    // What is only the beginning of it is no subject.
    let title = text("title").filter(|title| !content.starts_with(title.trim_end_matches('…')));
    (is_decision && is_made).then(|| Choice {
        sequence: event.sequence,
        memory: event.informs.clone().map(MemoryId::from),
        subject: text("state_key").or(title).map(brief).unwrap_or_default(),
        choice: brief(content),
        rationale: None,
        rejected: vec![],
        confidence: parts.get("confidence").and_then(Json::as_f64),
        is_past: false,
    })
}

pub(super) fn parts(event: &Event) -> Json {
    event.parts.as_deref().and_then(|parts| serde_json::from_str(parts).ok()).unwrap_or_default()
}

fn texts(parts: &Json, name: &str) -> Vec<String> {
    let all = parts.get(name).and_then(Json::as_array).into_iter().flatten();
    all.filter_map(Json::as_str).map(|text| shortened(text, 60)).collect()
}

fn brief(text: &str) -> String {
    shortened(&crate::capture::without_controls(text), TEXT_CHARS)
}
