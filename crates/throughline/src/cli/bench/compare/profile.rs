//! How a memory server is started and called: a small file for each.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::wire::error::unread;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Profile {
    pub(super) name: String,
    /// What a reader of the table must know.
    pub(super) note: Option<String>,
    /// `{installed}`, `{data}` (an empty folder) and `{throughline}` (this program) are filled in, here and in `env`.
    pub(super) command: Vec<String>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
    /// Called once before everything else.
    pub(super) prepare: Option<Call>,
    /// `{text}`, `{title}` (what it is about), `{key}` (the same without spaces) and `{number}` are filled in.
    pub(super) store: Call,
    /// For a value that takes the place of another; stored like any other where there is no such tool.
    pub(super) replace: Option<Call>,
    pub(super) search: Search,
    /// How an answer begins that says that a text was not taken, from servers that do not mark it as an error.
    pub(super) refusal: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) tool: String,
    #[serde(default)]
    pub(super) arguments: Json,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    pub(super) tool: String,
    /// `{query}` and `{limit}` are filled in.
    pub(super) arguments: Json,
    /// Where the hits are in the JSON of the answer, as a JSON pointer.
    pub(super) hits: Option<String>,
    /// What stands before each hit where the answer is plain text.
    pub(super) each_begins: Option<String>,
}

impl Profile {
    pub(super) fn read(path: &Path) -> Result<Profile> {
        let text = std::fs::read_to_string(path).map_err(|error| unread(path, &error))?;
        toml::from_str(&text).with_context(|| format!("{} is no profile; correct it", path.display()))
    }
}

/// The text with each `{name}` replaced.
pub(super) fn filled(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// The same in every text of a document. A text that is nothing but a number's name becomes the number.
pub(super) fn filled_json(value: &Json, values: &[(&str, &str)]) -> Json {
    match value {
        Json::String(text) => {
            let whole = values.iter().find(|(name, _)| *text == format!("{{{name}}}"));
            let number = whole.filter(|(name, _)| ["limit", "number"].contains(name));
            match number.and_then(|(_, value)| value.parse::<u64>().ok()) {
                Some(number) => Json::from(number),
                None => Json::String(filled(text, values)),
            }
        }
        Json::Array(entries) => entries.iter().map(|entry| filled_json(entry, values)).collect(),
        Json::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), filled_json(field, values))).collect()
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => value.clone(),
    }
}
