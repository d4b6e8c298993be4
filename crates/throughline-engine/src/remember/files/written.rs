//! Whose word a file says where an agent has written into it: what binds and the agent has just read is a tool's, here as
//! anywhere else.

use throughline_store::event::{self, Filter, Kind, Order};

use super::round::Round;
use crate::Result;
use crate::remember::Statement;
use throughline_store::memory::Source;

/// So many of the last files that were written are looked at.
const LATELY: i64 = 500;

impl Round<'_> {
    pub(super) fn of_whoever_says_it(&self, file: usize, statement: Statement) -> Result<Statement> {
        let is_a_tools = self.is_written_by_agents(&self.files[file].path)?
            && self.engine.is_hearsay(&self.caller, &statement, None)?;
        let source = if is_a_tools { Source::ToolOutput } else { statement.source };
        Ok(Statement { source, ..statement })
    }

    fn is_written_by_agents(&self, path: &str) -> Result<bool> {
        let filter = Filter { kinds: vec![Kind::Write], ..Filter::default() };
        let project = &self.caller.project;
        let written =
            self.engine.store.read(|conn| event::list(conn, project, &filter, Order::NewestFirst, LATELY))?;
        let below = format!("/{path}");
        Ok(written
            .iter()
            .filter_map(|event| event.target.as_deref())
            .any(|target| target == path || target.ends_with(&below)))
    }
}
