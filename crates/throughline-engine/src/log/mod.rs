//! The log as a whole: read, carried elsewhere, erased for privacy.

mod export;
mod import;
mod purge;

use throughline_store::Connection;
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::session::Session;

pub use import::Tally;
pub(crate) use purge::PURGE_TARGET;
pub use purge::{Purged, Traces};

use crate::{Caller, Engine, Result};

/// Some events, and how many there are in truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub events: Vec<Event>,
    pub total: i64,
}

/// An event on its way out of a log or into one.
#[derive(Debug, Clone, PartialEq)]
pub struct Carried {
    pub event: Event,
    /// Goes with the first event of each session.
    pub session: Option<Session>,
}

/// The newest events of each of the kinds, in their order. Walks the index of each kind from its end, so that it costs the
/// same however long the log is.
pub(crate) fn newest(
    conn: &mut dyn Connection,
    caller: &Caller,
    kinds: &[Kind],
    of_each: i64,
) -> Result<Vec<Event>> {
    let mut events = vec![];
    for kind in kinds {
        let filter = Filter { kinds: vec![*kind], ..Filter::default() };
        events.extend(event::list(conn, &caller.project, &filter, Order::NewestFirst, of_each)?);
    }
    events.sort_by_key(|event| event.position);
    Ok(events)
}

impl Engine {
    pub fn events(&self, caller: &Caller, filter: &Filter, order: Order, limit: i64) -> Result<Page> {
        self.store.read(|conn| {
            let events = event::list(conn, &caller.project, filter, order, limit)?;
            Ok(Page { events, total: event::count(conn, &caller.project, filter)? })
        })
    }

    /// A page of a list that begins with the newest: what comes before a position, and how many there are over all.
    pub fn events_before(
        &self,
        caller: &Caller,
        filter: &Filter,
        before: Option<i64>,
        limit: i64,
    ) -> Result<Page> {
        self.store.read(|conn| {
            let part = Filter { before_position: before, ..filter.clone() };
            let events = event::list(conn, &caller.project, &part, Order::NewestFirst, limit)?;
            Ok(Page { events, total: event::count(conn, &caller.project, filter)? })
        })
    }
}

#[cfg(test)]
mod tests;
