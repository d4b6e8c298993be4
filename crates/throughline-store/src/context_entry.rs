//! The entries of working sets: what each agent holds, found by agent and nobody else's. What changes many of them says so to
//! those who follow; who puts one says so itself.

use crate::id::{EntryId, ProjectId, text_enum};
use crate::sql::{Connection, Param, Result, Row, by_texts};
use crate::time::Timestamp;
use crate::{follow, params};

text_enum! {
    Tier {
        /// What an agent has before it.
        Hot = "HOT",
        /// What it gets when it asks.
        Warm = "WARM",
        /// What the next flash save puts aside.
        Cold = "COLD",
    }
}

text_enum! {
    State {
        Held = "held",
        /// Put aside; there for who asks.
        Archived = "archived",
        /// Deleted, and kept without its content until the agent that has it is told.
        Gone = "gone",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ContextEntry {
    pub id: EntryId,
    /// TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION, or any other name.
    pub entry_type: String,
    pub content: String,
    pub content_hash: String,
    pub tokens: i64,
    /// As the agent gave it.
    pub importance: Option<f64>,
    pub item_id: Option<String>,
    pub tier: Tier,
    pub state: State,
    pub access_count: i64,
    pub created_at: Timestamp,
    pub last_accessed_at: Timestamp,
    pub loaded_hash: Option<String>,
}

/// Whose entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder<'a> {
    pub project: &'a ProjectId,
    pub agent: &'a str,
}

const COLUMNS: &str = "entry_id, type, content, content_hash, tokens, importance, item_id, tier, state, access_count, \
     created_at, last_accessed_at, loaded_hash";

/// Writes the entry, in place of the one with its id.
pub fn put(tx: &mut dyn Connection, holder: Holder<'_>, entry: &ContextEntry) -> Result<()> {
    tx.execute(
        "insert into context_entry (project_id, agent, entry_id, type, content, content_hash, tokens, importance,
             item_id, tier, state, access_count, created_at, last_accessed_at, loaded_hash)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
         on conflict (project_id, agent, entry_id) do update set type = excluded.type, content = excluded.content,
             content_hash = excluded.content_hash, tokens = excluded.tokens, importance = excluded.importance,
             item_id = excluded.item_id, tier = excluded.tier, state = excluded.state,
             access_count = excluded.access_count, created_at = excluded.created_at,
             last_accessed_at = excluded.last_accessed_at, loaded_hash = excluded.loaded_hash",
        params![
            holder.project,
            holder.agent,
            &entry.id,
            &entry.entry_type,
            &entry.content,
            &entry.content_hash,
            entry.tokens,
            entry.importance,
            entry.item_id.as_deref(),
            entry.tier,
            entry.state,
            entry.access_count,
            entry.created_at,
            entry.last_accessed_at,
            entry.loaded_hash.as_deref(),
        ],
    )?;
    Ok(())
}

/// Everything of an agent, the oldest first.
pub fn list(conn: &mut dyn Connection, holder: Holder<'_>) -> Result<Vec<ContextEntry>> {
    let sql = format!("select {COLUMNS} from context_entry where project_id = ?1 and agent = ?2");
    let rows = conn.query(&sql, params![holder.project, holder.agent])?;
    let mut entries = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    // By code point: what a server's locale makes of the order must not show.
    entries.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(entries)
}

/// What was HOT when it was last looked at, the oldest first; time may have cooled it since, and nothing else warms.
pub fn hot(conn: &mut dyn Connection, holder: Holder<'_>) -> Result<Vec<ContextEntry>> {
    let sql = format!(
        "select {COLUMNS} from context_entry
         where project_id = ?1 and agent = ?2 and state = 'held' and tier = 'HOT'"
    );
    let rows = conn.query(&sql, params![holder.project, holder.agent])?;
    let mut entries = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    entries.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(entries)
}

/// Who holds anything, and how many entries.
pub fn agents(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<(String, i64)>> {
    let sql =
        "select agent, count(*) from context_entry where project_id = ?1 and state = 'held' group by agent";
    let rows = conn.query(sql, params![project])?;
    let mut agents = rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect::<Result<Vec<_>>>()?;
    agents.sort();
    Ok(agents)
}

pub fn set_tier(tx: &mut dyn Connection, holder: Holder<'_>, ids: &[&EntryId], tier: Tier) -> Result<()> {
    each(tx, holder, "update context_entry set tier = ?3", &[tier.into()], ids)?;
    tell(tx, holder, ids)
}

pub fn set_state(tx: &mut dyn Connection, holder: Holder<'_>, ids: &[&EntryId], state: State) -> Result<()> {
    each(tx, holder, "update context_entry set state = ?3", &[state.into()], ids)?;
    tell(tx, holder, ids)
}

/// Somebody asked for these by name.
pub fn note_access(
    tx: &mut dyn Connection,
    holder: Holder<'_>,
    ids: &[&EntryId],
    at: Timestamp,
) -> Result<()> {
    let set = "update context_entry set access_count = access_count + 1,
         last_accessed_at = case when last_accessed_at < ?3 then ?3 else last_accessed_at end";
    each(tx, holder, set, &[at.into()], ids)?;
    tell(tx, holder, ids)
}

/// The agent has what these say.
pub fn note_loaded(tx: &mut dyn Connection, holder: Holder<'_>, ids: &[&EntryId]) -> Result<()> {
    each(tx, holder, "update context_entry set loaded_hash = content_hash", &[], ids)
}

/// The agent has none of these any more.
pub fn note_dropped(tx: &mut dyn Connection, holder: Holder<'_>, ids: &[&EntryId]) -> Result<()> {
    each(tx, holder, "update context_entry set loaded_hash = null", &[], ids)
}

pub fn delete(tx: &mut dyn Connection, holder: Holder<'_>, ids: &[&EntryId]) -> Result<()> {
    each(tx, holder, "delete from context_entry", &[], ids)?;
    tell(tx, holder, ids)
}

/// Leaves an agent with nothing.
pub fn clear(tx: &mut dyn Connection, holder: Holder<'_>) -> Result<()> {
    let sql = "delete from context_entry where project_id = ?1 and agent = ?2";
    tx.execute(sql, params![holder.project, holder.agent])?;
    follow::set_changed(tx, holder.project, holder.agent)
}

/// Puts aside what agents hold of one type about an item; says how many.
pub fn archive_of_item(
    tx: &mut dyn Connection,
    project: &ProjectId,
    entry_type: &str,
    item: &str,
) -> Result<u64> {
    let of_item = "project_id = ?1 and type = ?2 and item_id = ?3 and state = 'held'";
    let params = params![project, entry_type, item];
    let agents = tx.query(&format!("select distinct agent from context_entry where {of_item}"), params)?;
    for row in &agents {
        follow::set_changed(tx, project, &row.get::<String>(0)?)?;
    }
    tx.execute(&format!("update context_entry set state = 'archived' where {of_item}"), params)
}

fn tell(tx: &mut dyn Connection, holder: Holder<'_>, changed: &[&EntryId]) -> Result<()> {
    if changed.is_empty() { Ok(()) } else { follow::set_changed(tx, holder.project, holder.agent) }
}

/// One change to many entries, some dozens at a time: a thousand round trips would cost more than all the rest.
fn each<'a>(
    tx: &mut dyn Connection,
    holder: Holder<'a>,
    change: &str,
    values: &[Param<'a>],
    ids: &[&'a EntryId],
) -> Result<()> {
    let sql =
        format!("{change} where project_id = ?1 and agent = ?2 and entry_id in {{texts}} returning entry_id");
    let fixed = [params![holder.project, holder.agent], values].concat();
    by_texts(tx, &sql, &fixed, ids.iter().map(|id| id.as_str()), |_| Ok(())).map(|_| ())
}

fn read(row: &Row) -> Result<ContextEntry> {
    Ok(ContextEntry {
        id: row.get(0)?,
        entry_type: row.get(1)?,
        content: row.get(2)?,
        content_hash: row.get(3)?,
        tokens: row.get(4)?,
        importance: row.get(5)?,
        item_id: row.get(6)?,
        tier: row.get(7)?,
        state: row.get(8)?,
        access_count: row.get(9)?,
        created_at: row.get(10)?,
        last_accessed_at: row.get(11)?,
        loaded_hash: row.get(12)?,
    })
}
