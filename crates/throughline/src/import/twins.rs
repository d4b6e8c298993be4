//! What a hook has recorded of the same thing, where nothing but what happened when can tell.

use throughline_engine::capture::redact;
use throughline_engine::store::event::{Event, Kind};

use super::Past;

/// The events of one session that hooks have recorded.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    told: Vec<Event>,
    /// Whether each has met its twin.
    met: Vec<bool>,
}

/// A hook runs before or after what the transcript notes the time of.
const APART_MICROS: i64 = 30_000_000;

impl Twins {
    pub(crate) fn of(events: Vec<Event>) -> Twins {
        let by_hook = |event: &Event| event.client_key.as_ref().is_some_and(|key| key.starts_with("hook "));
        let told: Vec<Event> = events.into_iter().filter(by_hook).collect();
        Twins { met: vec![false; told.len()], told }
    }

    /// Whether a hook has told this already; what it told is the twin of one event only.
    pub(crate) fn have(&mut self, past: &Past) -> bool {
        let Some(at) = past.observation.at else { return false };
        let content = past.observation.content.as_deref().map(redact::text);
        let content = content.as_ref().map(|content| content.text.as_ref());
        if past.observation.kind == Kind::ModelMessage {
            // At the end of a turn the hook hears all that was said in it.
            let next = self.told.iter().find(|event| {
                event.kind == Kind::ModelMessage && event.at.0 >= at.0.saturating_sub(APART_MICROS)
            });
            let said = next.and_then(|event| event.content.as_deref());
            return said.zip(content).is_some_and(|(said, content)| said.contains(content));
        }
        let is_twin = |event: &Event| {
            event.kind == past.observation.kind
                && event.target == past.observation.target
                && (event.kind != Kind::UserMessage || event.content.as_deref() == content)
                && event.at.0.abs_diff(at.0) <= APART_MICROS.unsigned_abs()
        };
        let found = self.told.iter().zip(&self.met).position(|(event, met)| !met && is_twin(event));
        if let Some(found) = found {
            self.met[found] = true;
        }
        found.is_some()
    }
}
