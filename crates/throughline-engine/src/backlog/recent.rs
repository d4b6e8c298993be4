//! The working memory of recent work: what was finished last, and what is stuck. Derived from the log, so that it is
//! bounded however long the project lives.

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::event::{self, Event, Kind as EventKind, Order};
use throughline_store::id::ItemId;
use throughline_store::item::{self, Filter, Item, Status};
use throughline_store::time::Timestamp;

use crate::{Caller, Engine, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct RecentWork {
    /// The last first.
    pub completed: Vec<Completed>,
    /// The longest stuck first.
    pub blockers: Vec<Blocker>,
    pub blockers_total: i64,
}

/// A task that was finished.
#[derive(Debug, Clone, PartialEq)]
pub struct Completed {
    pub id: ItemId,
    pub intent: String,
    pub summary: String,
    pub at: Timestamp,
    /// Unknown when nobody checked.
    pub success: Option<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Blocker {
    pub id: ItemId,
    pub title: String,
    pub reasons: Vec<String>,
    pub since: Timestamp,
}

/// So much of the log is kept at hand, and so many blockers are shown.
const WINDOW: i64 = 100;

impl RecentWork {
    pub fn is_empty(&self) -> bool {
        self.completed.is_empty() && self.blockers_total == 0
    }
}

impl Engine {
    /// The tasks that were finished last, and everything that is stuck.
    pub fn recent_work(&self, caller: &Caller, completed: usize) -> Result<RecentWork> {
        self.store.read(|conn| recent(conn, caller, completed))
    }
}

pub(crate) fn recent(conn: &mut dyn Connection, caller: &Caller, completed: usize) -> Result<RecentWork> {
    let blocked = Filter { statuses: vec![Status::Blocked], ..Filter::default() };
    let mut blockers: Vec<Blocker> =
        item::list(conn, &caller.project, &blocked, WINDOW)?.into_iter().map(blocker).collect();
    blockers.sort_by_key(|blocker| blocker.since);
    Ok(RecentWork {
        completed: finished(conn, caller, completed.min(WINDOW as usize))?,
        blockers,
        blockers_total: item::count(conn, &caller.project, &blocked)?,
    })
}

fn blocker(item: Item) -> Blocker {
    Blocker { id: item.id, title: item.title, reasons: item.blocked_reason, since: item.status_at }
}

/// From the log; what came finished from elsewhere and has no event of that is filled in from the items.
fn finished(conn: &mut dyn Connection, caller: &Caller, limit: usize) -> Result<Vec<Completed>> {
    let filter = event::Filter { kinds: vec![EventKind::TaskCompleted], ..event::Filter::default() };
    let events = event::list(conn, &caller.project, &filter, Order::NewestFirst, WINDOW)?;
    let mut completed: Vec<Completed> = vec![];
    for event in &events {
        let Some(one) = of_event(event) else { continue };
        if !completed.iter().any(|known| known.id == one.id) {
            completed.push(one);
        }
    }
    drop_reopened(conn, caller, &mut completed)?;
    if completed.len() < limit {
        let done = Filter { statuses: vec![Status::Done], ..Filter::default() };
        for item in item::list(conn, &caller.project, &done, limit as i64)? {
            if !completed.iter().any(|known| known.id == item.id) {
                completed.push(of_item(item));
            }
        }
    }
    completed.sort_by_key(|one| std::cmp::Reverse(one.at));
    completed.truncate(limit);
    Ok(completed)
}

/// What is being worked on again is not finished; what is gone was.
fn drop_reopened(conn: &mut dyn Connection, caller: &Caller, completed: &mut Vec<Completed>) -> Result<()> {
    let ids: Vec<ItemId> = completed.iter().map(|one| one.id.clone()).collect();
    let present = item::by_ids(conn, &caller.project, ids.iter())?;
    let reopened = |id: &ItemId| present.iter().any(|item| item.id == *id && item.status != Status::Done);
    completed.retain(|one| !reopened(&one.id));
    Ok(())
}

fn of_event(event: &Event) -> Option<Completed> {
    let parts: Json = serde_json::from_str(event.parts.as_deref()?).ok()?;
    let text = |field: &str| parts[field].as_str().map(str::to_owned);
    Some(Completed {
        id: ItemId::from(event.item_id.clone()?),
        intent: text("intent").unwrap_or_else(|| event.summary.clone()),
        summary: text("summary").unwrap_or_default(),
        at: event.at,
        success: parts["valid"].as_bool(),
    })
}

fn of_item(item: Item) -> Completed {
    Completed {
        intent: item.title,
        summary: item.summary.unwrap_or_default(),
        at: item.status_at,
        success: item.validation.map(|validation| validation.valid),
        id: item.id,
    }
}
