//! A statement that was found in a stretch of the log, before it is compared with what is known.

use throughline_store::id::{EventId, SessionId};
use throughline_store::memory::{Kind, Scope, Source};

use super::{Amendment, Family, alternatives, scope_of, topic};

/// A statement that may become a memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub kind: Kind,
    pub scope: Scope,
    /// The statement, readable without the conversation it comes from.
    pub content: String,
    /// 0 to 1.
    pub confidence: f64,
    /// Explicit when somebody asked for it to be remembered.
    pub source: Source,
    pub tags: Vec<String>,
    /// What it is the present value of, where that is evident.
    pub state_key: Option<String>,
    pub family: Family,
    pub evidence: Vec<Evidence>,
    /// It may last or not: worth keeping only where it is about something that is known.
    pub tentative: bool,
    /// It says a value and not of what: that is in what the agent said before.
    pub(in crate::remember) amends: Option<Amendment>,
}

impl Candidate {
    /// As that which it is a change of says it.
    pub(in crate::remember) fn saying(self, kind: Kind, content: String) -> Candidate {
        let (tags, state_key) = (topic::tags(&content), alternatives::state_key(&content));
        Candidate { tags, state_key, scope: scope_of(kind), kind, content, amends: None, ..self }
    }
}

/// Where a candidate comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub event: EventId,
    pub session: SessionId,
    /// The line of the event's content, from 1.
    pub line: usize,
}
