//! Where the project stands: what is being worked on, what is stuck, what was finished, what was left unfinished, which
//! rules hold, and what the folder says of itself. For somebody who has just come and has no question yet; small enough to
//! be read every time.

mod fit;
mod last_session;
pub mod repository;
#[cfg(test)]
mod tests;

pub use last_session::LastSession;
pub use repository::Repository;

use throughline_store::Connection;
use throughline_store::handoff::Handoff;
use throughline_store::item::{self, Filter, Item, Status};
use throughline_store::memory::{self, Kind as MemoryKind, Memory};
use throughline_store::project;
use throughline_store::time::Timestamp;

use crate::backlog::{self, Blocker, Completed, RecentWork, recent};
use crate::capture::SessionRef;
use crate::hold::handoff;
use crate::project::Folder;
use crate::session::privacy;
use crate::unfinished::{self, Unfinished};
use crate::{Caller, Engine, Result};

#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// What the caller is about to work on.
    pub focus: Option<&'a str>,
    pub max_tokens: u64,
    /// Where the project is on this machine, if it is.
    pub folder: Option<&'a Folder>,
    /// The session that asks, which is not the last one.
    pub asking: Option<&'a SessionRef>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Orientation {
    pub project: String,
    pub now: Timestamp,
    /// What the caller is about to work on.
    pub focus: Option<Item>,
    pub in_progress: Shown<Item>,
    pub blockers: Shown<Blocker>,
    /// What waits to be taken over.
    pub handoffs: Shown<Handoff>,
    pub unfinished: Shown<Unfinished>,
    pub completed: Shown<Completed>,
    pub rules: Shown<Memory>,
    /// What could be taken up.
    pub open: Shown<Item>,
    pub decisions: Shown<Memory>,
    pub last_session: Option<LastSession>,
    /// What the folder says of itself.
    pub repository: Option<Repository>,
}

/// As many of a sort as are shown, and how many there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<T> {
    pub shown: Vec<T>,
    pub total: i64,
}

impl<T> Shown<T> {
    /// Goes on as if the others were not there.
    pub(crate) fn keep(&mut self, wanted: impl Fn(&T) -> bool) {
        self.shown.retain(wanted);
        self.total = self.shown.len() as i64;
    }
}

/// The tasks that were finished last are always there.
pub const COMPLETED: usize = 5;
const ITEMS: i64 = 10;
const MEMORIES: i64 = 8;
/// So many of the newest of each kind are looked at.
const LOOKED_AT: i64 = 64;
const UNFINISHED: usize = 6;
const HANDOFFS: i64 = 3;

impl Engine {
    /// What somebody who comes to the project needs to know first, as much of it as fits when `write` has written it.
    pub fn orient(
        &self,
        caller: &Caller,
        request: Request<'_>,
        write: &dyn Fn(&Orientation) -> String,
    ) -> Result<Orientation> {
        let repository = request.folder.and_then(|folder| repository::look(&folder.root, &self.clock));
        let stand = self.store.read(|conn| self.stand(conn, caller, request))?;
        Ok(fit::fit(Orientation { repository, ..stand }, request.max_tokens, write))
    }

    fn stand(&self, conn: &mut dyn Connection, caller: &Caller, request: Request<'_>) -> Result<Orientation> {
        let now = self.now();
        let focus = request.focus.map(|id| backlog::named(conn, caller, id)).transpose()?;
        let recent = recent::recent(conn, caller, COMPLETED)?;
        let mut open = items(conn, caller, Status::Open)?;
        open.shown.sort_by_key(|item| (item.priority.is_none(), item.priority));
        let mut unfinished = unfinished::lately(conn, caller, now)?;
        let total = unfinished.len() as i64;
        unfinished.truncate(UNFINISHED);
        let role = privacy::role(conn, caller, request.asking)?;
        let role = role.as_deref();
        let known = project::by_id(conn, &caller.project)?.map(|project| project.name);
        let suggested = || request.folder.map(Folder::suggested_name).unwrap_or_default();
        Ok(Orientation {
            project: known.unwrap_or_else(suggested),
            now,
            focus,
            in_progress: items(conn, caller, Status::InProgress)?,
            blockers: Shown { total: recent.blockers_total, shown: recent.blockers },
            handoffs: handoffs(conn, caller, role)?,
            unfinished: Shown { shown: unfinished, total },
            completed: Shown { total: recent.completed.len() as i64, shown: recent.completed },
            rules: rules(conn, caller, now)?,
            open,
            decisions: memories(conn, caller, &[MemoryKind::Decision], now)?,
            last_session: last_session::last(conn, caller, (request.asking, role))?,
            repository: None,
        })
    }
}

/// Those for the role of who asks; all of them where that is nobody's in particular.
fn handoffs(conn: &mut dyn Connection, caller: &Caller, role: Option<&str>) -> Result<Shown<Handoff>> {
    let (shown, total) = handoff::waiting(conn, caller, role, HANDOFFS)?;
    Ok(Shown { shown, total })
}

fn items(conn: &mut dyn Connection, caller: &Caller, status: Status) -> Result<Shown<Item>> {
    let filter = Filter { statuses: vec![status], ..Filter::default() };
    Ok(Shown {
        shown: item::list(conn, &caller.project, &filter, ITEMS)?,
        total: item::count(conn, &caller.project, &filter)?,
    })
}

/// Of the newest rules and preferences the surest: what was said again and again comes before what was heard once.
pub(crate) fn rules(conn: &mut dyn Connection, caller: &Caller, now: Timestamp) -> Result<Shown<Memory>> {
    let kinds = [MemoryKind::Rule, MemoryKind::Preference];
    let mut rules = newest(conn, caller, &kinds, (now, LOOKED_AT))?;
    rules.shown.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    rules.shown.truncate(MEMORIES as usize);
    Ok(rules)
}

/// The newest that hold, and how many do; one kind after the other, because each is a walk along an index.
fn memories(
    conn: &mut dyn Connection,
    caller: &Caller,
    kinds: &[MemoryKind],
    now: Timestamp,
) -> Result<Shown<Memory>> {
    newest(conn, caller, kinds, (now, MEMORIES))
}

fn newest(
    conn: &mut dyn Connection,
    caller: &Caller,
    kinds: &[MemoryKind],
    (now, limit): (Timestamp, i64),
) -> Result<Shown<Memory>> {
    let mut memories = Shown { shown: vec![], total: 0 };
    for kind in kinds {
        let filter = memory::Filter { kinds: vec![*kind], active_at: Some(now), ..memory::Filter::default() };
        memories.shown.extend(memory::list(conn, &caller.project, &filter, limit)?);
        memories.total += memory::count(conn, &caller.project, &filter)?;
    }
    memories.shown.sort_by_key(|memory| std::cmp::Reverse(memory.number));
    memories.shown.truncate(limit as usize);
    Ok(memories)
}

impl Orientation {
    /// The working memory in it.
    pub(crate) fn work(&self) -> RecentWork {
        RecentWork {
            completed: self.completed.shown.clone(),
            blockers: self.blockers.shown.clone(),
            blockers_total: self.blockers.total,
        }
    }

    /// Whether it says nothing but the project's name.
    pub(crate) fn is_bare(&self) -> bool {
        self.size() == 0
            && self.focus.is_none()
            && self.completed.shown.is_empty()
            && self.blockers.shown.is_empty()
            && self.handoffs.shown.is_empty()
            && self.unfinished.shown.is_empty()
            && self.last_session.is_none()
            && self.repository.is_none()
    }

    /// How many memories and items it shows that somebody may know already.
    pub(crate) fn size(&self) -> usize {
        self.rules.shown.len()
            + self.decisions.shown.len()
            + self.in_progress.shown.len()
            + self.open.shown.len()
    }
}
