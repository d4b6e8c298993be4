//! Sessions and their scratchpads in JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use throughline_engine::Engine;
use throughline_engine::compact::Cause;
use throughline_engine::session::{
    History as EngineHistory, Injections, Loaded, Scratchpad, State, Status as EngineStatus,
};
use throughline_engine::store::event::Event as EventRecord;
use throughline_engine::store::session::{Ended, Session as Record};

use super::event::{Event, checked_id};
use super::time::Moment;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) client: String,
    pub(crate) client_session: String,
    pub(crate) chatmode: String,
    pub(crate) user: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) workflow: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skill: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) git_branch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) workspace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Json>,
    pub(crate) started_at: Moment,
    pub(crate) last_event_at: Moment,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ended_at: Option<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end_reason: Option<String>,
    pub(crate) events: i64,
    pub(crate) scratchpad: Json,
    pub(crate) scratchpad_version: i64,
}

impl From<Record> for Session {
    fn from(session: Record) -> Session {
        Session {
            id: session.id.to_string(),
            client: session.client,
            client_session: session.client_session,
            chatmode: session.chatmode,
            user: session.user,
            workflow: session.workflow,
            skill: session.skill,
            git_branch: session.git_branch,
            workspace: session.workspace,
            parent: session.parent.map(|id| id.to_string()),
            metadata: session.metadata.map(|metadata| as_json(&metadata)),
            started_at: Moment(session.started_at),
            last_event_at: Moment(session.last_event_at),
            ended_at: session.ended.map(|ended| Moment(ended.at)),
            end_reason: session.ended.map(|ended| ended.reason.to_string()),
            events: session.last_sequence,
            scratchpad: as_json(&session.scratchpad),
            scratchpad_version: session.scratchpad_version,
        }
    }
}

/// A session with whether it goes on.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listed {
    #[serde(flatten)]
    pub(crate) session: Session,
    /// `open`, `idle`, or `ended` with why.
    pub(crate) state: String,
}

impl Listed {
    pub(crate) fn of(session: Record, engine: &Engine) -> Listed {
        Listed { state: state_name(engine.session_state(&session)), session: session.into() }
    }
}

impl TryFrom<Session> for Record {
    type Error = String;

    fn try_from(session: Session) -> Result<Record, String> {
        let ended = match (session.ended_at, session.end_reason) {
            (Some(at), Some(reason)) => Some(Ended { at: at.0, reason: reason.parse()? }),
            (None, None) => None,
            _ => return Err("session: ended_at and end_reason go together; give both or neither".to_owned()),
        };
        if !session.scratchpad.is_object() {
            return Err("session: a scratchpad is a JSON object".to_owned());
        }
        Ok(Record {
            id: checked_id("session.id", session.id)?.into(),
            client: checked_id("session.client", session.client)?,
            client_session: checked_id("session.client_session", session.client_session)?,
            chatmode: checked_id("session.chatmode", session.chatmode)?,
            user: session.user,
            workflow: session.workflow,
            skill: session.skill,
            git_branch: session.git_branch,
            workspace: session.workspace,
            parent: session.parent.map(Into::into),
            metadata: session.metadata.map(|metadata| metadata.to_string()),
            started_at: session.started_at.0,
            last_event_at: session.last_event_at.0,
            ended,
            last_sequence: session.events,
            scratchpad: session.scratchpad.to_string(),
            scratchpad_version: session.scratchpad_version,
        })
    }
}

/// Stored JSON as JSON; what is not JSON stays visible as text.
pub(crate) fn as_json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.to_owned()))
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct History {
    pub(crate) session: Session,
    pub(crate) events: Vec<Event>,
    pub(crate) tokens: u64,
    pub(crate) shown: usize,
    pub(crate) omitted: i64,
}

impl From<EngineHistory> for History {
    fn from(history: EngineHistory) -> History {
        History {
            session: history.session.into(),
            shown: history.events.len(),
            events: history.events.into_iter().map(Event::from).collect(),
            tokens: history.tokens,
            omitted: history.omitted,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SessionState {
    pub(crate) session_id: String,
    pub(crate) version: i64,
    pub(crate) state: Json,
}

impl From<Scratchpad> for SessionState {
    fn from(scratchpad: Scratchpad) -> SessionState {
        SessionState {
            session_id: scratchpad.session.id.to_string(),
            version: scratchpad.version,
            state: scratchpad.state,
        }
    }
}

pub(crate) fn state_name(state: State) -> String {
    match state {
        State::Open => "open".to_owned(),
        State::Idle => "idle".to_owned(),
        State::Ended(reason) => format!("ended ({reason})"),
    }
}

fn injections(injections: &Injections) -> Json {
    let note = |event: &EventRecord| {
        let mut note = event.parts.as_deref().map_or(Json::Null, as_json);
        note["at"] = json!(Moment(event.at));
        note
    };
    json!({
        "count": injections.count,
        "tokens": injections.tokens,
        "memories": injections.memories,
        "newest": injections.newest.iter().map(note).collect::<Vec<_>>(),
    })
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Status {
    #[serde(flatten)]
    pub(crate) session: Session,
    pub(crate) state: String,
    pub(crate) duration_seconds: u64,
    pub(crate) tokens: i64,
    pub(crate) events_by_kind: serde_json::Map<String, Json>,
    pub(crate) memories_recalled: i64,
    /// What the model was told: how often, tokens, memories, and the newest notes of it
    pub(crate) injections: Json,
    pub(crate) compaction: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) workflow_settings: Option<Json>,
}

impl From<EngineStatus> for Status {
    fn from(status: EngineStatus) -> Status {
        Status {
            state: state_name(status.state),
            duration_seconds: status.duration.as_secs(),
            tokens: status.tokens,
            events_by_kind: status
                .by_kind
                .iter()
                .map(|(kind, count)| (kind.to_string(), json!(count)))
                .collect(),
            memories_recalled: status.memories_recalled,
            injections: injections(&status.injections),
            compaction: json!({
                "summaries": status.compaction.summaries,
                "replaced_to": status.compaction.replaced_to,
                "events_since": status.compaction.events_since,
                "turns_since": status.compaction.turns_since,
                "tokens_since": status.compaction.tokens_since,
                "tokens_held": status.compaction.tokens_held,
                "turns_limit": status.compaction.turns_limit,
                "tokens_limit": status.compaction.tokens_limit,
                "due": status.compaction.due.map(Cause::as_str),
            }),
            role: status.role.map(|role| {
                json!({
                    "static_files": role.static_files,
                    "scopes": role.scopes,
                    "tool_sets": role.tool_sets,
                    "max_tokens": role.max_tokens,
                })
            }),
            workflow_settings: status.workflow.map(workflow),
            session: status.scratchpad.session.into(),
        }
    }
}

fn workflow(loaded: Loaded) -> Json {
    match loaded {
        Loaded::Read { path, workflow } => json!({ "file": path, "settings": *workflow }),
        Loaded::Ignored { path, problem } => json!({ "file": path, "ignored": problem }),
        Loaded::Missing { looked_in } => json!({ "missing": true, "looked_in": looked_in }),
    }
}
