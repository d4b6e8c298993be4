//! One run over all files of a working copy: what is read at its beginning, and what is written at its end.

use std::collections::{HashMap, HashSet};

use throughline_store::Connection;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::id::MemoryId;
use throughline_store::memory::{self, Memory, Status};
use throughline_store::memory_file::{self, Block as Row};

use super::compare::Stored;
use super::sheet::{self, Sheet, Shows};
use super::{Aim, Change, FORGOTTEN, MAX_SUCCESSORS, Request, Seen, Shelf, Synced, What, disk, written};
use crate::capture::{one_line, shortened};
use crate::remember::statement::Beside;
use crate::{Caller, Engine, Error, Result};

const TEXT_CHARS: usize = 80;

/// One run over all files.
pub(super) struct Round<'a> {
    pub(super) engine: &'a Engine,
    pub(super) caller: Caller,
    pub(super) request: &'a Request<'a>,
    pub(super) place: String,
    pub(super) files: Vec<File>,
    pub(super) synced: Synced,
    /// Blocks that are dealt with, by file and piece.
    pub(super) done: HashSet<(usize, usize)>,
    /// Files of an unresolved merge, which are left as they are.
    pub(super) unmerged: Vec<Sheet>,
    /// What was forgotten, or would be.
    pub(super) gone: HashSet<MemoryId>,
    /// How memories would stand, where that is only told.
    pub(super) foreseen: HashMap<MemoryId, Memory>,
    /// What new bullets are not compared with: what others stand for, and what ends.
    pub(super) beside: Beside,
    /// What bullets say that nobody has changed.
    pub(super) unchanged: HashSet<MemoryId>,
    /// What some block shows.
    pub(super) shown: HashSet<MemoryId>,
    /// What blocks are called that come from somebody else's memories.
    pub(super) aliases: HashMap<String, MemoryId>,
    /// The files that agents have written lately.
    pub(super) written: Vec<String>,
}

pub(super) struct File {
    pub(super) name: String,
    pub(super) shelf: Shelf,
    /// Below the root.
    pub(super) path: String,
    pub(super) before: Option<String>,
    pub(super) sheet: Sheet,
    /// As it was left.
    pub(super) rows: Vec<Row>,
}

/// What a block's memory is by now: the last of those that took its place.
pub(super) enum Current {
    Unknown,
    Active(Box<Memory>),
    Waits(Box<Memory>),
    Ended(MemoryId),
}

impl<'a> Round<'a> {
    pub(super) fn open(engine: &'a Engine, caller: &Caller, request: &'a Request<'a>) -> Result<Round<'a>> {
        let folder = disk::below(request.folder)?;
        let place = engine.working_copy(request.root);
        let rows = engine.store.read(|conn| memory_file::of_place(conn, &caller.project, &place))?;
        // Whoever runs this, what stands in a file was put there by a person, or is looked at for whose word it is (`written`).
        let actor = match caller.actor.kind {
            ActorKind::User => caller.actor.clone(),
            ActorKind::Agent => Actor { kind: ActorKind::User, name: "memory-files".to_owned() },
        };
        let (mut files, mut problems, mut unmerged) = (vec![], vec![], vec![]);
        for (name, shelf) in &engine.settings.files.shelves {
            let path = format!("{folder}/{name}.memory.md").trim_start_matches('/').to_owned();
            let rows = rows.iter().filter(|row| row.file == path).cloned().collect();
            match disk::read(request.root, &path) {
                Ok(before) => {
                    let file = File::of((name, shelf), path, before, rows);
                    match file.unmerged() {
                        Some(why) => {
                            problems.push(why);
                            unmerged.push(file.sheet);
                        }
                        None => files.push(file),
                    }
                }
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
            unmerged,
            gone: HashSet::new(),
            foreseen: HashMap::new(),
            beside: Beside::default(),
            unchanged: HashSet::new(),
            shown: HashSet::new(),
            aliases: HashMap::new(),
            written: written::by_agents(engine, caller)?,
        })
    }

    pub(super) fn current(&self, key: &str) -> Result<Current> {
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
        let mut found = self.known(conn, &MemoryId::from(key.to_owned()))?;
        if found.is_none() {
            let known = self.aliases.get(key).cloned();
            let id = known.map_or_else(|| memory_file::memory_of(conn, project, key), |id| Ok(Some(id)))?;
            found = id.map(|id| self.known(conn, &id)).transpose()?.flatten();
        }
        for _ in 0..MAX_SUCCESSORS {
            let next = found.as_ref().filter(|memory| memory.status == Status::Superseded);
            let Some(next) = next.and_then(|memory| memory.superseded_by.clone()) else { break };
            found = self.known(conn, &next)?;
        }
        Ok(found)
    }

    pub(super) fn known(&self, conn: &mut dyn Connection, id: &MemoryId) -> Result<Option<Memory>> {
        match self.foreseen.get(id) {
            Some(memory) => Ok(Some(memory.clone())),
            None => Ok(memory::by_id(conn, &self.caller.project, id)?),
        }
    }

    /// The sheets that can be brought in step, and those that cannot.
    pub(super) fn sheets(&self) -> impl Iterator<Item = &Sheet> {
        self.files.iter().map(|file| &file.sheet).chain(&self.unmerged)
    }

    pub(super) fn tell(
        &mut self,
        what: What,
        (file, line): (usize, usize),
        memory: Option<&MemoryId>,
        text: &str,
    ) {
        self.synced.changes.push(Change {
            what,
            file: self.files[file].path.clone(),
            line,
            memory: memory.filter(|id| !self.is_only_foreseen(id)).cloned(),
            text: shortened(&one_line(text), TEXT_CHARS),
        });
    }

    /// Writes what has changed, and keeps how the files were left.
    pub(super) fn write(mut self) -> Result<Synced> {
        for at in 0..self.files.len() {
            let file = &mut self.files[at];
            let mark = if file.sheet.blocks().any(|block| block.tag.is_some()) {
                file.sheet.sign()
            } else {
                String::new()
            };
            let text = file.sheet.text();
            let is_changed = file.before.as_deref().unwrap_or_default() != text && file.has_something();
            let blocks = file.memories();
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

    /// Why it cannot be brought in step.
    fn unmerged(&self) -> Option<String> {
        let line = self.sheet.unmerged?;
        Some(format!("{}: unresolved merge, line {line}; resolve it and run this again", self.path))
    }

    /// A file that only has a title is not made.
    fn has_something(&self) -> bool {
        self.before.is_some() || self.sheet.blocks().next().is_some()
    }

    /// How many memories it shows.
    fn memories(&self) -> usize {
        let tags = self.sheet.blocks().filter_map(|block| block.tag.as_ref());
        tags.filter(|tag| tag.shows != Shows::Conflict).count()
    }

    /// It comes from the one that was written last, so that what is missing was deleted.
    pub(super) fn is_of_the_last(&self) -> bool {
        let mark = self.rows.first().map(|row| &row.mark);
        mark.is_some() && mark == self.sheet.mark.as_ref()
    }

    pub(super) fn row(&self, key: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.key == key)
    }
}

impl Current {
    /// What the file would show.
    pub(super) fn text(&self) -> String {
        match self {
            Current::Active(memory) | Current::Waits(memory) => sheet::plain(&memory.content),
            Current::Unknown | Current::Ended(_) => FORGOTTEN.to_owned(),
        }
    }

    pub(super) fn stored<'h>(&self, hash: &'h str) -> Stored<'h> {
        match self {
            Current::Active(_) => Stored::Says(hash),
            Current::Waits(_) => Stored::Waits,
            Current::Unknown | Current::Ended(_) => Stored::Ended,
        }
    }

    pub(super) fn id(&self) -> Option<&MemoryId> {
        match self {
            Current::Active(memory) | Current::Waits(memory) => Some(&memory.id),
            Current::Ended(id) => Some(id),
            Current::Unknown => None,
        }
    }
}
