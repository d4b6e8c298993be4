//! Where memory files lie and what they show, as it is written and as it is meant.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use serde::Deserialize;
use throughline_engine::remember::files::{Policy, Shelf};

use super::duration;

#[derive(Debug, Deserialize)]
pub(super) struct FilesTable {
    folder: PathBuf,
    every: String,
    shelves: BTreeMap<String, ShelfTable>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ShelfTable {
    kinds: Vec<String>,
    tags: Vec<String>,
    state_keys: Vec<String>,
}

impl FilesTable {
    pub(super) fn meant(&self) -> Result<Policy> {
        let every = duration("memory.files.every", &self.every)?;
        let shelf = |(name, table): (&String, &ShelfTable)| Ok((checked(name)?, table.meant(name)?));
        Ok(Policy {
            folder: self.folder.clone(),
            every: (!every.is_zero()).then_some(every),
            shelves: self.shelves.iter().map(shelf).collect::<Result<_>>()?,
        })
    }
}

impl ShelfTable {
    fn meant(&self, name: &str) -> Result<Shelf> {
        let kind =
            |text: &String| text.parse().map_err(|why| anyhow!("memory.files.shelves.{name}.kinds: {why}"));
        Ok(Shelf {
            kinds: self.kinds.iter().map(kind).collect::<Result<_>>()?,
            tags: self.tags.clone(),
            state_keys: self.state_keys.clone(),
        })
    }
}

/// It becomes the name of a file.
fn checked(name: &str) -> Result<String> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    if name.is_empty() || name.len() > 100 || !name.chars().all(is_plain) {
        return Err(anyhow!(
            "memory.files.shelves has {name:?}; name a file by letters, digits, hyphens and underscores"
        ));
    }
    Ok(name.to_owned())
}
