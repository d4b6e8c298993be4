//! A git repository, read from its files without starting git and never written: where HEAD is, the commits behind it,
//! the files that a commit changed. Knows packs, loose objects, worktrees, submodules, shallow clones and both hashes;
//! the newer format of references (`reftable`) is told as such.

mod change;
mod history;
mod location;
mod reference;
mod snapshot;
#[cfg(test)]
mod tests;

pub use change::{Change, Changed, FileChange};
pub use history::{Author, Commit, Commits};
pub use location::Location;
pub use reference::Head;
pub use snapshot::BlobId;

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use gix_hash::{Kind, ObjectId};
use gix_object::Find as _;
use gix_odb::store::init::Options;
use thiserror::Error;

/// Opened once, with what it has at that moment.
pub struct Repository {
    location: Location,
    objects: gix_odb::Handle,
    hash: Kind,
    /// Commits whose parents were not fetched.
    shallow: HashSet<ObjectId>,
}

/// Of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(ObjectId);

#[derive(Debug, Error)]
pub enum Error {
    #[error("the repository {0} cannot be read: {1}; check it with `git fsck`")]
    Unreadable(String, String),
    /// Shallow and partial clones do not have everything.
    #[error("the object {0} is not in this clone; fetch the rest, or clone the whole repository")]
    Missing(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// No commit or tree is this large; a number in a damaged pack may be.
const MAX_OBJECT_BYTES: usize = 256 * 1024 * 1024;
const SHORT_ID: usize = 7;

impl Repository {
    /// The repository that the folder is in. Nothing where there is none.
    pub fn discover(folder: &Path) -> Result<Option<Repository>> {
        Location::discover(folder).map(Repository::open).transpose()
    }

    pub fn open(location: Location) -> Result<Repository> {
        let hash = if location.uses_sha256() { Kind::Sha256 } else { Kind::Sha1 };
        let options = Options { alloc_limit_bytes: Some(MAX_OBJECT_BYTES), ..Options::default() };
        let mut objects = gix_odb::at_opts(location.common_dir.join("objects"), hash, None, options)
            .map_err(|error| location.unreadable(error))?;
        // What is missing stays missing: looking through the folder again for it costs more than all the rest.
        objects.refresh_never();
        let shallow = shallow_commits(&location);
        Ok(Repository { location, objects, hash, shallow })
    }

    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Puts the object's bytes into `buffer`.
    fn object(&self, id: ObjectId, kind: gix_object::Kind, buffer: &mut Vec<u8>) -> Result<()> {
        let found = self.objects.try_find(&id, buffer).map_err(|error| self.location.unreadable(error))?;
        match found {
            Some(found) if found.kind == kind => Ok(()),
            Some(found) => Err(self.location.unreadable(format!("{id} is a {} and no {kind}", found.kind))),
            None => Err(Error::Missing(id.to_string())),
        }
    }
}

fn shallow_commits(location: &Location) -> HashSet<ObjectId> {
    // There is no such file in a clone that has everything.
    let listed = fs::read_to_string(location.common_dir.join("shallow")).unwrap_or_default();
    listed.lines().filter_map(|line| ObjectId::from_hex(line.trim().as_bytes()).ok()).collect()
}

impl CommitId {
    /// As people write it.
    pub fn short(&self) -> String {
        self.0.to_hex_with_len(SHORT_ID).to_string()
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for CommitId {
    type Err = String;

    fn from_str(hex: &str) -> Result<CommitId, String> {
        ObjectId::from_hex(hex.as_bytes())
            .map(CommitId)
            .map_err(|_| format!("{hex:?} is no full commit id; `git rev-parse` gives it"))
    }
}

impl fmt::Debug for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repository").field("location", &self.location).finish_non_exhaustive()
    }
}
