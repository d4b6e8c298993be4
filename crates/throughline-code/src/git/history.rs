//! Commits, from HEAD back: the newest first, all parents followed, each once.

use std::collections::{BinaryHeap, HashSet};

use gix_hash::ObjectId;
use gix_object::CommitRef;

use super::{CommitId, Error, Repository, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub id: CommitId,
    /// None of a first commit, and none where a shallow clone ends.
    pub parents: Vec<CommitId>,
    pub author: Author,
    /// When it was committed, in seconds since 1970.
    pub at: i64,
    pub subject: String,
    pub body: String,
    pub(super) tree: ObjectId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    pub name: String,
    pub email: String,
}

/// Ends with the history, or where a clone does not go further back.
#[derive(Debug)]
pub struct Commits<'a> {
    repository: &'a Repository,
    waiting: BinaryHeap<Waiting>,
    seen: HashSet<CommitId>,
    /// Commits that are passed over, as is all that they come from.
    known: HashSet<CommitId>,
    failure: Option<Error>,
}

/// Commits of the same second come in the order in which they were found.
#[derive(Debug, PartialEq, Eq)]
struct Waiting {
    commit: Commit,
    found: usize,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> std::cmp::Ordering {
        (self.commit.at, other.found).cmp(&(other.commit.at, self.found))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Repository {
    /// The history of HEAD. Reads a commit when it is asked for, so that taking few costs little.
    pub fn commits(&self) -> Result<Commits<'_>> {
        Ok(self.commits_from(self.head()?.commit()))
    }

    pub fn commits_from(&self, tips: impl IntoIterator<Item = CommitId>) -> Commits<'_> {
        let mut commits = Commits {
            repository: self,
            waiting: BinaryHeap::new(),
            seen: HashSet::new(),
            known: HashSet::new(),
            failure: None,
        };
        tips.into_iter().for_each(|tip| commits.wait_for(tip));
        commits
    }

    /// What `tip` comes from and `known` does not: of branches that met, also what is older than `known`.
    pub fn commits_since(&self, tip: CommitId, known: Option<CommitId>) -> Commits<'_> {
        let mut commits = self.commits_from([tip]);
        commits.known.extend(known);
        known.into_iter().for_each(|known| commits.wait_for(known));
        commits
    }

    pub fn commit(&self, id: CommitId) -> Result<Commit> {
        let mut buffer = vec![];
        self.object(id.0, gix_object::Kind::Commit, &mut buffer)?;
        let read = |error| self.location.unreadable(format!("{id}: {error}"));
        let commit = CommitRef::from_bytes(&buffer, self.hash).map_err(read)?;
        let author = commit.author().map_err(read)?;
        let message = commit.message();
        let is_last = self.shallow.contains(&id.0);
        Ok(Commit {
            id,
            parents: if is_last { vec![] } else { commit.parents().map(CommitId).collect() },
            author: Author {
                name: text(author.name).trim().to_owned(),
                email: text(author.email).trim().to_owned(),
            },
            at: commit.committer().map_err(read)?.seconds(),
            subject: text(message.title).split_whitespace().collect::<Vec<_>>().join(" "),
            body: message.body.map(|body| text(body).trim().to_owned()).unwrap_or_default(),
            tree: commit.tree(),
        })
    }
}

impl Commits<'_> {
    fn wait_for(&mut self, id: CommitId) {
        if !self.seen.insert(id) {
            return;
        }
        match self.repository.commit(id) {
            Ok(commit) => self.waiting.push(Waiting { commit, found: self.seen.len() }),
            // Where a partial clone ends.
            Err(Error::Missing(_)) if self.seen.len() > 1 => {}
            Err(error) => self.failure = Some(error),
        }
    }
}

impl Iterator for Commits<'_> {
    type Item = Result<Commit>;

    fn next(&mut self) -> Option<Result<Commit>> {
        if let Some(failure) = self.failure.take() {
            return Some(Err(failure));
        }
        loop {
            let is_known = |waiting: &Waiting| self.known.contains(&waiting.commit.id);
            if !self.known.is_empty() && self.waiting.iter().all(is_known) {
                return None;
            }
            let Waiting { commit, .. } = self.waiting.pop()?;
            let is_known = self.known.contains(&commit.id);
            if is_known {
                self.known.extend(&commit.parents);
            }
            commit.parents.iter().for_each(|parent| self.wait_for(*parent));
            if !is_known {
                return Some(Ok(commit));
            }
        }
    }
}

/// Old commits may be in any encoding.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
