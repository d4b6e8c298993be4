//! Which commits changed which files, as far back as that says something about what changes next.

use std::collections::HashMap;
use std::path::Path;

use throughline_code::git::{Commit, CommitId, Repository};
use throughline_store::code_index::{self, CodeIndex};
use throughline_store::revision::{self, Revision};
use throughline_store::time::Timestamp;

use crate::capture::redact;
use crate::{Caller, Engine, Result};

/// So many of the newest commits are looked at.
const COMMITS: usize = 1000;
/// A commit of more files says nothing about any of them.
const FILES_OF_ONE: usize = 30;
/// So many commits are written in one transaction.
const AT_ONCE: usize = 100;
const SUBJECT_BYTES: usize = 160;

/// Takes in the commits since the last time. A repository that cannot be read is told and left out.
pub(super) fn take_in(engine: &Engine, caller: &Caller, root: &Path) -> Result<()> {
    let known = engine.store.read(|conn| code_index::get(conn, &caller.project))?;
    let Some(known) = known else { return Ok(()) };
    match unknown(root, known.head.as_deref()) {
        Ok(Some((head, commits))) => engine.note_commits(caller, &head, &commits),
        Ok(None) => Ok(()),
        Err(error) => {
            tracing::debug!(%error, "the repository's history is left out");
            Ok(())
        }
    }
}

/// A commit and the files that it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    pub commit: String,
    /// Git tells the second; below it, the place among commits of that second.
    pub at: Timestamp,
    pub subject: String,
    pub paths: Vec<String>,
}

impl Touched {
    /// `place` tells commits of the same second apart: one comes after those that it comes from.
    pub fn of(commit: &Commit, place: i64, paths: Vec<String>) -> Touched {
        let subject = redact::text(&commit.subject).text.into_owned();
        Touched {
            commit: commit.id.short(),
            at: Timestamp(commit.at.saturating_mul(1_000_000).saturating_add(place.min(999_999))),
            subject: subject[..subject.floor_char_boundary(SUBJECT_BYTES)].to_owned(),
            paths,
        }
    }
}

fn unknown(
    root: &Path,
    known: Option<&str>,
) -> throughline_code::git::Result<Option<(String, Vec<Touched>)>> {
    let Some(repository) = Repository::discover(root)? else { return Ok(None) };
    let Some(head) = repository.head()?.commit() else { return Ok(None) };
    if known == Some(head.to_string().as_str()) {
        return Ok(None);
    }
    // Where the folder is a part of the repository, paths are told from the folder.
    let inside =
        root.strip_prefix(&repository.location().root).ok().and_then(Path::to_str).unwrap_or_default();
    let prefix = if inside.is_empty() { String::new() } else { format!("{}/", inside.replace('\\', "/")) };
    let known = known.and_then(|known| known.parse().ok());
    let commits: Vec<Commit> =
        repository.commits_since(head, known).take(COMMITS).collect::<throughline_code::git::Result<_>>()?;
    let places = places(&repository, &commits)?;
    let mut touched = vec![];
    for commit in commits.iter().filter(|commit| commit.parents.len() == 1) {
        let changed = repository.changed_files(commit, FILES_OF_ONE)?;
        if changed.more {
            continue;
        }
        let paths =
            changed.files.into_iter().filter_map(|file| file.path.strip_prefix(&prefix).map(str::to_owned));
        let place = places.get(&commit.id).copied().unwrap_or(0);
        touched.push(Touched::of(commit, place, paths.collect()));
    }
    Ok(Some((head.to_string(), touched)))
}

/// How many commits of its own second each comes from. It depends on the history alone, so that a commit that is seen
/// again has the same place.
fn places(
    repository: &Repository,
    commits: &[Commit],
) -> throughline_code::git::Result<HashMap<CommitId, i64>> {
    let by_id: HashMap<CommitId, &Commit> = commits.iter().map(|commit| (commit.id, commit)).collect();
    let mut places: HashMap<CommitId, i64> = HashMap::new();
    for commit in commits.iter().rev() {
        let mut place = 0;
        for parent in &commit.parents {
            place = place.max(match (places.get(parent), by_id.get(parent)) {
                (Some(before), Some(parent)) if parent.at == commit.at => before + 1,
                (Some(_), _) => 0,
                (None, _) => in_a_row(repository, *parent, commit.at)?,
            });
        }
        places.insert(commit.id, place);
    }
    Ok(places)
}

/// How many commits of the same second there are from this one back.
fn in_a_row(repository: &Repository, from: CommitId, second: i64) -> throughline_code::git::Result<i64> {
    let mut next = Some(from);
    let mut count = 0;
    while let Some(id) = next.take() {
        match repository.commit(id) {
            Ok(commit) if commit.at == second && count < COMMITS as i64 => {
                count += 1;
                next = commit.parents.first().copied();
            }
            // Where a partial clone ends nothing is known of what was before.
            Ok(_) | Err(throughline_code::git::Error::Missing(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

impl Engine {
    /// Notes which files commits changed; `head` is the newest of them.
    pub fn note_commits(&self, caller: &Caller, head: &str, commits: &[Touched]) -> Result<()> {
        for some in commits.chunks(AT_ONCE) {
            let revisions: Vec<Revision> = some
                .iter()
                .flat_map(|touched| {
                    touched.paths.iter().map(|path| Revision {
                        path: path.clone(),
                        at: touched.at,
                        commit: touched.commit.clone(),
                        subject: touched.subject.clone(),
                    })
                })
                .collect();
            self.write(caller, |tx| Ok(revision::add(tx, &caller.project, &revisions)?))?;
        }
        self.write(caller, |tx| {
            let before = code_index::get(tx, &caller.project)?.unwrap_or_default();
            let noted = CodeIndex { head: Some(head.to_owned()), ..before };
            Ok(code_index::put(tx, &caller.project, &noted)?)
        })
    }
}
