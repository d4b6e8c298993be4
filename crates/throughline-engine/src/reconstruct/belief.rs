//! Which beliefs a session moved, from where to where, and why.

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::event::Event;
use throughline_store::id::MemoryId;
use throughline_store::memory::{self, Kind as MemoryKind, Memory};

use super::choice::parts;
use crate::capture::shortened;
use crate::{Caller, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Affected {
    pub belief: MemoryId,
    pub content: String,
    /// `formed`, `reinforced`, `weakened`, or what was done to it.
    pub action: String,
    pub confidence: f64,
    pub reason: Option<String>,
}

const TEXT_CHARS: usize = 120;
const MOST: usize = 8;

/// Each belief once, with the last thing that happened to it.
pub(super) fn affected(
    conn: &mut dyn Connection,
    caller: &Caller,
    events: &[Event],
) -> Result<Vec<Affected>> {
    let mut affected: Vec<Affected> = vec![];
    for event in events.iter().rev() {
        let Some(id) = event.informs.clone().map(MemoryId::from) else { continue };
        if affected.len() == MOST || affected.iter().any(|known| known.belief == id) {
            continue;
        }
        let memory = memory::by_id(conn, &caller.project, &id)?;
        if let Some(belief) = memory.filter(|memory| memory.kind == MemoryKind::Belief) {
            affected.push(moved(event, &belief));
        }
    }
    affected.reverse();
    Ok(affected)
}

fn moved(event: &Event, belief: &Memory) -> Affected {
    let parts = parts(event);
    let number = |name: &str| parts.get(name).and_then(Json::as_f64);
    let confidence = number("confidence").unwrap_or(belief.confidence);
    let said = parts.get("action").and_then(Json::as_str);
    let action = match (said, number("confidence_before")) {
        (Some("created" | "superseded"), _) => "formed",
        (Some("corroborated"), _) => "reinforced",
        (_, Some(before)) if before < confidence => "reinforced",
        (_, Some(before)) if before > confidence => "weakened",
        (Some(other), _) => other,
        (None, _) => "touched",
    };
    Affected {
        belief: belief.id.clone(),
        content: shortened(&belief.content, TEXT_CHARS),
        action: action.to_owned(),
        confidence,
        reason: parts.get("reason").and_then(Json::as_str).map(|text| shortened(text, TEXT_CHARS)),
    }
}
