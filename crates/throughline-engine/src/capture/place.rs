//! Events get their places in the log: one step of its counter and one of each session's, then the rows.

use std::collections::HashMap;

use throughline_store::event::{self, Event};
use throughline_store::id::SessionId;
use throughline_store::session::{self, Step, Which};
use throughline_store::time::Timestamp;
use throughline_store::{Connection, project};

use crate::clock::AHEAD;
use crate::{Caller, Engine, Error, Result};

impl Engine {
    /// Writes the events in this order, each at the end of the session it names, and hands them back as they stand
    /// in the log. `which` sessions may be written to.
    pub(crate) fn place(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        mut events: Vec<Event>,
        which: Which,
    ) -> Result<Vec<Event>> {
        if events.is_empty() {
            return Ok(events);
        }
        let count = events.len() as i64;
        let last = project::take_positions(tx, &caller.project, count)?;
        let mut sequences = self.take_sequences(tx, caller, &events, which)?;
        for (position, event) in (last - count + 1..).zip(&mut events) {
            let sequence = sequences.entry(event.session_id.clone()).or_default();
            *sequence += 1;
            (event.position, event.sequence) = (position, *sequence);
            event::insert(tx, &caller.project, event, self.settings.pack_over_bytes)?;
        }
        Ok(events)
    }

    /// The last number used in each session before these events.
    fn take_sequences(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        events: &[Event],
        which: Which,
    ) -> Result<HashMap<SessionId, i64>> {
        let mut wanted: HashMap<&SessionId, (i64, Timestamp)> = HashMap::new();
        for event in events {
            let (count, latest) = wanted.entry(&event.session_id).or_insert((0, event.at));
            *count += 1;
            *latest = event.at.max(*latest);
        }
        let mut before = HashMap::new();
        for (id, (count, at)) in wanted {
            // What is imported comes as it was, also from a clock that was ahead.
            let latest = if which == Which::Open { self.now().plus(AHEAD) } else { Timestamp(i64::MAX) };
            let step = Step { count, at, which, latest };
            let last = session::take_sequences(tx, &caller.project, id, step)?;
            // Nobody else writes to the project meanwhile, so a session that was open still is.
            let last = last.ok_or_else(|| Error::NotFound(format!("there is no open session {id}")))?;
            before.insert(id.clone(), last - count);
        }
        Ok(before)
    }
}
