//! The files of a folder that are its own source: what `.gitignore` leaves, less what others wrote or programs made.
//! Links are not followed, so that nothing outside the folder is seen and no walk goes round in circles.

mod foreign;

use std::path::Path;
use std::time::UNIX_EPOCH;

use ignore::{DirEntry, WalkBuilder};

pub use foreign::{is_foreign, is_foreign_folder};

use crate::source::MAX_BYTES;

/// A file that may be source; what is in it was not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// From the folder, with `/`.
    pub path: String,
    pub stamp: Stamp,
}

/// What tells without reading that a file has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub bytes: u64,
    /// In microseconds since 1970.
    pub modified: i64,
}

/// What a walk came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walked {
    /// In the order of their paths.
    pub files: Vec<Entry>,
    /// Files that are too large to be source.
    pub large: usize,
    /// Files and folders that may not be read, or are called by no text.
    pub unreadable: usize,
    /// There are more files than were asked for.
    pub more: bool,
}

/// The first `most` files below `root` in the order of their paths.
pub fn walk(root: &Path, most: usize) -> Walked {
    let mut walked = Walked::default();
    let entries = WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .parents(true)
        .follow_links(false)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(is_own)
        .build();
    for entry in entries {
        let Ok(entry) = entry else {
            walked.unreadable += 1;
            continue;
        };
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        if walked.files.len() == most {
            walked.more = true;
            break;
        }
        match seen(root, &entry) {
            Some(seen) if seen.stamp.bytes > MAX_BYTES as u64 => walked.large += 1,
            Some(seen) if is_foreign(&seen.path) => {}
            Some(seen) => walked.files.push(seen),
            None => walked.unreadable += 1,
        }
    }
    walked
}

fn is_own(entry: &DirEntry) -> bool {
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    let name = entry.file_name().to_str().unwrap_or_default();
    entry.depth() == 0 || !is_folder || !is_foreign_folder(name)
}

fn seen(root: &Path, entry: &DirEntry) -> Option<Entry> {
    let relative = entry.path().strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
    Some(Entry { path: parts?.join("/"), stamp: Stamp::of(&entry.metadata().ok()?) })
}

impl Stamp {
    pub fn of(metadata: &std::fs::Metadata) -> Stamp {
        // Where a file system keeps no times every file is read again, which is slow and right.
        let modified = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let modified = modified.and_then(|since| i64::try_from(since.as_micros()).ok()).unwrap_or(-1);
        Stamp { bytes: metadata.len(), modified }
    }
}

#[cfg(test)]
mod tests;
