//! What a session has done so far, for a model that has lost its context: from the log, without a model.

use serde_json::{Value as Json, json};
use throughline_store::Connection;
use throughline_store::session::Session;

use crate::session::summary;
use crate::{Caller, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    pub headline: String,
    /// The most important first.
    pub lines: Vec<String>,
    files: Vec<String>,
    decisions: Vec<String>,
}

pub(super) fn of(conn: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Thread> {
    let summary = summary::of(conn, caller, session)?;
    Ok(Thread {
        headline: summary.headline,
        lines: summary.text.lines().map(str::to_owned).collect(),
        files: summary.files,
        decisions: summary.decisions,
    })
}

impl Thread {
    /// False when only the last line is left.
    pub(super) fn drop_least(&mut self) -> bool {
        self.lines.len() > 1 && self.lines.pop().is_some()
    }

    /// What a checkpoint holds beside its text.
    pub(super) fn checkpoint(&self, session: &Session, position: i64) -> Json {
        let scratchpad: Json = serde_json::from_str(&session.scratchpad).unwrap_or_default();
        json!({
            "current_task": scratchpad["current_task"],
            "decisions": self.decisions,
            "files_modified": self.files,
            "scratchpad": scratchpad,
            "position": position,
        })
    }
}
