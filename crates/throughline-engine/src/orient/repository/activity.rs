//! What happened lately in the repository: where HEAD is, the last commits, the files that change most. Stops looking
//! when its time is up, and says how far it came.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

use throughline_code::Language;
use throughline_code::git::{Change, Commit, Head, Repository};
use throughline_store::time::Timestamp;

use super::super::Shown;
use super::{Deadline, prose};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activity {
    /// Without one, HEAD is at a commit.
    pub branch: Option<String>,
    /// The newest first.
    pub commits: Vec<RecentCommit>,
    /// Code first, and what changed most.
    pub hot_files: Shown<HotFile>,
    /// In how many commits changes were looked for.
    pub examined: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentCommit {
    /// As people write it.
    pub id: String,
    pub at: Timestamp,
    pub subject: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HotFile {
    pub path: String,
    pub commits: usize,
}

const COMMITS: usize = 5;
const HOT_FILES: usize = 6;
/// Changes are looked for in so many commits.
const EXAMINED: usize = 50;
/// A commit that changes more files than this was about none of them.
const FILES_OF_ONE: usize = 60;
/// Change with everything else and tell nothing.
const FOLLOWERS: [&str; 12] = [
    "Cargo.lock",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "uv.lock",
    "poetry.lock",
    "go.sum",
    "Gemfile.lock",
    "composer.lock",
    "flake.lock",
    ".gitignore",
];

/// Nothing where there is no repository, or none that can be read.
pub(super) fn activity(root: &Path, deadline: &Deadline<'_>) -> Option<Activity> {
    let read = || -> throughline_code::git::Result<Option<Activity>> {
        let Some(repository) = Repository::discover(root)? else { return Ok(None) };
        let head = repository.head()?;
        let newest: Vec<Commit> = repository.commits()?.take(EXAMINED).collect::<Result<_, _>>()?;
        let (hot_files, examined) = hot_files(&repository, &newest, deadline)?;
        Ok(Some(Activity {
            branch: branch(&head),
            commits: told(&newest).map(recent).collect(),
            hot_files,
            examined,
        }))
    };
    read().unwrap_or_else(|error| {
        tracing::debug!(%error, "the repository's history is left out");
        None
    })
}

/// Merges only repeat what was merged, where anything was.
fn told(newest: &[Commit]) -> impl Iterator<Item = &Commit> {
    let has_others = newest.iter().any(|commit| commit.parents.len() < 2);
    newest.iter().filter(move |commit| commit.parents.len() < 2 || !has_others).take(COMMITS)
}

fn branch(head: &Head) -> Option<String> {
    head.branch().map(|branch| prose::line(branch, 80))
}

fn recent(commit: &Commit) -> RecentCommit {
    let subject = crate::capture::redact::text(&commit.subject).text.into_owned();
    RecentCommit {
        id: commit.id.short(),
        at: Timestamp(commit.at.saturating_mul(1_000_000)),
        subject: prose::line(&subject, 100),
    }
}

fn hot_files(
    repository: &Repository,
    newest: &[Commit],
    deadline: &Deadline<'_>,
) -> throughline_code::git::Result<(Shown<HotFile>, usize)> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut gone: Vec<String> = vec![];
    let mut examined = 0;
    for commit in newest {
        if deadline.has_passed() {
            break;
        }
        examined += 1;
        // A merge repeats what its commits did, and a first commit is about everything.
        if commit.parents.len() != 1 {
            continue;
        }
        let changed = repository.changed_files(commit, FILES_OF_ONE)?;
        for file in changed.files.into_iter().filter(|_| !changed.more) {
            if file.change == Change::Removed {
                gone.push(file.path);
            } else if !gone.contains(&file.path) {
                *counts.entry(file.path).or_default() += 1;
            }
        }
    }
    Ok((hottest(counts), examined))
}

fn hottest(counts: HashMap<String, usize>) -> Shown<HotFile> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut files: Vec<HotFile> = counts
        .into_iter()
        .filter(|(path, commits)| *commits > 1 && !FOLLOWERS.contains(&name(path).as_str()))
        .map(|(path, commits)| HotFile { path: prose::line(&path, 120), commits })
        .collect();
    // Settings and change logs change with everything; the work is in the code.
    let is_code = |file: &HotFile| Language::of_path(&file.path).is_some_and(Language::is_code);
    files.sort_by_cached_key(|file| (!is_code(file), Reverse(file.commits), file.path.clone()));
    let total = files.len() as i64;
    files.truncate(HOT_FILES);
    Shown { shown: files, total }
}
