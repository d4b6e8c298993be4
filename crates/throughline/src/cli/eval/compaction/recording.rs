//! A session as it is gone through: its events, what each makes known, and what each needs of those before.

use serde_json::Value as Json;
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

/// A session from its first event to its last.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) name: String,
    pub(super) steps: Vec<Step>,
}

/// One event, with what it makes known and what it needs.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) at: Timestamp,
    pub(super) kind: Kind,
    pub(super) target: Option<String>,
    pub(super) content: Option<String>,
    pub(super) parts: Option<Json>,
    pub(super) fact: Option<Fact>,
    /// What must be known of earlier steps to take this one.
    pub(super) needs: Vec<Fact>,
}

impl Step {
    /// Whether an earlier failure is settled by it: the same passed, or what failed was removed.
    pub(super) fn settles(&self, failed: &Step) -> bool {
        let (Some(done), Some(target)) = (&self.target, &failed.target) else { return false };
        let removes = |line: &str| {
            let is_named = |word: &str| target.split(' ').any(|named| named == word);
            line.split_whitespace().skip_while(|word| *word != "rm").any(is_named)
        };
        let passed = self.parts.as_ref().is_some_and(|parts| parts["ok"] == true);
        passed && (done == target || removes(done))
    }
}

/// Something that a later step may need: the words that say it, and how one would ask for it.
#[derive(Debug, Clone)]
pub(super) struct Fact {
    pub(super) sort: Sort,
    pub(super) phrase: String,
    pub(super) question: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Decision,
    Correction,
    Remember,
    Error,
    Detail,
    Said,
    File,
    Name,
}

impl Sort {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Sort::Decision => "decision",
            Sort::Correction => "correction",
            Sort::Remember => "to remember",
            Sort::Error => "error",
            Sort::Detail => "detail of an output",
            Sort::Said => "said by the model",
            Sort::File => "file",
            Sort::Name => "name used again",
        }
    }
}
