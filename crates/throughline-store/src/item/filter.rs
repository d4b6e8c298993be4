//! Which items: what can be asked for, and the lists that answer it.

use super::{COLUMNS, Item, Status, Type, read};
use crate::id::{ItemId, ProjectId};
use crate::sql::{Connection, Param, Result};
use crate::time::Timestamp;

/// Which items to list; all conditions hold together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// Of any of these; of all when empty.
    pub statuses: Vec<Status>,
    pub item_type: Option<Type>,
    pub parent: Option<ItemId>,
    pub level: Level,
    /// Changed at this time or later.
    pub since: Option<Timestamp>,
    /// Those that come after this one.
    pub after: Option<Cursor>,
}

/// Where in the tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Level {
    #[default]
    Any,
    /// Below nothing.
    Top,
}

/// A place in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub updated_at: Timestamp,
    pub number: i64,
}

/// What changed last comes first.
pub fn list(
    conn: &mut dyn Connection,
    project: &ProjectId,
    filter: &Filter,
    limit: i64,
) -> Result<Vec<Item>> {
    let (conditions, mut params) = conditions(project, filter);
    params.push(Param::Int(limit));
    let sql = format!(
        "select {COLUMNS} from item where {conditions} order by updated_at desc, number desc limit ?{}",
        params.len()
    );
    conn.query(&sql, &params)?.iter().map(read).collect()
}

/// How many there are, wherever a list of them begins.
pub fn count(conn: &mut dyn Connection, project: &ProjectId, filter: &Filter) -> Result<i64> {
    let all = Filter { after: None, ..filter.clone() };
    let (conditions, params) = conditions(project, &all);
    let rows = conn.query(&format!("select count(*) from item where {conditions}"), &params)?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

/// How many items are in each status.
pub fn tally(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<(Status, i64)>> {
    let sql = "select status, count(*) from item where project_id = ?1 group by status";
    let rows = conn.query(sql, &[Param::from(project)])?;
    let mut tally =
        rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect::<Result<Vec<(Status, i64)>>>()?;
    tally.sort_by_key(|(status, _)| *status);
    Ok(tally)
}

fn conditions<'a>(project: &'a ProjectId, filter: &'a Filter) -> (String, Vec<Param<'a>>) {
    let mut sql = String::from("project_id = ?1");
    let mut params = vec![Param::from(project)];
    if !filter.statuses.is_empty() {
        let first = params.len() + 1;
        params.extend(filter.statuses.iter().map(|status| Param::from(*status)));
        let places: Vec<String> = (first..=params.len()).map(|place| format!("?{place}")).collect();
        sql.push_str(&format!(" and status in ({})", places.join(", ")));
    }
    let mut and = |condition: &str, value: Option<Param<'a>>| {
        if let Some(value) = value {
            params.push(value);
            sql.push_str(&format!(" and {condition} ?{}", params.len()));
        }
    };
    and("type =", filter.item_type.map(Param::from));
    and("parent_id =", filter.parent.as_ref().map(Param::from));
    and("updated_at >=", filter.since.map(Param::from));
    if filter.level == Level::Top {
        sql.push_str(" and parent_id is null");
    }
    if let Some(after) = filter.after {
        params.extend([Param::from(after.updated_at), Param::from(after.number)]);
        let (at, number) = (params.len() - 1, params.len());
        sql.push_str(&format!(" and (updated_at < ?{at} or (updated_at = ?{at} and number < ?{number}))"));
    }
    (sql, params)
}
