//! Which session an observation belongs to: opened on first sight, continued, resumed or replaced.

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::actor::Actor;
use throughline_store::id::SessionId;
use throughline_store::job;
use throughline_store::session::{self as record, EndReason, Session};

use super::{Prepared, redact, redacted};
use crate::work::CLOSE_IDLE_SESSION;
use crate::{Caller, Engine, Error, Result};

/// How a caller names a session.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SessionRef {
    /// The actor's own, for what is done outside any agent's session.
    Own,
    /// By our id or by the client's own; opened when it is neither.
    Named(String),
    /// By the client's own id.
    Of { client: String, session: String },
}

/// What is known about a session when it opens.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Opening {
    /// The role; the session's present one when not given.
    pub chatmode: Option<String>,
    pub user: Option<String>,
    pub workflow: Option<String>,
    pub skill: Option<String>,
    pub git_branch: Option<String>,
    pub workspace: Option<String>,
    pub parent: Option<SessionId>,
    pub metadata: Option<Json>,
}

pub const DEFAULT_CHATMODE: &str = "default";
pub const CLI: &str = "cli";

/// A client's run; any client's of that name when none is given.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Run {
    client: Option<String>,
    name: String,
}

impl SessionRef {
    pub(super) fn run(self, actor: &Actor) -> Result<Run> {
        let (client, name) = match self {
            SessionRef::Own => (Some(CLI.to_owned()), actor.to_string()),
            SessionRef::Named(name) => (None, checked_name("session", name)?),
            SessionRef::Of { client, session } => {
                (Some(checked_name("client", client)?), checked_name("session", session)?)
            }
        };
        Ok(Run { client, name })
    }
}

impl Opening {
    pub(super) fn redacted(self) -> Result<Opening> {
        let mut ignored = 0;
        let mut clean = |text: Option<String>| text.map(|text| redacted(text, &mut ignored));
        let metadata = self.metadata.map(|mut metadata| {
            redact::json(&mut metadata);
            metadata
        });
        Ok(Opening {
            chatmode: self.chatmode.map(|name| checked_name("chatmode", name)).transpose()?,
            user: clean(self.user),
            workflow: clean(self.workflow),
            skill: clean(self.skill),
            git_branch: clean(self.git_branch),
            workspace: clean(self.workspace),
            parent: self.parent,
            metadata,
        })
    }
}

impl Engine {
    /// The open session for this observation, opened or resumed when needed.
    pub(super) fn open_or_continue(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        item: &Prepared,
    ) -> Result<SessionId> {
        let Some(found) = find(tx, caller, item)? else { return self.open(tx, caller, item) };
        let idle_at = found.last_event_at.plus(self.settings.idle_after);
        match found.ended {
            None if item.event.at < idle_at => return Ok(found.id),
            None => self.close(tx, caller, &found, EndReason::Idle, idle_at)?,
            Some(_) => {}
        }
        self.leave_other_roles(tx, caller, item, &found)?;
        record::resume(tx, &caller.project, &found.id)?;
        self.watch_idleness(tx, caller, &found.id, item)?;
        Ok(found.id)
    }

    fn open(&self, tx: &mut dyn Connection, caller: &Caller, item: &Prepared) -> Result<SessionId> {
        let opening = &item.opening;
        let session = Session {
            id: item.fresh_session_id.clone(),
            client: item.run.client.clone().unwrap_or_else(|| CLI.to_owned()),
            client_session: item.run.name.clone(),
            chatmode: opening.chatmode.clone().unwrap_or_else(|| DEFAULT_CHATMODE.to_owned()),
            user: opening.user.clone().unwrap_or_else(|| caller.actor.name.clone()),
            workflow: opening.workflow.clone(),
            skill: opening.skill.clone(),
            git_branch: opening.git_branch.clone(),
            workspace: opening.workspace.clone(),
            parent: opening.parent.clone(),
            metadata: opening.metadata.as_ref().map(ToString::to_string),
            started_at: item.event.at,
            last_event_at: item.event.at,
            ended: None,
            last_sequence: 0,
            scratchpad: "{}".to_owned(),
            scratchpad_version: 0,
        };
        self.leave_other_roles(tx, caller, item, &session)?;
        record::insert(tx, &caller.project, &session)?;
        self.watch_idleness(tx, caller, &session.id, item)?;
        Ok(session.id)
    }

    /// One run has one role at a time: entering one ends the session of the other.
    fn leave_other_roles(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        item: &Prepared,
        entered: &Session,
    ) -> Result<()> {
        let filter = record::Filter {
            client_session: Some(entered.client_session.clone()),
            which: record::Which::Open,
            ..record::Filter::default()
        };
        for other in record::list(tx, &caller.project, &filter, i64::MAX)? {
            if other.client == entered.client && other.id != entered.id {
                self.close(tx, caller, &other, EndReason::RoleChange, item.event.at)?;
            }
        }
        Ok(())
    }

    fn watch_idleness(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        id: &SessionId,
        item: &Prepared,
    ) -> Result<()> {
        let request = job::Request {
            kind: CLOSE_IDLE_SESSION,
            key: id.as_str(),
            payload: "{}",
            run_at: item.event.at.plus(self.settings.idle_after),
            deadline: None,
        };
        Ok(job::enqueue(tx, &caller.project, &request, item.event.at)?)
    }
}

fn find(tx: &mut dyn Connection, caller: &Caller, item: &Prepared) -> Result<Option<Session>> {
    match record::present(tx, &caller.project, item.run.client.as_deref(), &item.run.name)? {
        Some(session) => in_role(tx, caller, item, session),
        None => Ok(None),
    }
}

/// The same run in the role that is asked for; nothing when it never was in that role.
fn in_role(
    tx: &mut dyn Connection,
    caller: &Caller,
    item: &Prepared,
    present: Session,
) -> Result<Option<Session>> {
    match item.opening.chatmode.as_deref() {
        Some(chatmode) if chatmode != present.chatmode => {
            Ok(record::of_client(tx, &caller.project, &present.client, &present.client_session, chatmode)?)
        }
        _ => Ok(Some(present)),
    }
}

fn checked_name(what: &str, name: String) -> Result<String> {
    let fits = (1..=200).contains(&name.len()) && !name.contains(char::is_control);
    if fits {
        return Ok(name);
    }
    Err(Error::Invalid(format!(
        "a {what} needs a name of 1 to 200 characters without line breaks, not {name:?}"
    )))
}
