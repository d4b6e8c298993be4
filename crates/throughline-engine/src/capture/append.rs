//! Prepared observations find their sessions and go into the log: the same way for one and for many.

use std::collections::{HashMap, HashSet};

use throughline_store::Connection;
use throughline_store::event::{self, Event};
use throughline_store::id::SessionId;
use throughline_store::session::{EndReason, Which};
use throughline_store::time::Timestamp;

use super::session::{Found, Run};
use super::{Outcome, Prepared, Recorded, Silence, Then};
use crate::index::code::job as code;
use crate::session;
use crate::unfinished;
use crate::{Caller, Engine, Result};

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
    pending: Vec<Event>,
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
        if unfinished::passes_a_gate(&item.event) {
            self.engine.request_generation(self.tx, self.caller, &session)?;
        }
        self.keys.extend(item.event.client_key.as_deref());
        self.pending.push(Event { session_id: session.clone(), ..item.event.clone() });
        match item.then {
            Then::GoesOn => Ok(()),
            Then::Ends => self.end(&session, item.event.at),
        }
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
        let goes_on = |newest: Timestamp| item.silence == Silence::IsPartOfIt || at < newest.plus(idle_after);
        if let Some((session, newest)) = self.open.get_mut(&asked).filter(|(_, newest)| goes_on(*newest)) {
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

    fn end(&mut self, session: &SessionId, at: Timestamp) -> Result<()> {
        self.flush()?;
        self.open.clear();
        let session = session::find(self.tx, self.caller, Some(session.as_str()))?;
        self.engine.close(self.tx, self.caller, &session, EndReason::Client, at.max(session.last_event_at))
    }

    fn flush(&mut self) -> Result<()> {
        self.keys.clear();
        let pending = std::mem::take(&mut self.pending);
        let placed = self.engine.place(self.tx, self.caller, pending, Which::Open)?;
        self.engine.watch_growth(self.tx, self.caller, &placed)?;
        code::follow(self.engine, self.tx, self.caller, &placed)?;
        self.recorded.extend(placed.iter().map(|event| Recorded::of(event, Outcome::Appended)));
        Ok(())
    }
}
