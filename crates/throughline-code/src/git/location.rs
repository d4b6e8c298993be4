//! Where a repository has its files: `.git` is a folder, or in a worktree or a submodule a file that names one.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::Error;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The top of the work tree; of a bare repository the folder itself.
    pub root: PathBuf,
    /// Has this work tree's own HEAD.
    pub git_dir: PathBuf,
    /// Shared by all worktrees of the repository: objects, references, settings.
    pub common_dir: PathBuf,
}

impl Location {
    /// The nearest repository at or above the folder.
    pub fn discover(folder: &Path) -> Option<Location> {
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        folder.ancestors().find_map(|root| Location::at(root).or_else(|| Location::bare(root)))
    }

    /// The repository whose work tree begins here.
    pub fn at(root: &Path) -> Option<Location> {
        let dot_git = root.join(".git");
        let git_dir = if dot_git.is_dir() { dot_git } else { linked_dir(root, &dot_git)? };
        fs::read(git_dir.join("HEAD")).ok()?;
        let common_dir = match fs::read_to_string(git_dir.join("commondir")) {
            Ok(relative) => git_dir.join(relative.trim()),
            Err(_) => git_dir.clone(),
        };
        let common_dir = fs::canonicalize(&common_dir).unwrap_or(common_dir);
        Some(Location { root: root.to_owned(), git_dir, common_dir })
    }

    fn bare(root: &Path) -> Option<Location> {
        let is_one =
            root.join("HEAD").is_file() && root.join("objects").is_dir() && root.join("refs").is_dir();
        is_one.then(|| Location {
            root: root.to_owned(),
            git_dir: root.to_owned(),
            common_dir: root.to_owned(),
        })
    }

    pub(super) fn uses_sha256(&self) -> bool {
        // A repository without settings is one of the old kind.
        let config = fs::read_to_string(self.common_dir.join("config")).unwrap_or_default();
        let mut in_extensions = false;
        config.lines().map(|line| line.trim().to_ascii_lowercase()).any(|line| {
            if line.starts_with('[') {
                in_extensions = line.starts_with("[extensions]");
            }
            let is = |(key, value): (&str, &str)| key.trim() == "objectformat" && value.trim() == "sha256";
            in_extensions && line.split_once('=').is_some_and(is)
        })
    }

    pub(super) fn unreadable(&self, why: impl fmt::Display) -> Error {
        Error::Unreadable(self.common_dir.display().to_string(), why.to_string())
    }
}

fn linked_dir(root: &Path, dot_git: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(dot_git).ok()?;
    Some(root.join(text.strip_prefix("gitdir:")?.trim()))
}
