//! Following a project as it changes: what came after a place in its log and its working sets.

use throughline_store::event::{self, Event};
use throughline_store::follow::{self as record};
use throughline_store::id::ProjectId;

pub use throughline_store::follow::Mark;

use crate::{Engine, Result};

/// What came after a mark, as much of it as was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// The oldest first, without what they say at length.
    pub events: Vec<Event>,
    /// The agents whose working sets are others than they were.
    pub sets: Vec<String>,
    /// Where to go on.
    pub mark: Mark,
    /// There is more.
    pub more: bool,
}

impl Engine {
    /// Where a project stands; at the beginning where nobody has written yet.
    pub fn mark(&self, project: &ProjectId) -> Result<Mark> {
        Ok(self.store.read(|conn| record::mark(conn, project))?.unwrap_or_default())
    }

    pub fn changes(&self, project: &ProjectId, after: Mark, limit: i64) -> Result<Changes> {
        self.store.read(|conn| {
            let now = record::mark(conn, project)?.unwrap_or_default();
            let events = match now.position > after.position {
                true => event::heads(conn, project, after.position, limit)?,
                false => vec![],
            };
            let sets = match now.set_revision > after.set_revision {
                true => record::sets_after(conn, project, after.set_revision)?,
                false => vec![],
            };
            let position = events.last().map_or(now.position.max(after.position), |last| last.position);
            let more = position < now.position;
            Ok(Changes { events, sets, mark: Mark { position, set_revision: now.set_revision }, more })
        })
    }
}
