//! What is looked at of a project's files, as it is written and as it is meant.

use anyhow::{Result, anyhow};
use serde::Deserialize;
use throughline_engine::settings::Code;

#[derive(Debug, Deserialize)]
pub(super) struct CodeTable {
    index: bool,
    max_files: usize,
    threads: usize,
    floor: f64,
    max_bytes: usize,
}

impl CodeTable {
    pub(super) fn meant(&self) -> Result<Code> {
        if !(0.0..=1.0).contains(&self.floor) {
            return Err(anyhow!("code.floor is {}; write a share between 0 and 1", self.floor));
        }
        if self.max_files == 0 {
            return Err(anyhow!("code.max_files is 0; write code.index = false to leave files alone"));
        }
        if self.threads == 0 {
            return Err(anyhow!("code.threads is 0; write 1 or more"));
        }
        Ok(Code {
            index: self.index,
            max_files: self.max_files,
            threads: self.threads,
            floor: self.floor,
            max_bytes: self.max_bytes,
        })
    }
}
