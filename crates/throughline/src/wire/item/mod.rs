//! An item of the backlog in JSON, whole and in short, and what can be said about one.

mod asked;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_engine::backlog::{
    Blocking as EngineBlocking, Deleted as EngineDeleted, Entry, Listed as EngineListed,
};
use throughline_engine::store::id::ItemId;
use throughline_engine::store::item::{
    Context, Cursor, Item as Record, Priority, Reference as RecordReference, Status, Type,
    Validation as RecordValidation,
};
use throughline_engine::store::time::Timestamp;

pub(crate) use asked::{Change, New};

use super::time::Second;

/// The whole of an item.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) title: String,
    #[serde(rename = "type")]
    pub(crate) item_type: &'static str,
    pub(crate) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent_id: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) priority: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) due_date: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) references: Vec<Reference>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) depends_on: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) blocks: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) blocked_reason: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) evidence: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) validation: Option<Validation>,
    /// Nothing when the project's policy decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) requires_context: Option<bool>,
    /// How many items are directly below it.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) child_count: i64,
    pub(crate) created_at: Second,
    pub(crate) updated_at: Second,
    /// Since when it has this status.
    pub(crate) status_since: Second,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source_key: Option<String>,
}

impl From<Entry> for Item {
    fn from(entry: Entry) -> Item {
        let item = entry.item;
        Item {
            id: item.id.to_string(),
            title: item.title,
            item_type: item.item_type.as_str(),
            status: item.status.as_str(),
            parent_id: item.parent.map(|id| id.to_string()),
            description: item.description,
            priority: item.priority.map(Priority::as_str),
            due_date: item.due_date,
            references: item.references.into_iter().map(Reference::from).collect(),
            depends_on: texts(&entry.depends_on),
            blocks: texts(&entry.blocks),
            blocked_reason: item.blocked_reason,
            evidence: item.evidence,
            summary: item.summary,
            validation: item.validation.map(Validation::from),
            requires_context: item.context.map(|context| context == Context::Required),
            child_count: item.below.children,
            created_at: Second(item.created_at),
            updated_at: Second(item.updated_at),
            status_since: Second(item.status_at),
            source_key: item.source_key,
        }
    }
}

/// The cheap form of an item.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Stub {
    pub(crate) id: String,
    pub(crate) title: String,
    #[serde(rename = "type")]
    pub(crate) item_type: &'static str,
    pub(crate) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) priority: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) due_date: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) blocked_reason: Vec<String>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) child_count: i64,
    pub(crate) updated_at: Second,
}

impl From<Record> for Stub {
    fn from(item: Record) -> Stub {
        Stub {
            id: item.id.to_string(),
            title: item.title,
            item_type: item.item_type.as_str(),
            status: item.status.as_str(),
            parent_id: item.parent.map(|id| id.to_string()),
            priority: item.priority.map(Priority::as_str),
            due_date: item.due_date,
            blocked_reason: item.blocked_reason,
            child_count: item.below.children,
            updated_at: Second(item.updated_at),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listed {
    pub(crate) tasks: Vec<Stub>,
    pub(crate) shown: usize,
    pub(crate) total: i64,
    /// There may be more than the total says.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) total_is_at_least: bool,
    /// Ask again with it for what follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cursor: Option<String>,
}

impl From<EngineListed> for Listed {
    fn from(listed: EngineListed) -> Listed {
        Listed {
            shown: listed.items.len(),
            tasks: listed.items.into_iter().map(Stub::from).collect(),
            total: listed.total,
            total_is_at_least: listed.at_least,
            cursor: listed.next.map(|next| format!("{}.{}", next.updated_at.0, next.number)),
        }
    }
}

pub(crate) fn cursor(text: &str) -> Result<Cursor, String> {
    let parts = text.split_once('.').and_then(|(at, number)| Some((at.parse().ok()?, number.parse().ok()?)));
    let (at, number) =
        parts.ok_or_else(|| format!("{text:?} is no cursor; give the one that the last answer had"))?;
    Ok(Cursor { updated_at: Timestamp(at), number })
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Deleted {
    pub(crate) id: String,
    pub(crate) title: String,
    /// What was below it and is now where it was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) moved: Vec<String>,
    /// What no longer waits for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) released: Vec<String>,
}

impl From<EngineDeleted> for Deleted {
    fn from(deleted: EngineDeleted) -> Deleted {
        Deleted {
            id: deleted.item.id.to_string(),
            title: deleted.item.title,
            moved: texts(&deleted.moved),
            released: texts(&deleted.released),
        }
    }
}

/// Something that has to be finished first.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Blocking {
    #[serde(flatten)]
    item: Stub,
    /// What waits for it.
    waiting: String,
    /// How many steps away; 1 for what the item itself waits for.
    depth: usize,
}

impl From<EngineBlocking> for Blocking {
    fn from(blocking: EngineBlocking) -> Blocking {
        Blocking {
            item: Stub::from(blocking.item),
            waiting: blocking.waiting.to_string(),
            depth: blocking.depth,
        }
    }
}

/// A reference: an address, or an address with what it is called.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reference {
    pub(crate) url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
}

impl From<RecordReference> for Reference {
    fn from(reference: RecordReference) -> Reference {
        Reference { url: reference.url, title: reference.title }
    }
}

impl From<Reference> for RecordReference {
    fn from(reference: Reference) -> RecordReference {
        RecordReference { url: reference.url, title: reference.title }
    }
}

/// How a finished task was checked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Validation {
    pub(crate) valid: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) report: Option<String>,
}

impl From<RecordValidation> for Validation {
    fn from(validation: RecordValidation) -> Validation {
        Validation { valid: validation.valid, report: validation.report }
    }
}

impl From<Validation> for RecordValidation {
    fn from(validation: Validation) -> RecordValidation {
        RecordValidation { valid: validation.valid, report: validation.report }
    }
}

/// The words for an item's type, status and priority, also as other tools write them.
pub(crate) fn item_type(text: &str) -> Result<Type, String> {
    text.trim().to_lowercase().parse()
}

pub(crate) fn status(text: &str) -> Result<Status, String> {
    match text.trim().to_lowercase().replace([' ', '-'], "_").as_str() {
        "todo" | "to_do" => Ok(Status::Open),
        "doing" | "started" => Ok(Status::InProgress),
        "closed" | "completed" => Ok(Status::Done),
        "canceled" => Ok(Status::Cancelled),
        word => word.parse(),
    }
}

pub(crate) fn priority(text: &str) -> Result<Priority, String> {
    match text.trim().to_lowercase().trim_start_matches('p') {
        "0" | "urgent" | "highest" => Ok(Priority::Critical),
        "1" => Ok(Priority::High),
        "2" | "normal" => Ok(Priority::Medium),
        "3" => Ok(Priority::Low),
        "4" => Ok(Priority::Lowest),
        _ => text
            .trim()
            .to_lowercase()
            .parse()
            .map_err(|wrong: String| format!("{wrong}; or a number, 0 to 4")),
    }
}

pub(crate) fn context(required: bool) -> Context {
    if required { Context::Required } else { Context::Isolated }
}

fn texts(ids: &[ItemId]) -> Vec<String> {
    ids.iter().map(ItemId::to_string).collect()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(n: &i64) -> bool {
    *n == 0
}

#[cfg(test)]
mod tests;
