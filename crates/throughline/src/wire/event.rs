//! An event in JSON: a line of an export, an element of `log tail --json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use throughline_engine::log::Carried;
use throughline_engine::store::event::{Event as Record, Kind, Purge};
use throughline_engine::store::id::{EventId, SessionId};

use super::session::Session;
use super::time::Moment;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Event {
    pub(crate) position: i64,
    pub(crate) id: String,
    pub(crate) session_id: String,
    pub(crate) sequence: i64,
    pub(crate) at: Moment,
    pub(crate) actor: String,
    pub(crate) kind: String,
    pub(crate) role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    pub(crate) summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) item_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) triggered_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) informs: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rationale: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) client_key: Option<String>,
    #[serde(default)]
    pub(crate) tokens: i64,
    /// How many secrets were taken out.
    #[serde(default)]
    pub(crate) redactions: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) purged: Option<Purged>,
    /// The session, with the first event of each in an export.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<Session>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Purged {
    at: Moment,
    by: String,
    reason: String,
}

impl From<Record> for Event {
    fn from(event: Record) -> Event {
        Event {
            position: event.position,
            id: event.id.to_string(),
            session_id: event.session_id.to_string(),
            sequence: event.sequence,
            at: Moment(event.at),
            actor: event.actor.to_string(),
            kind: event.kind.to_string(),
            role: event.role.to_string(),
            target: event.target,
            summary: event.summary,
            content: event.content,
            parts: event.parts.map(|parts| super::session::as_json(&parts)),
            item_id: event.item_id,
            triggered_by: event.triggered_by.map(|id| id.to_string()),
            informs: event.informs,
            rationale: event.rationale,
            client_key: event.client_key,
            tokens: event.tokens,
            redactions: event.redactions,
            purged: event.purge.map(|purge| Purged {
                at: Moment(purge.at),
                by: purge.by.to_string(),
                reason: purge.reason,
            }),
            session: None,
        }
    }
}

impl From<Carried> for Event {
    fn from(carried: Carried) -> Event {
        Event { session: carried.session.map(Session::from), ..Event::from(carried.event) }
    }
}

impl TryFrom<Event> for Carried {
    type Error = String;

    fn try_from(event: Event) -> Result<Carried, String> {
        let session = event.session.map(TryFrom::try_from).transpose()?;
        let purge = event.purged.map(|purged| -> Result<Purge, String> {
            Ok(Purge { at: purged.at.0, by: purged.by.parse()?, reason: purged.reason })
        });
        let kind: Kind = event.kind.parse().map_err(|e| format!("kind: {e}"))?;
        let record = Record {
            position: event.position,
            id: checked_id("id", event.id)?.into(),
            session_id: checked_id("session_id", event.session_id)?.into(),
            sequence: event.sequence,
            at: event.at.0,
            actor: event.actor.parse().map_err(|e| format!("actor: {e}"))?,
            kind,
            role: event.role.parse().map_err(|e| format!("role: {e}"))?,
            target: event.target,
            summary: event.summary,
            content: event.content,
            parts: event.parts.map(|parts| parts.to_string()),
            item_id: event.item_id,
            triggered_by: event.triggered_by.map(EventId::from),
            informs: event.informs,
            rationale: event.rationale,
            client_key: event.client_key,
            tokens: event.tokens,
            redactions: event.redactions,
            purge: purge.transpose()?,
        };
        Ok(Carried { event: record, session })
    }
}

pub(super) fn checked_id(field: &str, id: String) -> Result<String, String> {
    let fits = (1..=200).contains(&id.len()) && !id.contains(char::is_control);
    if fits { Ok(id) } else { Err(format!("{field}: an id has 1 to 200 characters without line breaks")) }
}

/// The beginning of an id that tells sessions apart in a table.
pub(crate) fn short(id: &SessionId) -> &str {
    id.as_str().get(..14).unwrap_or(id.as_str())
}
