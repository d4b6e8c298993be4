//! An observation in JSON: a line of `log append --batch` or `--stream`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use throughline_engine::capture::{
    Observation as Engine, Opening, Outcome as EngineOutcome, Recorded as EngineRecorded, SessionRef, Then,
};

use super::time::Moment;

/// Only `kind` is required.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Observation {
    pub(crate) kind: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) client: Option<String>,
    pub(crate) at: Option<Moment>,
    pub(crate) role: Option<String>,
    pub(crate) target: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) content: Option<String>,
    pub(crate) parts: Option<Json>,
    pub(crate) item_id: Option<String>,
    pub(crate) triggered_by: Option<String>,
    pub(crate) informs: Option<String>,
    pub(crate) rationale: Option<String>,
    #[serde(alias = "client_key")]
    pub(crate) key: Option<String>,
    pub(crate) chatmode: Option<String>,
    pub(crate) workflow: Option<String>,
    pub(crate) skill: Option<String>,
    pub(crate) metadata: Option<Json>,
    /// The client says that its session ended with this.
    pub(crate) ends_session: bool,
}

impl Observation {
    /// `surroundings` is what the command knows about where it runs.
    pub(crate) fn checked(self, surroundings: &Opening) -> Result<Engine, String> {
        let kind = self.kind.ok_or("the event has no kind; give it one, for instance write")?;
        let session = session_ref(self.client, self.session)?;
        Ok(Engine {
            actor: None,
            session,
            opening: Opening {
                chatmode: self.chatmode,
                workflow: self.workflow,
                skill: self.skill,
                metadata: self.metadata,
                ..surroundings.clone()
            },
            at: self.at.map(|at| at.0),
            kind: kind.parse().map_err(|e| format!("kind: {e}"))?,
            role: self.role.map(|role| role.parse().map_err(|e| format!("role: {e}"))).transpose()?,
            target: self.target,
            summary: self.summary,
            content: self.content,
            parts: self.parts,
            item_id: self.item_id,
            triggered_by: self.triggered_by.map(Into::into),
            informs: self.informs,
            rationale: self.rationale,
            client_key: self.key,
            then: if self.ends_session { Then::Ends } else { Then::GoesOn },
        })
    }
}

/// The session that a client and a name stand for; the actor's own without either.
pub(crate) fn session_ref(client: Option<String>, session: Option<String>) -> Result<SessionRef, String> {
    match (client, session) {
        (Some(client), Some(session)) => Ok(SessionRef::Of { client, session }),
        (None, Some(name)) => Ok(SessionRef::Named(name)),
        (Some(_), None) => Err("a client needs a session; give both or neither".to_owned()),
        (None, None) => Ok(SessionRef::Own),
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Recorded {
    pub(crate) id: String,
    pub(crate) session_id: String,
    pub(crate) sequence: i64,
    pub(crate) position: i64,
    pub(crate) outcome: Outcome,
    pub(crate) redactions: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Appended,
    AlreadyThere,
}

impl From<EngineRecorded> for Recorded {
    fn from(recorded: EngineRecorded) -> Recorded {
        Recorded {
            id: recorded.id.to_string(),
            session_id: recorded.session_id.to_string(),
            sequence: recorded.sequence,
            position: recorded.position,
            outcome: match recorded.outcome {
                EngineOutcome::Appended => Outcome::Appended,
                EngineOutcome::AlreadyThere => Outcome::AlreadyThere,
            },
            redactions: recorded.redactions,
        }
    }
}
