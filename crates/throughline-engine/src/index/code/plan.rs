//! What of a folder has changed since it was last looked at, told without reading a file.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use throughline_code::Language;
use throughline_code::walk::{Entry, Walked};
use throughline_store::file::File;
use throughline_store::time::Timestamp;

/// What a run has to do.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) changed: Vec<Entry>,
    pub(super) gone: Gone,
}

/// Files that are not where they were.
#[derive(Debug, Default)]
pub(super) struct Gone {
    by_hash: HashMap<String, Vec<File>>,
    sizes: HashSet<i64>,
}

/// A file that was written so shortly before it was indexed may have been written again within the same tick of the
/// file system's clock.
const TICK: Duration = Duration::from_secs(2);

impl Plan {
    pub(super) fn of(walked: Walked, known: Vec<File>) -> Plan {
        let mut known: HashMap<String, File> =
            known.into_iter().map(|file| (file.path.clone(), file)).collect();
        let (mut new, mut changed) = (vec![], vec![]);
        for entry in walked.files {
            match known.remove(&entry.path) {
                Some(file) if is_same(&file, &entry) => {}
                Some(_) => changed.push(entry),
                None => new.push(entry),
            }
        }
        // New ones first: a file whose time is ahead of ours looks changed each time, and must not keep others waiting.
        new.append(&mut changed);
        let changed = new;
        // Where the walk ended early nothing tells what is gone.
        let gone = if walked.more { Gone::default() } else { Gone::of(known.into_values()) };
        Plan { changed, gone }
    }
}

fn is_same(file: &File, entry: &Entry) -> bool {
    u64::try_from(file.bytes) == Ok(entry.stamp.bytes)
        && file.modified == entry.stamp.modified
        && Timestamp(file.modified).plus(TICK) < file.indexed_at
}

impl Gone {
    fn of(files: impl Iterator<Item = File>) -> Gone {
        let mut gone = Gone::default();
        for file in files {
            gone.sizes.insert(file.bytes);
            gone.by_hash.entry(file.hash.clone()).or_default().push(file);
        }
        gone
    }

    pub(super) fn has_size(&self, bytes: u64) -> bool {
        i64::try_from(bytes).is_ok_and(|bytes| self.sizes.contains(&bytes))
    }

    /// A file of this content that can be said to have been moved there: its chunks depend on its language.
    pub(super) fn take(&mut self, hash: &str, to: &str) -> Option<File> {
        let files = self.by_hash.get_mut(hash)?;
        let same = |file: &File| Language::of_path(&file.path) == Language::of_path(to);
        files.iter().position(same).map(|at| files.swap_remove(at))
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = String> {
        self.by_hash.values().flatten().map(|file| file.path.clone())
    }
}
