//! One session walked in pages, by the places of its events in it: by their positions the database would read what came after
//! in all sessions.

use super::filter::{Owned, borrowed, conditions};
use super::{COLUMNS, Event, Filter, Kind, Order, read};
use crate::id::{ProjectId, SessionId};
use crate::sql::{Connection, Result};

/// A part of a session between two sequences, which are not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    pub session: SessionId,
    /// Of any of these; of all when empty.
    pub kinds: Vec<Kind>,
    pub after: i64,
    pub before: i64,
}

/// At most `limit` of its events, in the order asked for.
pub fn stretch(
    conn: &mut dyn Connection,
    project: &ProjectId,
    stretch: &Stretch,
    order: Order,
    limit: i64,
) -> Result<Vec<Event>> {
    let of_session =
        Filter { sessions: vec![stretch.session.clone()], kinds: stretch.kinds.clone(), ..Filter::default() };
    let (conditions, mut params) = conditions(project, &of_session);
    params.extend([stretch.after, stretch.before, limit].map(Owned::Int));
    let last = params.len();
    let sql = format!(
        "select {COLUMNS} from event where {conditions} and sequence > ?{} and sequence < ?{}
         order by sequence {} limit ?{last}",
        last - 2,
        last - 1,
        order.direction()
    );
    conn.query(&sql, &borrowed(&params))?.iter().map(read).collect()
}
