//! Memories: what lasts of the work, one statement each, with where it came from.

mod decay;
mod document;
mod filter;
mod overruled;
mod standing;

pub use document::{
    after_document, count_active, last_document, next_document, number_documents, of_documents, set_document,
};
pub use filter::{Filter, count, list, most_used, per_kind};
pub use overruled::overruled;
pub use standing::{
    Standing, erase, erase_purged_wordings, note_use, note_verified, set_cites, set_standing, without_origin,
};

use crate::actor::{Actor, ActorKind};
use crate::id::{EventId, MemoryId, ProjectId, SessionId, text_enum};
use crate::sql::{Connection, Result, Row, by_texts};
use crate::time::Timestamp;
use crate::{Error, params};

text_enum! {
    Kind {
        Fact = "fact",
        Preference = "preference",
        Rule = "rule",
        Skill = "skill",
        Context = "context",
        Decision = "decision",
        Belief = "belief",
    }
}

text_enum! {
    Scope {
        User = "user",
        Session = "session",
        App = "app",
    }
}

text_enum! {
    /// How a memory came about.
    Source {
        /// Somebody said to remember it.
        Explicit = "explicit",
        /// Concluded from what happened.
        Implicit = "implicit",
        /// Imported.
        Bootstrap = "bootstrap",
        /// Said by a tool, a web page or a file: not to be trusted by itself.
        ToolOutput = "tool_output",
    }
}

text_enum! {
    Status {
        Active = "active",
        Superseded = "superseded",
        Quarantined = "quarantined",
        Expired = "expired",
        Forgotten = "forgotten",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// The order of writing in the project: 1, 2, 3 …
    pub number: i64,
    /// The number under which the search index knows its present words.
    pub document: i64,
    pub id: MemoryId,
    pub kind: Kind,
    pub scope: Scope,
    /// As recorded; what has run out by now is known to `status_at`.
    pub status: Status,
    pub title: String,
    pub content: String,
    pub tags: Vec<String>,
    pub importance: f64,
    pub confidence: f64,
    pub source: Source,
    pub actor: Actor,
    /// What the memory is the present value of, whatever its capitals.
    pub state_key: Option<String>,
    pub supersedes: Option<MemoryId>,
    pub superseded_by: Option<MemoryId>,
    pub created_at: Timestamp,
    pub occurred_at: Option<Timestamp>,
    pub expires_at: Option<Timestamp>,
    pub ended: Option<Ended>,
    pub last_used_at: Option<Timestamp>,
    pub use_count: i64,
    /// When it was last shown to be true, since it was made.
    pub last_verified_at: Option<Timestamp>,
    /// A JSON list of the code that it cites.
    pub cites: Option<String>,
    /// Equal for memories that say the same.
    pub content_hash: String,
}

/// When and why a memory stopped being active.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    pub at: Timestamp,
    pub reason: String,
}

/// An event that says what a memory says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub event: EventId,
    pub session: SessionId,
    /// Its words, where they are not the memory's.
    pub said: Option<String>,
}

impl Memory {
    /// Whether both are values of one state key, or of none.
    pub fn is_of_key_of(&self, other: &Memory) -> bool {
        let key = |memory: &Memory| memory.state_key.as_deref().map(str::to_lowercase);
        key(self) == key(other)
    }

    /// The status at a moment: a memory whose time has run out is expired, recorded or not.
    pub fn status_at(&self, now: Timestamp) -> Status {
        match self.status {
            Status::Active | Status::Quarantined if self.expires_at.is_some_and(|at| at <= now) => {
                Status::Expired
            }
            status => status,
        }
    }

    /// Whether a purge has erased what it said.
    pub fn is_erased(&self) -> bool {
        self.content_hash.is_empty()
    }
}

const COLUMNS: &str = "number, memory_id, kind, scope, status, title, content, tags, importance, confidence, source, \
     actor_kind, actor_name, state_key, supersedes, superseded_by, created_at, occurred_at, expires_at, ended_at, \
     end_reason, last_used_at, use_count, content_hash, last_verified_at, cites, document";

/// The number of the project's next memory. The caller holds the project's lock.
pub fn next_number(tx: &mut dyn Connection, project: &ProjectId) -> Result<i64> {
    Ok(last(tx, project, "number")? + 1)
}

/// The highest of the numbers in a column.
fn last(conn: &mut dyn Connection, project: &ProjectId, column: &str) -> Result<i64> {
    let sql = format!("select max({column}) from memory where project_id = ?1");
    let rows = conn.query(&sql, params![project])?;
    rows.first().map_or(Ok(0), |row| Ok(row.get::<Option<i64>>(0)?.unwrap_or(0)))
}

pub fn insert(tx: &mut dyn Connection, project: &ProjectId, memory: &Memory) -> Result<()> {
    tx.execute(
        "insert into memory (project_id, number, memory_id, kind, scope, status, title, content, tags, importance,
             confidence, source, actor_kind, actor_name, state_key, supersedes, superseded_by, created_at, occurred_at,
             expires_at, ended_at, end_reason, last_used_at, use_count, content_hash, last_verified_at, cites,
             document)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
             ?23, ?24, ?25, ?26, ?27, ?28)",
        params![
            project,
            memory.number,
            &memory.id,
            memory.kind,
            memory.scope,
            memory.status,
            &memory.title,
            &memory.content,
            &joined(&memory.tags),
            memory.importance,
            memory.confidence,
            memory.source,
            memory.actor.kind,
            &memory.actor.name,
            memory.state_key.as_deref(),
            memory.supersedes.as_ref(),
            memory.superseded_by.as_ref(),
            memory.created_at,
            memory.occurred_at,
            memory.expires_at,
            memory.ended.as_ref().map(|ended| ended.at),
            memory.ended.as_ref().map(|ended| ended.reason.as_str()),
            memory.last_used_at,
            memory.use_count,
            &memory.content_hash,
            memory.last_verified_at,
            memory.cites.as_deref(),
            memory.document,
        ],
    )?;
    Ok(())
}

/// Notes that an event says what the memory says; twice is once.
pub fn add_origin(
    tx: &mut dyn Connection,
    project: &ProjectId,
    memory: &MemoryId,
    origin: &Origin,
) -> Result<()> {
    tx.execute(
        "insert into memory_origin (project_id, memory_id, event_id, session_id, said) values (?1, ?2, ?3, ?4, ?5)
         on conflict (project_id, memory_id, event_id) do nothing",
        params![project, memory, &origin.event, &origin.session, origin.said.as_deref()],
    )?;
    Ok(())
}

/// The events that a memory came from, the oldest first.
pub fn origins(conn: &mut dyn Connection, project: &ProjectId, memory: &MemoryId) -> Result<Vec<Origin>> {
    let rows = conn.query(
        "select event_id, session_id, said from memory_origin where project_id = ?1 and memory_id = ?2",
        params![project, memory],
    )?;
    let origin = |row: &Row| Ok(Origin { event: row.get(0)?, session: row.get(1)?, said: row.get(2)? });
    let mut origins: Vec<Origin> = rows.iter().map(origin).collect::<Result<_>>()?;
    // Ids sort by age; what a server's locale makes of the order must not show.
    origins.sort_by(|a, b| a.event.cmp(&b.event));
    Ok(origins)
}

/// When what these memories say was said last, each with its memory.
pub fn last_said(
    conn: &mut dyn Connection,
    project: &ProjectId,
    memories: &[&MemoryId],
) -> Result<Vec<(MemoryId, Timestamp)>> {
    let sql = "select origin.memory_id, max(event.at) from memory_origin origin
             join event on event.project_id = origin.project_id and event.event_id = origin.event_id
         where origin.project_id = ?1 and origin.memory_id in {texts} group by origin.memory_id";
    let ids = memories.iter().map(|id| id.as_str());
    by_texts(conn, sql, params![project], ids, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Those of these memories that come from an event, in no order.
pub fn said_in(
    conn: &mut dyn Connection,
    project: &ProjectId,
    event: &EventId,
    memories: &[&MemoryId],
) -> Result<Vec<MemoryId>> {
    let sql = "select memory_id from memory_origin
         where project_id = ?1 and event_id = ?2 and memory_id in {texts}";
    let ids = memories.iter().map(|id| id.as_str());
    by_texts(conn, sql, params![project, event], ids, |row| row.get(0))
}

/// In which other words these memories were said, each with its memory; the oldest first.
pub fn wordings(
    conn: &mut dyn Connection,
    project: &ProjectId,
    memories: &[&MemoryId],
) -> Result<Vec<(MemoryId, String)>> {
    let sql = "select memory_id, said, event_id from memory_origin
         where project_id = ?1 and memory_id in {texts} and said is not null";
    let ids = memories.iter().map(|id| id.as_str());
    let mut said: Vec<(EventId, MemoryId, String)> =
        by_texts(conn, sql, params![project], ids, |row| Ok((row.get(2)?, row.get(0)?, row.get(1)?)))?;
    said.sort();
    Ok(said.into_iter().map(|(_, memory, words)| (memory, words)).collect())
}

pub fn by_id(conn: &mut dyn Connection, project: &ProjectId, id: &MemoryId) -> Result<Option<Memory>> {
    let sql = format!("select {COLUMNS} from memory where project_id = ?1 and memory_id = ?2");
    conn.query(&sql, params![project, id])?.first().map(read).transpose()
}

/// Those of the given ids that there are, in no order.
pub fn by_ids(conn: &mut dyn Connection, project: &ProjectId, ids: &[&MemoryId]) -> Result<Vec<Memory>> {
    let sql = format!("select {COLUMNS} from memory where project_id = ?1 and memory_id in {{texts}}");
    by_texts(conn, &sql, params![project], ids.iter().map(|id| id.as_str()), read)
}

/// A page of memories in the order of writing, for going through all of them.
pub fn after(conn: &mut dyn Connection, project: &ProjectId, number: i64, limit: i64) -> Result<Vec<Memory>> {
    let sql = format!(
        "select {COLUMNS} from memory where project_id = ?1 and number > ?2 order by number limit ?3"
    );
    conn.query(&sql, params![project, number, limit])?.iter().map(read).collect()
}

/// Those whose id begins with `prefix`; two are enough to know that it is ambiguous.
pub fn by_prefix(conn: &mut dyn Connection, project: &ProjectId, prefix: &str) -> Result<Vec<Memory>> {
    let sql = format!(
        "select {COLUMNS} from memory where project_id = ?1 and substr(memory_id, 1, length(?2)) = ?2
         order by number limit 2"
    );
    conn.query(&sql, params![project, prefix])?.iter().map(read).collect()
}

/// The newest memory that says the same as another (by kind, scope, state key and content) and is neither forgotten nor
/// superseded.
pub fn same(conn: &mut dyn Connection, project: &ProjectId, as_this: &Memory) -> Result<Option<Memory>> {
    // Without an order: asked for one, SQLite would walk the whole table in it; and without a status that it could
    // walk along instead of looking up the content.
    let sql = format!(
        "select {COLUMNS} from memory where project_id = ?1 and content_hash = ?2 and kind = ?3 and scope = ?4
             and coalesce(status, '') in ('active', 'quarantined')"
    );
    let rows = conn.query(&sql, params![project, &as_this.content_hash, as_this.kind, as_this.scope])?;
    let found: Vec<Memory> = rows.iter().map(read).collect::<Result<_>>()?;
    let of_key = found.into_iter().filter(|memory| memory.is_of_key_of(as_this));
    Ok(of_key.max_by_key(|memory| memory.number))
}

/// The newest memory that says the same and was forgotten.
pub fn forgotten(
    conn: &mut dyn Connection,
    project: &ProjectId,
    content_hash: &str,
) -> Result<Option<Memory>> {
    let sql = format!(
        "select {COLUMNS} from memory
         where project_id = ?1 and content_hash = ?2 and coalesce(status, '') = 'forgotten'"
    );
    let rows = conn.query(&sql, params![project, content_hash])?;
    let found: Vec<Memory> = rows.iter().map(read).collect::<Result<_>>()?;
    Ok(found.into_iter().max_by_key(|memory| memory.number))
}

/// The memory that is the present value of a state key, whatever its capitals; of several the one with its own.
pub fn of_state_key(
    conn: &mut dyn Connection,
    project: &ProjectId,
    scope: Scope,
    key: &str,
) -> Result<Option<Memory>> {
    let sql = format!(
        "select {COLUMNS} from memory
         where project_id = ?1 and scope = ?2 and state_key is not null and status = 'active'
             and (state_key = ?3 or lower(state_key) = lower(?3))"
    );
    let rows = conn.query(&sql, params![project, scope, key])?;
    let found: Vec<Memory> = rows.iter().map(read).collect::<Result<_>>()?;
    Ok(found.into_iter().max_by_key(|memory| memory.state_key.as_deref() == Some(key)))
}

/// How many memories have each status, as recorded.
pub fn tally(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<(Status, i64)>> {
    let rows = conn.query(
        "select status, count(*) from memory where project_id = ?1 group by status",
        params![project],
    )?;
    let mut tally: Vec<(Status, i64)> =
        rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect::<Result<_>>()?;
    tally.sort();
    Ok(tally)
}

fn joined(tags: &[String]) -> String {
    if tags.is_empty() { String::new() } else { format!("\n{}\n", tags.join("\n")) }
}

fn read(row: &Row) -> Result<Memory> {
    let tags: String = row.get(7)?;
    Ok(Memory {
        number: row.get(0)?,
        document: row.get(26)?,
        id: row.get(1)?,
        kind: row.get(2)?,
        scope: row.get(3)?,
        status: row.get(4)?,
        title: row.get(5)?,
        content: row.get(6)?,
        tags: tags.split('\n').filter(|tag| !tag.is_empty()).map(str::to_owned).collect(),
        importance: row.get(8)?,
        confidence: row.get(9)?,
        source: row.get(10)?,
        actor: Actor { kind: row.get::<ActorKind>(11)?, name: row.get(12)? },
        state_key: row.get(13)?,
        supersedes: row.get(14)?,
        superseded_by: row.get(15)?,
        created_at: row.get(16)?,
        occurred_at: row.get(17)?,
        expires_at: row.get(18)?,
        ended: read_ended(row)?,
        last_used_at: row.get(21)?,
        use_count: row.get(22)?,
        content_hash: row.get(23)?,
        last_verified_at: row.get(24)?,
        cites: row.get(25)?,
    })
}

fn read_ended(row: &Row) -> Result<Option<Ended>> {
    let Some(at) = row.get::<Option<Timestamp>>(19)? else { return Ok(None) };
    let reason: Option<String> = row.get(20)?;
    let reason = reason.ok_or_else(|| Error::Corrupt("a memory ended without a reason".to_owned()))?;
    Ok(Some(Ended { at, reason }))
}
