//! Memories as files that people read, change and keep in git: brought in step both ways, so that nothing that either side
//! said is lost.
//!
//! `sheet` knows the text of a file, `compare` what follows from three texts, `beside` what stands in the files at one time,
//! `take` brings a file's changes into the memories or `foresee`s what would come of it, `show` the memories into the files,
//! `disk` reads and writes.

mod agents;
mod beside;
mod compare;
mod disk;
mod foresee;
mod reading;
mod round;
mod sheet;
mod shelf;
mod show;
mod take;
mod written;

use std::path::Path;

use throughline_store::Connection;
use throughline_store::id::{MemoryId, text_enum};
use throughline_store::job::Job;

pub use agents::{Fence, Fenced};
pub use sheet::SYNCED;
pub use shelf::{Policy, Shelf};

use round::Round;

use crate::capture::{During, Opening, SessionRef};
use crate::project::Folder;
use crate::work::Next;
use crate::{Caller, Engine, Result};

/// What is to be brought in step.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The project's folder, which is left by no file.
    pub root: &'a Path,
    /// Below it.
    pub folder: &'a Path,
    pub aim: Aim,
    /// Whose text holds where both have changed; without one both stay.
    pub prefer: Option<Prefer>,
    pub during: &'a During,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    Do,
    /// Only say what would be done.
    Tell,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefer {
    File,
    Memory,
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Synced {
    pub files: Vec<Seen>,
    pub changes: Vec<Change>,
    /// What could not be done, with where.
    pub problems: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub file: String,
    pub blocks: usize,
    pub is_written: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub what: What,
    pub file: String,
    /// 0 where it had no line before.
    pub line: usize,
    pub memory: Option<MemoryId>,
    /// The beginning of what it says.
    pub text: String,
}

text_enum! {
    What {
        /// From the file to the memories.
        Created = "created",
        Corroborated = "corroborated",
        Superseded = "superseded",
        Quarantined = "quarantined",
        Forgotten = "forgotten",
        /// From the memories to the file.
        Added = "added",
        Updated = "updated",
        Removed = "removed",
        /// Another bullet shows the same memory.
        Merged = "merged",
        /// Deleted from the file and changed in the memories: it is there again.
        BroughtBack = "brought_back",
        /// A bullet that is new and what another one says, which is named: both stay until one is deleted.
        Contradicts = "contradicts",
        /// Changed on both sides: both texts stay until one is deleted.
        Conflict = "conflict",
    }
}

impl Synced {
    pub fn conflicts(&self) -> usize {
        self.changes.iter().filter(|change| change.what == What::Conflict).count()
    }

    pub fn is_in_step(&self) -> bool {
        self.changes.is_empty() && self.problems.is_empty() && !self.files.iter().any(|file| file.is_written)
    }
}

pub(crate) const KIND: &str = "sync_memory_files";
/// Where the memory of an edited block is in doubt, this stands in its place.
const FORGOTTEN: &str = "(forgotten: delete this line to keep the other one, or the other one to let it go)";
const MAX_SUCCESSORS: usize = 1000;

impl Engine {
    /// Brings memories and the project's memory files in step.
    pub fn sync_memory_files(&self, caller: &Caller, request: &Request<'_>) -> Result<Synced> {
        let mut round = Round::open(self, caller, request)?;
        round.part_copies()?;
        round.take_deletions()?;
        round.see_what_stands()?;
        round.take_texts()?;
        round.show_conflicts()?;
        round.show_known()?;
        round.add_missing()?;
        round.write()
    }

    /// Asks for it in the background, where that is switched on.
    pub(crate) fn request_file_sync(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        workspace: Option<&str>,
    ) -> Result<()> {
        match (self.settings.files.every, workspace) {
            (Some(_), Some(folder)) => {
                self.ask_for(tx, &caller.project, KIND, &self.working_copy(Path::new(folder)))
            }
            _ => Ok(()),
        }
    }

    /// What stands in the files becomes a person's word, and a cloned repository may switch this on: so somebody has to have
    /// asked for it in this working copy once, unless there is nothing to be taken.
    fn may_sync_by_itself(&self, caller: &Caller, request: &Request<'_>) -> Result<bool> {
        let round = Round::open(self, caller, request)?;
        let is_known = round.files.iter().any(|file| !file.rows.is_empty());
        Ok(is_known || round.files.iter().all(|file| file.before.is_none()) && round.unmerged.is_empty())
    }

    /// A working copy: what a path means depends on the machine, where several share a database.
    fn working_copy(&self, root: &Path) -> String {
        format!("{}{}", self.machine(), root.display())
    }
}

pub(crate) fn run(engine: &Engine, caller: &Caller, job: &Job) -> Result<Next> {
    let Some(every) = engine.settings.files.every else { return Ok(Next::Done) };
    let again = Next::Again(engine.now().plus(every));
    // A working copy of another machine, which will come round for it.
    let Some(root) = job.key.strip_prefix(&engine.machine()) else { return Ok(again) };
    let folder = Folder::discover(Path::new(root));
    let is_ours = folder.root.is_dir()
        && engine.find_project(&folder, None)?.is_some_and(|project| project.id == caller.project);
    if !is_ours {
        return Ok(Next::Done);
    }
    let during = During { session: SessionRef::Own, opening: Opening::default() };
    let request = Request {
        root: &folder.root,
        folder: &engine.settings.files.folder,
        aim: Aim::Do,
        prefer: None,
        during: &during,
    };
    if !engine.may_sync_by_itself(caller, &request)? {
        tracing::warn!(
            "memory files wait for `throughline memory sync`: nobody has run it in this working copy"
        );
        return Ok(again);
    }
    let synced = engine.sync_memory_files(caller, &request)?;
    tracing::info!(changes = synced.changes.len(), conflicts = synced.conflicts(), "memory files in step");
    Ok(again)
}

#[cfg(test)]
mod tests;
