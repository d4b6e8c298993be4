//! A project's files become findable: what changed in the folder since the last look is read, cut into chunks and taken
//! into the index, some files at a time. What was taken in stays so when the process ends in the middle.

pub(crate) mod document;
mod health;
pub(crate) mod history;
pub(crate) mod job;
mod links;
mod plan;
pub(crate) mod take;
mod write;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use throughline_code::walk::{self, Stamp};
use throughline_store::code_index::{self, CodeIndex};
use throughline_store::index_page::{Collection, Index};
use throughline_store::time::Timestamp;
use throughline_store::{Connection, chunk, file, item, revision};

pub use health::{Health, Queue};
pub use history::Touched;
pub use links::{History, Touching};

use super::renew::is_current;
use crate::{Caller, Engine, Error, Result};
pub(crate) use write::CHUNK;

use plan::Plan;
use take::Look;
use write::Change;

/// What a run came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeProgress {
    /// Files that may be source.
    pub files: usize,
    pub changed: usize,
    /// The same content under another path.
    pub moved: usize,
    pub removed: usize,
    /// Changed files that are not taken in yet.
    pub left: usize,
    /// Files whose content is no source.
    pub refused: usize,
    pub large: usize,
    pub unreadable: usize,
    /// There are more files than are ever looked at.
    pub more: bool,
}

/// How much is done in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Everything,
    /// Goes on after that in another run.
    For(Duration),
}

/// So many files are read before they are written, in one transaction.
const FILES_AT_ONCE: usize = 64;
/// With so many numbers for each chunk that is there, and some to spare, the index is made again.
const WORN: i64 = 4;
const SPARE: i64 = 20_000;
/// And so many bytes of them.
const BYTES_AT_ONCE: u64 = 1024 * 1024;

impl Engine {
    /// Brings the index up to what is in the folder. `tell` hears of every step.
    pub fn index_code(
        &self,
        caller: &Caller,
        root: &Path,
        bound: Bound,
        tell: &mut dyn FnMut(&CodeProgress),
    ) -> Result<CodeProgress> {
        let started = self.now();
        let root = folder(root)?;
        let (mut known, given_out, current) = self.store.read(|conn| {
            let given_out = item::last_number(conn, &caller.project, CHUNK)?;
            let current = is_current(conn, chunks(caller))? && is_current(conn, files(caller))?;
            Ok::<_, Error>((file::all(conn, &caller.project)?, given_out, current))
        })?;
        if is_worn(&known, given_out) || !current {
            self.write(caller, |tx| forget(tx, caller))?;
            known.clear();
        }
        let before = self.begin(caller, &root)?;
        history::take_in(self, caller, &root)?;
        let walked = walk::walk(&root, self.settings.code.max_files);
        let mut progress = CodeProgress {
            files: walked.files.len(),
            large: walked.large,
            unreadable: walked.unreadable,
            more: walked.more,
            ..CodeProgress::default()
        };
        let plan = Plan::of(walked, known);
        progress.left = plan.changed.len();
        tell(&progress);
        let changed = self.take_moved(caller, &root, plan, &mut progress)?;
        let ends = |now: Timestamp| matches!(bound, Bound::For(limit) if now.since(started) >= limit);
        progress.left = changed.len();
        self.take_all(caller, &root, &changed, &mut progress, &mut |progress| {
            tell(progress);
            if ends(self.now()) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        self.end(caller, before, started, &progress)?;
        Ok(progress)
    }

    /// Takes files in batch by batch, until `goes_on` says that it is enough; the next batch is read while one is written.
    fn take_all(
        &self,
        caller: &Caller,
        root: &Path,
        changed: &[walk::Entry],
        progress: &mut CodeProgress,
        goes_on: &mut dyn FnMut(&CodeProgress) -> ControlFlow<()>,
    ) -> Result<()> {
        let threads = self.settings.code.threads;
        let (sender, read) = mpsc::sync_channel(0);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for some in batches(changed) {
                    // Whoever receives has enough when this fails.
                    if sender.send((some, take::files(root, some, threads))).is_err() {
                        return;
                    }
                }
            });
            for (some, looks) in read {
                self.take_in(caller, some, looks, progress)?;
                progress.left -= some.len();
                if goes_on(progress).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Brings the index up to these files, by their paths from the root; for who knows what changed.
    pub fn index_files(&self, caller: &Caller, root: &Path, paths: &[String]) -> Result<CodeProgress> {
        let root = folder(root)?;
        let own: Vec<walk::Entry> = paths
            .iter()
            .filter(|path| !walk::is_foreign(path))
            .map(|path| walk::Entry { path: path.clone(), stamp: Stamp { bytes: 0, modified: -1 } })
            .collect();
        let mut progress = CodeProgress { files: own.len(), ..CodeProgress::default() };
        for some in own.chunks(FILES_AT_ONCE) {
            let looks = take::files(&root, some, self.settings.code.threads);
            self.take_in(caller, some, looks, &mut progress)?;
        }
        Ok(progress)
    }

    /// Takes in files that are not in a folder: for measuring on what once was.
    pub fn index_sources(
        &self,
        caller: &Caller,
        sources: &[(String, Vec<u8>)],
        gone: &[String],
    ) -> Result<()> {
        for some in sources.chunks(FILES_AT_ONCE) {
            let taken = take::bytes(some, self.settings.code.threads);
            let changes: Vec<Change> = taken.into_iter().map(Change::Put).collect();
            self.write(caller, |tx| write::all(self, tx, caller, &changes))?;
        }
        let changes: Vec<Change> = gone.iter().map(|path| Change::Gone(path.clone())).collect();
        for some in changes.chunks(FILES_AT_ONCE) {
            self.write(caller, |tx| write::all(self, tx, caller, some))?;
        }
        Ok(())
    }

    /// Asks for the folder to be looked at in the background, now and whenever somebody writes to it.
    pub fn request_code_index(&self, caller: &Caller, root: &Path) -> Result<()> {
        let root = folder(root)?;
        let machine = crate::project::machine();
        self.write(caller, |tx| {
            let before = code_index::get(tx, &caller.project)?;
            let place = CodeIndex {
                root: root.display().to_string(),
                machine: machine.clone(),
                ..CodeIndex::default()
            };
            match before {
                Some(before) if before.root == place.root && before.machine == place.machine => {}
                Some(before) => {
                    let moved = CodeIndex { root: place.root, machine: place.machine, ..before };
                    code_index::put(tx, &caller.project, &moved)?;
                }
                None => code_index::put(tx, &caller.project, &place)?,
            }
            job::request(tx, self, caller)
        })
    }

    /// Where files are that are gone from their old place, those first: a moved file is not a new one.
    fn take_moved(
        &self,
        caller: &Caller,
        root: &Path,
        plan: Plan,
        progress: &mut CodeProgress,
    ) -> Result<Vec<walk::Entry>> {
        let Plan { changed, gone } = plan;
        let (maybe_moved, mut others): (Vec<walk::Entry>, Vec<walk::Entry>) =
            changed.into_iter().partition(|entry| gone.has_size(entry.stamp.bytes));
        let mut gone = gone;
        for some in maybe_moved.chunks(FILES_AT_ONCE) {
            let mut changes = vec![];
            for (entry, look) in some.iter().zip(take::hashes(root, some, self.settings.code.threads)) {
                match look.and_then(|hash| gone.take(&hash, &entry.path)) {
                    Some(before) => {
                        progress.moved += 1;
                        changes.push(Change::Move { before, entry: entry.clone() });
                    }
                    None => others.push(entry.clone()),
                }
            }
            self.write(caller, |tx| write::all(self, tx, caller, &changes))?;
        }
        let changes: Vec<Change> = gone.paths().map(Change::Gone).collect();
        progress.removed += changes.len();
        for some in changes.chunks(FILES_AT_ONCE) {
            self.write(caller, |tx| write::all(self, tx, caller, some))?;
        }
        others.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(others)
    }

    fn take_in(
        &self,
        caller: &Caller,
        entries: &[walk::Entry],
        looks: Vec<Look>,
        progress: &mut CodeProgress,
    ) -> Result<()> {
        let mut changes = vec![];
        for (entry, look) in entries.iter().zip(looks) {
            match look {
                Look::Taken(taken) => {
                    progress.changed += 1;
                    progress.refused += usize::from(taken.is_refused());
                    changes.push(Change::Put(*taken));
                }
                Look::Gone => changes.push(Change::Gone(entry.path.clone())),
                Look::Unreadable => {
                    progress.unreadable += 1;
                    changes.push(Change::Gone(entry.path.clone()));
                }
            }
        }
        self.write(caller, |tx| write::all(self, tx, caller, &changes))
    }

    fn begin(&self, caller: &Caller, root: &Path) -> Result<CodeIndex> {
        let now = self.now();
        self.write(caller, |tx| {
            let before = code_index::get(tx, &caller.project)?.unwrap_or_default();
            let begun = CodeIndex {
                root: root.display().to_string(),
                machine: crate::project::machine(),
                started_at: Some(now),
                ..before
            };
            code_index::put(tx, &caller.project, &begun)?;
            Ok(begun)
        })
    }

    fn end(
        &self,
        caller: &Caller,
        begun: CodeIndex,
        started: Timestamp,
        progress: &CodeProgress,
    ) -> Result<()> {
        let now = self.now();
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.write(caller, |tx| {
            let present = code_index::get(tx, &caller.project)?.unwrap_or_default();
            let ended = CodeIndex {
                finished_at: if progress.left == 0 { Some(now) } else { begun.finished_at },
                duration_us: now.0 - started.0,
                files: number(progress.files),
                left_out: number(progress.large + progress.refused),
                unreadable: number(progress.unreadable),
                waiting: number(progress.left),
                head: present.head,
                runs: present.runs.and(now.0 - started.0),
                ..begun.clone()
            };
            Ok(code_index::put(tx, &caller.project, &ended)?)
        })
    }
}

/// Whether the index is mostly of what is gone. Numbers are not given out twice, and signs are compared by number.
fn is_worn(known: &[file::File], given_out: i64) -> bool {
    let live: i64 = known.iter().map(|file| file.chunks).sum();
    let first = known.iter().filter(|file| file.chunks > 0).map(|file| file.first_chunk).min().unwrap_or(0);
    given_out - first > WORN * live + SPARE
}

fn batches(mut waiting: &[walk::Entry]) -> impl Iterator<Item = &[walk::Entry]> {
    std::iter::from_fn(move || {
        let (some, rest) = waiting.split_at(batch_of(waiting));
        waiting = rest;
        (!some.is_empty()).then_some(some)
    })
}

/// As many as are taken in at once, at least one where there is one.
fn batch_of(waiting: &[walk::Entry]) -> usize {
    let mut bytes = 0;
    let within = waiting.iter().take(FILES_AT_ONCE).take_while(|entry| {
        bytes += entry.stamp.bytes;
        bytes <= BYTES_AT_ONCE
    });
    within.count().max(1).min(waiting.len())
}

fn folder(root: &Path) -> Result<PathBuf> {
    let unreadable = |error: std::io::Error| {
        Error::NotFound(format!(
            "the folder {} cannot be read: {error}; check the path, and that you may read it",
            root.display()
        ))
    };
    let root = std::fs::canonicalize(root).map_err(unreadable)?;
    std::fs::read_dir(&root).map_err(unreadable)?;
    Ok(root)
}

pub(crate) fn chunks(caller: &Caller) -> Index<'_> {
    Index { project: &caller.project, collection: Collection::Chunks }
}

pub(crate) fn files(caller: &Caller) -> Index<'_> {
    Index { project: &caller.project, collection: Collection::Files }
}

/// Forgets everything that is indexed of the project's files, so that the next run takes all of it in again.
pub(crate) fn forget(tx: &mut dyn Connection, caller: &Caller) -> Result<()> {
    for index in [chunks(caller), files(caller)] {
        super::Catalogue::renew(tx, index)?;
    }
    for file in file::all(tx, &caller.project)? {
        chunk::remove(tx, &caller.project, file.first_chunk, file.chunks)?;
        file::remove(tx, &caller.project, file.number)?;
    }
    revision::clear(tx, &caller.project)?;
    if let Some(before) = code_index::get(tx, &caller.project)? {
        let empty = CodeIndex { finished_at: None, head: None, ..before };
        code_index::put(tx, &caller.project, &empty)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
