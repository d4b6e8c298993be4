//! Handoffs in JSON.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use throughline_engine::store::handoff::Handoff as Record;

use crate::wire::session::as_json;
use crate::wire::time::Second;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Handoff {
    pub(crate) id: String,
    pub(crate) from: String,
    pub(crate) to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) workflow: Option<String>,
    /// The giver's, whose log `session show` has.
    pub(crate) session: String,
    pub(crate) given_by: String,
    pub(crate) given_at: Second,
    pub(crate) context: Json,
    pub(crate) summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) taken_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) taken_at: Option<Second>,
}

impl From<Record> for Handoff {
    fn from(handoff: Record) -> Handoff {
        Handoff {
            id: handoff.id.to_string(),
            from: handoff.from_role,
            to: handoff.to_role,
            workflow: handoff.workflow,
            session: handoff.session.to_string(),
            given_by: handoff.given_by.to_string(),
            given_at: Second(handoff.given_at),
            context: as_json(&handoff.context),
            summary: handoff.summary,
            taken_by: handoff.taken.as_ref().map(|taken| taken.by.to_string()),
            taken_at: handoff.taken.map(|taken| Second(taken.at)),
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    pub(crate) handoffs: Vec<Handoff>,
    pub(crate) total: i64,
}

/// What became of giving or taking.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Passed {
    /// `given`, `taken`, or `none` where none waits.
    pub(crate) action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) handoff: Option<Handoff>,
}

impl Passed {
    pub(crate) fn given(handoff: Record) -> Passed {
        Passed { action: "given", handoff: Some(handoff.into()) }
    }

    pub(crate) fn taken(handoff: Option<Record>) -> Passed {
        let action = if handoff.is_some() { "taken" } else { "none" };
        Passed { action, handoff: handoff.map(Handoff::from) }
    }
}
