//! Prepared observations get their places in the log: the same way for one and for many.

use std::collections::{HashMap, HashSet};

use throughline_store::event::{self, Event};
use throughline_store::id::SessionId;
use throughline_store::session::{Step, Which};
use throughline_store::time::Timestamp;
use throughline_store::{Connection, project, session};

use super::session::{Found, Run};
use super::{Outcome, Prepared, Recorded};
use crate::{Caller, Engine, Error, Result};

pub(super) fn all(
    engine: &Engine,
    tx: &mut dyn Connection,
    caller: &Caller,
    prepared: &[Prepared],
) -> Result<Vec<Recorded>> {
    let mut batch = Batch {
        engine,
        tx,
        caller,
        open: HashMap::new(),
        keys: HashSet::new(),
        pending: vec![],
        recorded: vec![],
    };
    for item in prepared {
        batch.push(item)?;
    }
    batch.flush()?;
    Ok(batch.recorded)
}

struct Batch<'a> {
    engine: &'a Engine,
    tx: &'a mut dyn Connection,
    caller: &'a Caller,
    /// The sessions found so far, by run and role asked for, with the time of their newest event here.
    open: HashMap<(&'a Run, Option<&'a str>), (SessionId, Timestamp)>,
    /// The client keys of what is pending.
    keys: HashSet<&'a str>,
    pending: Vec<(SessionId, &'a Prepared)>,
    recorded: Vec<Recorded>,
}

impl<'a> Batch<'a> {
    fn push(&mut self, item: &'a Prepared) -> Result<()> {
        if let Some(earlier) = self.earlier(item)? {
            self.flush()?;
            self.recorded.push(Recorded::of(&earlier, Outcome::AlreadyThere));
            return Ok(());
        }
        let session = self.session(item)?;
        self.keys.extend(item.event.client_key.as_deref());
        self.pending.push((session, item));
        Ok(())
    }

    fn earlier(&mut self, item: &Prepared) -> Result<Option<Event>> {
        let Some(key) = item.event.client_key.as_deref() else { return Ok(None) };
        if self.keys.contains(key) {
            self.flush()?;
        }
        Ok(event::by_client_key(self.tx, &self.caller.project, key)?)
    }

    fn session(&mut self, item: &'a Prepared) -> Result<SessionId> {
        let asked = (&item.run, item.opening.chatmode.as_deref());
        let at = item.event.at;
        let idle_after = self.engine.settings.idle_after;
        if let Some((session, newest)) =
            self.open.get_mut(&asked).filter(|(_, newest)| at < newest.plus(idle_after))
        {
            *newest = at.max(*newest);
            return Ok(session.clone());
        }
        // What is pending must be there before its session can be judged, or ended.
        self.flush()?;
        let session = match self.engine.open_or_continue(self.tx, self.caller, item)? {
            Found::Continued(session) => session,
            Found::Entered(session) => {
                self.open.clear();
                session
            }
        };
        self.open.insert(asked, (session.clone(), at));
        Ok(session)
    }

    /// Writes what is pending: one step of the log's counter and one of each session's.
    fn flush(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        self.keys.clear();
        let count = pending.len() as i64;
        let last = project::take_positions(self.tx, &self.caller.project, count)?;
        let mut sequences = self.take_sequences(&pending)?;
        for (position, (session_id, item)) in (last - count + 1..).zip(pending) {
            let sequence = sequences.entry(session_id.clone()).or_default();
            *sequence += 1;
            let event = Event { position, sequence: *sequence, session_id, ..item.event.clone() };
            event::insert(self.tx, &self.caller.project, &event, self.engine.settings.pack_over_bytes)?;
            self.recorded.push(Recorded::of(&event, Outcome::Appended));
        }
        Ok(())
    }

    /// The last number used in each session before the pending events.
    fn take_sequences(&mut self, pending: &[(SessionId, &Prepared)]) -> Result<HashMap<SessionId, i64>> {
        let mut wanted: HashMap<&SessionId, (i64, Timestamp)> = HashMap::new();
        for (session, item) in pending {
            let (count, latest) = wanted.entry(session).or_insert((0, item.event.at));
            *count += 1;
            *latest = item.event.at.max(*latest);
        }
        let mut before = HashMap::new();
        for (id, (count, latest)) in wanted {
            let step = Step { count, at: latest, which: Which::Open };
            let last = session::take_sequences(self.tx, &self.caller.project, id, step)?;
            let last =
                last.ok_or_else(|| Error::Conflict(format!("session {id} ended meanwhile; try again")))?;
            before.insert(id.clone(), last - count);
        }
        Ok(before)
    }
}
