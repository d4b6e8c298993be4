//! What an item has and a format has no place for; all of it, except the texts, is the front matter of markdown.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use throughline_engine::backlog::{Entry, NewItem, ids_in};
use throughline_engine::store::id::ItemId;
use throughline_engine::store::item::{Context, Priority, Status, Type};

use super::{Format, Object};
use crate::wire::item::{Reference, Validation, context, item_type, priority, status};
use crate::wire::time::Moment;

/// The name under which issues and beads carry it.
pub(super) const NAME: &str = "throughline";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Rest {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) item_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) priority: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) due_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) requires_context: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) references: Vec<Reference>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) depends_on: Vec<String>,
    /// Read, never written: it is what the others depend on.
    #[serde(skip_serializing)]
    pub(super) blocks: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) blocked_reason: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) evidence: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) validation: Option<Validation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) created_at: Option<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) updated_at: Option<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status_since: Option<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source_key: Option<String>,
    /// What other formats brought.
    #[serde(skip_serializing_if = "Object::is_empty")]
    pub(super) extra: Object,
}

impl Rest {
    /// All of an item but its title and its description; and what `format` itself once brought, apart.
    pub(super) fn of(entry: &Entry, format: Format) -> (Rest, Object) {
        let item = &entry.item;
        let mut extra: Object =
            item.extra.as_deref().and_then(|extra| serde_json::from_str(extra).ok()).unwrap_or_default();
        let own = match extra.shift_remove(format.as_str()) {
            Some(Json::Object(own)) => own,
            _ => Object::new(),
        };
        let rest = Rest {
            id: Some(item.id.to_string()),
            item_type: Some(item.item_type.to_string()),
            status: Some(item.status.to_string()),
            parent_id: item.parent.as_ref().map(ItemId::to_string),
            priority: item.priority.map(|it: Priority| it.to_string()),
            due_date: item.due_date.clone(),
            requires_context: item.context.map(|it| it == Context::Required),
            references: item.references.iter().cloned().map(Reference::from).collect(),
            depends_on: entry.depends_on.iter().map(ItemId::to_string).collect(),
            blocks: vec![],
            blocked_reason: item.blocked_reason.clone(),
            evidence: item.evidence.clone(),
            summary: item.summary.clone(),
            validation: item.validation.clone().map(Validation::from),
            created_at: Some(Moment(item.created_at)),
            updated_at: Some(Moment(item.updated_at)),
            status_since: Some(Moment(item.status_at)),
            source_key: item.source_key.clone(),
            extra,
        };
        (rest, own)
    }

    /// The item that this and its texts are; `own` is what the format has that an item has no field for.
    pub(super) fn item(
        self,
        texts: (String, String),
        (format, own): (Format, Object),
    ) -> Result<NewItem, String> {
        let mut extra = self.extra;
        if !own.is_empty() {
            extra.insert(format.to_string(), Json::Object(own));
        }
        let of = |field: &'static str| move |wrong: String| format!("{field}: {wrong}");
        let names = |names: Vec<String>| names.into_iter().map(canonical).collect();
        Ok(NewItem {
            description: texts.1,
            item_type: self.item_type.as_deref().map_or(Ok(Type::Task), item_type).map_err(of("type"))?,
            status: self.status.as_deref().map_or(Ok(Status::Open), status).map_err(of("status"))?,
            parent: self.parent_id.map(canonical),
            references: self.references.into_iter().map(Into::into).collect(),
            depends_on: names(self.depends_on),
            blocks: names(self.blocks),
            evidence: self.evidence,
            blocked_reason: self.blocked_reason,
            priority: self.priority.as_deref().map(priority).transpose().map_err(of("priority"))?,
            due_date: self.due_date,
            context: self.requires_context.map(context),
            summary: self.summary,
            validation: self.validation.map(Into::into),
            id: self.id.map(canonical),
            created_at: self.created_at.map(|at| at.0),
            updated_at: self.updated_at.map(|at| at.0),
            status_at: self.status_since.map(|at| at.0),
            extra: (!extra.is_empty()).then_some(Json::Object(extra)),
            source_key: self.source_key,
            ..NewItem::of(texts.0)
        })
    }
}

/// An id of ours has one spelling; other names are as they are.
pub(super) fn canonical(name: String) -> String {
    if is_ours(&name) { name.trim().to_uppercase() } else { name }
}

pub(super) fn is_ours(name: &str) -> bool {
    ids_in(name).next().is_some_and(|id| id.as_str().len() == name.trim().len())
}

/// Takes a field out of what a file has.
pub(super) fn take(object: &mut Object, names: &[&str]) -> Option<Json> {
    let found = names.iter().find_map(|name| object.shift_remove(*name));
    found.filter(|value| !value.is_null())
}

/// A field that is a text; a number is one as well.
pub(super) fn take_text(object: &mut Object, names: &[&str]) -> Result<Option<String>, String> {
    match take(object, names) {
        None => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(Json::Number(number)) => Ok(Some(number.to_string())),
        Some(other) => Err(format!("{} is {other}, not a text; write it as one", names[0])),
    }
}

pub(super) fn take_moment(object: &mut Object, names: &[&str]) -> Result<Option<Moment>, String> {
    let text = take_text(object, names)?;
    text.map(|text| serde_json::from_value(Json::String(text)))
        .transpose()
        .map_err(|e| format!("{}: {e}", names[0]))
}

/// What an earlier export carried for us, and whether there was one.
pub(super) fn take_rest(object: &mut Object) -> Result<Option<Rest>, String> {
    let rest = take(object, &[NAME]);
    rest.map(serde_json::from_value).transpose().map_err(|e| format!("{NAME}: {e}"))
}
