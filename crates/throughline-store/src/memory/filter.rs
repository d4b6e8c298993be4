//! Which memories: what can be asked for, and the lists that answer it.

use super::{COLUMNS, Kind, Memory, Scope, Status, read};
use crate::id::ProjectId;
use crate::sql::{Connection, Param, Result};
use crate::time::Timestamp;

/// Which memories to list; all conditions hold together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    pub kinds: Vec<Kind>,
    pub scope: Option<Scope>,
    pub tag: Option<String>,
    /// Whatever its capitals.
    pub state_key: Option<String>,
    /// Recorded with this status.
    pub status: Option<Status>,
    /// Active at this moment; all when not given.
    pub active_at: Option<Timestamp>,
    /// Those that were made before the one of this number.
    pub before_number: Option<i64>,
}

/// Newest first.
pub fn list(
    conn: &mut dyn Connection,
    project: &ProjectId,
    filter: &Filter,
    limit: i64,
) -> Result<Vec<Memory>> {
    let (conditions, tag) = conditions(filter);
    let mut params = bound(project, filter, tag.as_deref());
    params.push(Param::Int(limit));
    let sql = format!(
        "select {COLUMNS} from memory where {conditions} order by number desc limit ?{}",
        params.len()
    );
    conn.query(&sql, &params)?.iter().map(read).collect()
}

/// Those in use at a moment, the most used first; of equals the newest.
pub fn most_used(
    conn: &mut dyn Connection,
    project: &ProjectId,
    at: Timestamp,
    limit: i64,
) -> Result<Vec<Memory>> {
    let filter = Filter { active_at: Some(at), ..Filter::default() };
    let (conditions, _) = conditions(&filter);
    let mut params = bound(project, &filter, None);
    params.push(Param::Int(limit));
    let sql = format!(
        "select {COLUMNS} from memory where {conditions} order by use_count desc, number desc limit ?{}",
        params.len()
    );
    conn.query(&sql, &params)?.iter().map(read).collect()
}

/// How many there are, wherever a list of them begins.
pub fn count(conn: &mut dyn Connection, project: &ProjectId, filter: &Filter) -> Result<i64> {
    let all = Filter { before_number: None, ..filter.clone() };
    let (conditions, tag) = conditions(&all);
    let params = bound(project, &all, tag.as_deref());
    let rows = conn.query(&format!("select count(*) from memory where {conditions}"), &params)?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

/// How many memories there are of each kind in each recorded status.
pub fn per_kind(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<(Kind, Status, i64)>> {
    let sql = "select kind, status, count(*) from memory where project_id = ?1 group by kind, status";
    let rows = conn.query(sql, &[Param::from(project)])?;
    let mut tally = rows
        .iter()
        .map(|row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .collect::<Result<Vec<(Kind, Status, i64)>>>()?;
    tally.sort_by_key(|(kind, status, _)| (kind.as_str(), status.as_str()));
    Ok(tally)
}

/// Only the conditions that are asked for, and the pattern that finds the tag.
fn conditions(filter: &Filter) -> (String, Option<String>) {
    let mut sql = String::from("project_id = ?1");
    let mut used = 1;
    let mut next = || {
        used += 1;
        used
    };
    if !filter.kinds.is_empty() {
        let places: Vec<String> = filter.kinds.iter().map(|_| format!("?{}", next())).collect();
        sql.push_str(&format!(" and kind in ({})", places.join(", ")));
    }
    if filter.scope.is_some() {
        sql.push_str(&format!(" and scope = ?{}", next()));
    }
    if filter.state_key.is_some() {
        sql.push_str(&format!(" and lower(state_key) = lower(?{})", next()));
    }
    if filter.status.is_some() {
        sql.push_str(&format!(" and status = ?{}", next()));
    }
    if filter.active_at.is_some() {
        // Only the memories of one kind that stand are found in the order of writing; for others the table is walked.
        let status = if filter.kinds.len() == 1 { "status" } else { "coalesce(status, '')" };
        sql.push_str(&format!(
            " and {status} = 'active' and (expires_at is null or expires_at > ?{})",
            next()
        ));
    }
    let tag = filter.tag.as_ref().map(|tag| {
        // Exact about capitals on both databases, which `like` is not.
        sql.push_str(&format!(" and replace(tags, ?{}, '') <> tags", next()));
        format!("\n{tag}\n")
    });
    if filter.before_number.is_some() {
        sql.push_str(&format!(" and number < ?{}", next()));
    }
    (sql, tag)
}

fn bound<'a>(project: &'a ProjectId, filter: &'a Filter, tag: Option<&'a str>) -> Vec<Param<'a>> {
    let mut params = vec![Param::from(project)];
    params.extend(filter.kinds.iter().map(|kind| Param::from(*kind)));
    params.extend(filter.scope.map(Param::from));
    params.extend(filter.state_key.as_ref().map(Param::from));
    params.extend(filter.status.map(Param::from));
    params.extend(filter.active_at.map(Param::from));
    params.extend(tag.map(Param::Text));
    params.extend(filter.before_number.map(Param::Int));
    params
}
