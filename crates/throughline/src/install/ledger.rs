//! The ledger: for each file what was there before and what was written, so that both can be told apart from what
//! somebody else wrote since. What was there is kept beside it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::disk;
use super::places::Scope;
use crate::wire::error::unwritten;

#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(super) struct Ledger {
    records: Vec<Record>,
    /// Made for the files of the records.
    #[serde(default)]
    folders: Vec<PathBuf>,
    #[serde(skip)]
    home: PathBuf,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) path: PathBuf,
    /// Where it lies when `path` is a link.
    pub(super) real: PathBuf,
    /// Several clients may read one file.
    pub(super) owners: Vec<Owner>,
    /// Nothing where the file was not there.
    pub(super) before: Option<Stamp>,
    pub(super) after: Stamp,
}

impl Record {
    pub(super) fn is_of(&self, client: &str, scope: Scope) -> bool {
        self.owners.iter().any(|owner| owner.client == client && owner.scope == scope)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Owner {
    pub(super) client: String,
    pub(super) scope: Scope,
}

/// Enough of a content to know it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    hash: String,
    bytes: usize,
}

impl Stamp {
    /// FNV-1a: the same on every machine and in every version. Nobody gains by forging it.
    pub(super) fn of(bytes: &[u8]) -> Stamp {
        let hash = bytes.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Stamp { hash: format!("{hash:016x}"), bytes: bytes.len() }
    }
}

/// Held while the ledger and the files change; it goes with the value.
pub(super) struct Lock(#[expect(dead_code, reason = "holds the lock until it is dropped")] File);

impl Ledger {
    pub(super) fn read(home: &Path) -> Result<Ledger> {
        let folder = home.join("install");
        let path = folder.join("ledger.json");
        let mut ledger = match disk::read(&path)?.content {
            None => Ledger::default(),
            Some(bytes) => serde_json::from_slice(&bytes).with_context(|| {
                let path = path.display();
                format!("{path} cannot be read; move it away, then only our own entries are looked for")
            })?,
        };
        ledger.home = folder;
        Ok(ledger)
    }

    pub(super) fn lock(&self) -> Result<Lock> {
        fs::create_dir_all(&self.home)
            .with_context(|| format!("cannot create {}; set THROUGHLINE_HOME", self.home.display()))?;
        let path = self.home.join("lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| unwritten(&path, &error))?;
        file.lock().with_context(|| {
            format!(
                "cannot lock {}; set THROUGHLINE_HOME to a folder on a disk of this machine",
                path.display()
            )
        })?;
        Ok(Lock(file))
    }

    pub(super) fn record(&self, path: &Path) -> Option<&Record> {
        self.records.iter().find(|record| record.path == path)
    }

    /// The files of projects that hold something for a client, or for any when it is called `all`.
    pub(super) fn of_projects(&self, client: &str) -> Vec<(String, PathBuf)> {
        let owned =
            self.records.iter().flat_map(|record| record.owners.iter().map(move |owner| (owner, record)));
        let asked = owned.filter(|(owner, _)| {
            owner.scope == Scope::Project && (client == "all" || client == owner.client)
        });
        asked.map(|(owner, record)| (owner.client.clone(), record.path.clone())).collect()
    }

    pub(super) fn made(&mut self, folders: impl IntoIterator<Item = PathBuf>) {
        self.folders.extend(folders);
        self.folders.sort();
        self.folders.dedup();
    }

    /// The folders that no record needs any more, the outermost first; they are forgotten.
    pub(super) fn useless_folders(&mut self) -> Vec<PathBuf> {
        let is_needed = |folder: &PathBuf| self.records.iter().any(|record| record.real.starts_with(folder));
        let (needed, useless) = self.folders.drain(..).partition(is_needed);
        self.folders = needed;
        useless
    }

    pub(super) fn put(&mut self, record: Record) {
        self.records.retain(|known| known.path != record.path);
        self.records.push(record);
    }

    pub(super) fn forget(&mut self, path: &Path) {
        self.records.retain(|known| known.path != path);
    }

    /// Where the content of a file is kept.
    pub(super) fn backup(&self, stamp: &Stamp) -> PathBuf {
        self.home.join("backups").join(format!("{}-{}", stamp.hash, stamp.bytes))
    }

    /// What was there before, where it is still kept.
    pub(super) fn kept(&self, stamp: &Stamp) -> Option<Vec<u8>> {
        // A lost or damaged copy is no copy; then our entries are looked for in the file itself.
        fs::read(self.backup(stamp)).ok().filter(|bytes| Stamp::of(bytes) == *stamp)
    }

    pub(super) fn keep(&self, bytes: &[u8]) -> Result<Stamp> {
        let stamp = Stamp::of(bytes);
        if self.kept(&stamp).is_none() {
            disk::replace_private(&self.backup(&stamp), bytes)?;
        }
        Ok(stamp)
    }

    pub(super) fn save(&self) -> Result<()> {
        let text = serde_json::to_vec_pretty(self).context("the ledger is valid JSON")?;
        disk::replace_private(&self.home.join("ledger.json"), &text)
    }
}
