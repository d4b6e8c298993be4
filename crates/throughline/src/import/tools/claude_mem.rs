//! claude-mem's database: what it observed in sessions, and what it wrote about each at its end. It keeps every project in one
//! file.

use std::path::Path;

use anyhow::{Result, bail};
use throughline_engine::store::another::{Another, Named, Wanted};
use throughline_engine::store::memory::Kind;
use throughline_engine::store::sql::Value;
use throughline_engine::store::time::Timestamp;

use super::{Kept, Told, kind_named};
use crate::wire::error::unread;

const USUALLY: &str = "name its database, usually ~/.claude-mem/claude-mem.db";

/// What a session's summary says, by column, and the words that say what it is.
const SUMMARY: [(&str, &str); 4] =
    [("learned", "Learned"), ("completed", "Completed"), ("next_steps", "Next steps"), ("notes", "Notes")];

pub(super) fn read(path: &Path, belongs: &dyn Fn(&str) -> bool) -> Result<Kept> {
    if std::fs::metadata(path).map_err(|error| unread(path, &error))?.is_dir() {
        bail!("{} is a folder; {USUALLY}", path.display());
    }
    let database = Another::open(path)?;
    let rows = |table| database.as_ref().map_or(Ok(None), |database| database.rows(table, Wanted::default()));
    let (observations, summaries) = (rows("observations")?, rows("session_summaries")?);
    if observations.is_none() && summaries.is_none() {
        bail!("{} is no database of claude-mem: it has no observations; {USUALLY}", path.display());
    }
    let mut kept = Kept::default();
    for row in observations.unwrap_or_default() {
        if is_wanted(&row, belongs, &mut kept) {
            observation(&row, &mut kept);
        }
    }
    for row in summaries.unwrap_or_default() {
        if is_wanted(&row, belongs, &mut kept) {
            summary(&row, &mut kept);
        }
    }
    Ok(kept)
}

/// A project that was merged into another belongs there.
fn is_wanted(row: &Named, belongs: &dyn Fn(&str) -> bool, kept: &mut Kept) -> bool {
    let project = text(row, "merged_into_project").or_else(|| text(row, "project")).unwrap_or_default();
    let is_wanted = belongs(project);
    kept.of_others += usize::from(!is_wanted);
    is_wanted
}

fn observation(row: &Named, kept: &mut Kept) {
    let told = ["narrative", "text", "subtitle"].iter().find_map(|name| text(row, name));
    let facts = text(row, "facts").and_then(|facts| serde_json::from_str::<Vec<String>>(facts).ok());
    let mut said: Vec<String> = told.map(str::to_owned).into_iter().collect();
    said.extend(facts.into_iter().flatten().map(|fact| format!("- {fact}")));
    let title = text(row, "title").map(str::to_owned);
    if said.is_empty() {
        said.extend(title.clone());
    }
    let concepts = text(row, "concepts").and_then(|list| serde_json::from_str::<Vec<String>>(list).ok());
    let sort = text(row, "type").unwrap_or_default();
    let mut tags = vec![sort.to_owned()];
    tags.extend(concepts.into_iter().flatten());
    tags.truncate(MAX_TAGS);
    kept.add(Told {
        kind: kind_named(sort),
        title,
        text: said.join("\n"),
        tags,
        at: moment(row),
        place: place("observations", row),
    });
}

/// The tool's own tag comes on top.
const MAX_TAGS: usize = 20;

fn summary(row: &Named, kept: &mut Kept) {
    let part = |(column, word): &(&str, &str)| text(row, column).map(|text| format!("{word}: {text}"));
    let said: Vec<String> = SUMMARY.iter().filter_map(part).collect();
    kept.add(Told {
        kind: Kind::Context,
        title: text(row, "request").map(|asked| asked.chars().take(200).collect()),
        text: said.join("\n"),
        tags: vec!["session summary".to_owned()],
        at: moment(row),
        place: place("session_summaries", row),
    });
}

fn text<'a>(row: &'a Named, name: &str) -> Option<&'a str> {
    match row.get(name) {
        Some(Value::Text(text)) if !text.trim().is_empty() => Some(text.trim()),
        _ => None,
    }
}

/// Milliseconds since 1970.
fn moment(row: &Named) -> Option<Timestamp> {
    match row.get("created_at_epoch") {
        Some(Value::Int(milliseconds)) => milliseconds.checked_mul(1000).map(Timestamp),
        _ => None,
    }
}

fn place(table: &str, row: &Named) -> String {
    match row.get("id") {
        Some(Value::Int(id)) => format!("{table} {id}"),
        _ => table.to_owned(),
    }
}
