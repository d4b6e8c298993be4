//! Projects, and the keys by which a folder or a name is recognised as one of them.

use crate::id::ProjectId;
use crate::sql::{Connection, Result, Row};
use crate::time::Timestamp;
use crate::{Error, params};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub id: ProjectId,
    pub name: String,
    pub created_at: Timestamp,
    /// The position of the newest event of its log.
    pub last_position: i64,
}

const COLUMNS: &str = "project_id, name, created_at, last_position";

pub fn insert(tx: &mut dyn Connection, project: &Project) -> Result<()> {
    tx.execute(
        "insert into project (project_id, name, created_at, last_position) values (?1, ?2, ?3, ?4)",
        params![&project.id, &project.name, project.created_at, project.last_position],
    )?;
    Ok(())
}

pub fn by_id(conn: &mut dyn Connection, id: &ProjectId) -> Result<Option<Project>> {
    let rows = conn.query(&format!("select {COLUMNS} from project where project_id = ?1"), params![id])?;
    rows.first().map(read).transpose()
}

pub fn list(conn: &mut dyn Connection) -> Result<Vec<Project>> {
    let rows = conn.query(&format!("select {COLUMNS} from project"), &[])?;
    let mut projects: Vec<Project> = rows.iter().map(read).collect::<Result<_>>()?;
    // By code point: what a server's locale makes of the order must not show.
    projects.sort_by(|a, b| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
    Ok(projects)
}

pub fn rename(tx: &mut dyn Connection, id: &ProjectId, name: &str) -> Result<()> {
    tx.execute("update project set name = ?2 where project_id = ?1", params![id, name])?;
    Ok(())
}

/// Makes other writers of the project wait until the transaction ends, so that what it reads stays true.
pub fn lock(tx: &mut dyn Connection, id: &ProjectId) -> Result<()> {
    if let Some(lock) = tx.dialect().row_lock() {
        tx.query(&format!("select project_id from project where project_id = ?1 {lock}"), params![id])?;
    }
    Ok(())
}

/// Takes the next `count` positions of the project's log and says the last of them.
///
/// Locks the project until the transaction ends, so positions are taken in the order of commits: whoever
/// follows the log by position never misses an event that commits late.
pub fn take_positions(tx: &mut dyn Connection, id: &ProjectId, count: i64) -> Result<i64> {
    // Two statements: SQLite makes a temporary table for `returning`, which a cold process pays dearly for.
    tx.execute(
        "update project set last_position = last_position + ?2 where project_id = ?1",
        params![id, count],
    )?;
    let announce = tx.dialect().announcement().map(|words| format!(", {words}")).unwrap_or_default();
    let sql = format!("select last_position{announce} from project where project_id = ?1");
    let rows = tx.query(&sql, params![id])?;
    rows.first().ok_or_else(|| Error::Corrupt(format!("project {id} has no row")))?.get(0)
}

/// The project that `key` stands for.
pub fn with_key(conn: &mut dyn Connection, key: &str) -> Result<Option<Project>> {
    let rows = conn.query(
        "select p.project_id, p.name, p.created_at, p.last_position
         from project_key k join project p on p.project_id = k.project_id where k.key = ?1",
        params![key],
    )?;
    rows.first().map(read).transpose()
}

pub fn keys(conn: &mut dyn Connection, id: &ProjectId) -> Result<Vec<String>> {
    let rows = conn.query("select key from project_key where project_id = ?1", params![id])?;
    let mut keys: Vec<String> = rows.iter().map(|row| row.get(0)).collect::<Result<_>>()?;
    keys.sort();
    Ok(keys)
}

/// Makes `key` stand for the project; a collision means that another transaction took it just now.
pub fn add_key(tx: &mut dyn Connection, key: &str, id: &ProjectId) -> Result<()> {
    tx.execute("insert into project_key (key, project_id) values (?1, ?2)", params![key, id])?;
    Ok(())
}

/// Makes `key` stand for the project, whatever it stood for.
pub fn move_key(tx: &mut dyn Connection, key: &str, id: &ProjectId) -> Result<()> {
    tx.execute(
        "insert into project_key (key, project_id) values (?1, ?2)
         on conflict (key) do update set project_id = excluded.project_id",
        params![key, id],
    )?;
    Ok(())
}

fn read(row: &Row) -> Result<Project> {
    Ok(Project { id: row.get(0)?, name: row.get(1)?, created_at: row.get(2)?, last_position: row.get(3)? })
}
