//! What a session did, told again so that somebody can go on: a narrative, the operations in order, what was decided, which
//! beliefs moved, what was left unfinished. By name, or the most relevant past sessions for a description.

mod belief;
mod choice;
mod fit;
mod left;
mod narrative;
mod operation;
mod relevant;
#[cfg(test)]
mod tests;

use throughline_store::Connection;
use throughline_store::event::{self, Event, Filter, Order};
use throughline_store::session::Session;

pub use belief::Affected;
pub use choice::Choice;
pub use operation::Operation;
pub use relevant::Relevant;

use crate::capture::SessionRef;
use crate::session::{State, find};
use crate::{Caller, Engine, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub which: Which,
    pub include: Include,
    pub max_operations: usize,
    /// The session that asks: its own words are no answer to a description.
    pub asking: Option<SessionRef>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// By our id, the client's own, or the beginning of either; an agent's newest that does not ask when not named.
    Session(Option<String>),
    /// The one that tells most about this.
    About(String),
}

/// Which operations are listed; the narrative tells of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Include {
    pub decisions: bool,
    pub reads: bool,
    pub writes: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reconstruction {
    pub session: Session,
    pub state: State,
    pub narrative: String,
    /// In the order of the first time.
    pub operations: Vec<Operation>,
    /// How many were left out for want of room.
    pub operations_omitted: usize,
    pub decisions: Vec<Choice>,
    /// The oldest are left out first.
    pub decisions_omitted: usize,
    pub beliefs: Vec<Affected>,
    /// What is still open of what the session left behind, each as its reason and what it is about.
    pub unfinished: Vec<String>,
    /// How much more there is of it.
    pub unfinished_omitted: usize,
    /// Further sessions that a description fits, the best first.
    pub others: Vec<Relevant>,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            which: Which::Session(None),
            include: Include { decisions: true, reads: true, writes: false },
            max_operations: 50,
            asking: None,
        }
    }
}

/// Of a longer session the newest part is told.
const MAX_EVENTS: i64 = 3000;

impl Engine {
    /// A session told again, as much of it as fits when `write` has written it.
    pub fn reconstruct(
        &self,
        caller: &Caller,
        request: &Request,
        write: &dyn Fn(&Reconstruction) -> String,
    ) -> Result<Reconstruction> {
        let (name, others) = match &request.which {
            Which::Session(name) => (name.clone(), vec![]),
            Which::About(description) => {
                let (best, others) = self.relevant(caller, description, request.asking.as_ref())?;
                (Some(best.to_string()), others)
            }
        };
        let whole = self.store.read(|conn| {
            let session = match &name {
                Some(name) => find(conn, caller, Some(name))?,
                None => relevant::last(conn, caller, request.asking.as_ref())?,
            };
            self.tell(conn, caller, session, request)
        })?;
        Ok(fit::fit(Reconstruction { others, ..whole }, request.max_operations, write))
    }

    fn tell(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        session: Session,
        request: &Request,
    ) -> Result<Reconstruction> {
        let events = of_session(conn, caller, &session)?;
        let decisions = choice::made(conn, caller, &events)?;
        let state = self.session_state(&session);
        let (unfinished, unfinished_omitted) = left::behind(conn, caller, (&session, state), &events)?;
        let beliefs = belief::affected(conn, caller, &events)?;
        let told = narrative::Told {
            session: &session,
            state,
            events: &events,
            decisions: &decisions,
            unfinished: (&unfinished, unfinished_omitted),
        };
        Ok(Reconstruction {
            narrative: told.narrative(),
            operations: operation::all(&events, request.include),
            operations_omitted: 0,
            decisions: if request.include.decisions { decisions } else { vec![] },
            decisions_omitted: 0,
            beliefs,
            unfinished,
            unfinished_omitted,
            others: vec![],
            state,
            session,
        })
    }
}

/// What the session's events still say, in their order.
fn of_session(conn: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Vec<Event>> {
    let filter = Filter { sessions: vec![session.id.clone()], ..Filter::default() };
    let mut events = event::list(conn, &caller.project, &filter, Order::NewestFirst, MAX_EVENTS)?;
    events.reverse();
    events.retain(|event| event.purge.is_none());
    Ok(events)
}
