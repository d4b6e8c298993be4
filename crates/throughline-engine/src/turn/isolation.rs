//! Work that is to be done without history: a task that says so, or whose type the project has set so; and sessions that
//! want to hear nothing.

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Context, Filter, Item, Status};
use throughline_store::session::Session;

use super::{Need, Policy};
use crate::backlog::ids_in;
use crate::{Caller, Result};

/// The key of a scratchpad that switches telling off for its session.
const SWITCH: &str = "injection";

pub(super) fn is_isolated(
    conn: &mut dyn Connection,
    caller: &Caller,
    session: Option<&Session>,
    (policy, need): (&Policy, Need<'_>),
) -> Result<bool> {
    let scratchpad: Json =
        session.and_then(|session| serde_json::from_str(&session.scratchpad).ok()).unwrap_or_default();
    if matches!(scratchpad[SWITCH].as_str(), Some("off" | "none")) || scratchpad[SWITCH] == false {
        return Ok(true);
    }
    let Some(task) = task_at_hand(conn, caller, &scratchpad, need)? else { return Ok(false) };
    Ok(match task.context {
        Some(context) => context == Context::Isolated,
        None => !policy.requires_context || policy.isolated_types.contains(&task.item_type),
    })
}

/// The task that the prompt names, else the session's own, else the only one that anybody works on.
fn task_at_hand(
    conn: &mut dyn Connection,
    caller: &Caller,
    scratchpad: &Json,
    need: Need<'_>,
) -> Result<Option<Item>> {
    let named = match need {
        Need::Prompt(message) => ids_in(message).next(),
        _ => None,
    };
    let own = || scratchpad["current_task"].as_str().map(|id| ItemId::from(id.to_owned()));
    if let Some(id) = named.or_else(own) {
        return Ok(item::by_ids(conn, &caller.project, [&id].into_iter())?.pop());
    }
    let in_progress = Filter { statuses: vec![Status::InProgress], ..Filter::default() };
    let mut items = item::list(conn, &caller.project, &in_progress, 2)?;
    Ok(if items.len() == 1 { items.pop() } else { None })
}
