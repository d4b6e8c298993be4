//! Items: the work, in a tree. A row is the item as it stands; the log has how it came to that.

mod filter;
mod tree;

pub use filter::{Cursor, Filter, Level, count, list, tally};
pub use tree::{Below, above, add_below, children, children_of, has_unfinished_child, recently_changed};

use crate::id::{ItemId, ProjectId, text_enum};
use crate::sql::{Connection, Result, Row, by_numbers, by_texts};
use crate::time::Timestamp;
use crate::{Error, params};

text_enum! {
    Type {
        Task = "task",
        Epic = "epic",
        Milestone = "milestone",
        Folder = "folder",
        Artifact = "artifact",
    }
}

text_enum! {
    Status {
        Open = "open",
        InProgress = "in_progress",
        Blocked = "blocked",
        Done = "done",
        Cancelled = "cancelled",
    }
}

text_enum! {
    /// The most urgent first.
    Priority {
        Critical = "critical",
        High = "high",
        Medium = "medium",
        Low = "low",
        Lowest = "lowest",
    }
}

text_enum! {
    /// What is put beside an item when somebody works on it.
    Context {
        Required = "required",
        /// Isolated work: no history and no code.
        Isolated = "isolated",
    }
}

impl Type {
    /// What its ids begin with.
    pub fn prefix(self) -> &'static str {
        match self {
            Type::Task => "TASK",
            Type::Epic => "EPIC",
            Type::Milestone => "MLST",
            Type::Folder => "FLDR",
            Type::Artifact => "ARTF",
        }
    }
}

impl Status {
    /// Nothing is left to do.
    pub fn is_finished(self) -> bool {
        match self {
            Status::Done | Status::Cancelled => true,
            Status::Open | Status::InProgress | Status::Blocked => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The order of creation in the project: 1, 2, 3 …
    pub number: i64,
    pub id: ItemId,
    pub item_type: Type,
    pub title: String,
    pub description: String,
    pub status: Status,
    /// When it came to this status.
    pub status_at: Timestamp,
    pub parent: Option<ItemId>,
    pub priority: Option<Priority>,
    /// A date, or a time in UTC.
    pub due_date: Option<String>,
    pub context: Option<Context>,
    pub references: Vec<Reference>,
    pub evidence: Vec<String>,
    pub blocked_reason: Vec<String>,
    /// What was done, said at completion.
    pub summary: Option<String>,
    pub validation: Option<Validation>,
    /// A JSON object: what an import brought that an item has no field for.
    pub extra: Option<String>,
    /// What it is called where it was imported from.
    pub source_key: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The number under which the search index knows its present text.
    pub document: i64,
    pub below: Below,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    pub url: String,
    pub title: Option<String>,
}

/// How a finished task was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validation {
    pub valid: bool,
    pub report: Option<String>,
}

const COLUMNS: &str = "number, item_id, type, title, description, status, status_at, parent_id, priority, due_date, \
     context, sources, evidence, blocked_reason, summary, validation, extra, created_at, updated_at, document, \
     children, grandchildren, great_grandchildren, source_key";

/// Takes the next number of a sort of numbers: an item type's prefix, `item`, `document`. None is given out twice.
pub fn take_number(tx: &mut dyn Connection, project: &ProjectId, name: &str) -> Result<i64> {
    let next = last_number(tx, project, name)? + 1;
    note_number(tx, project, name, next)?;
    Ok(next)
}

/// Notes that a number is in use, so that those after it are given out.
pub fn note_number(tx: &mut dyn Connection, project: &ProjectId, name: &str, number: i64) -> Result<()> {
    tx.execute(
        "insert into item_counter (project_id, name, last) values (?1, ?2, ?3)
         on conflict (project_id, name) do update set last = excluded.last where item_counter.last < excluded.last",
        params![project, name, number],
    )?;
    Ok(())
}

/// The last number of a sort that was given out.
pub fn last_number(conn: &mut dyn Connection, project: &ProjectId, name: &str) -> Result<i64> {
    let rows = conn
        .query("select last from item_counter where project_id = ?1 and name = ?2", params![project, name])?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

pub fn insert(tx: &mut dyn Connection, project: &ProjectId, item: &Item) -> Result<()> {
    let kept = Kept::of(item)?;
    tx.execute(
        "insert into item (project_id, number, item_id, type, created_at, children, grandchildren,
             great_grandchildren, title, description, status, status_at, parent_id, priority, due_date, context,
             sources, evidence, blocked_reason, summary, validation, extra, updated_at, document,
             source_key)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
             ?23, ?24, ?25)",
        params![
            project,
            item.number,
            &item.id,
            item.item_type,
            item.created_at,
            item.below.children,
            item.below.grandchildren,
            item.below.great_grandchildren,
            &item.title,
            &item.description,
            item.status,
            item.status_at,
            item.parent.as_ref(),
            item.priority,
            item.due_date.as_deref(),
            item.context,
            &kept.references,
            &kept.evidence,
            &kept.blocked_reason,
            item.summary.as_deref(),
            kept.validation.as_deref(),
            item.extra.as_deref(),
            item.updated_at,
            item.document,
            item.source_key.as_deref(),
        ],
    )?;
    Ok(())
}

/// Everything but the id, the type, the time of creation, the name elsewhere and what is below it.
pub fn update(tx: &mut dyn Connection, project: &ProjectId, item: &Item) -> Result<()> {
    let kept = Kept::of(item)?;
    tx.execute(
        "update item set title = ?3, description = ?4, status = ?5, status_at = ?6, parent_id = ?7, priority = ?8,
             due_date = ?9, context = ?10, sources = ?11, evidence = ?12, blocked_reason = ?13, summary = ?14,
             validation = ?15, extra = ?16, updated_at = ?17, document = ?18
         where project_id = ?1 and number = ?2",
        params![
            project,
            item.number,
            &item.title,
            &item.description,
            item.status,
            item.status_at,
            item.parent.as_ref(),
            item.priority,
            item.due_date.as_deref(),
            item.context,
            &kept.references,
            &kept.evidence,
            &kept.blocked_reason,
            item.summary.as_deref(),
            kept.validation.as_deref(),
            item.extra.as_deref(),
            item.updated_at,
            item.document,
        ],
    )?;
    Ok(())
}

pub fn delete(tx: &mut dyn Connection, project: &ProjectId, id: &ItemId) -> Result<()> {
    tx.execute("delete from item where project_id = ?1 and item_id = ?2", params![project, id])?;
    Ok(())
}

pub fn by_id(conn: &mut dyn Connection, project: &ProjectId, id: &ItemId) -> Result<Option<Item>> {
    let sql = format!("select {COLUMNS} from item where project_id = ?1 and item_id = ?2");
    conn.query(&sql, params![project, id])?.first().map(read).transpose()
}

/// The item that was imported under a name.
pub fn by_source_key(conn: &mut dyn Connection, project: &ProjectId, key: &str) -> Result<Option<Item>> {
    let sql = format!("select {COLUMNS} from item where project_id = ?1 and source_key = ?2");
    conn.query(&sql, params![project, key])?.first().map(read).transpose()
}

/// Those of the ids that are there, in no order.
pub fn by_ids<'a>(
    conn: &mut dyn Connection,
    project: &'a ProjectId,
    ids: impl Iterator<Item = &'a ItemId>,
) -> Result<Vec<Item>> {
    let sql = format!("select {COLUMNS} from item where project_id = ?1 and item_id in {{texts}}");
    by_texts(conn, &sql, params![project], ids.map(ItemId::as_str), read)
}

/// By the numbers under which the search index knows them.
pub fn of_documents(conn: &mut dyn Connection, project: &ProjectId, documents: &[i64]) -> Result<Vec<Item>> {
    let sql = format!("select {COLUMNS} from item where project_id = ?1 and document in {{numbers}}");
    by_numbers(conn, &sql, params![project], documents, |row| read(&row))
}

/// How many of these documents are the present text of an item that was changed since a moment.
pub fn count_documents(
    conn: &mut dyn Connection,
    project: &ProjectId,
    documents: &[i64],
    since: Option<Timestamp>,
) -> Result<i64> {
    // Hidden from SQLite, which would rather walk everything in the order of change than look the few up.
    let sql = "select count(*) from item where project_id = ?1 and coalesce(updated_at, 0) >= ?2 and document in {numbers}";
    let fixed = params![project, since.unwrap_or(Timestamp(i64::MIN))];
    Ok(by_numbers(conn, sql, fixed, documents, |row| row.get::<i64>(0))?.iter().sum())
}

/// A page of items in the order of their documents, for going through all of them.
pub fn after_document(
    conn: &mut dyn Connection,
    project: &ProjectId,
    document: i64,
    limit: i64,
) -> Result<Vec<Item>> {
    let sql = format!(
        "select {COLUMNS} from item where project_id = ?1 and document > ?2 order by document limit ?3"
    );
    conn.query(&sql, params![project, document, limit])?.iter().map(read).collect()
}

/// A page of items in the order of creation.
pub fn after(conn: &mut dyn Connection, project: &ProjectId, number: i64, limit: i64) -> Result<Vec<Item>> {
    let sql =
        format!("select {COLUMNS} from item where project_id = ?1 and number > ?2 order by number limit ?3");
    conn.query(&sql, params![project, number, limit])?.iter().map(read).collect()
}

/// Fields that are lists, as the row keeps them.
struct Kept {
    references: String,
    evidence: String,
    blocked_reason: String,
    validation: Option<String>,
}

impl Kept {
    fn of(item: &Item) -> Result<Kept> {
        let references: Vec<(&str, Option<&str>)> = item
            .references
            .iter()
            .map(|reference| (reference.url.as_str(), reference.title.as_deref()))
            .collect();
        let validation = item.validation.as_ref().map(|validation| {
            serde_json::to_string(&(validation.valid, validation.report.as_deref())).map_err(unwritable)
        });
        Ok(Kept {
            references: serde_json::to_string(&references).map_err(unwritable)?,
            evidence: serde_json::to_string(&item.evidence).map_err(unwritable)?,
            blocked_reason: serde_json::to_string(&item.blocked_reason).map_err(unwritable)?,
            validation: validation.transpose()?,
        })
    }
}

fn unwritable(error: serde_json::Error) -> Error {
    Error::Corrupt(format!("a list of an item cannot be written: {error}"))
}

fn kept<T: serde::de::DeserializeOwned>(row: &Row, column: usize) -> Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| Error::Corrupt(format!("an item's column {column} is no list: {error}")))
}

fn read(row: &Row) -> Result<Item> {
    let references: Vec<(String, Option<String>)> = kept(row, 11)?;
    let validation = match row.get::<Option<String>>(15)? {
        Some(_) => Some(kept::<(bool, Option<String>)>(row, 15)?),
        None => None,
    };
    Ok(Item {
        number: row.get(0)?,
        id: row.get(1)?,
        item_type: row.get(2)?,
        title: row.get(3)?,
        description: row.get(4)?,
        status: row.get(5)?,
        status_at: row.get(6)?,
        parent: row.get(7)?,
        priority: row.get(8)?,
        due_date: row.get(9)?,
        context: row.get(10)?,
        references: references.into_iter().map(|(url, title)| Reference { url, title }).collect(),
        evidence: kept(row, 12)?,
        blocked_reason: kept(row, 13)?,
        summary: row.get(14)?,
        validation: validation.map(|(valid, report)| Validation { valid, report }),
        extra: row.get(16)?,
        created_at: row.get(17)?,
        updated_at: row.get(18)?,
        document: row.get(19)?,
        below: Below {
            children: row.get(20)?,
            grandchildren: row.get(21)?,
            great_grandchildren: row.get(22)?,
        },
        source_key: row.get(23)?,
    })
}
