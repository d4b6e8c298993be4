//! A log brought into this project: what is there already is skipped, the rest appended, all or nothing.

use std::collections::{BTreeSet, HashMap};

use throughline_store::Connection;
use throughline_store::event::{self, Event};
use throughline_store::id::{EventId, SessionId};
use throughline_store::session::{self, Ended, Session, Which};
use throughline_store::time::Timestamp;

use super::Carried;
use crate::capture::{DEFAULT_CHATMODE, check_names, redact, redacted, refuse_secret};
use crate::{Caller, Engine, Error, Result};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub imported: u64,
    pub already_there: u64,
}

const CHUNK: usize = 256;

/// The sessions of an import: those described so far, and which of ours each has become.
#[derive(Default)]
struct Sessions {
    described: HashMap<SessionId, Session>,
    placed: HashMap<SessionId, SessionId>,
    /// When those that were made here as they were described were last heard of.
    last_event_at: HashMap<SessionId, Timestamp>,
}

/// Whether a session was there before the import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placed {
    Known,
    Made,
}

impl Engine {
    /// Takes the secrets out of an event from elsewhere, before it is kept anywhere.
    pub fn clean(&self, carried: Carried) -> Result<Carried> {
        let Carried { mut event, session } = carried;
        let limit = self.settings.max_content_bytes;
        let size =
            event.content.as_ref().map_or(0, String::len).max(event.parts.as_ref().map_or(0, String::len));
        if size > limit {
            return Err(Error::Invalid(format!(
                "the event has {size} bytes and the limit is {limit}; raise log.max_content_bytes to import it"
            )));
        }
        check_names(&[
            ("item_id", event.item_id.as_deref()),
            ("informs", event.informs.as_deref()),
            ("client_key", event.client_key.as_deref()),
            ("triggered_by", event.triggered_by.as_ref().map(EventId::as_str)),
        ])?;
        let mut found = 0;
        for text in [&mut event.target, &mut event.content, &mut event.rationale].into_iter().flatten() {
            *text = redacted(std::mem::take(text), &mut found);
        }
        event.summary = redacted(event.summary, &mut found);
        event.parts = event.parts.map(|parts| clean_json(&parts, &mut found)).transpose()?;
        if let Some(purge) = &mut event.purge {
            purge.reason = redacted(std::mem::take(&mut purge.reason), &mut found);
        }
        refuse_secret("actor", &event.actor.name)?;
        event.redactions += found;
        Ok(Carried { event, session: session.map(clean_session).transpose()? })
    }

    /// Appends what is not there yet. `records` is asked once for each try of the transaction.
    pub fn import<I>(&self, caller: &Caller, records: impl Fn() -> Result<I>) -> Result<Tally>
    where
        I: Iterator<Item = Result<Carried>>,
    {
        self.write(caller, |tx| {
            let mut tally = Tally::default();
            let mut sessions = Sessions::default();
            let mut records = records()?;
            loop {
                let chunk = records.by_ref().take(CHUNK).collect::<Result<Vec<_>>>()?;
                if chunk.is_empty() {
                    return Ok(tally);
                }
                let total = chunk.len() as u64;
                let imported = self.import_chunk(tx, caller, chunk, &mut sessions)?;
                tally.imported += imported;
                tally.already_there += total - imported;
            }
        })
    }

    fn import_chunk(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        chunk: Vec<Carried>,
        sessions: &mut Sessions,
    ) -> Result<u64> {
        let mut there = event::known(tx, &caller.project, chunk.iter().map(|carried| &carried.event))?;
        let mut fresh = Vec::with_capacity(chunk.len());
        for Carried { mut event, session } in chunk {
            // A session is described once, with its first event, and that one may be there already.
            sessions.described.extend(session.map(|session| (session.id.clone(), session)));
            if !there.add(&event) {
                continue;
            }
            event.session_id = match sessions.placed.get(&event.session_id) {
                Some(known) => known.clone(),
                None => {
                    let described = sessions.described.remove(&event.session_id);
                    let last = described.as_ref().map(|session| session.last_event_at);
                    let (id, placed) = self.place_session(tx, caller, &event, described)?;
                    if let (Some(last), Placed::Made) = (last, placed) {
                        sessions.last_event_at.insert(id.clone(), last);
                    }
                    sessions.placed.insert(event.session_id.clone(), id.clone());
                    id
                }
            };
            fresh.push(event);
        }
        let placed = self.place(tx, caller, fresh, Which::All)?;
        let told: BTreeSet<&SessionId> = placed.iter().map(|event| &event.session_id).collect();
        for id in told {
            // It is no later than its events, but for those of a clock that was ahead.
            if let Some(last) = sessions.last_event_at.get(id) {
                session::set_last_event_at(tx, &caller.project, id, *last)?;
            }
        }
        Ok(placed.len() as u64)
    }

    /// The session here that the event's session is: the same one, the same client's run, or one made now.
    fn place_session(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        event: &Event,
        described: Option<Session>,
    ) -> Result<(SessionId, Placed)> {
        let project = &caller.project;
        if session::by_id(tx, project, &event.session_id)?.is_some() {
            return Ok((event.session_id.clone(), Placed::Known));
        }
        let session = described.unwrap_or_else(|| bare_session(event));
        let same_run =
            session::of_client(tx, project, &session.client, &session.client_session, &session.chatmode)?;
        if let Some(same_run) = same_run {
            return Ok((same_run.id, Placed::Known));
        }
        if session.ended.is_none() {
            self.watch_idleness(tx, caller, &session.id, session.last_event_at)?;
        }
        session::insert(tx, project, &Session { last_sequence: 0, ..session })?;
        Ok((event.session_id.clone(), Placed::Made))
    }
}

/// An event whose session nobody described: over, as far as we know.
fn bare_session(event: &Event) -> Session {
    Session {
        id: event.session_id.clone(),
        client: "import".to_owned(),
        client_session: event.session_id.to_string(),
        chatmode: DEFAULT_CHATMODE.to_owned(),
        user: event.actor.name.clone(),
        workflow: None,
        skill: None,
        git_branch: None,
        workspace: None,
        parent: None,
        metadata: None,
        started_at: event.at,
        last_event_at: event.at,
        ended: Some(Ended { at: event.at, reason: session::EndReason::Client }),
        last_sequence: 0,
        scratchpad: "{}".to_owned(),
        scratchpad_version: 0,
    }
}

fn clean_session(session: Session) -> Result<Session> {
    refuse_secret("client", &session.client)?;
    refuse_secret("session", &session.client_session)?;
    refuse_secret("chatmode", &session.chatmode)?;
    let mut found = 0;
    let mut clean = |text: Option<String>| text.map(|text| redacted(text, &mut found));
    let user = clean(Some(session.user)).unwrap_or_default();
    let (workflow, skill) = (clean(session.workflow), clean(session.skill));
    let (git_branch, workspace) = (clean(session.git_branch), clean(session.workspace));
    let metadata = session.metadata.map(|metadata| clean_json(&metadata, &mut found)).transpose()?;
    let scratchpad = clean_json(&session.scratchpad, &mut found)?;
    Ok(Session { user, workflow, skill, git_branch, workspace, metadata, scratchpad, ..session })
}

fn clean_json(text: &str, found: &mut i64) -> Result<String> {
    let mut value = serde_json::from_str(text).map_err(|e| {
        Error::Invalid(format!("a part of the event is not JSON: {e}; export the event again"))
    })?;
    *found += i64::from(redact::json(&mut value));
    Ok(value.to_string())
}
