//! GitHub-style issues: what the API answers, and what `gh issue list --json` prints.

use std::collections::HashSet;

use serde_json::{Value as Json, json};
use throughline_engine::backlog::{Entry, Says, Source};
use throughline_engine::store::item::{Reference, Status};

use super::rest::{NAME, Rest, canonical, take_moment, take_rest, take_text};
use super::{File, Format, Object, Read, elements};
use crate::wire::time::Moment;

/// What an issue without an address is called.
const NUMBERED: &str = "issue#";

pub(crate) fn read(file: &File) -> Result<Read, String> {
    let text = file.text.trim_start_matches('\u{feff}');
    let checked: Result<Json, _> = serde_json::from_str(text);
    if let Err(error) = checked {
        return Err(format!(
            "{}, line {}: not valid JSON: {error}; correct the file",
            file.name,
            error.line()
        ));
    }
    let mut read = Read::default();
    for (line, element) in elements::of(text) {
        let place = format!("{}, line {line}", file.name);
        let object: Object = serde_json::from_str(element).map_err(|_| {
            format!("{place}: this is no issue but {}; make it a JSON object", beginning(element))
        })?;
        read.sources.push(source(object, &place).map_err(|wrong| format!("{place}: {wrong}"))?);
    }
    Ok(read)
}

fn beginning(text: &str) -> String {
    text.chars().take(40).collect()
}

fn source(mut fields: Object, place: &str) -> Result<Source, String> {
    let title = take_text(&mut fields, &["title"])?.ok_or("the issue has no title; give it one")?;
    let description = take_text(&mut fields, &["body"])?.unwrap_or_default();
    let number = take_text(&mut fields, &["number"])?;
    let carried = take_rest(&mut fields)?;
    let says = if carried.is_some() { Says::Everything } else { Says::WhatItNames };
    let mut rest = carried.unwrap_or_default();
    let status = status(&mut fields, rest.status.as_deref())?;
    rest.status = Some(status.to_string());
    rest.created_at = take_moment(&mut fields, &["created_at", "createdAt"])?.or(rest.created_at);
    rest.updated_at = take_moment(&mut fields, &["updated_at", "updatedAt"])?.or(rest.updated_at);
    let closed = take_moment(&mut fields, &["closed_at", "closedAt"])?;
    rest.status_since = rest.status_since.or(closed);
    if says == Says::WhatItNames {
        identify(&mut rest, &fields, number)?;
    }
    let key = rest
        .id
        .clone()
        .map(canonical)
        .or_else(|| rest.source_key.clone())
        .ok_or("the issue has neither number nor address; give it a number")?;
    let mut item = rest.item((title, description), (Format::Issues, fields))?;
    if says == Says::WhatItNames {
        let address = item.source_key.clone().filter(|key| !key.starts_with(NUMBERED));
        item.references.extend(address.map(|url| Reference { url, title: None }));
    }
    Ok(Source { key, place: place.to_owned(), item, says })
}

/// What an issue of elsewhere is called, the same each time it is read.
fn identify(rest: &mut Rest, fields: &Object, number: Option<String>) -> Result<(), String> {
    let address = ["html_url", "url"].iter().find_map(|name| fields.get(*name)).and_then(Json::as_str);
    rest.source_key =
        address.map(str::to_owned).or_else(|| number.map(|number| format!("{NUMBERED}{number}")));
    rest.source_key
        .as_ref()
        .map(|_| ())
        .ok_or_else(|| "the issue has neither number nor address; give it a number".to_owned())
}

/// The state of an issue, and ours where it says more.
fn status(fields: &mut Object, carried: Option<&str>) -> Result<Status, String> {
    let state = take_text(fields, &["state"])?.unwrap_or_else(|| "open".to_owned()).to_lowercase();
    let reason = take_text(fields, &["state_reason", "stateReason"])?.unwrap_or_default();
    let abandoned = told(&Json::String(reason.clone())) == Status::Cancelled;
    let status = match (state.as_str(), abandoned) {
        ("open", _) => Status::Open,
        ("closed", false) => Status::Done,
        ("closed", true) => Status::Cancelled,
        _ => return Err(format!("state is {state:?}, neither open nor closed; write one of them")),
    };
    if !reason.is_empty() && reason.to_lowercase() != reason_of(status) {
        fields.insert("state_reason".to_owned(), Json::String(reason));
    }
    let carried = carried.map(crate::wire::item::status).transpose()?;
    Ok(carried.filter(|carried| carried.is_finished() == status.is_finished()).unwrap_or(status))
}

/// The status that a reason goes with which is not the usual one of that status.
fn told(reason: &Json) -> Status {
    match reason.as_str().unwrap_or_default().to_lowercase().as_str() {
        "duplicate" | "not_planned" => Status::Cancelled,
        "reopened" => Status::Open,
        _ => Status::Done,
    }
}

fn reason_of(status: Status) -> &'static str {
    match status {
        Status::Done => "completed",
        Status::Cancelled => "not_planned",
        Status::Open | Status::InProgress | Status::Blocked => "",
    }
}

pub(crate) fn write(entries: &[Entry]) -> String {
    let issued: Vec<Option<u64>> = entries.iter().map(number).collect();
    let mut taken: HashSet<u64> = issued.iter().flatten().copied().collect();
    let mut next = 1;
    let issues: Vec<Json> = entries
        .iter()
        .zip(issued)
        .map(|(entry, number)| {
            let number = number.unwrap_or_else(|| {
                while !taken.insert(next) {
                    next += 1;
                }
                next
            });
            issue(entry, number)
        })
        .collect();
    format!("{:#}\n", Json::Array(issues))
}

/// The number that an item had as an issue.
fn number(entry: &Entry) -> Option<u64> {
    let key = entry.item.source_key.as_deref()?;
    let digits = match key.strip_prefix(NUMBERED) {
        Some(digits) => digits,
        None => key.rsplit_once("/issues/").or_else(|| key.rsplit_once("/pull/"))?.1,
    };
    digits.parse().ok()
}

fn issue(entry: &Entry, number: u64) -> Json {
    let item = &entry.item;
    let (mut rest, mut own) = Rest::of(entry, Format::Issues);
    (rest.created_at, rest.updated_at) = (None, None);
    let closed = item.status.is_finished();
    // Why it was closed, as long as it is.
    let reason = own.shift_remove("state_reason").filter(|reason| told(reason) == item.status);
    let reason = reason.or_else(|| closed.then(|| json!(reason_of(item.status))));
    let mut issue = Object::from_iter([
        ("number".to_owned(), json!(number)),
        ("title".to_owned(), json!(item.title)),
        ("body".to_owned(), json!(item.description)),
        ("state".to_owned(), json!(if closed { "closed" } else { "open" })),
        ("state_reason".to_owned(), json!(reason)),
        ("created_at".to_owned(), json!(Moment(item.created_at))),
        ("updated_at".to_owned(), json!(Moment(item.updated_at))),
        ("closed_at".to_owned(), json!(closed.then_some(Moment(item.status_at)))),
    ]);
    issue.extend(own);
    issue.insert(NAME.to_owned(), serde_json::to_value(rest).expect("our shapes are valid JSON"));
    Json::Object(issue)
}
