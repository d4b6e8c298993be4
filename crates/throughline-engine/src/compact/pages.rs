//! What came in a session since its newest summary, a page at a time: it may be any number of events.

use throughline_store::Connection;
use throughline_store::event::{self, Event, Kind, Order, Stretch};
use throughline_store::session::Session;

use super::{Digest, after, digest_of, is_own, newest_summary};
use crate::{Caller, Result};

pub(super) struct Since<'a> {
    pub(super) caller: &'a Caller,
    pub(super) session: &'a Session,
    pub(super) summary: Option<Event>,
    /// The sequence after which it begins.
    after: i64,
}

/// So many events of a session are in memory at once, whatever its length.
pub(super) const PAGE: i64 = 256;

impl<'a> Since<'a> {
    pub(super) fn newest_summary(
        conn: &mut dyn Connection,
        caller: &'a Caller,
        session: &'a Session,
    ) -> Result<Since<'a>> {
        let summary = newest_summary(conn, caller, session)?;
        let after = end_of(conn, caller, session, summary.as_ref())?;
        Ok(Since { caller, session, summary, after })
    }

    /// What the summary keeps, to be gone on with.
    pub(super) fn digest(&self) -> Digest {
        self.summary.as_ref().map(digest_of).unwrap_or_default()
    }

    pub(super) fn pages(&self, order: Order) -> Pages<'a> {
        let session = self.session.id.clone();
        let left = Stretch { session, kinds: vec![], after: self.after, before: i64::MAX };
        Pages { caller: self.caller, left, order, is_last: false }
    }

    /// Whether it is one of the events that the pages hold.
    pub(super) fn holds(&self, event: &Event) -> bool {
        event.session_id == self.session.id && event.sequence > self.after && !is_own(event)
    }
}

/// The sequence of the last event that the summary replaces. It is read by its key: of what came later SQLite would read the
/// events of all sessions.
fn end_of(
    conn: &mut dyn Connection,
    caller: &Caller,
    session: &Session,
    summary: Option<&Event>,
) -> Result<i64> {
    let since = after(session, summary);
    if let Some(position) = since.after_position
        && let Some(last) = event::places(conn, &caller.project, &[position])?.pop()
        && last.session_id == session.id
    {
        return Ok(last.sequence);
    }
    // Without a summary, or with one that was imported: the positions in it are those of another log.
    let first = event::list(conn, &caller.project, &since, Order::OldestFirst, 1)?.pop();
    Ok(first.map_or(i64::MAX, |first| first.sequence - 1))
}

pub(super) struct Pages<'a> {
    caller: &'a Caller,
    left: Stretch,
    order: Order,
    is_last: bool,
}

impl Pages<'_> {
    pub(super) fn of_kinds(mut self, kinds: &[Kind]) -> Self {
        self.left.kinds = kinds.to_vec();
        self
    }

    /// Up to this place in the session.
    pub(super) fn to(mut self, sequence: i64) -> Self {
        self.left.before = sequence + 1;
        self
    }

    /// The events that come next, without our own notes; nothing after the last ones.
    pub(super) fn next(&mut self, conn: &mut dyn Connection) -> Result<Option<Vec<Event>>> {
        if self.is_last {
            return Ok(None);
        }
        let mut page = event::stretch(conn, &self.caller.project, &self.left, self.order, PAGE)?;
        self.is_last = (page.len() as i64) < PAGE;
        if let Some(last) = page.last() {
            match self.order {
                Order::OldestFirst => self.left.after = last.sequence,
                Order::NewestFirst => self.left.before = last.sequence,
            }
        }
        page.retain(|event| !is_own(event));
        Ok(Some(page))
    }
}
