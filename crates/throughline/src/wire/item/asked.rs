//! What is said about an item that is to be made or changed, in JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use throughline_engine::backlog::{NewItem, Patch, Set};
use throughline_engine::store::item::{
    Priority, Reference as RecordReference, Status, Type, Validation as RecordValidation,
};

use super::super::closed::One;
use super::{Reference, Validation, context, item_type, priority, status};

/// What can be said about a new item.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct New {
    pub(crate) title: String,
    pub(crate) description: Option<String>,
    #[serde(rename = "type")]
    #[schemars(with = "Option<One<Type>>")]
    pub(crate) item_type: Option<String>,
    pub(crate) parent_id: Option<String>,
    /// URLs
    #[serde(default, deserialize_with = "references")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) references: Option<Vec<Reference>>,
    pub(crate) depends_on: Option<Vec<String>>,
    pub(crate) blocks: Option<Vec<String>>,
    #[serde(default, deserialize_with = "word_or_number")]
    #[schemars(with = "Option<One<Priority>>")]
    pub(crate) priority: Option<String>,
    pub(crate) requires_context: Option<bool>,
    pub(crate) due_date: Option<String>,
}

impl New {
    pub(crate) fn checked(self) -> Result<NewItem, String> {
        Ok(NewItem {
            description: self.description.unwrap_or_default(),
            item_type: self.item_type.as_deref().map_or(Ok(Type::Task), item_type)?,
            parent: self.parent_id,
            references: self.references.into_iter().flatten().map(RecordReference::from).collect(),
            depends_on: self.depends_on.unwrap_or_default(),
            blocks: self.blocks.unwrap_or_default(),
            priority: self.priority.as_deref().map(priority).transpose()?,
            context: self.requires_context.map(context),
            due_date: self.due_date,
            ..NewItem::of(self.title)
        })
    }
}

/// What can be changed about an item: null clears, lists replace.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Change {
    pub(crate) title: Option<String>,
    #[serde(deserialize_with = "present")]
    pub(crate) description: Option<Option<String>>,
    #[schemars(with = "Option<One<Status>>")]
    pub(crate) status: Option<String>,
    #[serde(deserialize_with = "present")]
    pub(crate) parent_id: Option<Option<String>>,
    #[serde(deserialize_with = "references_or_null")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) references: Option<Vec<Reference>>,
    #[serde(deserialize_with = "list_or_null")]
    pub(crate) depends_on: Option<Vec<String>>,
    #[serde(deserialize_with = "list_or_null")]
    pub(crate) blocks: Option<Vec<String>>,
    #[serde(deserialize_with = "list_or_null")]
    pub(crate) evidence: Option<Vec<String>>,
    #[serde(deserialize_with = "list_or_null")]
    pub(crate) blocked_reason: Option<Vec<String>>,
    #[serde(deserialize_with = "present_word_or_number")]
    #[schemars(with = "Option<One<Priority>>")]
    pub(crate) priority: Option<Option<String>>,
    #[serde(deserialize_with = "present")]
    pub(crate) requires_context: Option<Option<bool>>,
    #[serde(deserialize_with = "present")]
    pub(crate) due_date: Option<Option<String>>,
    #[serde(deserialize_with = "present")]
    pub(crate) summary: Option<Option<String>>,
    #[serde(deserialize_with = "present")]
    pub(crate) validation: Option<Option<Validation>>,
}

impl Change {
    pub(crate) fn checked(self) -> Result<Patch, String> {
        let priority = self.priority.map(|given| given.as_deref().map(priority).transpose()).transpose()?;
        Ok(Patch {
            title: self.title,
            description: self.description.map(Option::unwrap_or_default),
            status: self.status.as_deref().map(status).transpose()?,
            parent: set(self.parent_id),
            references: self
                .references
                .map(|references| references.into_iter().map(RecordReference::from).collect()),
            depends_on: self.depends_on,
            blocks: self.blocks,
            evidence: self.evidence,
            add_evidence: vec![],
            blocked_reason: self.blocked_reason,
            priority: set(priority),
            due_date: set(self.due_date),
            context: set(self.requires_context.map(|given| given.map(context))),
            summary: set(self.summary),
            validation: set(self.validation.map(|given| given.map(RecordValidation::from))),
            extra: Set::Keep,
        })
    }
}

fn set<T>(given: Option<Option<T>>) -> Set<T> {
    match given {
        None => Set::Keep,
        Some(None) => Set::Clear,
        Some(Some(value)) => Set::To(value),
    }
}

/// Tells a field that is null from one that is not there.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

fn list_or_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<T>>, D::Error> {
    Option::<Vec<T>>::deserialize(from).map(|list| Some(list.unwrap_or_default()))
}

/// An address by itself is a reference without a title.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyReference {
    Url(String),
    Whole(Reference),
}

fn references<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Reference>>, D::Error> {
    let whole = |any| match any {
        AnyReference::Url(url) => Reference { url, title: None },
        AnyReference::Whole(reference) => reference,
    };
    let given = Option::<Vec<AnyReference>>::deserialize(from)?;
    Ok(given.map(|list| list.into_iter().map(whole).collect()))
}

fn references_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Reference>>, D::Error> {
    references(from).map(|list| Some(list.unwrap_or_default()))
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WordOrNumber {
    Word(String),
    Number(i64),
}

fn word_or_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<WordOrNumber>::deserialize(from)?.map(|given| match given {
        WordOrNumber::Word(word) => word,
        WordOrNumber::Number(number) => number.to_string(),
    }))
}

fn present_word_or_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    word_or_number(from).map(Some)
}
