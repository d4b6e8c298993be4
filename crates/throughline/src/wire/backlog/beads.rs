//! Beads-style JSON lines: one issue on each, with its dependencies.

use std::collections::HashMap;

use serde_json::{Value as Json, json};
use throughline_engine::backlog::{Entry, Says, Source};
use throughline_engine::store::id::ItemId;
use throughline_engine::store::item::{Priority, Status, Type};

use super::rest::{NAME, Rest, canonical, is_ours, take, take_moment, take_rest, take_text};
use super::{File, Format, Object, Read};
use crate::wire::time::Moment;

/// What an item is called here that is called `bd-…` there.
const SOURCE: &str = "beads:";
/// Texts that beads keep apart and an item in its description, each below its heading.
const SECTIONS: [(&str, &str); 3] =
    [("design", "## Design"), ("acceptance_criteria", "## Acceptance criteria"), ("notes", "## Notes")];

pub(crate) fn read(file: &File) -> Result<Read, String> {
    let mut read = Read::default();
    let text = file.text.trim_start_matches('\u{feff}');
    for (line, bead) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("{}, line {}", file.name, line + 1);
        let fields: Object = serde_json::from_str(bead)
            .map_err(|e| format!("{place}: not a JSON object: {e}; write one issue a line"))?;
        if fields.get("status").and_then(Json::as_str) == Some("tombstone") {
            read.lost.push(format!("{place}: {} was deleted there and is left out", named(&fields)));
            continue;
        }
        let source = source(fields, &place, &mut read.lost).map_err(|wrong| format!("{place}: {wrong}"))?;
        read.sources.push(source);
    }
    Ok(read)
}

/// A name that means the same here and there, now and in a later file.
fn known(name: String) -> String {
    if is_ours(&name) { canonical(name) } else { format!("{SOURCE}{name}") }
}

fn named(fields: &Object) -> &str {
    fields.get("id").and_then(Json::as_str).unwrap_or("an issue")
}

fn source(mut fields: Object, place: &str, lost: &mut Vec<String>) -> Result<Source, String> {
    let id = take_text(&mut fields, &["id"])?.ok_or("the issue has no id; give it one")?;
    let title = take_text(&mut fields, &["title"])?.ok_or("the issue has no title; give it one")?;
    let carried = take_rest(&mut fields)?;
    let says = if carried.is_some() { Says::Everything } else { Says::WhatItNames };
    let mut rest = carried.unwrap_or_default();
    if says == Says::WhatItNames {
        rest.source_key = Some(format!("{SOURCE}{id}"));
    }
    rest.status = Some(status(&mut fields, rest.status.as_deref())?.to_string());
    rest.priority = priority(&mut fields)?;
    rest.item_type = Some(item_type(&mut fields, rest.item_type.as_deref())?.to_string());
    rest.created_at = take_moment(&mut fields, &["created_at"])?.or(rest.created_at);
    rest.updated_at = take_moment(&mut fields, &["updated_at"])?.or(rest.updated_at);
    rest.status_since = rest.status_since.or(take_moment(&mut fields, &["closed_at"])?);
    rest.summary = take_text(&mut fields, &["close_reason"])?.or(rest.summary);
    let description = joined(&mut fields)?;
    links(&mut fields, &mut rest, (&id, place), lost)?;
    let item = rest.item((title, description), (Format::Beads, fields))?;
    Ok(Source { key: known(id), place: place.to_owned(), item, says })
}

fn status(fields: &mut Object, carried: Option<&str>) -> Result<Status, String> {
    let text = take_text(fields, &["status"])?.unwrap_or_else(|| "open".to_owned());
    let status = told(&text);
    if text != word(status) {
        fields.insert("status".to_owned(), Json::String(text));
    }
    let carried = carried.map(crate::wire::item::status).transpose()?;
    Ok(carried.filter(|carried| word(*carried) == word(status)).unwrap_or(status))
}

fn told(text: &str) -> Status {
    match text {
        "closed" => Status::Done,
        "in_progress" | "hooked" => Status::InProgress,
        "blocked" => Status::Blocked,
        // Beads know more ways of waiting; which it was is kept beside.
        _ => Status::Open,
    }
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Open => "open",
        Status::InProgress => "in_progress",
        Status::Blocked => "blocked",
        Status::Done | Status::Cancelled => "closed",
    }
}

fn priority(fields: &mut Object) -> Result<Option<String>, String> {
    let Some(text) = take_text(fields, &["priority"])? else { return Ok(None) };
    let level = crate::wire::item::priority(&text).map_err(|wrong| format!("priority: {wrong}"))?;
    Ok(Some(level.to_string()))
}

/// Beads know more types than we do; which it was is kept beside.
fn item_type(fields: &mut Object, carried: Option<&str>) -> Result<Type, String> {
    let text = take_text(fields, &["issue_type"])?.unwrap_or_else(|| "task".to_owned());
    let carried = carried.map(crate::wire::item::item_type).transpose()?;
    let item_type = match (text.as_str(), carried) {
        ("epic", _) => Type::Epic,
        (_, Some(carried)) if carried != Type::Epic => carried,
        _ => Type::Task,
    };
    if text != type_word(item_type) {
        fields.insert("issue_type".to_owned(), Json::String(text));
    }
    Ok(item_type)
}

fn type_word(item_type: Type) -> &'static str {
    match item_type {
        Type::Epic => "epic",
        Type::Task | Type::Milestone | Type::Folder | Type::Artifact => "task",
    }
}

/// The description with the texts that beads keep apart.
fn joined(fields: &mut Object) -> Result<String, String> {
    let mut text = take_text(fields, &["description"])?.unwrap_or_default();
    for (name, heading) in SECTIONS {
        if let Some(section) = take_text(fields, &[name])?.filter(|section| !section.is_empty()) {
            let gap = if text.is_empty() { "" } else { "\n\n" };
            text.push_str(&format!("{gap}{heading}\n\n{section}"));
        }
    }
    Ok(text)
}

/// The other way round: the description and its sections, which joined are the text again.
fn split(text: &str) -> [&str; 4] {
    let mut parts = [text, "", "", ""];
    for (place, (_, heading)) in SECTIONS.iter().enumerate().rev() {
        let marks = [format!("\n\n{heading}\n\n"), format!("{heading}\n\n")];
        let found = parts[0].find(&marks[0]).filter(|at| *at > 0).map(|at| (at, marks[0].len()));
        let found = found.or_else(|| parts[0].starts_with(&marks[1]).then_some((0, marks[1].len())));
        if let Some((at, length)) = found
            && !parts[0][at + length..].is_empty()
        {
            (parts[0], parts[place + 1]) = (&parts[0][..at], &parts[0][at + length..]);
        }
    }
    parts
}

/// Takes out what must come first and what it is part of; other links stay as they are.
fn links(
    fields: &mut Object,
    rest: &mut Rest,
    (id, place): (&str, &str),
    lost: &mut Vec<String>,
) -> Result<(), String> {
    let Some(links) = take(fields, &["dependencies"]) else { return Ok(()) };
    let links: Vec<Object> = serde_json::from_value(links)
        .map_err(|e| format!("dependencies is no list of objects: {e}; make it one"))?;
    let mut kept = vec![];
    for link in links {
        let text = |name: &str| link.get(name).and_then(Json::as_str).map(str::to_owned);
        let to = text("depends_on_id").ok_or("a dependency has no depends_on_id; give it one")?;
        let taken = match text("type").as_deref() {
            None | Some("blocks") => {
                rest.depends_on.push(known(to));
                true
            }
            Some("parent-child") if rest.parent_id.is_none() => {
                rest.parent_id = Some(known(to));
                true
            }
            Some("parent-child") => {
                lost.push(format!("{place}: {id} is below {to} as well; an item has one parent, so this is kept for beads alone"));
                false
            }
            Some(_) => false,
        };
        // Who made a link, and when, is known to beads alone.
        if !taken || link.len() > 3 {
            kept.push(Json::Object(link));
        }
    }
    if !kept.is_empty() {
        fields.insert("dependencies".to_owned(), Json::Array(kept));
    }
    Ok(())
}

pub(crate) fn write(entries: &[Entry]) -> String {
    let names: HashMap<&ItemId, String> = entries.iter().map(|entry| (&entry.item.id, name(entry))).collect();
    let lines: String = entries.iter().map(|entry| format!("{}\n", bead(entry, &names))).collect();
    lines
}

/// What an item was called where it came from.
fn name(entry: &Entry) -> String {
    let key = entry.item.source_key.as_deref().and_then(|key| key.strip_prefix(SOURCE));
    key.map_or_else(|| entry.item.id.to_string(), str::to_owned)
}

fn bead(entry: &Entry, names: &HashMap<&ItemId, String>) -> Json {
    let item = &entry.item;
    let (mut rest, mut own) = Rest::of(entry, Format::Beads);
    (rest.created_at, rest.updated_at, rest.priority, rest.summary) = (None, None, None, None);
    (rest.parent_id, rest.depends_on) = (None, vec![]);
    let status = own.shift_remove("status");
    let status =
        status.filter(|kept| kept.as_str().is_some_and(|kept| word(told(kept)) == word(item.status)));
    let issue_type = own.shift_remove("issue_type");
    let mut bead = Object::from_iter([
        ("id".to_owned(), json!(names[&item.id])),
        ("title".to_owned(), json!(item.title)),
        ("status".to_owned(), status.unwrap_or_else(|| json!(word(item.status)))),
        ("issue_type".to_owned(), issue_type.unwrap_or_else(|| json!(type_word(item.item_type)))),
    ]);
    let texts = split(&item.description);
    for (name, text) in std::iter::once("description").chain(SECTIONS.map(|(name, _)| name)).zip(texts) {
        if !text.is_empty() {
            bead.insert(name.to_owned(), json!(text));
        }
    }
    bead.extend(item.priority.map(|priority| ("priority".to_owned(), json!(level(priority)))));
    bead.insert("created_at".to_owned(), json!(Moment(item.created_at)));
    bead.insert("updated_at".to_owned(), json!(Moment(item.updated_at)));
    if item.status.is_finished() {
        bead.insert("closed_at".to_owned(), json!(Moment(item.status_at)));
    }
    bead.extend(item.summary.as_ref().map(|summary| ("close_reason".to_owned(), json!(summary))));
    let links = written_links(entry, own.shift_remove("dependencies"), names);
    if !links.is_empty() {
        bead.insert("dependencies".to_owned(), Json::Array(links));
    }
    bead.extend(own);
    bead.insert(NAME.to_owned(), serde_json::to_value(rest).expect("our shapes are valid JSON"));
    Json::Object(bead)
}

fn level(priority: Priority) -> usize {
    Priority::ALL.iter().position(|other| *other == priority).unwrap_or_default()
}

/// The links of an item as beads write them, with what else was known about each.
fn written_links(entry: &Entry, kept: Option<Json>, names: &HashMap<&ItemId, String>) -> Vec<Json> {
    let mut kept: Vec<Json> = kept.and_then(|kept| serde_json::from_value(kept).ok()).unwrap_or_default();
    let own = &names[&entry.item.id];
    let first = entry.depends_on.iter().map(|id| (id, "blocks"));
    let parent = entry.item.parent.iter().map(|id| (id, "parent-child"));
    let mut links: Vec<Json> = vec![];
    for (id, kind) in first.chain(parent) {
        let to = names.get(id).cloned().unwrap_or_else(|| id.to_string());
        let known = kept.iter().position(|link| {
            link["depends_on_id"] == to.as_str() && link["type"].as_str().unwrap_or("blocks") == kind
        });
        let link = known.map(|place| kept.remove(place));
        links.push(link.unwrap_or_else(|| json!({ "issue_id": own, "depends_on_id": to, "type": kind })));
    }
    // A link that was taken away here is no link there.
    kept.retain(|link| link["type"].as_str().unwrap_or("blocks") != "blocks");
    links.extend(kept);
    links
}
