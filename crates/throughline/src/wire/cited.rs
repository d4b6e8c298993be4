//! Code that a memory cites, in JSON, with what became of it.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::remember::{Citation, Code, citations};
use throughline_engine::store::memory::Memory;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Cited {
    pub(crate) path: String,
    pub(crate) lines: String,
    /// `same`, `moved`, `changed`, `gone`; `unknown` where it cannot be looked at.
    pub(crate) code: &'static str,
    /// What the memory says may not be true any more.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) stale: bool,
}

/// Looks at a few files at most, and only where the folder is the project's own.
pub(super) fn cited(memory: &Memory, root: Option<&Path>) -> Vec<Cited> {
    let one = |citation: Citation| {
        let code = root.map_or(Code::Unknown, |root| citation.now(root));
        let (first, name) = match code {
            Code::Same => (citation.first, "same"),
            Code::Moved { first } => (first, "moved"),
            Code::Changed => (citation.first, "changed"),
            Code::Gone => (citation.first, "gone"),
            Code::Unknown => (citation.first, "unknown"),
        };
        let last = first + citation.last - citation.first;
        let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
        Cited { path: citation.path, lines, code: name, stale: code.is_stale() }
    };
    citations(memory.cites.as_deref()).into_iter().map(one).collect()
}

impl Cited {
    pub(crate) fn line(&self) -> String {
        let stale = if self.stale { ": stale, read it again before relying on this" } else { "" };
        format!("{}:{} ({}{stale})", self.path, self.lines, self.code)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
