//! Codex: Claude Code's events with a turn, and the older `notify` with one argument.

use serde_json::Value as Json;
use throughline_engine::store::event::Kind;

use super::event::{Head, Said, Seen};
use super::{Heard, Moment, claude_code, field, said};

pub(super) fn hear(said: &Said<'_>) -> Result<Option<Heard>, String> {
    if field::text(said.payload, &["type"]) == Some("agent-turn-complete") {
        return turn_complete(said);
    }
    claude_code::hear(said)
}

/// A turn told at its end. Under the keys that the hooks of the same turn give, so that having both records once.
fn turn_complete(said: &Said<'_>) -> Result<Option<Heard>, String> {
    let payload = said.payload;
    let head = Head {
        event: "agent-turn-complete",
        session: field::text(payload, &["thread-id"]).unwrap_or_default().to_owned(),
        folder: field::text(payload, &["cwd"]).map(Into::into),
        stamp: field::text(payload, &["turn-id"]).map(str::to_owned),
        ..Head::default()
    };
    let message = |kind, text: &str| said::message(text).map(|text| Seen::message(kind, text));
    let asked = field::texts(payload, "input-messages").into_iter().last();
    let asked = asked.and_then(|text| message(Kind::UserMessage, text));
    let answered = payload.get("last-assistant-message").and_then(Json::as_str);
    let answered = answered.and_then(|text| message(Kind::ModelMessage, text));
    said.heard(head, Moment::Stop, asked.into_iter().chain(answered).collect())
}
