//! Checkpoints: what a session and its agent stood at, listed, shown, compared, and brought back exactly.

use serde_json::{Map, Value as Json, json};
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::checkpoint::{self as record, Checkpoint, Filter, Reason};
use throughline_store::context_entry::{self, ContextEntry, Holder, State};
use throughline_store::event::Kind;
use throughline_store::id::CheckpointId;
use throughline_store::session::{self, Session};
use throughline_store::{Connection, Error as StoreError, project};

use super::kept;
use crate::capture::{CLI, During, Note, Observation, SessionRef, one_line};
use crate::compact::{self, Digest, text};
use crate::{Caller, Engine, Error, Result};

/// A checkpoint that is to be made, in a transaction that is already open.
pub(crate) struct Wish<'a> {
    pub(crate) id: CheckpointId,
    pub(crate) agent: String,
    pub(crate) session: Option<&'a Session>,
    pub(crate) reason: Reason,
    pub(crate) title: String,
}

/// What a checkpoint holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    pub checkpoint: Checkpoint,
    /// Current task, decisions, files modified, next steps, open questions, scratchpad: a JSON object.
    pub stand: Json,
    pub entries: Vec<ContextEntry>,
}

/// What is different now.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    pub checkpoint: Checkpoint,
    pub added: Vec<ContextEntry>,
    pub changed: Vec<ContextEntry>,
    pub removed: Vec<ContextEntry>,
    /// Keys of the scratchpad: what they were, what they are.
    pub scratchpad: Vec<(String, Json, Json)>,
    pub decisions: Vec<String>,
    pub files: Vec<String>,
    /// Events of the project's log since then.
    pub events: i64,
}

/// What was brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    pub checkpoint: Checkpoint,
    pub entries: usize,
    /// The state that it took the place of.
    pub undo: CheckpointId,
    pub scratchpad: bool,
}

pub const EVENT_TARGET: &str = "checkpoint";

impl<'a> Wish<'a> {
    /// Of a session and the agent that works in it.
    pub(crate) fn of(session: &'a Session, id: CheckpointId, reason: Reason, title: String) -> Wish<'a> {
        Wish { id, agent: agent_of(session), session: Some(session), reason, title }
    }
}

/// Whose working set goes with a session: the client's agent, or whoever acts outside any.
pub fn agent_of(session: &Session) -> String {
    if session.client == CLI {
        session.client_session.clone()
    } else {
        format!("{}:{}", ActorKind::Agent, session.client)
    }
}

impl Engine {
    /// Keeps what the agent's session stands at.
    pub fn save_checkpoint(
        &self,
        caller: &Caller,
        agent: Option<&str>,
        title: Option<&str>,
        during: &During,
    ) -> Result<Checkpoint> {
        let id: CheckpointId = self.ids.next(self.now());
        self.write(caller, |tx| {
            let session = self.enter(tx, caller, during, "checkpoint saved")?;
            let title = title.map_or_else(|| headline(&session), one_line);
            let wish = Wish::of(&session, id.clone(), Reason::Request, title);
            let agent = agent.map_or(wish.agent, str::to_owned);
            self.make_checkpoint(tx, caller, Wish { agent, ..wish })
        })
    }

    pub fn checkpoints(
        &self,
        caller: &Caller,
        filter: &Filter,
        limit: i64,
    ) -> Result<(Vec<Checkpoint>, i64)> {
        self.store.read(|conn| {
            let found = record::list(conn, &caller.project, filter, limit)?;
            Ok((found, record::count(conn, &caller.project, filter)?))
        })
    }

    /// By its id or the beginning of it; the newest when not named.
    pub fn checkpoint(&self, caller: &Caller, name: Option<&str>) -> Result<Contents> {
        self.store.read(|conn| contents(conn, caller, name))
    }

    /// What happened since.
    pub fn diff_checkpoint(&self, caller: &Caller, name: Option<&str>) -> Result<Changes> {
        self.store.read(|conn| {
            let then = contents(conn, caller, name)?;
            let holder = Holder { project: &caller.project, agent: &then.checkpoint.agent };
            let now = context_entry::list(conn, holder)?;
            let session = session_of(conn, caller, &then.checkpoint)?;
            let digest = match &session {
                Some(session) => compact::digest_now(conn, caller, session)?,
                None => Digest::default(),
            };
            let position = project::by_id(conn, &caller.project)?.map_or(0, |project| project.last_position);
            Ok(changes(then, &now, session.as_ref(), &digest, position))
        })
    }

    /// Brings the agent's working set back to the last bit, and the session's scratchpad. What is there now is kept in a
    /// checkpoint of its own first.
    pub fn restore_checkpoint(
        &self,
        caller: &Caller,
        name: Option<&str>,
        during: &During,
    ) -> Result<Restored> {
        let undo: CheckpointId = self.ids.next(self.now());
        self.write(caller, |tx| {
            let then = contents(tx, caller, name)?;
            let session = session_of(tx, caller, &then.checkpoint)?;
            let title = format!("before {} was restored", then.checkpoint.id);
            let wish = Wish {
                id: undo.clone(),
                agent: then.checkpoint.agent.clone(),
                session: session.as_ref(),
                reason: Reason::Restore,
                title,
            };
            self.make_checkpoint(tx, caller, wish)?;
            let holder = Holder { project: &caller.project, agent: &then.checkpoint.agent };
            context_entry::clear(tx, holder)?;
            then.entries.iter().try_for_each(|entry| context_entry::put(tx, holder, entry))?;
            let scratchpad = match &session {
                Some(session) => put_back(tx, caller, session, &then.stand["scratchpad"])?,
                None => false,
            };
            self.enter(tx, caller, during, &format!("checkpoint {} restored", then.checkpoint.id))?;
            let entries = then.entries.len();
            Ok(Restored { checkpoint: then.checkpoint, entries, undo: undo.clone(), scratchpad })
        })
    }

    /// Keeps it and says so in the session's log.
    pub(crate) fn make_checkpoint(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        wish: Wish<'_>,
    ) -> Result<Checkpoint> {
        let entries = context_entry::list(tx, Holder { project: &caller.project, agent: &wish.agent })?;
        let digest = match wish.session {
            Some(session) => compact::digest_now(tx, caller, session)?,
            None => Digest::default(),
        };
        let held = entries.iter().filter(|entry| entry.state == State::Held);
        let position = project::by_id(tx, &caller.project)?.map_or(0, |project| project.last_position);
        let checkpoint = Checkpoint {
            id: wish.id,
            agent: wish.agent,
            session: wish.session.map(|session| session.id.clone()),
            reason: wish.reason,
            title: one_line(&wish.title),
            position,
            created_at: self.now(),
            entries: held.clone().count() as i64,
            tokens: held.map(|entry| entry.tokens).sum(),
        };
        let stand = stand(wish.session, &digest, position);
        let body = json!({ "stand": stand, "set": entries.iter().map(kept::written).collect::<Vec<_>>() });
        record::insert(tx, &caller.project, &checkpoint, &body.to_string(), self.settings.pack_over_bytes)?;
        if let Some(session) = wish.session {
            self.note_kept(tx, caller, (session, &checkpoint), (stand, &digest))?;
        }
        Ok(checkpoint)
    }

    fn note_kept(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (session, checkpoint): (&Session, &Checkpoint),
        (mut stand, digest): (Json, &Digest),
    ) -> Result<()> {
        stand["checkpoint_id"] = json!(checkpoint.id.as_str());
        let is_silent = session.ended.is_some();
        let note = Note {
            session: &session.id,
            actor: self.keeper(caller, checkpoint.reason),
            at: if is_silent { session.last_event_at } else { checkpoint.created_at },
            kind: Kind::Checkpoint,
            id: self.ids.next(checkpoint.created_at),
            target: checkpoint.reason.as_str(),
            summary: one_line(&format!("checkpoint {}: {}", checkpoint.id, checkpoint.title)),
            content: Some(text::of(digest, &compact::blockers(session), text::Detail::Story)),
            parts: Some(stand),
            triggered_by: None,
            informs: None,
            redactions: 0,
        };
        self.note(tx, caller, note)
    }

    /// Who is said to have made it: whoever asked, or the product itself.
    fn keeper(&self, caller: &Caller, reason: Reason) -> Actor {
        match reason {
            Reason::Request | Reason::Restore | Reason::Flash => caller.actor.clone(),
            Reason::Gate | Reason::Compaction => {
                Actor { kind: ActorKind::Agent, name: "throughline".to_owned() }
            }
        }
    }

    /// The session that something is done in, which opens with it where it has not yet.
    pub(crate) fn enter(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        during: &During,
        summary: &str,
    ) -> Result<Session> {
        let known = self.present_session(tx, caller, &during.session)?;
        if let Some(session) = known {
            return Ok(session);
        }
        let observation = Observation {
            opening: during.opening.clone(),
            target: Some(EVENT_TARGET.to_owned()),
            summary: Some(summary.to_owned()),
            ..Observation::of(Kind::SystemEvent, during.session.clone())
        };
        let id = self.capture_within(tx, caller, observation)?.session_id;
        let made = session::by_id(tx, &caller.project, &id)?;
        made.ok_or_else(|| Error::NotFound(format!("the session {id} is gone; try again")))
    }

    pub(crate) fn present_session(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        session: &SessionRef,
    ) -> Result<Option<Session>> {
        let run = session.clone().run(&caller.actor);
        Ok(session::present(conn, &caller.project, run.client.as_deref(), &run.name)?)
    }
}

fn headline(session: &Session) -> String {
    let scratchpad = scratchpad(session);
    scratchpad["current_task"].as_str().map_or_else(|| "as asked for".to_owned(), str::to_owned)
}

fn scratchpad(session: &Session) -> Json {
    serde_json::from_str(&session.scratchpad).unwrap_or_default()
}

fn stand(session: Option<&Session>, digest: &Digest, position: i64) -> Json {
    let scratchpad = session.map_or_else(|| json!({}), scratchpad);
    let texts = |lines: &[compact::Line]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    json!({
        "current_task": scratchpad["current_task"],
        "last_request": digest.requests.last().map(|line| line.text.clone()),
        "decisions": texts(&digest.decisions),
        "unresolved": digest.unresolved_lines(),
        "corrections": texts(&digest.corrections),
        "files_modified": digest.files,
        "next_steps": digest.next_steps,
        "open_questions": digest.questions,
        "blockers": session.map(compact::blockers).unwrap_or_default(),
        "gates_passed": digest.gates,
        "scratchpad": scratchpad,
        "position": position,
    })
}

fn contents(conn: &mut dyn Connection, caller: &Caller, name: Option<&str>) -> Result<Contents> {
    let filter = Filter { prefix: name.map(str::to_owned), ..Filter::default() };
    let mut found = record::list(conn, &caller.project, &filter, 2)?.into_iter();
    let checkpoint = match (found.next(), found.next()) {
        (Some(first), second) if name.is_none() || second.is_none() => first,
        (Some(_), _) => {
            let name = name.unwrap_or_default();
            return Err(Error::Invalid(format!(
                "several checkpoints begin with {name:?}; give more of the id"
            )));
        }
        (None, _) => {
            let which = name.map_or_else(|| "yet".to_owned(), |name| format!("{name:?}"));
            return Err(Error::NotFound(format!(
                "there is no checkpoint {which}; `throughline checkpoint list` shows those there are"
            )));
        }
    };
    let body = record::body(conn, &caller.project, &checkpoint.id)?.unwrap_or_default();
    let damaged = || StoreError::Corrupt(format!("the checkpoint {} cannot be read", checkpoint.id));
    let body: Json = serde_json::from_str(&body).map_err(|_| damaged())?;
    let set = body["set"].as_array().ok_or_else(damaged)?;
    let entries = set.iter().map(|entry| kept::read(entry).ok_or_else(damaged));
    let entries = entries.collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(Contents { stand: body["stand"].clone(), entries, checkpoint })
}

fn session_of(
    conn: &mut dyn Connection,
    caller: &Caller,
    checkpoint: &Checkpoint,
) -> Result<Option<Session>> {
    match &checkpoint.session {
        Some(id) => Ok(session::by_id(conn, &caller.project, id)?),
        None => Ok(None),
    }
}

fn put_back(tx: &mut dyn Connection, caller: &Caller, session: &Session, then: &Json) -> Result<bool> {
    if !then.is_object() || *then == scratchpad(session) {
        return Ok(false);
    }
    let version = session.scratchpad_version;
    Ok(session::write_scratchpad(tx, &caller.project, &session.id, &then.to_string(), version)?)
}

fn changes(
    then: Contents,
    now: &[ContextEntry],
    session: Option<&Session>,
    digest: &Digest,
    position: i64,
) -> Changes {
    let is_there = |entry: &&ContextEntry| entry.state == State::Held;
    let before = |entry: &ContextEntry| then.entries.iter().filter(is_there).find(|old| old.id == entry.id);
    let after = |entry: &ContextEntry| now.iter().filter(is_there).find(|held| held.id == entry.id);
    let held = || now.iter().filter(is_there);
    let known = |name: &str, text: &String| {
        then.stand[name].as_array().is_some_and(|all| all.iter().any(|one| one.as_str() == Some(text)))
    };
    let decisions = digest.decisions.iter().map(|line| line.text.clone());
    Changes {
        added: held().filter(|entry| before(entry).is_none()).cloned().collect(),
        changed: held()
            .filter(|entry| before(entry).is_some_and(|old| old.content_hash != entry.content_hash))
            .cloned()
            .collect(),
        removed: then
            .entries
            .iter()
            .filter(is_there)
            .filter(|entry| after(entry).is_none())
            .cloned()
            .collect(),
        scratchpad: different_keys(&then.stand["scratchpad"], &session.map_or_else(|| json!({}), scratchpad)),
        decisions: decisions.filter(|text| !known("decisions", text)).collect(),
        files: digest.files.iter().filter(|file| !known("files_modified", file)).cloned().collect(),
        events: position - then.checkpoint.position,
        checkpoint: then.checkpoint,
    }
}

fn different_keys(before: &Json, after: &Json) -> Vec<(String, Json, Json)> {
    let empty = Map::new();
    let (old, new) = (before.as_object().unwrap_or(&empty), after.as_object().unwrap_or(&empty));
    let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
    keys.sort();
    keys.dedup();
    let value = |object: &Map<String, Json>, key: &String| object.get(key).cloned().unwrap_or_default();
    keys.into_iter()
        .map(|key| (key.clone(), value(old, key), value(new, key)))
        .filter(|(_, old, new)| old != new)
        .collect()
}
