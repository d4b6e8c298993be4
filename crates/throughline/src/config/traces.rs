//! Where traces go, if anywhere, as it is written and as it is meant.

use serde::Deserialize;

use super::non_empty_env;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TraceSettings {
    /// Where a collector takes traces.
    pub(crate) url: String,
    pub(crate) headers: Vec<(String, String)>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TracesTable {
    endpoint: Option<String>,
    headers_env: Option<String>,
}

impl TracesTable {
    /// Nothing where no collector is named.
    pub(super) fn meant(&self) -> Option<TraceSettings> {
        let endpoint = self.endpoint.as_deref().filter(|endpoint| !endpoint.is_empty())?;
        let base = endpoint.trim_end_matches('/');
        let url = if base.ends_with("/v1/traces") { base.to_owned() } else { format!("{base}/v1/traces") };
        let written = self.headers_env.as_deref().and_then(non_empty_env).unwrap_or_default();
        let pair = |one: &str| {
            let (name, value) = one.split_once('=')?;
            Some((name.trim().to_owned(), value.trim().to_owned()))
        };
        Some(TraceSettings { url, headers: written.split(',').filter_map(pair).collect() })
    }
}
