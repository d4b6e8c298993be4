//! What lies in a folder that is imported.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Result;

use crate::wire::error::unread;

/// Everything directly in a folder, in the order of the names.
pub(crate) fn paths_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| unread(folder, &error))?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}
