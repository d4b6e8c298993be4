//! Which session an observation belongs to: opened on first sight, continued, resumed or replaced.

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::actor::Actor;
use throughline_store::id::SessionId;
use throughline_store::job;
use throughline_store::session::{self as record, EndReason, Session};
use throughline_store::time::Timestamp;

use super::{Prepared, Silence, redact, redacted, refuse_secret};
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
    /// The session that this one works for.
    pub parent: Option<SessionRef>,
    pub metadata: Option<Json>,
}

pub const DEFAULT_CHATMODE: &str = "default";
pub const CLI: &str = "cli";
const MAX_METADATA_BYTES: usize = 64 * 1024;

/// A client's run; any client's of that name when none is given.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Run {
    pub(crate) client: Option<String>,
    pub(crate) name: String,
}

impl SessionRef {
    pub(super) fn check(&self) -> Result<()> {
        match self {
            SessionRef::Own => Ok(()),
            SessionRef::Named(name) => check_name("session", name),
            SessionRef::Of { client, session } => {
                check_name("client", client)?;
                check_name("session", session)
            }
        }
    }

    pub(crate) fn run(self, actor: &Actor) -> Run {
        match self {
            SessionRef::Own => Run { client: Some(CLI.to_owned()), name: actor.to_string() },
            SessionRef::Named(name) => Run { client: None, name },
            SessionRef::Of { client, session } => Run { client: Some(client), name: session },
        }
    }
}

impl Opening {
    pub(super) fn check(&self) -> Result<()> {
        self.chatmode.as_deref().map_or(Ok(()), |name| check_name("chatmode", name))?;
        self.parent.as_ref().map_or(Ok(()), SessionRef::check)?;
        let size = self.metadata.as_ref().map_or(0, |metadata| metadata.to_string().len());
        if size > MAX_METADATA_BYTES {
            return Err(Error::Invalid(format!(
                "the session's metadata has {size} bytes and the limit is {MAX_METADATA_BYTES}; keep long texts in files"
            )));
        }
        Ok(())
    }

    pub(super) fn redacted(self) -> Opening {
        let mut ignored = 0;
        let mut clean = |text: Option<String>| text.map(|text| redacted(text, &mut ignored));
        let metadata = self.metadata.map(|mut metadata| {
            redact::json(&mut metadata);
            metadata
        });
        Opening {
            chatmode: self.chatmode,
            user: clean(self.user),
            workflow: clean(self.workflow),
            skill: clean(self.skill),
            git_branch: clean(self.git_branch),
            workspace: clean(self.workspace),
            parent: self.parent,
            metadata,
        }
    }
}

/// What finding the session of an observation took.
pub(super) enum Found {
    /// It was open.
    Continued(SessionId),
    /// It was opened or resumed, which may have ended another of the same run.
    Entered(SessionId),
}

impl Engine {
    /// The open session for this observation, opened or resumed when needed.
    pub(super) fn open_or_continue(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        item: &Prepared,
    ) -> Result<Found> {
        let project = &caller.project;
        let Some(present) = record::present(tx, project, item.run.client.as_deref(), &item.run.name)? else {
            let client = item.run.client.as_deref().unwrap_or(CLI);
            return self.open(tx, caller, item, (client, &item.run.name));
        };
        let run = (present.client.clone(), present.client_session.clone());
        let in_role = match item.opening.chatmode.as_deref() {
            Some(chatmode) if chatmode != present.chatmode => {
                record::of_client(tx, project, &run.0, &run.1, chatmode)?
            }
            _ => Some(present),
        };
        match in_role {
            Some(session) => self.continue_or_resume(tx, caller, &session, item),
            None => self.open(tx, caller, item, (&run.0, &run.1)),
        }
    }

    fn continue_or_resume(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        session: &Session,
        item: &Prepared,
    ) -> Result<Found> {
        let at = item.event.at;
        let idle_at = session.last_event_at.plus(self.settings.idle_after);
        match session.ended {
            None if at < idle_at || item.silence == Silence::IsPartOfIt => {
                return Ok(Found::Continued(session.id.clone()));
            }
            None => self.close(tx, caller, session, EndReason::Idle, idle_at)?,
            Some(_) => {}
        }
        self.reopen(tx, caller, session, at)?;
        Ok(Found::Entered(session.id.clone()))
    }

    /// An ended session goes on, as the one role that its run is in.
    pub(crate) fn reopen(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        session: &Session,
        at: Timestamp,
    ) -> Result<()> {
        self.leave_other_roles(tx, caller, session, at)?;
        record::resume(tx, &caller.project, &session.id)?;
        self.watch_idleness(tx, caller, &session.id, at)
    }

    fn open(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        item: &Prepared,
        (client, client_session): (&str, &str),
    ) -> Result<Found> {
        let opening = &item.opening;
        let parent = match &opening.parent {
            Some(parent) => parent_id(tx, caller, parent)?,
            None => None,
        };
        let session = Session {
            id: item.fresh_session_id.clone(),
            client: client.to_owned(),
            client_session: client_session.to_owned(),
            chatmode: opening.chatmode.clone().unwrap_or_else(|| DEFAULT_CHATMODE.to_owned()),
            user: opening.user.clone().unwrap_or_else(|| caller.actor.name.clone()),
            workflow: opening.workflow.clone(),
            skill: opening.skill.clone(),
            git_branch: opening.git_branch.clone(),
            workspace: opening.workspace.clone(),
            parent,
            metadata: opening.metadata.as_ref().map(ToString::to_string),
            started_at: item.event.at,
            last_event_at: item.event.at,
            ended: None,
            last_sequence: 0,
            scratchpad: "{}".to_owned(),
            scratchpad_version: 0,
        };
        self.leave_other_roles(tx, caller, &session, item.event.at)?;
        record::insert(tx, &caller.project, &session)?;
        self.watch_idleness(tx, caller, &session.id, item.event.at)?;
        Ok(Found::Entered(session.id))
    }

    /// One run has one role at a time: entering one ends the session of the other.
    fn leave_other_roles(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        entered: &Session,
        at: Timestamp,
    ) -> Result<()> {
        let filter = record::Filter {
            client_session: Some(entered.client_session.clone()),
            which: record::Which::Open,
            ..record::Filter::default()
        };
        for other in record::list(tx, &caller.project, &filter, i64::MAX)? {
            if other.client == entered.client && other.id != entered.id {
                self.close(tx, caller, &other, EndReason::RoleChange, at.max(other.last_event_at))?;
            }
        }
        Ok(())
    }

    pub(crate) fn watch_idleness(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        id: &SessionId,
        at: Timestamp,
    ) -> Result<()> {
        let request = job::Request {
            kind: CLOSE_IDLE_SESSION,
            key: id.as_str(),
            payload: "{}",
            run_at: at.plus(self.settings.idle_after),
            deadline: None,
        };
        Ok(job::enqueue(tx, &caller.project, &request, at)?)
    }
}

/// A name that no session has yet is taken for the id of one that is still to come; a client's run must be known.
fn parent_id(tx: &mut dyn Connection, caller: &Caller, parent: &SessionRef) -> Result<Option<SessionId>> {
    let run = parent.clone().run(&caller.actor);
    let known = record::present(tx, &caller.project, run.client.as_deref(), &run.name)?;
    let named = || run.client.is_none().then(|| SessionId::from(run.name.clone()));
    Ok(known.map(|session| session.id).or_else(named))
}

fn check_name(what: &str, name: &str) -> Result<()> {
    let fits = (1..=200).contains(&name.chars().count()) && !name.contains(char::is_control);
    if fits {
        return refuse_secret(what, name);
    }
    Err(Error::Invalid(format!(
        "a {what} needs a name of 1 to 200 characters without line breaks, not {name:?}"
    )))
}
