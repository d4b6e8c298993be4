//! The sets of tools that can be switched on and off, and which tools belong to each, in the order they are listed.

use std::fmt;
use std::str::FromStr;

use super::tool::Tool;
use super::{
    backlog_context, backlog_create, backlog_delete, backlog_get, backlog_list, backlog_update, checkpoint,
    code_search, context_diff, context_load, context_save, context_stats, context_tiers, expand, feedback,
    flash_save, forget, handoff, memory_review, memory_search, orient, patterns, reconstruct_session,
    record_decision, remember, search, session_state, session_status, write_resource,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Toolset {
    Core,
    Backlog,
    Sessions,
    WorkingSet,
    Code,
    Admin,
}

impl Toolset {
    pub(crate) const ALL: [Toolset; 6] = [
        Toolset::Core,
        Toolset::Backlog,
        Toolset::Sessions,
        Toolset::WorkingSet,
        Toolset::Code,
        Toolset::Admin,
    ];
    /// What is on unless asked otherwise.
    pub(crate) const USUAL: [Toolset; 3] = [Toolset::Core, Toolset::Backlog, Toolset::Sessions];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Toolset::Core => "core",
            Toolset::Backlog => "backlog",
            Toolset::Sessions => "sessions",
            Toolset::WorkingSet => "set",
            Toolset::Code => "code",
            Toolset::Admin => "admin",
        }
    }

    pub(super) fn tools(self) -> &'static [Tool] {
        match self {
            Toolset::Core => &[
                orient::TOOL,
                search::TOOL,
                memory_search::TOOL,
                expand::TOOL,
                remember::TOOL,
                forget::TOOL,
                feedback::TOOL,
                record_decision::TOOL,
            ],
            Toolset::Sessions => &[
                reconstruct_session::TOOL,
                session_status::TOOL,
                session_state::TOOL,
                handoff::TOOL,
                checkpoint::TOOL,
            ],
            Toolset::Backlog => &[
                backlog_context::TOOL,
                backlog_list::TOOL,
                backlog_get::TOOL,
                backlog_create::TOOL,
                backlog_update::TOOL,
                backlog_delete::TOOL,
                write_resource::TOOL,
            ],
            Toolset::WorkingSet => &[
                context_save::TOOL,
                context_load::TOOL,
                context_diff::TOOL,
                context_tiers::TOOL,
                flash_save::TOOL,
                context_stats::TOOL,
            ],
            Toolset::Admin => &[memory_review::TOOL, patterns::TOOL],
            Toolset::Code => &[code_search::TOOL],
        }
    }
}

impl fmt::Display for Toolset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Toolset {
    type Err = String;

    fn from_str(text: &str) -> Result<Toolset, String> {
        let known = || Toolset::ALL.map(Toolset::as_str).join(", ");
        let named = Toolset::ALL.into_iter().find(|set| set.as_str() == text);
        named.ok_or_else(|| format!("{text:?} is not a set of tools; there are: {}", known()))
    }
}

/// Every tool of these sets, each set once and in the sets' own order.
pub(super) fn tools_of(sets: &[Toolset]) -> impl Iterator<Item = &'static Tool> {
    Toolset::ALL.into_iter().filter(|set| sets.contains(set)).flat_map(Toolset::tools)
}

/// The set that a tool belongs to, switched on or not.
pub(super) fn set_of(name: &str) -> Option<Toolset> {
    Toolset::ALL.into_iter().find(|set| set.tools().iter().any(|tool| tool.name == name))
}
