//! Markdown with YAML front matter, one file for each item: the front matter has the fields, the text below it is the
//! description.

use serde_json::Value as Json;
use throughline_engine::backlog::{Entry, Says, Source};

use super::rest::{Rest, canonical, is_ours, take, take_text};
use super::{File, Format, Object, Read, yaml};

/// What the front matter calls what other formats brought.
const EXTRA: &str = "throughline_extra";
const MARK: &str = "---";

pub(crate) fn read(file: &File) -> Result<Read, String> {
    let text = file.text.trim_start_matches('\u{feff}');
    let (front, body) = parts(text).map_err(|line| format!("{}, line {line}", file.name))?;
    let fields = match front {
        Some(front) => fields(front).map_err(|wrong| format!("{}, {wrong}", file.name))?,
        None => Object::new(),
    };
    let source = source(file, fields, body).map_err(|wrong| {
        // A wrong field is named first, and begins a line.
        let name = wrong.split([' ', ':']).next().unwrap_or_default();
        let line =
            front.into_iter().flat_map(str::lines).position(|line| line.starts_with(&format!("{name}:")));
        let place = line.map(|line| format!(", line {}", line + 2)).unwrap_or_default();
        format!("{}{place}: {wrong}", file.name)
    })?;
    Ok(Read { sources: vec![source], lost: vec![] })
}

/// The front matter, if any, and the rest; a front matter that does not end is told by its line.
fn parts(text: &str) -> Result<(Option<&str>, &str), String> {
    let opened =
        text.strip_prefix(MARK).and_then(|rest| rest.strip_prefix('\n').or(rest.strip_prefix("\r\n")));
    let Some(inside) = opened else { return Ok((None, text)) };
    let mut at = 0;
    for line in inside.split_inclusive('\n') {
        if line.trim_end() == MARK {
            let body = &inside[at + line.len()..];
            return Ok((Some(&inside[..at]), body));
        }
        at += line.len();
    }
    Err("1: the front matter has no closing line of ---; add one".to_owned())
}

fn fields(front: &str) -> Result<Object, String> {
    if front.trim().is_empty() {
        return Ok(Object::new());
    }
    serde_saphyr::from_str(front).map_err(|error| {
        // The opening line of dashes is line 1 of the file.
        let line = error.location().map_or(1, |location| location.line() + 1);
        let text = error.to_string();
        let what = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let what = what
            .split_once(": ")
            .filter(|(place, _)| place.starts_with("line "))
            .map_or(what, |(_, what)| what);
        format!("line {line}: {what}; correct the front matter")
    })
}

fn source(file: &File, mut fields: Object, body: &str) -> Result<Source, String> {
    let body = body.strip_prefix('\n').or(body.strip_prefix("\r\n")).unwrap_or(body);
    let mut description = body.strip_suffix('\n').unwrap_or(body);
    let title = match take_text(&mut fields, &["title"])? {
        Some(title) => title,
        None => {
            let heading =
                description.strip_prefix("# ").map(|rest| rest.split_once('\n').unwrap_or((rest, "")));
            description = heading.map_or(description, |(_, below)| below.trim_start_matches(['\r', '\n']));
            heading.map_or_else(|| stem(&file.name), |(heading, _)| heading.trim().to_owned())
        }
    };
    let mut rest = rest(&mut fields)?;
    let key = rest.id.clone().map_or_else(|| file.name.clone(), canonical);
    if !rest.id.as_deref().is_some_and(is_ours) {
        rest.id = None;
        rest.source_key = rest.source_key.or_else(|| Some(format!("markdown:{key}")));
    }
    let place = file.name.clone();
    let item = rest.item((title, description.to_owned()), (Format::Markdown, fields))?;
    Ok(Source { key, place, item, says: Says::Everything })
}

/// Takes our fields out of a front matter, also as others name them; the rest stays.
fn rest(fields: &mut Object) -> Result<Rest, String> {
    let aliases = [
        ("parent", "parent_id"),
        ("dependencies", "depends_on"),
        ("due", "due_date"),
        ("created", "created_at"),
        ("updated", "updated_at"),
        (EXTRA, "extra"),
    ];
    let mut ours = Object::new();
    for (alias, name) in aliases {
        if let Some(value) = take(fields, &[alias]) {
            ours.insert(name.to_owned(), value);
        }
    }
    let names = [
        "id",
        "type",
        "status",
        "parent_id",
        "priority",
        "due_date",
        "requires_context",
        "references",
        "depends_on",
        "blocks",
        "blocked_reason",
        "evidence",
        "summary",
        "validation",
        "created_at",
        "updated_at",
        "status_since",
        "source_key",
    ];
    for name in names {
        if let Some(value) = take(fields, &[name]) {
            ours.insert(name.to_owned(), value);
        }
    }
    let mut checked = Rest::default();
    for (name, value) in ours {
        let one = Object::from_iter([(name.clone(), shaped(&name, value))]);
        let wrong = |e: serde_json::Error| format!("{name}: {e}");
        let one: Rest = serde_json::from_value(Json::Object(one)).map_err(wrong)?;
        checked = merged(checked, one);
    }
    Ok(checked)
}

/// People write one entry without a list, a number for a text, and an address without a title.
fn shaped(name: &str, value: Json) -> Json {
    let lists = ["references", "depends_on", "blocks", "blocked_reason", "evidence"];
    let value = match value {
        Json::Array(entries) => Json::Array(entries),
        Json::Number(number) if name != "requires_context" => Json::String(number.to_string()),
        one if lists.contains(&name) => Json::Array(vec![one]),
        other => other,
    };
    match value {
        Json::Array(entries) => {
            Json::Array(entries.into_iter().map(|entry| shaped_entry(name, entry)).collect())
        }
        other => other,
    }
}

fn shaped_entry(name: &str, entry: Json) -> Json {
    match entry {
        Json::String(url) if name == "references" => serde_json::json!({ "url": url }),
        Json::Number(number) => Json::String(number.to_string()),
        other => other,
    }
}

/// Of two, of which each field is said by one.
fn merged(first: Rest, second: Rest) -> Rest {
    let list = |mut first: Vec<String>, second: Vec<String>| {
        first.extend(second);
        first
    };
    Rest {
        id: first.id.or(second.id),
        item_type: first.item_type.or(second.item_type),
        status: first.status.or(second.status),
        parent_id: first.parent_id.or(second.parent_id),
        priority: first.priority.or(second.priority),
        due_date: first.due_date.or(second.due_date),
        requires_context: first.requires_context.or(second.requires_context),
        references: first.references.into_iter().chain(second.references).collect(),
        depends_on: list(first.depends_on, second.depends_on),
        blocks: list(first.blocks, second.blocks),
        blocked_reason: list(first.blocked_reason, second.blocked_reason),
        evidence: list(first.evidence, second.evidence),
        summary: first.summary.or(second.summary),
        validation: first.validation.or(second.validation),
        created_at: first.created_at.or(second.created_at),
        updated_at: first.updated_at.or(second.updated_at),
        status_since: first.status_since.or(second.status_since),
        source_key: first.source_key.or(second.source_key),
        extra: first.extra.into_iter().chain(second.extra).collect(),
    }
}

fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
}

/// The file of an item: its name and its text.
pub(crate) fn write(entry: &Entry) -> (String, String) {
    let (mut rest, own) = Rest::of(entry, Format::Markdown);
    let extra = std::mem::take(&mut rest.extra);
    let mut text = format!("{MARK}\n");
    let rest = serde_json::to_value(&rest).expect("our shapes are valid JSON");
    for (name, value) in rest.as_object().into_iter().flatten() {
        text.push_str(&yaml::field(name, value));
        if name == "id" {
            text.push_str(&yaml::field("title", &Json::String(entry.item.title.clone())));
        }
    }
    own.iter().for_each(|(name, value)| text.push_str(&yaml::field(name, value)));
    if !extra.is_empty() {
        text.push_str(&yaml::field(EXTRA, &Json::Object(extra)));
    }
    text.push_str(&format!("{MARK}\n"));
    if !entry.item.description.is_empty() {
        text.push_str(&format!("\n{}\n", entry.item.description));
    }
    (format!("{}.md", entry.item.id), text)
}
