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
        if path.chars().any(|c| c.is_control() || "\\?#".contains(c)) {
            return refused("has a character that paths cannot have");
        }
        // Written in another way, a step out of the folder is still one.
        let plain = path.replace("%2e", ".").replace("%2E", ".").replace("%2f", "/").replace("%2F", "/");
        let steps_out = |segment: &str| segment.is_empty() || segment.trim_matches(['.', ' ']).is_empty();
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
