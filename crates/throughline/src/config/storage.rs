//! How the database is used, as it is written and as it is meant.

use anyhow::Result;
use serde::Deserialize;
use throughline_engine::store::{Durability, Options, Pgvector, Reading};

use super::duration;

#[derive(Debug, Deserialize)]
pub(super) struct StorageTable {
    pub(super) database: Option<String>,
    durability: DurabilityName,
    lock_wait: String,
    connect_timeout: String,
    max_connections: usize,
    pgvector: PgvectorName,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DurabilityName {
    Power,
    Process,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PgvectorName {
    Remote,
    Always,
    Never,
}

impl StorageTable {
    pub(super) fn options(&self) -> Result<Options> {
        Ok(Options {
            durability: match self.durability {
                DurabilityName::Power => Durability::Power,
                DurabilityName::Process => Durability::Process,
            },
            lock_wait: duration("storage.lock_wait", &self.lock_wait)?,
            connect_timeout: duration("storage.connect_timeout", &self.connect_timeout)?,
            max_connections: self.max_connections,
            pgvector: match self.pgvector {
                PgvectorName::Remote => Pgvector::Remote,
                PgvectorName::Always => Pgvector::Always,
                PgvectorName::Never => Pgvector::Never,
            },
            reading: Reading::Copied,
        })
    }
}
