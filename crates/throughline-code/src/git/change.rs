//! Which files a commit changed, by comparing its tree with that of its first parent. Equal subtrees are not read.

use gix_hash::ObjectId;
use gix_object::TreeRefIter;
use gix_object::tree::{EntryKind, name_order};

use super::history::Commit;
use super::{Repository, Result};

/// A moved file is one that was removed and one that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Added,
    Modified,
    Removed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// From the top of the repository, with `/`.
    pub path: String,
    pub change: Change,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changed {
    pub files: Vec<FileChange>,
    /// The commit changed more files than were asked for.
    pub more: bool,
}

/// Nobody has deeper folders; a damaged or hostile repository may.
pub(super) const MAX_FOLDER_BYTES: usize = 1024;

pub(super) struct Entry {
    pub(super) name: Vec<u8>,
    pub(super) kind: EntryKind,
    pub(super) id: ObjectId,
}

/// Collects changes until there are enough.
struct Comparison<'a> {
    repository: &'a Repository,
    changed: Changed,
    limit: usize,
}

impl Repository {
    /// The first `limit` files that a commit changed, in the order of trees. A commit without parents added all its files.
    pub fn changed_files(&self, commit: &Commit, limit: usize) -> Result<Changed> {
        let before = match commit.parents.first() {
            Some(parent) => self.tree(self.commit(*parent)?.tree)?,
            None => vec![],
        };
        let mut comparison = Comparison { repository: self, changed: Changed::default(), limit };
        comparison.compare(&before, &self.tree(commit.tree)?, "")?;
        Ok(comparison.changed)
    }

    pub(super) fn tree(&self, id: ObjectId) -> Result<Vec<Entry>> {
        let mut buffer = vec![];
        self.object(id, gix_object::Kind::Tree, &mut buffer)?;
        let owned = |entry: gix_object::tree::EntryRef<'_>| Entry {
            name: entry.filename.to_vec(),
            kind: entry.mode.kind(),
            id: entry.oid.to_owned(),
        };
        let entries = TreeRefIter::from_bytes(&buffer, self.hash).map(|entry| entry.map(owned));
        entries.collect::<Result<_, _>>().map_err(|error| self.location.unreadable(format!("{id}: {error}")))
    }
}

impl Comparison<'_> {
    /// Both in the order that git gives to trees.
    fn compare(&mut self, before: &[Entry], after: &[Entry], folder: &str) -> Result<()> {
        let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
        while !self.changed.more {
            let order = match (before.peek(), after.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(old), Some(new)) => name_order(&old.name, old.is_tree(), &new.name, new.is_tree()),
            };
            let old = if order.is_le() { before.next() } else { None };
            let new = if order.is_ge() { after.next() } else { None };
            self.pair(old, new, folder)?;
        }
        Ok(())
    }

    fn pair(&mut self, old: Option<&Entry>, new: Option<&Entry>, folder: &str) -> Result<()> {
        let Some(entry) = new.or(old) else { return Ok(()) };
        if old.zip(new).is_some_and(|(old, new)| old.id == new.id && old.kind == new.kind) {
            return Ok(());
        }
        let path = format!("{folder}{}", String::from_utf8_lossy(&entry.name));
        if entry.is_tree() {
            if path.len() > MAX_FOLDER_BYTES {
                return Err(self.repository.location.unreadable("its folders are too deep"));
            }
            let below =
                |entry: Option<&Entry>| entry.map_or(Ok(vec![]), |entry| self.repository.tree(entry.id));
            return self.compare(&below(old)?, &below(new)?, &format!("{path}/"));
        }
        let change = match (old, new) {
            (None, _) => Change::Added,
            (Some(_), None) => Change::Removed,
            (Some(_), Some(_)) => Change::Modified,
        };
        self.changed.more = self.changed.files.len() == self.limit;
        if !self.changed.more {
            self.changed.files.push(FileChange { path, change });
        }
        Ok(())
    }
}

impl Entry {
    fn is_tree(&self) -> bool {
        self.kind == EntryKind::Tree
    }
}
