//! What models are told at prompts, as it is written and as it is meant.

use anyhow::{Result, anyhow};
use serde::Deserialize;
use throughline_engine::turn::Policy;

#[derive(Debug, Deserialize)]
pub(super) struct ContextTable {
    floor: f64,
    most: usize,
    requires_context: bool,
    isolated_types: Vec<String>,
}

impl ContextTable {
    pub(super) fn meant(&self) -> Result<Policy> {
        if !(0.0..=1.0).contains(&self.floor) {
            return Err(anyhow!("context.floor is {}; write a share between 0 and 1", self.floor));
        }
        let parse = |name: &String| name.parse().map_err(|why| anyhow!("context.isolated_types: {why}"));
        Ok(Policy {
            floor: self.floor,
            most: self.most,
            requires_context: self.requires_context,
            isolated_types: self.isolated_types.iter().map(parse).collect::<Result<_>>()?,
        })
    }
}
