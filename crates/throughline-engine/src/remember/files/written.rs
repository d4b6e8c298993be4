//! Whose word a file says where an agent has written into it: what binds and the agent has just read is a tool's, here as
//! anywhere else.

use throughline_store::event::{self, Filter, Kind, Order};
use throughline_store::memory::Source;

use super::round::Round;
use crate::remember::Statement;
use crate::{Caller, Engine, Result};

/// So many of the last files that were written are looked at.
const LATELY: i64 = 500;

/// What agents have written lately.
pub(super) fn by_agents(engine: &Engine, caller: &Caller) -> Result<Vec<String>> {
    let filter = Filter { kinds: vec![Kind::Write], ..Filter::default() };
    let written =
        engine.store.read(|conn| event::list(conn, &caller.project, &filter, Order::NewestFirst, LATELY))?;
    Ok(written.into_iter().filter_map(|event| event.target).collect())
}

impl Round<'_> {
    pub(super) fn of_whoever_says_it(&self, file: usize, statement: Statement) -> Result<Statement> {
        let is_a_tools = self.is_written_by_agents(&self.files[file].path)
            && self.engine.is_hearsay(&self.caller, &statement, None)?;
        let source = if is_a_tools { Source::ToolOutput } else { statement.source };
        Ok(Statement { source, ..statement })
    }

    fn is_written_by_agents(&self, path: &str) -> bool {
        let below = format!("/{path}");
        self.written.iter().any(|target| target == path || target.ends_with(&below))
    }
}
