//! What long-lived processes write down of themselves, as it is written and as it is meant.

use anyhow::{Result, anyhow};
use serde::Deserialize;
use tracing::level_filters::LevelFilter;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DiagnosticsSettings {
    pub(crate) level: LevelFilter,
    /// Of one file.
    pub(crate) max_bytes: u64,
    /// How many full files are kept beside the one that is written to.
    pub(crate) keep: u32,
}

impl Default for DiagnosticsSettings {
    fn default() -> DiagnosticsSettings {
        DiagnosticsSettings { level: LevelFilter::INFO, max_bytes: 5 << 20, keep: 3 }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct DiagnosticsTable {
    level: String,
    max_bytes: u64,
    keep: u32,
}

impl DiagnosticsTable {
    pub(super) fn meant(&self) -> Result<DiagnosticsSettings> {
        let level = self.level.parse().map_err(|_| {
            anyhow!(
                "diagnostics.level is {:?}; write one of \"error\", \"warn\", \"info\", \"debug\", \"trace\" or \"off\"",
                self.level
            )
        })?;
        Ok(DiagnosticsSettings { level, max_bytes: self.max_bytes, keep: self.keep })
    }
}
