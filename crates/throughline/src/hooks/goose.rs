//! Goose: Claude Code's events under the key `event`; it shows its model nothing of ours.

use serde_json::{Map, Value as Json};

use super::claude_code;
use super::event::{Head, Said};
use super::{Heard, field};

pub(super) fn hear(said: &Said<'_>) -> Result<Option<Heard>, String> {
    let named = renamed(said.payload);
    let said = Said { payload: &named, ..*said };
    let event = field::text(said.payload, &["event"]).or(said.event).unwrap_or_default();
    let folder = field::text(said.payload, &["working_dir"]).map(Into::into);
    let head = Head { event, folder, ..claude_code::head(&said) };
    let (moment, seen) = claude_code::what(event, said.payload);
    said.heard(head, moment, seen)
}

/// A prompt and an answer are both called `message`.
fn renamed(payload: &Json) -> Json {
    let fields = payload.as_object().cloned().unwrap_or_default();
    let name = match field::text(payload, &["event"]) {
        Some("UserPromptSubmit") => "prompt",
        _ => "last_assistant_message",
    };
    let renamed = |(key, value)| if key == "message" { (name.to_owned(), value) } else { (key, value) };
    Json::Object(fields.into_iter().map(renamed).collect::<Map<_, _>>())
}
