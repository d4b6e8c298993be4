//! Which commits changed which files, as far back as that says something about what changes next.

use std::path::Path;

use throughline_code::git::{Commit, Repository};
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
    pub at: Timestamp,
    pub subject: String,
    pub paths: Vec<String>,
}

impl Touched {
    pub fn of(commit: &Commit, paths: Vec<String>) -> Touched {
        let subject = redact::text(&commit.subject).text.into_owned();
        Touched {
            commit: commit.id.short(),
            at: Timestamp(commit.at.saturating_mul(1_000_000)),
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
    let mut touched = vec![];
    for commit in repository.commits()?.take(COMMITS) {
        let commit = commit?;
        if known == Some(commit.id.to_string().as_str()) {
            break;
        }
        if commit.parents.len() != 1 {
            continue;
        }
        let changed = repository.changed_files(&commit, FILES_OF_ONE)?;
        if changed.more {
            continue;
        }
        let paths =
            changed.files.into_iter().filter_map(|file| file.path.strip_prefix(&prefix).map(str::to_owned));
        touched.push(Touched::of(&commit, paths.collect()));
    }
    Ok(Some((head.to_string(), touched)))
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
