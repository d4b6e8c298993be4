//! How long a hook may take, whether hooks do anything and what they tell, as it is written and as it is meant.

use std::time::Duration;

use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookSettings {
    pub(crate) enabled: bool,
    pub(crate) deadline: Duration,
    pub(crate) inject_deadline: Duration,
    /// Whether models are told anything.
    pub(crate) inject: bool,
    /// How much they are told when a session begins, and at a prompt.
    pub(crate) start_tokens: u64,
    pub(crate) prompt_tokens: u64,
}

impl Default for HookSettings {
    fn default() -> HookSettings {
        HookSettings {
            enabled: true,
            deadline: Duration::from_millis(50),
            inject_deadline: Duration::from_millis(300),
            inject: true,
            start_tokens: 800,
            prompt_tokens: 1500,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct HooksTable {
    enabled: bool,
    deadline_ms: u64,
    inject_deadline_ms: u64,
    inject: bool,
    start_tokens: u64,
    prompt_tokens: u64,
}

impl HooksTable {
    pub(super) fn meant(&self) -> HookSettings {
        HookSettings {
            enabled: self.enabled,
            deadline: Duration::from_millis(self.deadline_ms),
            inject_deadline: Duration::from_millis(self.inject_deadline_ms),
            inject: self.inject,
            start_tokens: self.start_tokens,
            prompt_tokens: self.prompt_tokens,
        }
    }
}
