//! Documents kept beside the items: written whole, or changed in one place.

use serde_json::json;
use throughline_store::Connection;
use throughline_store::event::Kind as EventKind;
use throughline_store::item;
use throughline_store::link::{self, Kind as LinkKind, Node, Origin};
use throughline_store::resource::{self, Cursor, Resource};

use super::{RESOURCE_DOCUMENT, Uri, beginning, ids_in, mention, resources};
use crate::capture::{During, Observation, one_line, redacted};
use crate::index::vectors::Vector;
use crate::index::{self, Document, Text};
use crate::{Caller, Engine, Error, Result};

/// What to do to a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Writes it whole; what was there is replaced.
    Create {
        content: String,
    },
    /// Replaces a text that occurs exactly once.
    StrReplace {
        old: String,
        new: String,
    },
    /// Puts a text after so many lines.
    Insert {
        after_line: usize,
        text: String,
    },
    Append {
        text: String,
    },
}

/// What became of an edit.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    pub resource: Resource,
    pub operation: &'static str,
}

const MAX_BYTES: usize = 4 * 1024 * 1024;

impl Engine {
    pub fn resource(&self, caller: &Caller, uri: &str) -> Result<Resource> {
        let path = path_of(uri)?;
        self.store.read(|conn| existing(conn, caller, &path))
    }

    /// Resources, what was written last first, and how many there are.
    pub fn resources(&self, caller: &Caller, limit: i64) -> Result<(Vec<Resource>, i64)> {
        self.resources_after(caller, None, limit)
    }

    /// The same from a place in the list on.
    pub fn resources_after(
        &self,
        caller: &Caller,
        after: Option<Cursor>,
        limit: i64,
    ) -> Result<(Vec<Resource>, i64)> {
        self.store.read(|conn| {
            let found = resource::newest(conn, &caller.project, after, limit)?;
            Ok((found, resource::count(conn, &caller.project)?))
        })
    }

    pub fn write_resource(
        &self,
        caller: &Caller,
        uri: &str,
        edit: &Edit,
        during: &During,
    ) -> Result<Written> {
        let path = path_of(uri)?;
        let now = self.now();
        self.write(caller, |tx| {
            let before = resource::by_path(tx, &caller.project, &path)?;
            let content = edited(before.as_ref(), edit, &path)?;
            let content = redacted(content, &mut 0);
            if before.as_ref().is_some_and(|before| before.content == content) {
                let resource = before.ok_or_else(|| Error::Invalid("the resource is gone".to_owned()))?;
                return Ok(Written { resource, operation: edit.name() });
            }
            let resource = Resource {
                number: match &before {
                    Some(before) => before.number,
                    None => item::take_number(tx, &caller.project, "resource")?,
                },
                title: title(&content, &path),
                path: path.clone(),
                content,
                created_at: before.as_ref().map_or(now, |before| before.created_at),
                updated_at: now,
                version: before.as_ref().map_or(1, |before| before.version + 1),
                document: item::take_number(tx, &caller.project, RESOURCE_DOCUMENT)?,
            };
            if let Some(before) = &before {
                index::remove(tx, resources(caller), before.document)?;
            }
            resource::put(tx, &caller.project, &resource)?;
            self.note_resource(tx, caller, &resource, edit, during)?;
            Ok(Written { resource, operation: edit.name() })
        })
    }

    /// Links, index and log of a resource that was written.
    fn note_resource(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        resource: &Resource,
        edit: &Edit,
        during: &During,
    ) -> Result<()> {
        let node = Node::resource(&resource.path);
        let mut named = vec![];
        mention::in_text(&resource.path, &mut named);
        mention::in_text(&resource.content, &mut named);
        named.retain(|other| *other != node);
        let origin = Origin { node: &node, number: resource.number };
        link::set(tx, &caller.project, origin, LinkKind::References, &named)?;
        self.add_document(tx, resources(caller), document(resource))?;
        let uri = Uri::of_resource(&resource.path);
        // The item whose folder it is in: what happened to its documents happened to it.
        let item = ids_in(&resource.path).next();
        let observation = Observation {
            opening: during.opening.clone(),
            summary: Some(format!("{} {uri}: {}", edit.past(), resource.title)),
            content: Some(resource.content.clone()),
            parts: Some(json!({ "uri": uri, "operation": edit.name(), "version": resource.version })),
            item_id: item.map(|item| item.to_string()),
            target: Some(uri),
            ..Observation::of(EventKind::ResourceWritten, during.session.clone())
        };
        self.capture_within(tx, caller, observation).map(|_| ())
    }
}

impl Edit {
    fn name(&self) -> &'static str {
        match self {
            Edit::Create { .. } => "create",
            Edit::StrReplace { .. } => "str_replace",
            Edit::Insert { .. } => "insert",
            Edit::Append { .. } => "append",
        }
    }

    fn past(&self) -> &'static str {
        match self {
            Edit::Create { .. } => "wrote",
            Edit::StrReplace { .. } | Edit::Insert { .. } => "edited",
            Edit::Append { .. } => "added to",
        }
    }
}

/// The path in the address of a resource.
pub fn path_of(uri: &str) -> Result<String> {
    match Uri::parse(uri)? {
        Uri::Resource(path) if redacted(path.clone(), &mut 0) != path => {
            Err(Error::Invalid("the path holds what looks like a secret; choose another".to_owned()))
        }
        Uri::Resource(path) => Ok(path),
        Uri::Item(_) | Uri::Other(..) => Err(Error::Invalid(format!(
            "{uri} is no resource; resources are at {}",
            Uri::of_resource("PATH")
        ))),
    }
}

pub(crate) fn existing(conn: &mut dyn Connection, caller: &Caller, path: &str) -> Result<Resource> {
    resource::by_path(conn, &caller.project, path)?.ok_or_else(|| missing(path))
}

fn missing(path: &str) -> Error {
    Error::NotFound(format!(
        "there is no resource {}; create it first (`throughline resource write`, or the operation create)",
        Uri::of_resource(path)
    ))
}

fn edited(before: Option<&Resource>, edit: &Edit, path: &str) -> Result<String> {
    let text = before.map(|before| before.content.as_str());
    let content = match edit {
        Edit::Create { content } => content.clone(),
        Edit::StrReplace { old, new } => replaced(text.ok_or_else(|| missing(path))?, old, new)?,
        Edit::Insert { after_line, text: added } => {
            inserted(text.ok_or_else(|| missing(path))?, *after_line, added)?
        }
        Edit::Append { text: added } => appended(text.unwrap_or_default(), added),
    };
    if content.len() > MAX_BYTES {
        return Err(Error::Invalid(format!(
            "the resource would have {} bytes and the limit is {MAX_BYTES}; split it",
            content.len()
        )));
    }
    Ok(content)
}

fn replaced(text: &str, old: &str, new: &str) -> Result<String> {
    if old.is_empty() {
        return Err(Error::Invalid("the text to replace is empty; give some of what is there".to_owned()));
    }
    match occurrences(text, old) {
        1 => Ok(text.replacen(old, new, 1)),
        0 => Err(Error::Invalid(
            "the text to replace is not in the resource; read it and give the text exactly".to_owned(),
        )),
        times => Err(Error::Invalid(format!(
            "the text to replace occurs {times} times; give more of what stands around it, so that it is unique"
        ))),
    }
}

/// Also those that share a part: which of them is meant cannot be known.
fn occurrences(text: &str, part: &str) -> usize {
    text.char_indices().filter(|(at, _)| text[*at..].starts_with(part)).count()
}

fn inserted(text: &str, after_line: usize, added: &str) -> Result<String> {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if after_line > lines.len() {
        return Err(Error::Invalid(format!(
            "the resource has {0} lines, so nothing can follow line {after_line}; give 0 to {0}",
            lines.len()
        )));
    }
    let ended =
        if after_line == lines.len() && !text.is_empty() && !text.ends_with('\n') { "\n" } else { "" };
    let closed = if added.ends_with('\n') || after_line == lines.len() { "" } else { "\n" };
    let added = format!("{ended}{added}{closed}");
    lines.insert(after_line, &added);
    Ok(lines.concat())
}

fn appended(text: &str, added: &str) -> String {
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{gap}{added}")
}

/// The first heading, else the first line, else the last part of the path.
fn title(content: &str, path: &str) -> String {
    let mut lines = content.lines().map(str::trim).filter(|line| !line.is_empty() && *line != "---");
    let heading = content.lines().find_map(|line| line.trim().strip_prefix("# "));
    let found = heading.map(str::trim).or_else(|| lines.next()).filter(|title| !title.is_empty());
    one_line(found.unwrap_or_else(|| path.rsplit('/').next().unwrap_or(path)))
}

/// What a resource is found by.
pub(crate) fn document(resource: &Resource) -> Document {
    let title = format!("{} {}", resource.path, resource.title);
    let body = beginning(&resource.content);
    let vector = Vector::by_table(&meaning(resource));
    Document::new(resource.document, Text { title: &title, body }, &[], vector)
}

/// The text whose meaning a resource is found by.
pub(crate) fn meaning(resource: &Resource) -> String {
    format!("{}\n{}", resource.title, beginning(&resource.content))
}
