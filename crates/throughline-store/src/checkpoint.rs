//! Checkpoints: what an agent and its session stood at, kept so that it can be brought back.

use crate::id::{CheckpointId, ProjectId, SessionId, text_enum};
use crate::packed::{Packed, unpack};
use crate::params;
use crate::sql::{Connection, Param, Result, Row};
use crate::time::Timestamp;

text_enum! {
    /// Why it was made.
    Reason {
        /// Somebody asked for it.
        Request = "request",
        /// A gate was passed.
        Gate = "gate",
        /// A context is about to be thrown away or shortened.
        Compaction = "compaction",
        Flash = "flash",
        /// Another one was about to be brought back.
        Restore = "restore",
    }
}

/// A checkpoint without its body, which may be long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub id: CheckpointId,
    pub agent: String,
    pub session: Option<SessionId>,
    pub reason: Reason,
    pub title: String,
    /// The newest event of the project's log at that time.
    pub position: i64,
    pub created_at: Timestamp,
    /// What the agent held.
    pub entries: i64,
    pub tokens: i64,
}

/// Which checkpoints to list; all conditions hold together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub agent: Option<String>,
    pub session: Option<SessionId>,
    pub reason: Option<Reason>,
    /// The beginning of an id.
    pub prefix: Option<String>,
    /// Those that come after this one.
    pub after: Option<Cursor>,
}

/// A place in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub created_at: Timestamp,
    pub position: i64,
    pub id: CheckpointId,
}

const COLUMNS: &str =
    "checkpoint_id, agent, session_id, reason, title, position, created_at, entries, tokens";

/// Bodies of more than `pack_over` bytes are stored compressed.
pub fn insert(
    tx: &mut dyn Connection,
    project: &ProjectId,
    checkpoint: &Checkpoint,
    body: &str,
    pack_over: usize,
) -> Result<()> {
    let body = Packed::of(Some(body), pack_over)?;
    tx.execute(
        "insert into checkpoint (project_id, checkpoint_id, agent, session_id, reason, title, position, created_at,
             entries, tokens, body, body_packed)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        params![
            project,
            &checkpoint.id,
            &checkpoint.agent,
            checkpoint.session.as_ref(),
            checkpoint.reason,
            &checkpoint.title,
            checkpoint.position,
            checkpoint.created_at,
            checkpoint.entries,
            checkpoint.tokens,
            body.plain,
            body.packed.as_deref(),
        ],
    )?;
    Ok(())
}

/// The newest first.
pub fn list(
    conn: &mut dyn Connection,
    project: &ProjectId,
    filter: &Filter,
    limit: i64,
) -> Result<Vec<Checkpoint>> {
    let (conditions, mut params) = conditions(project, filter);
    params.push(Param::Int(limit));
    let sql = format!(
        "select {COLUMNS} from checkpoint where {conditions}
         order by created_at desc, position desc, checkpoint_id desc limit ?{}",
        params.len()
    );
    conn.query(&sql, &params)?.iter().map(read).collect()
}

/// How many there are, wherever a list of them begins.
pub fn count(conn: &mut dyn Connection, project: &ProjectId, filter: &Filter) -> Result<i64> {
    let all = Filter { after: None, ..filter.clone() };
    let (conditions, params) = conditions(project, &all);
    let rows = conn.query(&format!("select count(*) from checkpoint where {conditions}"), &params)?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

pub fn body(conn: &mut dyn Connection, project: &ProjectId, id: &CheckpointId) -> Result<Option<String>> {
    let sql = "select body, body_packed from checkpoint where project_id = ?1 and checkpoint_id = ?2";
    conn.query(sql, params![project, id])?.first().map_or(Ok(None), |row| unpack(row, 0))
}

/// Deletes what was kept of a session; says how many.
pub fn purge(tx: &mut dyn Connection, project: &ProjectId, session: &SessionId) -> Result<u64> {
    let sql = "delete from checkpoint where project_id = ?1 and session_id = ?2";
    tx.execute(sql, params![project, session])
}

fn conditions<'a>(project: &'a ProjectId, filter: &'a Filter) -> (String, Vec<Param<'a>>) {
    let mut sql = String::from("project_id = ?1");
    let mut params = vec![Param::from(project)];
    let equal = [
        ("agent", filter.agent.as_deref()),
        ("session_id", filter.session.as_ref().map(SessionId::as_str)),
        ("reason", filter.reason.map(Reason::as_str)),
    ];
    for (column, value) in equal.into_iter().filter_map(|(column, value)| Some((column, value?))) {
        params.push(Param::Text(value));
        sql.push_str(&format!(" and {column} = ?{}", params.len()));
    }
    if let Some(prefix) = &filter.prefix {
        params.push(Param::Text(prefix));
        let place = params.len();
        sql.push_str(&format!(" and substr(checkpoint_id, 1, length(?{place})) = ?{place}"));
    }
    if let Some(after) = &filter.after {
        params.extend([Param::from(after.created_at), Param::from(after.position), Param::from(&after.id)]);
        let (at, position, id) = (params.len() - 2, params.len() - 1, params.len());
        sql.push_str(&format!(
            " and (created_at < ?{at} or (created_at = ?{at} and (position < ?{position}
                 or (position = ?{position} and checkpoint_id < ?{id}))))"
        ));
    }
    (sql, params)
}

fn read(row: &Row) -> Result<Checkpoint> {
    Ok(Checkpoint {
        id: row.get(0)?,
        agent: row.get(1)?,
        session: row.get(2)?,
        reason: row.get(3)?,
        title: row.get(4)?,
        position: row.get(5)?,
        created_at: row.get(6)?,
        entries: row.get(7)?,
        tokens: row.get(8)?,
    })
}
