//! Which model beside the built-in table makes vectors, as it is written and as it is meant.

use std::path::PathBuf;

use anyhow::Result;
use serde::Deserialize;
use throughline_engine::embed::{Choice, EndpointSettings, LocalSettings, Pooling};

use super::{duration, non_empty_env};

#[derive(Debug, Deserialize)]
pub(super) struct EmbeddingTable {
    model: Sort,
    directory: Option<PathBuf>,
    pooling: Option<PoolingName>,
    query_prefix: Option<String>,
    url: Option<String>,
    name: Option<String>,
    api_key_env: Option<String>,
    dimensions: Option<usize>,
    timeout: String,
    batch: usize,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Sort {
    BuiltIn,
    Local,
    Endpoint,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PoolingName {
    Mean,
    Cls,
}

impl EmbeddingTable {
    /// What is missing is found out by whoever uses the model: a wrong setting here must not stop the log.
    pub(super) fn meant(&self) -> Result<Option<Choice>> {
        Ok(match self.model {
            Sort::BuiltIn => None,
            Sort::Local => Some(Choice::Local(self.local())),
            Sort::Endpoint => Some(Choice::Endpoint(self.endpoint()?)),
        })
    }

    fn local(&self) -> LocalSettings {
        LocalSettings {
            directory: self.directory.clone().unwrap_or_default(),
            pooling: self.pooling.map(|pooling| match pooling {
                PoolingName::Mean => Pooling::Mean,
                PoolingName::Cls => Pooling::Cls,
            }),
            query_prefix: self.query_prefix.clone(),
            max_tokens: None,
        }
    }

    fn endpoint(&self) -> Result<EndpointSettings> {
        Ok(EndpointSettings {
            base_url: self.url.clone().unwrap_or_default(),
            model: self.name.clone().unwrap_or_default(),
            api_key: self.api_key_env.as_deref().and_then(non_empty_env),
            dimensions: self.dimensions,
            query_prefix: self.query_prefix.clone().unwrap_or_default(),
            timeout: duration("embedding.timeout", &self.timeout)?,
            batch: self.batch.max(1),
        })
    }
}
