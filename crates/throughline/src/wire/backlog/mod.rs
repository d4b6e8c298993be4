//! The backlog in the formats of others: markdown files, GitHub-style issues, beads.
//!
//! Each format has its own fields; what it has no place for goes with it under a name of ours (`Rest`), and what a file
//! has that an item has no field for is kept with the item, by format, and comes back when that format is written.

pub(crate) mod beads;
pub(crate) mod issues;
pub(crate) mod markdown;

mod elements;
mod rest;
mod yaml;

use serde_json::{Map, Value as Json};
use throughline_engine::backlog::Source;
use throughline_engine::store::id::text_enum;

text_enum! {
    Format {
        Markdown = "markdown",
        Issues = "issues",
        Beads = "beads",
    }
}

/// A text and where it is from.
#[derive(Debug, Clone)]
pub(crate) struct File {
    /// As a person would name it.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The items of a file.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) sources: Vec<Source>,
    /// What could not be kept.
    pub(crate) lost: Vec<String>,
}

type Object = Map<String, Json>;

impl Format {
    /// What a file is written in, by its name and by how it begins.
    pub(crate) fn of(file: &File) -> Format {
        let name = file.name.to_lowercase();
        let text = file.text.trim_start_matches('\u{feff}').trim_start();
        if name.ends_with(".md") || name.ends_with(".markdown") || text.starts_with("---") {
            return Format::Markdown;
        }
        if name.ends_with(".jsonl") || name.ends_with(".ndjson") {
            return Format::Beads;
        }
        let looks_like_beads = text.starts_with('{') && text.lines().next().is_some_and(is_a_bead);
        if looks_like_beads { Format::Beads } else { Format::Issues }
    }

    pub(crate) fn read(self, file: &File) -> Result<Read, String> {
        match self {
            Format::Markdown => markdown::read(file),
            Format::Issues => issues::read(file),
            Format::Beads => beads::read(file),
        }
    }
}

fn is_a_bead(line: &str) -> bool {
    let object = serde_json::from_str::<Object>(line).unwrap_or_default();
    object.get("id").is_some_and(Json::is_string) && !object.contains_key("number")
}

#[cfg(test)]
mod tests;
