//! Looking at memories: by id, and as a list.

use throughline_store::Connection;
use throughline_store::id::MemoryId;
use throughline_store::link::{self, Link, Node};
use throughline_store::memory::{self, Filter, Memory, Origin, Status};
use throughline_store::time::Timestamp;

use crate::{Caller, Engine, Error, Result};

/// Memories, newest first, and how many there are in truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub memories: Vec<Memory>,
    pub total: i64,
}

/// A memory with where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    pub memory: Memory,
    /// As of now.
    pub status: Status,
    pub origins: Vec<Origin>,
    pub links: Vec<Link>,
}

/// So many links are shown from each end.
const LINKS: i64 = 50;

impl Engine {
    pub fn memories(&self, caller: &Caller, filter: &Filter, limit: i64) -> Result<Listed> {
        self.store.read(|conn| {
            Ok(Listed {
                memories: memory::list(conn, &caller.project, filter, limit)?,
                total: memory::count(conn, &caller.project, filter)?,
            })
        })
    }

    /// Those in use, the most used first.
    pub fn most_used_memories(&self, caller: &Caller, limit: i64) -> Result<Vec<Memory>> {
        let now = self.now();
        Ok(self.store.read(|conn| memory::most_used(conn, &caller.project, now, limit))?)
    }

    /// The memory of that id, or whose id begins so.
    pub fn memory(&self, caller: &Caller, name: &str) -> Result<Shown> {
        let now = self.now();
        self.store.read(|conn| {
            let memory = named(conn, caller, name)?;
            let origins = memory::origins(conn, &caller.project, &memory.id)?;
            let links = link::around(conn, &caller.project, &Node::memory(&memory.id), LINKS)?;
            Ok(Shown { status: memory.status_at(now), memory, origins, links })
        })
    }
}

pub(super) fn named(conn: &mut dyn Connection, caller: &Caller, name: &str) -> Result<Memory> {
    let missing = || {
        Error::NotFound(format!(
            "there is no memory {name:?}; `throughline memory list` and `throughline search` show their ids"
        ))
    };
    find(conn, caller, name)?.ok_or_else(missing)
}

/// The memory of that id, or the one whose id begins so; nothing when there is none.
pub(super) fn find(conn: &mut dyn Connection, caller: &Caller, name: &str) -> Result<Option<Memory>> {
    if let Some(memory) = memory::by_id(conn, &caller.project, &MemoryId::from(name.to_owned()))? {
        return Ok(Some(memory));
    }
    if name.is_empty() {
        return Ok(None);
    }
    let mut begun = memory::by_prefix(conn, &caller.project, name)?;
    if begun.len() > 1 {
        let ids: Vec<&str> = begun.iter().map(|memory| memory.id.as_str()).collect();
        return Err(Error::Invalid(format!(
            "more than one memory's id begins with {name:?}: {}; write more of it",
            ids.join(", ")
        )));
    }
    Ok(begun.pop())
}

/// A memory that another may take the place of.
pub(super) fn replaceable(
    conn: &mut dyn Connection,
    caller: &Caller,
    name: &str,
    now: Timestamp,
) -> Result<Memory> {
    not_ended(named(conn, caller, name)?, now)
}

/// The memory, unless it ended: another cannot take its place then.
pub(super) fn not_ended(memory: Memory, now: Timestamp) -> Result<Memory> {
    match memory.status_at(now) {
        Status::Active | Status::Quarantined | Status::Expired => Ok(memory),
        Status::Superseded => Err(Error::Conflict(format!(
            "memory {} was superseded by {} already; supersede that one",
            memory.id,
            memory.superseded_by.as_ref().map_or("another", MemoryId::as_str)
        ))),
        Status::Forgotten => Err(Error::Conflict(format!(
            "memory {} was forgotten; remember the new statement without --supersedes",
            memory.id
        ))),
    }
}
