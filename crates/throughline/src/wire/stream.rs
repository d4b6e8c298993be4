//! What a stream says, message by message, in JSON.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::store::event::Event;

use super::time::Moment;

/// Whoever goes on from `position` misses nothing.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Change {
    pub(crate) position: i64,
    /// The kind of the event; `hello` first of all; `working_set` when an agent's is another than it was; `lagged` last of
    /// all, when the reader was too slow.
    pub(crate) kind: String,
    /// Of a working set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) agent: Option<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<Head>,
}

/// An event without what it says at length.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Head {
    pub(crate) id: String,
    pub(crate) session_id: String,
    pub(crate) sequence: i64,
    pub(crate) at: Moment,
    pub(crate) actor: String,
    pub(crate) role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    pub(crate) summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) item_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) informs: Option<String>,
    pub(crate) tokens: i64,
}

impl Change {
    pub(crate) fn hello(position: i64) -> Change {
        Change { position, kind: "hello".to_owned(), agent: None, event: None }
    }

    pub(crate) fn lagged(position: i64) -> Change {
        Change { position, kind: "lagged".to_owned(), agent: None, event: None }
    }

    pub(crate) fn working_set(position: i64, agent: String) -> Change {
        Change { position, kind: "working_set".to_owned(), agent: Some(agent), event: None }
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("our shapes are valid JSON")
    }
}

impl From<Event> for Change {
    fn from(event: Event) -> Change {
        Change {
            position: event.position,
            kind: event.kind.to_string(),
            agent: None,
            event: Some(Head {
                id: event.id.to_string(),
                session_id: event.session_id.to_string(),
                sequence: event.sequence,
                at: Moment(event.at),
                actor: event.actor.to_string(),
                role: event.role.to_string(),
                target: event.target,
                summary: event.summary,
                item_id: event.item_id,
                informs: event.informs,
                tokens: event.tokens,
            }),
        }
    }
}
