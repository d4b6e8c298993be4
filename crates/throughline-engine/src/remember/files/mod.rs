//! Memories as files that people read, change and keep in git: brought in step both ways, so that nothing that either side
//! said is lost.
//!
//! `sheet` knows the text of a file, `compare` what follows from three texts, `take` brings a file's changes into the
//! memories, `show` the memories into the files, `disk` reads and writes.

mod agents;
mod compare;
mod disk;
mod reading;
mod sheet;
mod shelf;
mod show;
mod take;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use throughline_store::Connection;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::id::{MemoryId, text_enum};
use throughline_store::job::Job;
use throughline_store::memory::{self, Memory, Status};
use throughline_store::memory_file::{self, Block as Row};

pub use agents::{Fence, Fenced};
pub use sheet::SYNCED;
pub use shelf::{Policy, Shelf};

use compare::Stored;
use sheet::{Sheet, Shows};

use crate::capture::{During, Opening, SessionRef, one_line, shortened};
use crate::project::Folder;
use crate::work::Next;
use crate::{Caller, Engine, Error, Result};

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
const TEXT_CHARS: usize = 80;

impl Engine {
    /// Brings memories and the project's memory files in step.
    pub fn sync_memory_files(&self, caller: &Caller, request: &Request<'_>) -> Result<Synced> {
        let mut round = Round::open(self, caller, request)?;
        round.take_deletions()?;
        round.take_texts()?;
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
    let synced = engine.sync_memory_files(caller, &request)?;
    tracing::info!(changes = synced.changes.len(), conflicts = synced.conflicts(), "memory files in step");
    Ok(again)
}

/// One run over all files.
struct Round<'a> {
    engine: &'a Engine,
    caller: Caller,
    request: &'a Request<'a>,
    place: String,
    files: Vec<File>,
    synced: Synced,
    /// Blocks that are dealt with, by file and piece.
    done: HashSet<(usize, usize)>,
    /// What was forgotten, or would be.
    gone: HashSet<MemoryId>,
    /// What some block shows.
    shown: HashSet<MemoryId>,
    /// What blocks are called that come from somebody else's memories.
    aliases: HashMap<String, MemoryId>,
}

struct File {
    name: String,
    shelf: Shelf,
    /// Below the root.
    path: String,
    before: Option<String>,
    sheet: Sheet,
    /// As it was left.
    rows: Vec<Row>,
}

/// What a block's memory is by now: the last of those that took its place.
enum Current {
    Unknown,
    Active(Box<Memory>),
    Waits(Box<Memory>),
    Ended(MemoryId),
}

impl<'a> Round<'a> {
    fn open(engine: &'a Engine, caller: &Caller, request: &'a Request<'a>) -> Result<Round<'a>> {
        let folder = disk::below(request.folder)?;
        let place = engine.working_copy(request.root);
        let rows = engine.store.read(|conn| memory_file::of_place(conn, &caller.project, &place))?;
        // Whoever runs this, what stands in a file was put there by a person.
        let actor = match caller.actor.kind {
            ActorKind::User => caller.actor.clone(),
            ActorKind::Agent => Actor { kind: ActorKind::User, name: "memory-files".to_owned() },
        };
        let (mut files, mut problems) = (vec![], vec![]);
        for (name, shelf) in &engine.settings.files.shelves {
            let path = format!("{folder}/{name}.memory.md").trim_start_matches('/').to_owned();
            let rows = rows.iter().filter(|row| row.file == path).cloned().collect();
            match disk::read(request.root, &path) {
                Ok(before) => files.push(File::of((name, shelf), path, before, rows)),
                Err(Error::Invalid(why)) => problems.push(why),
                Err(error) => return Err(error),
            }
        }
        Ok(Round {
            engine,
            caller: Caller { actor, ..caller.clone() },
            request,
            place,
            files,
            synced: Synced { problems, ..Synced::default() },
            done: HashSet::new(),
            gone: HashSet::new(),
            shown: HashSet::new(),
            aliases: HashMap::new(),
        })
    }

    fn current(&self, key: &str) -> Result<Current> {
        let now = self.engine.now();
        let found = self.engine.store.read(|conn| self.last_of(conn, key))?;
        Ok(match found {
            None => Current::Unknown,
            Some(memory) if self.gone.contains(&memory.id) => Current::Ended(memory.id),
            Some(memory) => match memory.status_at(now) {
                Status::Active => Current::Active(Box::new(memory)),
                Status::Quarantined => Current::Waits(Box::new(memory)),
                Status::Superseded | Status::Expired | Status::Forgotten => Current::Ended(memory.id),
            },
        })
    }

    fn last_of(&self, conn: &mut dyn Connection, key: &str) -> Result<Option<Memory>> {
        let project = &self.caller.project;
        let mut found = memory::by_id(conn, project, &MemoryId::from(key.to_owned()))?;
        if found.is_none() {
            let known = self.aliases.get(key).cloned();
            let id = known.map_or_else(|| memory_file::memory_of(conn, project, key), |id| Ok(Some(id)))?;
            found = id.map(|id| memory::by_id(conn, project, &id)).transpose()?.flatten();
        }
        for _ in 0..MAX_SUCCESSORS {
            let next = found.as_ref().filter(|memory| memory.status == Status::Superseded);
            let Some(next) = next.and_then(|memory| memory.superseded_by.clone()) else { break };
            found = memory::by_id(conn, project, &next)?;
        }
        Ok(found)
    }

    fn tell(&mut self, what: What, (file, line): (usize, usize), memory: Option<&MemoryId>, text: &str) {
        self.synced.changes.push(Change {
            what,
            file: self.files[file].path.clone(),
            line,
            memory: memory.cloned(),
            text: shortened(&one_line(text), TEXT_CHARS),
        });
    }

    /// Writes what has changed, and keeps how the files were left.
    fn write(mut self) -> Result<Synced> {
        for at in 0..self.files.len() {
            let file = &mut self.files[at];
            let mark = if file.sheet.blocks().any(|block| block.tag.is_some()) {
                file.sheet.sign()
            } else {
                String::new()
            };
            let text = file.sheet.text();
            let is_changed = file.before.as_deref().unwrap_or_default() != text && file.has_something();
            let blocks = file.sheet.blocks().count();
            if is_changed && self.request.aim == Aim::Do {
                let name: String = self.engine.ids.next(self.engine.now());
                let texts = (file.before.as_deref(), text.as_str());
                match disk::replace(self.request.root, &file.path, texts, &name) {
                    Ok(()) => {}
                    Err(Error::Invalid(why) | Error::Conflict(why)) => {
                        self.synced.problems.push(why);
                        continue;
                    }
                    Err(error) => return Err(error),
                }
            }
            if file.has_something() {
                self.synced.files.push(Seen { file: file.path.clone(), blocks, is_written: is_changed });
            }
            if self.request.aim == Aim::Do {
                self.keep(at, &mark)?;
            }
        }
        Ok(self.synced)
    }

    /// What the file shows from now on; nothing is written where that is known.
    fn keep(&self, at: usize, mark: &str) -> Result<()> {
        let file = &self.files[at];
        let mut rows: Vec<Row> = vec![];
        for tag in file.sheet.blocks().filter_map(|block| block.tag.as_ref()) {
            // Of two texts in conflict, the memory's is the one to compare with.
            if tag.shows == Shows::Conflict || rows.iter().any(|row| row.key == tag.key) {
                continue;
            }
            let memory = match self.current(&tag.key)? {
                Current::Active(memory) | Current::Waits(memory) => memory.id,
                Current::Ended(id) => id,
                Current::Unknown => continue,
            };
            let (file, key, hash) = (file.path.clone(), tag.key.clone(), tag.hash.clone());
            rows.push(Row { file, key, memory, hash, mark: mark.to_owned() });
        }
        rows.sort_by(|a, b| a.key.cmp(&b.key));
        if rows == file.rows {
            return Ok(());
        }
        let where_to = (self.place.as_str(), file.path.as_str());
        self.engine
            .write(&self.caller, |tx| Ok(memory_file::replace(tx, &self.caller.project, where_to, &rows)?))
    }
}

impl File {
    fn of((name, shelf): (&String, &Shelf), path: String, before: Option<String>, rows: Vec<Row>) -> File {
        let sheet = before.as_deref().map_or_else(|| Sheet::titled(name), Sheet::read);
        File { name: name.clone(), shelf: shelf.clone(), path, before, sheet, rows }
    }

    /// A file that only has a title is not made.
    fn has_something(&self) -> bool {
        self.before.is_some() || self.sheet.blocks().next().is_some()
    }

    /// It comes from the one that was written last, so that what is missing was deleted.
    fn is_of_the_last(&self) -> bool {
        let mark = self.rows.first().map(|row| &row.mark);
        mark.is_some() && mark == self.sheet.mark.as_ref()
    }

    fn row(&self, key: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.key == key)
    }
}

impl Current {
    /// What the file would show.
    fn text(&self) -> String {
        match self {
            Current::Active(memory) | Current::Waits(memory) => sheet::plain(&memory.content),
            Current::Unknown | Current::Ended(_) => FORGOTTEN.to_owned(),
        }
    }

    fn stored<'h>(&self, hash: &'h str) -> Stored<'h> {
        match self {
            Current::Active(_) => Stored::Says(hash),
            Current::Waits(_) => Stored::Waits,
            Current::Unknown | Current::Ended(_) => Stored::Ended,
        }
    }

    fn id(&self) -> Option<&MemoryId> {
        match self {
            Current::Active(memory) | Current::Waits(memory) => Some(&memory.id),
            Current::Ended(id) => Some(id),
            Current::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests;
