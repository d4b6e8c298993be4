//! What HEAD names: a branch, which may have no commit yet, or a commit.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, ErrorKind};
use std::path::{Component, Path};

use gix_hash::ObjectId;

use super::{CommitId, Repository, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// Without a commit the branch is not born yet.
    Branch {
        name: String,
        commit: Option<CommitId>,
    },
    Detached(CommitId),
}

/// A reference may name another one, but nobody makes chains of them.
const MAX_HOPS: usize = 5;
/// What HEAD says where references are kept in a `reftable`.
const REFTABLE: &str = "refs/heads/.invalid";

impl Head {
    pub fn branch(&self) -> Option<&str> {
        match self {
            Head::Branch { name, .. } => Some(name),
            Head::Detached(_) => None,
        }
    }

    pub fn commit(&self) -> Option<CommitId> {
        match self {
            Head::Branch { commit, .. } => *commit,
            Head::Detached(commit) => Some(*commit),
        }
    }
}

impl Repository {
    pub fn head(&self) -> Result<Head> {
        let path = self.location.git_dir.join("HEAD");
        let head = fs::read_to_string(path).map_err(|error| self.location.unreadable(error))?;
        let Some(target) = symbolic(&head) else {
            return Ok(Head::Detached(self.parse(&head)?));
        };
        if target == REFTABLE {
            return Err(self.location.unreadable(
                "its references are kept in a reftable, which `git refs migrate --ref-format=files` changes",
            ));
        }
        let name = target.strip_prefix("refs/heads/").unwrap_or(target).to_owned();
        Ok(Head::Branch { name, commit: self.follow(target)? })
    }

    /// Nothing when no such reference exists.
    fn follow(&self, name: &str) -> Result<Option<CommitId>> {
        let mut name = name.to_owned();
        for _ in 0..MAX_HOPS {
            let Some(text) = self.loose(&name)? else { return self.packed(&name) };
            match symbolic(&text) {
                Some(next) => name = next.to_owned(),
                None => return self.parse(&text).map(Some),
            }
        }
        Err(self.location.unreadable(format!("{name} leads nowhere")))
    }

    fn loose(&self, name: &str) -> Result<Option<String>> {
        let stays_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !stays_inside || !name.starts_with("refs/") {
            return Err(self.location.unreadable(format!("{name:?} is no reference")));
        }
        match fs::read_to_string(self.location.common_dir.join(name)) {
            Ok(text) => Ok(Some(text)),
            // A branch `a` is a file, and a folder once there was a branch `a/b`.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::NotFound | ErrorKind::IsADirectory | ErrorKind::NotADirectory
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(self.location.unreadable(error)),
        }
    }

    fn packed(&self, name: &str) -> Result<Option<CommitId>> {
        let file = match File::open(self.location.common_dir.join("packed-refs")) {
            Ok(file) => BufReader::new(file),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.location.unreadable(error)),
        };
        for line in file.split(b'\n') {
            let line = line.map_err(|error| self.location.unreadable(error))?;
            let hex = line.strip_suffix(name.as_bytes()).and_then(|line| line.strip_suffix(b" "));
            if let Some(hex) = hex {
                return self.parse(&String::from_utf8_lossy(hex)).map(Some);
            }
        }
        Ok(None)
    }

    fn parse(&self, text: &str) -> Result<CommitId> {
        let id = ObjectId::from_hex(text.trim().as_bytes());
        id.map(CommitId).map_err(|error| self.location.unreadable(error))
    }
}

fn symbolic(text: &str) -> Option<&str> {
    text.strip_prefix("ref:").map(str::trim)
}
