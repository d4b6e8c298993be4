//! What counts how much in working sets, and when sessions are compacted, as it is written and as it is meant.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use serde::Deserialize;
use throughline_engine::session::Strategy;
use throughline_engine::{compact, hold};

use super::duration;

#[derive(Debug, Deserialize)]
pub(super) struct SetTable {
    grip: f64,
    token_limit: u64,
    flash_at: f64,
    flash_tokens: Option<u64>,
    other: WeightTable,
    types: BTreeMap<String, WeightTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightTable {
    weight: f64,
    half_life: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct CompactionTable {
    turns: usize,
    token_budget: i64,
    share: f64,
    on_idle: bool,
    on_gate: bool,
    keep_turns: usize,
    keep_tokens: i64,
    min_tokens: i64,
    strategy: Option<Strategy>,
}

impl SetTable {
    pub(super) fn meant(&self) -> Result<hold::Policy> {
        share("set.flash_at", self.flash_at)?;
        if !(self.grip.is_finite() && self.grip >= 0.0) {
            return Err(anyhow!("set.grip is {}; write 0 or more", self.grip));
        }
        let weight = |(name, table): (&String, &WeightTable)| {
            Ok((name.clone(), table.meant(&format!("set.types.{name}"))?))
        };
        Ok(hold::Policy {
            types: self.types.iter().map(weight).collect::<Result<_>>()?,
            other: self.other.meant("set.other")?,
            grip: self.grip,
            token_limit: self.token_limit,
            flash_at: self.flash_at,
            flash_tokens: self.flash_tokens,
        })
    }
}

impl WeightTable {
    fn meant(&self, key: &str) -> Result<hold::Weight> {
        share(&format!("{key}.weight"), self.weight)?;
        let half_life = duration(&format!("{key}.half_life"), &self.half_life)?;
        if half_life.is_zero() {
            return Err(anyhow!("{key}.half_life must be longer than nothing"));
        }
        Ok(hold::Weight { weight: self.weight, half_life })
    }
}

impl CompactionTable {
    pub(super) fn meant(&self) -> Result<compact::Policy> {
        share("compaction.share", self.share)?;
        Ok(compact::Policy {
            turns: self.turns,
            token_budget: self.token_budget,
            share: self.share,
            on_idle: self.on_idle,
            on_gate: self.on_gate,
            keep_turns: self.keep_turns.max(1),
            keep_tokens: self.keep_tokens.max(0),
            min_tokens: self.min_tokens.max(0),
            strategy: self.strategy,
            checkpoint_on: vec![],
        })
    }
}

fn share(key: &str, share: f64) -> Result<()> {
    if (0.0..=1.0).contains(&share) {
        Ok(())
    } else {
        Err(anyhow!("{key} is {share}; write a share between 0 and 1"))
    }
}
