//! Resources: documents kept beside the items, addressed by a path.

use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result, Row, by_numbers, by_texts};
use crate::time::Timestamp;

#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// The order of creation in the project.
    pub number: i64,
    pub path: String,
    pub title: String,
    pub content: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// How often it was written.
    pub version: i64,
    /// The number under which the search index knows its present text.
    pub document: i64,
}

const COLUMNS: &str = "number, path, title, content, created_at, updated_at, version, document";

/// Writes the resource, in place of what its path held.
pub fn put(tx: &mut dyn Connection, project: &ProjectId, resource: &Resource) -> Result<()> {
    tx.execute(
        "insert into resource (project_id, number, path, title, content, created_at, updated_at, version, document)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         on conflict (project_id, path) do update set title = excluded.title, content = excluded.content,
             updated_at = excluded.updated_at, version = excluded.version, document = excluded.document",
        params![
            project,
            resource.number,
            &resource.path,
            &resource.title,
            &resource.content,
            resource.created_at,
            resource.updated_at,
            resource.version,
            resource.document,
        ],
    )?;
    Ok(())
}

pub fn by_path(conn: &mut dyn Connection, project: &ProjectId, path: &str) -> Result<Option<Resource>> {
    let sql = format!("select {COLUMNS} from resource where project_id = ?1 and path = ?2");
    conn.query(&sql, params![project, path])?.first().map(read).transpose()
}

pub fn by_paths<'a>(
    conn: &mut dyn Connection,
    project: &'a ProjectId,
    paths: impl Iterator<Item = &'a str>,
) -> Result<Vec<Resource>> {
    let sql = format!("select {COLUMNS} from resource where project_id = ?1 and path in {{texts}}");
    by_texts(conn, &sql, params![project], paths, read)
}

/// A place in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub updated_at: Timestamp,
    pub number: i64,
}

/// What was written last comes first; with a cursor, what comes after it.
pub fn newest(
    conn: &mut dyn Connection,
    project: &ProjectId,
    after: Option<Cursor>,
    limit: i64,
) -> Result<Vec<Resource>> {
    let after = after.unwrap_or(Cursor { updated_at: Timestamp(i64::MAX), number: i64::MAX });
    let sql = format!(
        "select {COLUMNS} from resource
         where project_id = ?1 and (updated_at < ?3 or (updated_at = ?3 and number < ?4))
         order by updated_at desc, number desc limit ?2"
    );
    let params = params![project, limit, after.updated_at, after.number];
    conn.query(&sql, params)?.iter().map(read).collect()
}

pub fn count(conn: &mut dyn Connection, project: &ProjectId) -> Result<i64> {
    let rows = conn.query("select count(*) from resource where project_id = ?1", params![project])?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

/// By the numbers under which the search index knows them.
pub fn of_documents(
    conn: &mut dyn Connection,
    project: &ProjectId,
    documents: &[i64],
) -> Result<Vec<Resource>> {
    let sql = format!("select {COLUMNS} from resource where project_id = ?1 and document in {{numbers}}");
    by_numbers(conn, &sql, params![project], documents, |row| read(&row))
}

/// How many of these documents are the present text of a resource that was written since a moment.
pub fn count_documents(
    conn: &mut dyn Connection,
    project: &ProjectId,
    documents: &[i64],
    since: Option<Timestamp>,
) -> Result<i64> {
    // Hidden from SQLite, which would rather walk everything in the order of change than look the few up.
    let sql = "select count(*) from resource where project_id = ?1 and coalesce(updated_at, 0) >= ?2 and document in {numbers}";
    let fixed = params![project, since.unwrap_or(Timestamp(i64::MIN))];
    Ok(by_numbers(conn, sql, fixed, documents, |row| row.get::<i64>(0))?.iter().sum())
}

/// A page of resources in the order of their documents, for going through all of them.
pub fn after_document(
    conn: &mut dyn Connection,
    project: &ProjectId,
    document: i64,
    limit: i64,
) -> Result<Vec<Resource>> {
    let sql = format!(
        "select {COLUMNS} from resource where project_id = ?1 and document > ?2 order by document limit ?3"
    );
    conn.query(&sql, params![project, document, limit])?.iter().map(read).collect()
}

fn read(row: &Row) -> Result<Resource> {
    Ok(Resource {
        number: row.get(0)?,
        path: row.get(1)?,
        title: row.get(2)?,
        content: row.get(3)?,
        created_at: row.get(4)?,
        updated_at: row.get(5)?,
        version: row.get(6)?,
        document: row.get(7)?,
    })
}
