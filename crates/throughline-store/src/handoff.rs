//! Handoffs: what one role passes to the next, taken once.

use crate::actor::Actor;
use crate::id::{HandoffId, ProjectId, SessionId};
use crate::sql::{Connection, Param, Result, Row};
use crate::time::Timestamp;
use crate::{Error, params};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handoff {
    pub id: HandoffId,
    pub from_role: String,
    pub to_role: String,
    pub workflow: Option<String>,
    /// The giver's.
    pub session: SessionId,
    pub given_by: Actor,
    pub given_at: Timestamp,
    /// A JSON object.
    pub context: String,
    /// What the giver's session was about.
    pub summary: String,
    pub taken: Option<Taken>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub by: Actor,
    /// The taker's, where it has one.
    pub session: Option<SessionId>,
    pub at: Timestamp,
}

/// Which handoffs to list; all conditions hold together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub to_role: Option<String>,
    pub workflow: Option<String>,
    pub which: Which,
    /// Those that come after this one.
    pub after: Option<Cursor>,
}

/// A place in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub given_at: Timestamp,
    pub id: HandoffId,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Which {
    #[default]
    All,
    Pending,
}

const COLUMNS: &str = "handoff_id, from_role, to_role, workflow, session_id, given_by, given_at, context, summary, \
     taken_by, taken_session, taken_at";

pub fn insert(tx: &mut dyn Connection, project: &ProjectId, handoff: &Handoff) -> Result<()> {
    let taken = handoff.taken.as_ref();
    let taken_by = taken.map(|taken| taken.by.to_string());
    tx.execute(
        "insert into handoff (project_id, handoff_id, from_role, to_role, workflow, session_id, given_by, given_at,
             context, summary, taken_by, taken_session, taken_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        params![
            project,
            &handoff.id,
            &handoff.from_role,
            &handoff.to_role,
            handoff.workflow.as_deref(),
            &handoff.session,
            &handoff.given_by.to_string(),
            handoff.given_at,
            &handoff.context,
            &handoff.summary,
            taken_by.as_deref(),
            taken.and_then(|taken| taken.session.as_ref()),
            taken.map(|taken| taken.at),
        ],
    )?;
    Ok(())
}

/// The oldest first.
pub fn list(
    conn: &mut dyn Connection,
    project: &ProjectId,
    filter: &Filter,
    limit: i64,
) -> Result<Vec<Handoff>> {
    let (conditions, mut params) = conditions(project, filter);
    params.push(Param::Int(limit));
    let sql = format!(
        "select {COLUMNS} from handoff where {conditions} order by given_at, handoff_id limit ?{}",
        params.len()
    );
    conn.query(&sql, &params)?.iter().map(read).collect()
}

/// How many there are, wherever a list of them begins.
pub fn count(conn: &mut dyn Connection, project: &ProjectId, filter: &Filter) -> Result<i64> {
    let all = Filter { after: None, ..filter.clone() };
    let (conditions, params) = conditions(project, &all);
    let rows = conn.query(&format!("select count(*) from handoff where {conditions}"), &params)?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

/// Makes it the taker's; false when somebody has it already.
pub fn take(tx: &mut dyn Connection, project: &ProjectId, id: &HandoffId, taken: &Taken) -> Result<bool> {
    let changed = tx.execute(
        "update handoff set taken_by = ?3, taken_session = ?4, taken_at = ?5
         where project_id = ?1 and handoff_id = ?2 and taken_at is null",
        params![project, id, &taken.by.to_string(), taken.session.as_ref(), taken.at],
    )?;
    Ok(changed == 1)
}

/// Erases what was said in the handoffs of a session.
pub fn purge(tx: &mut dyn Connection, project: &ProjectId, session: &SessionId) -> Result<u64> {
    tx.execute(
        "update handoff set context = '{}', summary = '' where project_id = ?1 and session_id = ?2",
        params![project, session],
    )
}

fn conditions<'a>(project: &'a ProjectId, filter: &'a Filter) -> (String, Vec<Param<'a>>) {
    let mut sql = String::from("project_id = ?1");
    let mut params = vec![Param::from(project)];
    for (column, value) in [("to_role", &filter.to_role), ("workflow", &filter.workflow)] {
        let Some(value) = value else { continue };
        params.push(Param::Text(value));
        sql.push_str(&format!(" and {column} = ?{}", params.len()));
    }
    if filter.which == Which::Pending {
        sql.push_str(" and taken_at is null");
    }
    if let Some(after) = &filter.after {
        params.extend([Param::from(after.given_at), Param::from(&after.id)]);
        let (at, id) = (params.len() - 1, params.len());
        sql.push_str(&format!(" and (given_at > ?{at} or (given_at = ?{at} and handoff_id > ?{id}))"));
    }
    (sql, params)
}

fn read(row: &Row) -> Result<Handoff> {
    Ok(Handoff {
        id: row.get(0)?,
        from_role: row.get(1)?,
        to_role: row.get(2)?,
        workflow: row.get(3)?,
        session: row.get(4)?,
        given_by: actor(row.get(5)?)?,
        given_at: row.get(6)?,
        context: row.get(7)?,
        summary: row.get(8)?,
        taken: taken(row)?,
    })
}

fn taken(row: &Row) -> Result<Option<Taken>> {
    let Some(at) = row.get::<Option<Timestamp>>(11)? else { return Ok(None) };
    Ok(Some(Taken { by: actor(row.get(9)?)?, session: row.get(10)?, at }))
}

fn actor(text: String) -> Result<Actor> {
    text.parse().map_err(|why| Error::Corrupt(format!("a handoff names its actor wrongly: {why}")))
}
