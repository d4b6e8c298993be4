//! All files of a commit, and what is in them.

use gix_hash::ObjectId;
use gix_object::tree::EntryKind;

use super::change::{Entry, MAX_FOLDER_BYTES};
use super::history::Commit;
use super::{Repository, Result};

/// A file's content; the same content has the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId(ObjectId);

impl Repository {
    /// The files of a commit's tree, links and submodules left out, with paths from the top of the repository.
    pub fn files(&self, commit: &Commit) -> Result<Vec<(String, BlobId)>> {
        let mut files = vec![];
        let mut folders = vec![(String::new(), commit.tree)];
        while let Some((folder, tree)) = folders.pop() {
            if folder.len() > MAX_FOLDER_BYTES {
                return Err(self.location.unreadable("its folders are too deep"));
            }
            for Entry { name, kind, id } in self.tree(tree)? {
                let path = format!("{folder}{}", String::from_utf8_lossy(&name));
                match kind {
                    EntryKind::Tree => folders.push((format!("{path}/"), id)),
                    EntryKind::Blob | EntryKind::BlobExecutable => files.push((path, BlobId(id))),
                    EntryKind::Link | EntryKind::Commit => {}
                }
            }
        }
        files.sort_unstable();
        Ok(files)
    }

    pub fn content(&self, blob: BlobId) -> Result<Vec<u8>> {
        let mut buffer = vec![];
        self.object(blob.0, gix_object::Kind::Blob, &mut buffer)?;
        Ok(buffer)
    }
}
