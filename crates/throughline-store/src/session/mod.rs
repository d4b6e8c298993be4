//! Sessions: one run of one agent in one role, with its scratchpad.

mod times;

pub use times::{any_between, per_day};

use crate::id::{ProjectId, SessionId, text_enum};
use crate::sql::{Connection, Param, Result, Row};
use crate::time::Timestamp;
use crate::{Error, params};

text_enum! {
    EndReason {
        /// The client said that its session ended.
        Client = "client",
        /// The agent went on in another role.
        RoleChange = "role_change",
        Idle = "idle",
        /// Somebody ended it by hand.
        Request = "request",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    pub id: SessionId,
    pub client: String,
    /// The client's own name for the session.
    pub client_session: String,
    pub chatmode: String,
    pub user: String,
    pub workflow: Option<String>,
    pub skill: Option<String>,
    pub git_branch: Option<String>,
    pub workspace: Option<String>,
    pub parent: Option<SessionId>,
    /// A JSON object.
    pub metadata: Option<String>,
    pub started_at: Timestamp,
    pub last_event_at: Timestamp,
    pub ended: Option<Ended>,
    pub last_sequence: i64,
    /// A JSON object.
    pub scratchpad: String,
    pub scratchpad_version: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    pub at: Timestamp,
    pub reason: EndReason,
}

/// Which sessions to list; all conditions hold together.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub client_session: Option<String>,
    pub chatmode: Option<String>,
    pub which: Which,
    /// Those that come after this one.
    pub after: Option<Cursor>,
}

/// A place in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub last_event_at: Timestamp,
    pub which: Which,
    pub id: SessionId,
}

impl Cursor {
    pub fn at(session: &Session) -> Cursor {
        let which = if session.ended.is_none() { Which::Open } else { Which::All };
        Cursor { last_event_at: session.last_event_at, which, id: session.id.clone() }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Which {
    #[default]
    All,
    Open,
}

const COLUMNS: &str = "session_id, client, client_session, chatmode, user_name, workflow, skill, git_branch, \
     workspace, parent_session_id, metadata, started_at, last_event_at, ended_at, end_reason, last_sequence, \
     scratchpad, scratchpad_version";

pub fn insert(tx: &mut dyn Connection, project: &ProjectId, session: &Session) -> Result<()> {
    tx.execute(
        "insert into session (project_id, session_id, client, client_session, chatmode, user_name, workflow, skill,
             git_branch, workspace, parent_session_id, metadata, started_at, last_event_at, ended_at, end_reason,
             last_sequence, scratchpad, scratchpad_version)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
        params![
            project,
            &session.id,
            &session.client,
            &session.client_session,
            &session.chatmode,
            &session.user,
            session.workflow.as_deref(),
            session.skill.as_deref(),
            session.git_branch.as_deref(),
            session.workspace.as_deref(),
            session.parent.as_ref(),
            session.metadata.as_deref(),
            session.started_at,
            session.last_event_at,
            session.ended.map(|ended| ended.at),
            session.ended.map(|ended| ended.reason),
            session.last_sequence,
            &session.scratchpad,
            session.scratchpad_version,
        ],
    )?;
    Ok(())
}

pub fn by_id(conn: &mut dyn Connection, project: &ProjectId, id: &SessionId) -> Result<Option<Session>> {
    one(
        conn,
        &format!("select {COLUMNS} from session where project_id = ?1 and session_id = ?2"),
        params![project, id],
    )
}

/// The session of a client's run in a role.
pub fn of_client(
    conn: &mut dyn Connection,
    project: &ProjectId,
    client: &str,
    client_session: &str,
    chatmode: &str,
) -> Result<Option<Session>> {
    one(
        conn,
        &format!(
            "select {COLUMNS} from session
             where project_id = ?1 and client = ?2 and client_session = ?3 and chatmode = ?4"
        ),
        params![project, client, client_session, chatmode],
    )
}

/// The session that `name` means now, by its id or as a client's run: an open one before those that ended, its id
/// before a run's name, the latest before earlier ones. With a client, only that client's run.
pub fn present(
    conn: &mut dyn Connection,
    project: &ProjectId,
    client: Option<&str>,
    name: &str,
) -> Result<Option<Session>> {
    let whose = if client.is_some() {
        "client_session = ?2 and client = ?3"
    } else {
        "(session_id = ?2 or client_session = ?2)"
    };
    let mut params = vec![Param::from(project), Param::Text(name)];
    params.extend(client.map(Param::Text));
    let meant = format!("select {COLUMNS} from session where project_id = ?1 and {whose}");
    // Nearly always one is open and this is all there is to ask.
    let open = conn.query(&format!("{meant} and ended_at is null"), &params)?;
    let found = if open.is_empty() { conn.query(&meant, &params)? } else { open };
    let found: Vec<Session> = found.iter().map(read).collect::<Result<_>>()?;
    Ok(found.into_iter().max_by(|a, b| {
        let rank = |session: &Session| (session.id.as_str() == name, session.last_event_at);
        rank(a).cmp(&rank(b)).then_with(|| a.id.cmp(&b.id))
    }))
}

/// The newest sessions whose id, or whose client's own id, begins with `prefix`; two are enough to know that
/// it is ambiguous.
pub fn by_prefix(conn: &mut dyn Connection, project: &ProjectId, prefix: &str) -> Result<Vec<Session>> {
    conn.query(
        &format!(
            "select {COLUMNS} from session where project_id = ?1 and (substr(session_id, 1, length(?2)) = ?2
                 or substr(client_session, 1, length(?2)) = ?2)
             order by last_event_at desc, session_id limit 2"
        ),
        params![project, prefix],
    )?
    .iter()
    .map(read)
    .collect()
}

/// Newest activity first; of two that are equally new, the one that goes on.
pub fn list(
    conn: &mut dyn Connection,
    project: &ProjectId,
    filter: &Filter,
    limit: i64,
) -> Result<Vec<Session>> {
    let (conditions, mut params) = conditions(project, filter);
    params.push(Param::Int(limit));
    let sql = format!(
        "select {COLUMNS} from session where {conditions}
         order by last_event_at desc, case when ended_at is null then 0 else 1 end, session_id desc limit ?{}",
        params.len()
    );
    conn.query(&sql, &params)?.iter().map(read).collect()
}

/// How many there are, wherever a list of them begins.
pub fn count(conn: &mut dyn Connection, project: &ProjectId, filter: &Filter) -> Result<i64> {
    let all = Filter { after: None, ..filter.clone() };
    let (conditions, params) = conditions(project, &all);
    let rows = conn.query(&format!("select count(*) from session where {conditions}"), &params)?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

/// A step of a session's counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub count: i64,
    /// When the newest of the events happened.
    pub at: Timestamp,
    /// Only a session that goes on, or also one that has ended.
    pub which: Which,
    /// A last moment after this one was told by a clock that was ahead, and gives way.
    pub latest: Timestamp,
}

/// Takes the next sequence numbers of a session and says the last of them; nothing when there is no such
/// session. Locks the session until the transaction ends.
pub fn take_sequences(
    tx: &mut dyn Connection,
    project: &ProjectId,
    id: &SessionId,
    step: Step,
) -> Result<Option<i64>> {
    let only_open = match step.which {
        Which::Open => "and ended_at is null",
        Which::All => "",
    };
    let sql = format!(
        "update session set last_sequence = last_sequence + ?3,
             last_event_at = case when last_event_at < ?4 or last_event_at > ?5 then ?4 else last_event_at end
         where project_id = ?1 and session_id = ?2 {only_open}"
    );
    if tx.execute(&sql, params![project, id, step.count, step.at, step.latest])? == 0 {
        return Ok(None);
    }
    let rows = tx.query(
        "select last_sequence from session where project_id = ?1 and session_id = ?2",
        params![project, id],
    )?;
    rows.first().map(|row| row.get(0)).transpose()
}

/// Says when a session was last heard of, whatever its events say.
pub fn set_last_event_at(
    tx: &mut dyn Connection,
    project: &ProjectId,
    id: &SessionId,
    at: Timestamp,
) -> Result<()> {
    tx.execute(
        "update session set last_event_at = ?3 where project_id = ?1 and session_id = ?2",
        params![project, id, at],
    )?;
    Ok(())
}

pub fn end(tx: &mut dyn Connection, project: &ProjectId, id: &SessionId, ended: Ended) -> Result<()> {
    tx.execute(
        "update session set ended_at = ?3, end_reason = ?4
         where project_id = ?1 and session_id = ?2 and ended_at is null",
        params![project, id, ended.at, ended.reason],
    )?;
    Ok(())
}

pub fn resume(tx: &mut dyn Connection, project: &ProjectId, id: &SessionId) -> Result<()> {
    tx.execute(
        "update session set ended_at = null, end_reason = null where project_id = ?1 and session_id = ?2",
        params![project, id],
    )?;
    Ok(())
}

/// What the session's model has been given, as it was noted last.
pub fn given(conn: &mut dyn Connection, project: &ProjectId, id: &SessionId) -> Result<Option<String>> {
    let rows = conn
        .query("select given from session where project_id = ?1 and session_id = ?2", params![project, id])?;
    rows.first().map_or(Ok(None), |row| row.get(0))
}

pub fn set_given(tx: &mut dyn Connection, project: &ProjectId, id: &SessionId, given: &str) -> Result<()> {
    tx.execute(
        "update session set given = ?3 where project_id = ?1 and session_id = ?2",
        params![project, id, given],
    )?;
    Ok(())
}

/// Replaces the scratchpad if it is still at `version`; says whether it was.
pub fn write_scratchpad(
    tx: &mut dyn Connection,
    project: &ProjectId,
    id: &SessionId,
    scratchpad: &str,
    version: i64,
) -> Result<bool> {
    let changed = tx.execute(
        "update session set scratchpad = ?3, scratchpad_version = scratchpad_version + 1
         where project_id = ?1 and session_id = ?2 and scratchpad_version = ?4",
        params![project, id, scratchpad, version],
    )?;
    Ok(changed == 1)
}

/// Erases what a session's own row says beside the events.
pub fn purge(tx: &mut dyn Connection, project: &ProjectId, id: &SessionId) -> Result<()> {
    tx.execute(
        "update session set scratchpad = '{}', scratchpad_version = scratchpad_version + 1, metadata = null
         where project_id = ?1 and session_id = ?2",
        params![project, id],
    )?;
    Ok(())
}

fn conditions<'a>(project: &'a ProjectId, filter: &'a Filter) -> (String, Vec<Param<'a>>) {
    let mut sql = String::from("project_id = ?1");
    let mut params = vec![Param::from(project)];
    let columns = [("client_session", &filter.client_session), ("chatmode", &filter.chatmode)];
    for (column, value) in columns.into_iter().filter_map(|(c, v)| v.as_deref().map(|v| (c, v))) {
        params.push(Param::Text(value));
        sql.push_str(&format!(" and {column} = ?{}", params.len()));
    }
    if filter.which == Which::Open {
        sql.push_str(" and ended_at is null");
    }
    if let Some(after) = &filter.after {
        params.extend([Param::from(after.last_event_at), Param::from(&after.id)]);
        let (at, id) = (params.len() - 1, params.len());
        // Of two that are equally new the open one comes first.
        let same = match after.which {
            Which::Open => format!("ended_at is not null or session_id < ?{id}"),
            Which::All => format!("ended_at is not null and session_id < ?{id}"),
        };
        sql.push_str(&format!(" and (last_event_at < ?{at} or (last_event_at = ?{at} and ({same})))"));
    }
    (sql, params)
}

fn one(conn: &mut dyn Connection, sql: &str, params: &[Param<'_>]) -> Result<Option<Session>> {
    conn.query(sql, params)?.first().map(read).transpose()
}

fn read(row: &Row) -> Result<Session> {
    Ok(Session {
        id: row.get(0)?,
        client: row.get(1)?,
        client_session: row.get(2)?,
        chatmode: row.get(3)?,
        user: row.get(4)?,
        workflow: row.get(5)?,
        skill: row.get(6)?,
        git_branch: row.get(7)?,
        workspace: row.get(8)?,
        parent: row.get(9)?,
        metadata: row.get(10)?,
        started_at: row.get(11)?,
        last_event_at: row.get(12)?,
        ended: read_ended(row)?,
        last_sequence: row.get(15)?,
        scratchpad: row.get(16)?,
        scratchpad_version: row.get(17)?,
    })
}

fn read_ended(row: &Row) -> Result<Option<Ended>> {
    match (row.get(13)?, row.get(14)?) {
        (None, None) => Ok(None),
        (Some(at), Some(reason)) => Ok(Some(Ended { at, reason })),
        (at, reason) => Err(Error::Corrupt(format!("a session has end {at:?} and reason {reason:?}"))),
    }
}
