//! TOML: a table with a name of ours goes in at the end or out again.

use anyhow::{Context as _, Result, bail};
use serde_json::Value as Json;
use toml_edit::{Document, DocumentMut, Item, Table};

use super::{edited, line_and_column, newline};

pub(crate) fn value(text: &str) -> Result<Json> {
    parse(text)?;
    let table: toml::Table = text.parse()?;
    Ok(serde_json::to_value(table)?)
}

/// Adds the table `[within.name]`, which is not there yet.
pub(crate) fn insert(text: &str, within: &str, name: &str, entry: &Json) -> Result<String> {
    let document = parse(text)?;
    match document.as_table().get(within) {
        None | Some(Item::Table(_)) => {}
        Some(Item::Value(toml_edit::Value::InlineTable(_))) => {
            return rewritten(text, |document| {
                let table = document[within].as_table_like_mut().context("it was a table")?;
                table.insert(name, Item::Value(toml_value(entry)?));
                Ok(())
            });
        }
        Some(other) => {
            let (line, column) = line_and_column(text, other.span().map_or(0, |span| span.start));
            bail!("line {line}, column {column}: {within} is not a table; make it one");
        }
    }
    let newline = newline(text);
    let gap = match text {
        "" => String::new(),
        _ if text.ends_with('\n') => newline.to_owned(),
        _ => newline.repeat(2),
    };
    let mut block = format!("{gap}[{within}.{name}]{newline}");
    for (key, value) in entry.as_object().into_iter().flatten() {
        block.push_str(&format!("{key} = {}{newline}", toml_value(value)?));
    }
    Ok(format!("{text}{block}"))
}

/// Takes the table out, with the tables below it and the blank line before it.
pub(crate) fn remove(text: &str, within: &str, name: &str) -> Result<String> {
    let document = parse(text)?;
    let item = document.as_table().get(within).and_then(|item| item.get(name));
    let (Some(Item::Table(table)), Some(Item::Table(_))) = (item, document.as_table().get(within)) else {
        return rewritten(text, |document| {
            let table = document.get_mut(within).and_then(Item::as_table_like_mut);
            table.and_then(|table| table.remove(name)).context("it is not there")?;
            Ok(())
        });
    };
    if table.is_dotted() {
        bail!("{within}.{name} is written with dotted keys; remove it by hand");
    }
    let mut spans = Vec::new();
    collect(table, &mut spans);
    let edits = spans.into_iter().map(|span| (lines_of(text, span), String::new())).collect();
    Ok(edited(text, edits))
}

/// From the header to the last value, for the table and each below it.
fn collect(table: &Table, spans: &mut Vec<std::ops::Range<usize>>) {
    if let Some(header) = table.span().filter(|_| !table.is_implicit()) {
        let values = table.iter().filter_map(|(_, item)| item.as_value().and_then(toml_edit::Value::span));
        let end = values.map(|span| span.end).max().unwrap_or(header.end).max(header.end);
        spans.push(header.start..end);
    }
    for (_, item) in table.iter() {
        if let Item::Table(inner) = item {
            collect(inner, spans);
        }
    }
}

/// Whole lines, with one blank line before them.
fn lines_of(text: &str, span: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |newline| span.end + newline + 1);
    let before = &text[..start];
    let blank = ["\r\n", "\n"].iter().find_map(|newline| {
        let rest = before.strip_suffix(newline)?;
        (rest.is_empty() || rest.ends_with('\n')).then_some(newline.len())
    });
    start - blank.unwrap_or(0)..end
}

/// For tables in one line: the editor of the format, where it gives back what it was given.
fn rewritten(text: &str, change: impl FnOnce(&mut DocumentMut) -> Result<()>) -> Result<String> {
    let mut document: DocumentMut = text.parse()?;
    if document.to_string() != text {
        bail!("its inline tables cannot be changed without touching the rest; write them as [tables]");
    }
    change(&mut document)?;
    Ok(document.to_string())
}

fn parse(text: &str) -> Result<Document<&str>> {
    Document::parse(text).map_err(|error| {
        let (line, column) = line_and_column(text, error.span().map_or(0, |span| span.start));
        anyhow::anyhow!("line {line}, column {column}: {}", error.message().trim())
    })
}

fn toml_value(value: &Json) -> Result<toml_edit::Value> {
    Ok(match value {
        Json::String(text) => text.as_str().into(),
        Json::Bool(truth) => (*truth).into(),
        Json::Number(number) => number.as_i64().context("our numbers are whole")?.into(),
        Json::Array(items) => {
            let items = items.iter().map(toml_value).collect::<Result<Vec<_>>>()?;
            toml_edit::Value::Array(items.into_iter().collect())
        }
        Json::Object(members) => {
            let mut table = toml_edit::InlineTable::new();
            for (name, value) in members {
                table.insert(name, toml_value(value)?);
            }
            table.into()
        }
        Json::Null => bail!("TOML has no null"),
    })
}

#[cfg(test)]
mod tests;
