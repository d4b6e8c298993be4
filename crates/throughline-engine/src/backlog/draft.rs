//! An item to be: checked and cleaned of secrets before the transaction that keeps it.

use serde_json::Value as Json;
use throughline_store::id::ItemId;
use throughline_store::item::{Below, Context, Item, Priority, Reference, Status, Type, Validation};
use throughline_store::time::Timestamp;

use crate::capture::{redact, redacted, without_controls};
use crate::{Engine, Error, Result};

/// What somebody wants to be an item.
#[derive(Debug, Clone, PartialEq)]
pub struct NewItem {
    pub title: String,
    pub description: String,
    pub item_type: Type,
    pub status: Status,
    /// The id of the item it belongs to.
    pub parent: Option<String>,
    pub references: Vec<Reference>,
    pub depends_on: Vec<String>,
    /// The other side of `depends_on`: what waits for this.
    pub blocks: Vec<String>,
    pub evidence: Vec<String>,
    pub blocked_reason: Vec<String>,
    pub priority: Option<Priority>,
    pub due_date: Option<String>,
    pub context: Option<Context>,
    pub summary: Option<String>,
    pub validation: Option<Validation>,
    /// Given by an import; the next of its type otherwise.
    pub id: Option<String>,
    pub created_at: Option<Timestamp>,
    pub updated_at: Option<Timestamp>,
    /// When it came to its status.
    pub status_at: Option<Timestamp>,
    pub extra: Option<Json>,
    /// What it is called where it is imported from.
    pub source_key: Option<String>,
}

impl NewItem {
    pub fn of(title: impl Into<String>) -> NewItem {
        NewItem {
            title: title.into(),
            description: String::new(),
            item_type: Type::Task,
            status: Status::Open,
            parent: None,
            references: vec![],
            depends_on: vec![],
            blocks: vec![],
            evidence: vec![],
            blocked_reason: vec![],
            priority: None,
            due_date: None,
            context: None,
            summary: None,
            validation: None,
            id: None,
            created_at: None,
            updated_at: None,
            status_at: None,
            extra: None,
            source_key: None,
        }
    }
}

/// An item that has only its place still to get.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) item: Item,
    /// The id that was asked for, and the number in it.
    pub(super) id: Option<(ItemId, i64)>,
    pub(super) parent: Option<String>,
    pub(super) depends_on: Vec<String>,
    pub(super) blocks: Vec<String>,
}

const MAX_TITLE_BYTES: usize = 1000;
/// What a database can look up.
const MAX_KEY_BYTES: usize = 1000;
/// Of all texts of an item together.
const MAX_ITEM_BYTES: usize = 4 * 1024 * 1024;
const MAX_ENTRIES: usize = 10_000;

impl Engine {
    pub(super) fn draft_item(&self, new: NewItem) -> Result<Draft> {
        let now = self.now();
        let id = new.id.as_deref().map(|id| parsed_id(id, new.item_type)).transpose()?;
        let mut item = Item {
            number: 0,
            id: ItemId::from(String::new()),
            item_type: new.item_type,
            title: new.title,
            description: new.description,
            status: new.status,
            status_at: new.status_at.or(new.updated_at).unwrap_or(now),
            parent: None,
            priority: new.priority,
            due_date: new.due_date.as_deref().map(date).transpose()?,
            context: new.context,
            references: new.references,
            evidence: new.evidence,
            blocked_reason: new.blocked_reason,
            summary: new.summary,
            validation: new.validation,
            extra: new.extra.map(kept),
            source_key: new.source_key.map(|key| redacted(key, &mut 0)),
            created_at: new.created_at.unwrap_or(now),
            updated_at: new.updated_at.unwrap_or(now),
            document: 0,
            below: Below::default(),
        };
        clean(&mut item)?;
        Ok(Draft { item, id, parent: new.parent, depends_on: new.depends_on, blocks: new.blocks })
    }
}

/// What an import brought, without the secrets in it.
pub(super) fn kept(mut extra: Json) -> String {
    redact::json(&mut extra);
    extra.to_string()
}

/// Checks an item's texts and takes secrets out of them.
pub(super) fn clean(item: &mut Item) -> Result<()> {
    let mut ignored = 0;
    item.title = title(&item.title)?;
    if item.source_key.as_ref().is_some_and(|key| key.len() > MAX_KEY_BYTES) {
        return Err(Error::Invalid(format!(
            "what the item is called elsewhere is longer than {MAX_KEY_BYTES} bytes; give it a shorter name there"
        )));
    }
    let entries = item.evidence.len().max(item.references.len()).max(item.blocked_reason.len());
    if entries > MAX_ENTRIES {
        return Err(Error::Invalid(format!(
            "a list of the item has {entries} entries and the limit is {MAX_ENTRIES}; keep them in a resource"
        )));
    }
    let references = item
        .references
        .iter_mut()
        .flat_map(|reference| std::iter::once(&mut reference.url).chain(reference.title.as_mut()));
    let texts = std::iter::once(&mut item.description)
        .chain(&mut item.evidence)
        .chain(&mut item.blocked_reason)
        .chain(item.summary.as_mut())
        .chain(item.validation.as_mut().and_then(|validation| validation.report.as_mut()))
        .chain(references);
    let mut bytes = 0;
    for text in texts {
        *text = redacted(std::mem::take(text), &mut ignored);
        bytes += text.len();
    }
    if bytes > MAX_ITEM_BYTES {
        return Err(Error::Invalid(format!(
            "the item has {bytes} bytes of text and the limit is {MAX_ITEM_BYTES}; keep long texts in a resource"
        )));
    }
    Ok(())
}

/// A title as it is kept: in one line, without secrets.
pub fn title(text: &str) -> Result<String> {
    let title = without_controls(&redacted(text.to_owned(), &mut 0)).trim().to_owned();
    if title.is_empty() {
        return Err(Error::Invalid(
            "an item needs a title; say in a few words what is to be done".to_owned(),
        ));
    }
    if title.len() > MAX_TITLE_BYTES {
        return Err(Error::Invalid(format!(
            "the title has {} bytes and the limit is {MAX_TITLE_BYTES}; put the rest into the description",
            title.len()
        )));
    }
    Ok(title)
}

/// A date as it is kept: as it was given, a time in UTC.
pub fn date(text: &str) -> Result<String> {
    let text = text.trim();
    if let Ok(date) = text.parse::<jiff::civil::Date>()
        && text.len() <= 10
    {
        return Ok(date.to_string());
    }
    text.parse::<jiff::Timestamp>()
        .map(|time| time.to_string())
        .map_err(|_| Error::Invalid(format!("{text:?} is no date; write 2026-11-15 or 2026-11-15T09:30:00Z")))
}

/// Beyond any backlog, and far from where numbers end.
const MAX_NUMBER: i64 = 999_999_999;

fn parsed_id(id: &str, item_type: Type) -> Result<(ItemId, i64)> {
    let upper = id.trim().to_uppercase();
    let prefix = item_type.prefix();
    let digits = upper.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-'));
    let number = digits
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|digits| digits.parse::<i64>().ok())
        // One number has one spelling, or it would be two items.
        .filter(|number| upper == format!("{prefix}-{number:04}") && (1..=MAX_NUMBER).contains(number));
    let number = number
        .ok_or_else(|| Error::Invalid(format!("{id:?} is no id of a {item_type}; write {prefix}-0001")))?;
    Ok((ItemId::from(upper), number))
}
