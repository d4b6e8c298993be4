//! The append-only log: one event, one row. Nothing here changes an event except `purge`.

mod by_day;
mod filter;
mod head;
mod of_item;
mod place;
mod stretch;

use std::collections::HashSet;

pub use by_day::{Day, DayOfActor, Part, parts_of, per_day, per_kind};
pub use filter::Filter;
pub use head::heads;
pub use of_item::{count_of_items, last_of_items, newest, of_item, of_items_in_session};
#[cfg(test)]
pub(crate) use place::COUNT_UNPURGED;
pub use place::{Place, at_positions, count_unpurged, opening, places, places_between};
pub use stretch::{Stretch, stretch};

use filter::{Owned, any_of, borrowed, conditions};

use crate::actor::{Actor, ActorKind};
use crate::id::{EventId, ProjectId, SessionId, text_enum};
use crate::packed::{Packed, unpack};
use crate::sql::{Connection, Param, Result, Row};
use crate::time::Timestamp;
use crate::{Error, params};

text_enum! {
    Kind {
        UserMessage = "user_message",
        ModelMessage = "model_message",
        ToolCall = "tool_call",
        ToolResult = "tool_result",
        Read = "read",
        Write = "write",
        Search = "search",
        Decision = "decision",
        ValidationGate = "validation_gate",
        MemoryRecall = "memory_recall",
        ItemCreated = "item_created",
        ItemUpdated = "item_updated",
        ItemDeleted = "item_deleted",
        ResourceWritten = "resource_written",
        TaskCompleted = "task_completed",
        Handoff = "handoff",
        Checkpoint = "checkpoint",
        SystemEvent = "system_event",
    }
}

text_enum! {
    Role {
        User = "user",
        Assistant = "assistant",
        Tool = "tool",
        System = "system",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The order of the project's log: 1, 2, 3 … without gap, in the order of commits.
    pub position: i64,
    pub id: EventId,
    pub session_id: SessionId,
    /// The order within the session: 1, 2, 3 … without gap.
    pub sequence: i64,
    pub at: Timestamp,
    pub actor: Actor,
    pub kind: Kind,
    pub role: Role,
    pub target: Option<String>,
    pub summary: String,
    pub content: Option<String>,
    /// A JSON document.
    pub parts: Option<String>,
    pub item_id: Option<String>,
    pub triggered_by: Option<EventId>,
    /// The memory this event informs.
    pub informs: Option<String>,
    pub rationale: Option<String>,
    pub client_key: Option<String>,
    pub tokens: i64,
    /// How many secrets were taken out before this was written.
    pub redactions: i64,
    pub purge: Option<Purge>,
}

/// The tombstone of an event whose content was erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purge {
    pub at: Timestamp,
    pub by: Actor,
    pub reason: String,
}

pub const PURGED_SUMMARY: &str = "[purged]";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    OldestFirst,
    NewestFirst,
}

impl Order {
    fn direction(self) -> &'static str {
        match self {
            Order::OldestFirst => "asc",
            Order::NewestFirst => "desc",
        }
    }
}

const COLUMNS: &str = "position, event_id, session_id, sequence, at, actor_kind, actor_name, kind, role, target, \
     summary, content, content_packed, parts, parts_packed, item_id, triggered_by, informs, rationale, client_key, \
     tokens, redactions, purged_at, purged_by, purge_reason";

/// Writes an event whose place in the log is already taken; texts of more than `pack_over` bytes compressed.
pub fn insert(tx: &mut dyn Connection, project: &ProjectId, event: &Event, pack_over: usize) -> Result<()> {
    let content = Packed::of(event.content.as_deref(), pack_over)?;
    let parts = Packed::of(event.parts.as_deref(), pack_over)?;
    let purged_by = event.purge.as_ref().map(|purge| purge.by.to_string());
    tx.execute(
        "insert into event (project_id, position, event_id, session_id, sequence, at, actor_kind, actor_name, kind,
             role, target, summary, content, content_packed, parts, parts_packed, item_id, triggered_by, informs,
             rationale, client_key, tokens, redactions, purged_at, purged_by, purge_reason)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
             ?22, ?23, ?24, ?25, ?26)",
        params![
            project,
            event.position,
            &event.id,
            &event.session_id,
            event.sequence,
            event.at,
            event.actor.kind,
            &event.actor.name,
            event.kind,
            event.role,
            event.target.as_deref(),
            &event.summary,
            content.plain,
            content.packed.as_deref(),
            parts.plain,
            parts.packed.as_deref(),
            event.item_id.as_deref(),
            event.triggered_by.as_ref(),
            event.informs.as_deref(),
            event.rationale.as_deref(),
            event.client_key.as_deref(),
            event.tokens,
            event.redactions,
            event.purge.as_ref().map(|purge| purge.at),
            purged_by.as_deref(),
            event.purge.as_ref().map(|purge| purge.reason.as_str()),
        ],
    )?;
    Ok(())
}

pub fn by_id(conn: &mut dyn Connection, project: &ProjectId, id: &EventId) -> Result<Option<Event>> {
    one(
        conn,
        &format!("select {COLUMNS} from event where project_id = ?1 and event_id = ?2"),
        params![project, id],
    )
}

pub fn by_client_key(conn: &mut dyn Connection, project: &ProjectId, key: &str) -> Result<Option<Event>> {
    one(
        conn,
        &format!("select {COLUMNS} from event where project_id = ?1 and client_key = ?2"),
        params![project, key],
    )
}

/// Which ids and client keys the log has.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Known {
    ids: HashSet<String>,
    client_keys: HashSet<String>,
}

impl Known {
    /// Remembers the event; false when its id or its client key was known already.
    pub fn add(&mut self, event: &Event) -> bool {
        let is_there = self.ids.contains(event.id.as_str())
            || event.client_key.as_ref().is_some_and(|key| self.client_keys.contains(key));
        if !is_there {
            self.ids.insert(event.id.to_string());
            self.client_keys.extend(event.client_key.clone());
        }
        !is_there
    }
}

/// Which of these events are in the log, by id or by client key.
pub fn known<'a>(
    conn: &mut dyn Connection,
    project: &ProjectId,
    events: impl Iterator<Item = &'a Event> + Clone,
) -> Result<Known> {
    let ids: Vec<String> = events.clone().map(|event| event.id.to_string()).collect();
    let client_keys: Vec<String> = events.filter_map(|event| event.client_key.clone()).collect();
    Ok(Known {
        ids: existing(conn, project, "event_id", ids)?,
        client_keys: existing(conn, project, "client_key", client_keys)?,
    })
}

/// At most `limit` events, in the order asked for.
pub fn list(
    conn: &mut dyn Connection,
    project: &ProjectId,
    filter: &Filter,
    order: Order,
    limit: i64,
) -> Result<Vec<Event>> {
    let (conditions, mut params) = conditions(project, filter);
    // Within a session both orders are the same; naming its own lets the database walk the session alone.
    let place = if filter.sessions.len() == 1 { "sequence" } else { "position" };
    params.push(Owned::Int(limit));
    let sql = format!(
        "select {COLUMNS} from event where {conditions} order by {place} {} limit ?{}",
        order.direction(),
        params.len()
    );
    conn.query(&sql, &borrowed(&params))?.iter().map(read).collect()
}

pub fn count(conn: &mut dyn Connection, project: &ProjectId, filter: &Filter) -> Result<i64> {
    let (conditions, params) = conditions(project, filter);
    let rows = conn.query(&format!("select count(*) from event where {conditions}"), &borrowed(&params))?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

/// How many tokens the events have together.
pub fn tokens(conn: &mut dyn Connection, project: &ProjectId, filter: &Filter) -> Result<i64> {
    let (conditions, params) = conditions(project, filter);
    let sql = format!("select cast(coalesce(sum(tokens), 0) as bigint) from event where {conditions}");
    conn.query(&sql, &borrowed(&params))?.first().map_or(Ok(0), |row| row.get(0))
}

/// How many events of each kind, and their tokens.
pub fn tally(
    conn: &mut dyn Connection,
    project: &ProjectId,
    session: &SessionId,
) -> Result<Vec<(Kind, i64, i64)>> {
    let rows = conn.query(
        // Not by the index of kinds, which is the whole project's.
        "select kind || '', count(*), cast(sum(tokens) as bigint) from event
         where project_id = ?1 and session_id = ?2 group by kind || ''",
        params![project, session],
    )?;
    let tally = rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    let mut tally: Vec<(Kind, i64, i64)> = tally.collect::<Result<_>>()?;
    tally.sort_by_key(|(kind, ..)| kind.as_str());
    Ok(tally)
}

/// The targets of a session's events of one kind, each once, in the order of their first use.
pub fn targets(
    conn: &mut dyn Connection,
    project: &ProjectId,
    session: &SessionId,
    kind: Kind,
) -> Result<Vec<String>> {
    let rows = conn.query(
        "select target from event where project_id = ?1 and session_id = ?2 and kind = ?3 and target is not null
         group by target order by min(sequence)",
        params![project, session, kind],
    )?;
    rows.iter().map(|row| row.get(0)).collect()
}

/// The sessions that the events belong to.
pub fn sessions(conn: &mut dyn Connection, project: &ProjectId, filter: &Filter) -> Result<Vec<SessionId>> {
    let (conditions, params) = conditions(project, filter);
    let rows =
        conn.query(&format!("select distinct session_id from event where {conditions}"), &borrowed(&params))?;
    rows.iter().map(|row| row.get(0)).collect()
}

/// Erases what the events said and leaves the tombstones; says how many were erased now.
pub fn purge(tx: &mut dyn Connection, project: &ProjectId, filter: &Filter, purge: &Purge) -> Result<u64> {
    let (conditions, mut params) = conditions(project, filter);
    let first = params.len() + 1;
    params.extend([
        Owned::Int(purge.at.0),
        Owned::Text(purge.by.to_string()),
        Owned::Text(purge.reason.clone()),
        Owned::Text(PURGED_SUMMARY.to_owned()),
    ]);
    tx.execute(
        &format!(
            "update event set purged_at = ?{first}, purged_by = ?{}, purge_reason = ?{}, summary = ?{}, target = null,
                 content = null, content_packed = null, parts = null, parts_packed = null, rationale = null, tokens = 0
             where {conditions} and purged_at is null",
            first + 1,
            first + 2,
            first + 3
        ),
        &borrowed(&params),
    )
}

fn existing(
    conn: &mut dyn Connection,
    project: &ProjectId,
    column: &str,
    values: Vec<String>,
) -> Result<HashSet<String>> {
    if values.is_empty() {
        return Ok(HashSet::new());
    }
    let mut sql = format!("select {column} from event where project_id = ?1");
    let mut params = vec![Owned::Text(project.to_string())];
    any_of(column, values.into_iter(), &mut sql, &mut params);
    conn.query(&sql, &borrowed(&params))?.iter().map(|row| row.get(0)).collect()
}

fn one(conn: &mut dyn Connection, sql: &str, params: &[Param<'_>]) -> Result<Option<Event>> {
    conn.query(sql, params)?.first().map(read).transpose()
}

fn read(row: &Row) -> Result<Event> {
    Ok(Event {
        position: row.get(0)?,
        id: row.get(1)?,
        session_id: row.get(2)?,
        sequence: row.get(3)?,
        at: row.get(4)?,
        actor: Actor { kind: row.get::<ActorKind>(5)?, name: row.get(6)? },
        kind: row.get(7)?,
        role: row.get(8)?,
        target: row.get(9)?,
        summary: row.get(10)?,
        content: unpack(row, 11)?,
        parts: unpack(row, 13)?,
        item_id: row.get(15)?,
        triggered_by: row.get(16)?,
        informs: row.get(17)?,
        rationale: row.get(18)?,
        client_key: row.get(19)?,
        tokens: row.get(20)?,
        redactions: row.get(21)?,
        purge: read_purge(row)?,
    })
}

fn read_purge(row: &Row) -> Result<Option<Purge>> {
    let Some(at) = row.get::<Option<Timestamp>>(22)? else { return Ok(None) };
    let by: String = row.get(23)?;
    Ok(Some(Purge { at, by: by.parse().map_err(Error::Corrupt)?, reason: row.get(24)? }))
}
