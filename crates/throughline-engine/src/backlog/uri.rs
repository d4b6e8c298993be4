//! The addresses of what can be read by itself: `throughline://item/TASK-0001`, `throughline://resource/notes/plan.md`.

use crate::{Error, Result};

/// What an address stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Uri {
    Item(String),
    /// By its path.
    Resource(String),
    /// Something else of ours: the sort and the rest.
    Other(String, String),
}

const OWN: &str = "throughline://";
/// What earlier backlogs called the same documents.
const EARLIER: &str = "mcp://backlog/";
const MAX_PATH_BYTES: usize = 1024;
const SORTS: [&str; 5] = ["memory", "session", "event", "checkpoint", "project"];

impl Uri {
    pub(super) const SCHEMES: [&'static str; 2] = [OWN, EARLIER];

    /// Reads an address; one whose path would lead out of its place is refused.
    pub fn parse(text: &str) -> Result<Uri> {
        let own = text.strip_prefix(OWN);
        let Some(path) = own.or_else(|| text.strip_prefix(EARLIER)) else {
            return Err(Error::Invalid(format!(
                "{text:?} is no address of ours; write {OWN}resource/PATH, for example {OWN}resource/notes/plan.md"
            )));
        };
        let (first, rest) = path.split_once('/').unwrap_or((path, ""));
        match first {
            "item" | "items" => Ok(Uri::Item(rest.to_owned())),
            "resource" | "resources" => Uri::resource(rest),
            sort if own.is_some() && SORTS.contains(&sort) => {
                Ok(Uri::Other(sort.to_owned(), rest.to_owned()))
            }
            _ => Uri::resource(path),
        }
    }

    fn resource(path: &str) -> Result<Uri> {
        let refused =
            |why: &str| Err(Error::Invalid(format!("the path {path:?} {why}; write one like notes/plan.md")));
        if path.is_empty() || path.ends_with('/') {
            return refused("names no document");
        }
        if path.len() > MAX_PATH_BYTES {
            return refused("is longer than 1,024 bytes");
        }
        let plain =
            plain(path).filter(|plain| !plain.contains(|c: char| c.is_control() || "\\?#".contains(c)));
        let Some(plain) = plain else { return refused("has a character that paths cannot have") };
        let steps_out = |segment: &str| segment.trim_matches(['.', ' ']).is_empty();
        if plain.split('/').any(steps_out) || plain.contains(':') {
            return refused("leads out of its place");
        }
        Ok(Uri::Resource(path.to_owned()))
    }

    pub fn of_item(id: &str) -> String {
        format!("{OWN}item/{id}")
    }

    pub fn of_resource(path: &str) -> String {
        format!("{OWN}resource/{path}")
    }
}

/// A path without the other ways of writing its characters: a step out of the folder is one however it is spelt.
fn plain(path: &str) -> Option<String> {
    let mut path = path.to_owned();
    loop {
        let decoded = decoded(&path)?;
        if decoded == path {
            break;
        }
        path = decoded;
    }
    // Dots and slashes that some programs take for the plain ones.
    Some(
        path.replace('\u{2025}', "..")
            .replace(['\u{ff0e}', '\u{2024}'], ".")
            .replace(['\u{ff0f}', '\u{2215}'], "/"),
    )
}

/// Nothing when what is written with percent signs is no text.
fn decoded(path: &str) -> Option<String> {
    let bytes = path.as_bytes();
    let mut plain = vec![];
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes
            .get(at + 1..at + 3)
            .filter(|_| bytes[at] == b'%')
            .and_then(|digits| str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(plain).ok()
}
