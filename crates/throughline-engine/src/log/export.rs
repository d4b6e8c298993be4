//! The log carried out of the database, one event at a time, with all that is needed to bring it back.

use std::cell::Cell;
use std::collections::HashSet;

use throughline_store::event::{self, Filter, Order};
use throughline_store::id::SessionId;
use throughline_store::session;
use throughline_store::{Connection, Error as StoreError};

use super::Carried;
use crate::{Caller, Engine, Result};

const PAGE: i64 = 512;

impl Engine {
    /// Hands out the events of one snapshot in the order of the log; says how many.
    pub fn export(
        &self,
        caller: &Caller,
        filter: &Filter,
        each: &dyn Fn(Carried) -> Result<()>,
    ) -> Result<u64> {
        let started = Cell::new(false);
        self.store.read(|conn| {
            if started.replace(true) {
                // What was handed out cannot be taken back, so a second run would repeat it.
                return Err(
                    StoreError::Unavailable("the connection was lost; export again".to_owned()).into()
                );
            }
            walk(conn, caller, filter, each)
        })
    }
}

fn walk(
    conn: &mut dyn Connection,
    caller: &Caller,
    filter: &Filter,
    each: &dyn Fn(Carried) -> Result<()>,
) -> Result<u64> {
    let mut seen: HashSet<SessionId> = HashSet::new();
    let mut filter = filter.clone();
    let mut count = 0;
    loop {
        let page = event::list(conn, &caller.project, &filter, Order::OldestFirst, PAGE)?;
        let Some(last) = page.last() else { return Ok(count) };
        filter.after_position = Some(last.position);
        for event in page {
            let is_first = seen.insert(event.session_id.clone());
            let session =
                if is_first { session::by_id(conn, &caller.project, &event.session_id)? } else { None };
            each(Carried { event, session })?;
            count += 1;
        }
    }
}
