//! How long a hook may take, and whether hooks do anything, as it is written and as it is meant.

use std::time::Duration;

use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookSettings {
    pub(crate) enabled: bool,
    pub(crate) deadline: Duration,
    pub(crate) inject_deadline: Duration,
}

impl Default for HookSettings {
    fn default() -> HookSettings {
        HookSettings {
            enabled: true,
            deadline: Duration::from_millis(50),
            inject_deadline: Duration::from_millis(300),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct HooksTable {
    enabled: bool,
    deadline_ms: u64,
    inject_deadline_ms: u64,
}

impl HooksTable {
    pub(super) fn meant(&self) -> HookSettings {
        HookSettings {
            enabled: self.enabled,
            deadline: Duration::from_millis(self.deadline_ms),
            inject_deadline: Duration::from_millis(self.inject_deadline_ms),
        }
    }
}
