//! What a hook heard, in JSON: as it waits in a file and as it travels to a server.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use throughline_engine::Error;
use throughline_engine::capture::{Observation, Opening, SessionRef, Then};
use throughline_engine::store::time::Timestamp;

/// One event with what is needed to record it later and elsewhere.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Waiting {
    pub(crate) folder: PathBuf,
    /// The explicitly named project, if any.
    pub(crate) project: Option<String>,
    /// What the project is called without that.
    pub(crate) name: Option<String>,
    /// Host and path of the repository.
    pub(crate) remote: Option<String>,
    /// user:NAME
    pub(crate) person: String,
    /// agent:NAME
    pub(crate) agent: String,
    pub(crate) observations: Vec<Kept>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Kept {
    /// Microseconds since 1970.
    at: i64,
    kind: String,
    client: String,
    session: String,
    parent: Option<String>,
    chatmode: Option<String>,
    user: Option<String>,
    git_branch: Option<String>,
    workspace: Option<String>,
    metadata: Option<Json>,
    target: Option<String>,
    summary: Option<String>,
    content: Option<String>,
    parts: Option<Json>,
    client_key: Option<String>,
    #[serde(default)]
    ends: bool,
}

/// How many events were new, and how many had been recorded before.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Taken {
    pub(crate) recorded: usize,
    pub(crate) already_there: usize,
}

impl Kept {
    /// Hooks always name the client and its session.
    pub(crate) fn of(observation: Observation, now: Timestamp) -> Option<Kept> {
        let SessionRef::Of { client, session } = observation.session else { return None };
        let parent = observation.opening.parent.and_then(|parent| match parent {
            SessionRef::Of { session, .. } => Some(session),
            SessionRef::Own | SessionRef::Named(_) => None,
        });
        Some(Kept {
            at: observation.at.unwrap_or(now).0,
            kind: observation.kind.as_str().to_owned(),
            client,
            session,
            parent,
            chatmode: observation.opening.chatmode,
            user: observation.opening.user,
            git_branch: observation.opening.git_branch,
            workspace: observation.opening.workspace,
            metadata: observation.opening.metadata,
            target: observation.target,
            summary: observation.summary,
            content: observation.content,
            parts: observation.parts,
            client_key: observation.client_key,
            ends: observation.then == Then::Ends,
        })
    }

    pub(crate) fn observation(self) -> Result<Observation> {
        let kind = self.kind.parse().map_err(|why: String| anyhow!(Error::Invalid(why)))?;
        let of = |session| SessionRef::Of { client: self.client.clone(), session };
        let opening = Opening {
            chatmode: self.chatmode,
            user: self.user,
            git_branch: self.git_branch,
            workspace: self.workspace,
            parent: self.parent.map(of),
            metadata: self.metadata,
            ..Opening::default()
        };
        Ok(Observation {
            opening,
            at: Some(Timestamp(self.at)),
            target: self.target,
            summary: self.summary,
            content: self.content,
            parts: self.parts,
            client_key: self.client_key,
            then: if self.ends { Then::Ends } else { Then::GoesOn },
            ..Observation::of(kind, of(self.session))
        })
    }
}
