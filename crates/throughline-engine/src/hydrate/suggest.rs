//! What could be done next, each with its reason.

use std::time::Duration;

use throughline_store::Connection;
use throughline_store::event::{self, Filter, Kind as EventKind, Order};
use throughline_store::id::ItemId;
use throughline_store::item::{self, Item, Status};
use throughline_store::time::Timestamp;

use super::answer::{Action, Dependency, Relation, Suggestion};
use crate::{Caller, Result};

/// Work on which nothing happened for this long has stopped.
const STALE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const MOST: usize = 8;

/// The items that suggestions are about.
pub(super) struct Around<'a> {
    pub(super) focal: &'a Item,
    pub(super) parent: Option<&'a Item>,
    pub(super) children: Vec<&'a Item>,
    pub(super) dependencies: &'a [Dependency],
    /// What the focal item depends on itself, whatever place it has.
    pub(super) depends_on: &'a [ItemId],
    /// The time of the newest event: an answer depends on the log, not on when it is asked for.
    pub(super) as_of: Timestamp,
}

pub(super) fn next(
    conn: &mut dyn Connection,
    caller: &Caller,
    around: &Around<'_>,
) -> Result<Vec<Suggestion>> {
    let mut suggestions = vec![];
    suggestions.extend(freed(conn, caller, around)?);
    freeing(around, &mut suggestions);
    reopened(conn, caller, around, &mut suggestions)?;
    for item in std::iter::once(around.focal).chain(around.parent) {
        suggestions.extend(completable(conn, caller, item)?);
    }
    stale(around, &mut suggestions);
    suggestions.extend(unproven(around.focal));
    suggestions.truncate(MOST);
    Ok(suggestions)
}

fn completable(conn: &mut dyn Connection, caller: &Caller, item: &Item) -> Result<Option<Suggestion>> {
    if item.status.is_finished() || item.below.children == 0 {
        return Ok(None);
    }
    if item::has_unfinished_child(conn, &caller.project, &item.id)? {
        return Ok(None);
    }
    let children = match item.below.children {
        1 => "its only child is done".to_owned(),
        count => format!("all {count} children are done"),
    };
    Ok(Some(Suggestion {
        action: Action::Complete,
        item: item.id.clone(),
        reason: format!("{} can be completed: {children}", item.id),
    }))
}

/// What is blocked although nothing that it depends on is left to do.
fn freed(conn: &mut dyn Connection, caller: &Caller, around: &Around<'_>) -> Result<Option<Suggestion>> {
    let Around { focal, depends_on, .. } = around;
    if focal.status != Status::Blocked || depends_on.is_empty() {
        return Ok(None);
    }
    let first = item::by_ids(conn, &caller.project, depends_on.iter())?;
    if first.iter().any(|item| !item.status.is_finished()) {
        return Ok(None);
    }
    let done: Vec<&str> = depends_on.iter().take(MOST).map(ItemId::as_str).collect();
    Ok(Some(Suggestion {
        action: Action::Unblock,
        item: focal.id.clone(),
        reason: format!("{} is blocked, but what it waited for is done: {}", focal.id, done.join(", ")),
    }))
}

/// What is blocked although the focal item is finished.
fn freeing(around: &Around<'_>, suggestions: &mut Vec<Suggestion>) {
    let focal = around.focal;
    if !focal.status.is_finished() {
        return;
    }
    for waiting in around.dependencies.iter().filter(|it| it.relation == Relation::Blocks) {
        let item = &waiting.entity.item;
        if item.status == Status::Blocked {
            suggestions.push(Suggestion {
                action: Action::Unblock,
                item: item.id.clone(),
                reason: format!("{} waits for {}, which is {}", item.id, focal.id, focal.status),
            });
        }
    }
}

/// A dependency that was finished once and is not any more.
fn reopened(
    conn: &mut dyn Connection,
    caller: &Caller,
    around: &Around<'_>,
    suggestions: &mut Vec<Suggestion>,
) -> Result<()> {
    let blocking = around.dependencies.iter().filter(|it| it.is_blocking() && it.of == around.focal.id);
    for dependency in blocking.take(MOST) {
        let item = &dependency.entity.item;
        let completed = Filter {
            item: Some(item.id.to_string()),
            kinds: vec![EventKind::TaskCompleted],
            ..Filter::default()
        };
        if !event::list(conn, &caller.project, &completed, Order::NewestFirst, 1)?.is_empty() {
            suggestions.push(Suggestion {
                action: Action::Reopened,
                item: item.id.clone(),
                reason: format!(
                    "{} was done and is {} again; {} depends on it",
                    item.id, item.status, around.focal.id
                ),
            });
        }
    }
    Ok(())
}

fn stale(around: &Around<'_>, suggestions: &mut Vec<Suggestion>) {
    for item in std::iter::once(around.focal).chain(around.children.iter().copied()) {
        let idle = around.as_of.since(item.updated_at);
        if item.status == Status::InProgress && idle >= STALE {
            let days = idle.as_secs() / (24 * 60 * 60);
            suggestions.push(Suggestion {
                action: Action::Stale,
                item: item.id.clone(),
                reason: format!("{} is in progress, but nothing happened to it for {days} days", item.id),
            });
        }
    }
}

fn unproven(focal: &Item) -> Option<Suggestion> {
    (focal.status == Status::Done && focal.evidence.is_empty() && focal.validation.is_none()).then(|| {
        Suggestion {
            action: Action::AddEvidence,
            item: focal.id.clone(),
            reason: format!("{} is done without evidence of it", focal.id),
        }
    })
}
