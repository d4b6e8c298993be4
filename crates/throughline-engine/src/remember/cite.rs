//! Memories that cite code: which lines of which file, and a hash by which it shows on reading whether they are still the same.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::index::terms::term_id;
use crate::{Error, Result};

/// Lines of a file as they were when a memory was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// Below the project's root.
    pub path: String,
    /// From 1.
    pub first: usize,
    pub last: usize,
    pub hash: String,
}

/// How cited lines are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    Same,
    /// The same lines, beginning at another one.
    Moved {
        first: usize,
    },
    Changed,
    /// The file is not there.
    Gone,
    /// Too large, or not to be read.
    Unknown,
}

const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// So many are kept with a memory, and so many are looked at when it is read.
pub(super) const MOST: usize = 8;

impl Citation {
    /// `src/cart.rs:10-20`, `src/cart.rs:10` or a whole file, read now.
    pub fn read(root: &Path, text: &str) -> Result<Citation> {
        let (path, range) = split(text);
        let lines = match inside(root, &path).map(|file| contents(&file)) {
            Some(Found::Lines(lines)) => lines,
            _ => {
                return Err(Error::NotFound(format!(
                    "there is no readable file {path:?} below the project's folder to cite"
                )));
            }
        };
        let (first, last) = range.unwrap_or((1, lines.len().max(1)));
        if first == 0 || first > last || last > lines.len().max(1) {
            return Err(Error::Invalid(format!("{path} has {} lines; cite some of those", lines.len())));
        }
        let hash = hash(&lines[first - 1..last.min(lines.len())]);
        Ok(Citation { path, first, last, hash })
    }

    /// What has become of it by now.
    pub fn now(&self, root: &Path) -> Code {
        let Some(file) = inside(root, &self.path) else { return Code::Gone };
        let lines = match contents(&file) {
            Found::Lines(lines) => lines,
            Found::Nothing => return Code::Gone,
            Found::Unreadable => return Code::Unknown,
        };
        let length = self.last + 1 - self.first;
        let is_here = |first: usize| {
            lines.get(first - 1..first - 1 + length).is_some_and(|lines| hash(lines) == self.hash)
        };
        if is_here(self.first) {
            return Code::Same;
        }
        let elsewhere = (1..=(lines.len() + 1).saturating_sub(length)).find(|first| is_here(*first));
        elsewhere.map_or(Code::Changed, |first| Code::Moved { first })
    }

    pub(super) fn json(&self) -> Json {
        json!({ "path": self.path, "first": self.first, "last": self.last, "hash": self.hash })
    }
}

impl Code {
    /// Whether what the memory says may not be true any more.
    pub fn is_stale(self) -> bool {
        matches!(self, Code::Changed | Code::Gone)
    }
}

/// The citations as a memory keeps them.
pub(super) fn packed(citations: &[Citation]) -> Option<String> {
    let all: Vec<Json> = citations.iter().take(MOST).map(Citation::json).collect();
    (!all.is_empty()).then(|| Json::Array(all).to_string())
}

/// What a memory cites.
pub fn citations(kept: Option<&str>) -> Vec<Citation> {
    let all: Vec<Json> = kept.and_then(|kept| serde_json::from_str(kept).ok()).unwrap_or_default();
    let citation = |json: &Json| {
        let number = |name: &str| json.get(name)?.as_u64().and_then(|n| usize::try_from(n).ok());
        let text = |name: &str| json.get(name)?.as_str().map(str::to_owned);
        let (first, last) = (number("first")?, number("last")?);
        (first > 0 && first <= last).then_some(())?;
        Some(Citation { path: text("path")?, first, last, hash: text("hash")? })
    };
    all.iter().take(MOST).filter_map(citation).collect()
}

/// The places in code that a text names, `path:10` or `path:10-20`, where they are there.
pub fn cited_in(root: &Path, text: &str) -> Vec<Citation> {
    let mut cited: Vec<Citation> = vec![];
    for word in text.split(|c: char| c.is_whitespace() || "()[]{}<>\"'`,;".contains(c)) {
        let word = word.trim_end_matches(['.', ':', '!', '?']);
        let (path, range) = split(word);
        if range.is_none() || !path.contains('.') || cited.len() == MOST {
            continue;
        }
        let known = Citation::read(root, word).ok().filter(|new| !cited.contains(new));
        cited.extend(known);
    }
    cited
}

/// The path, and the lines it names.
fn split(text: &str) -> (String, Option<(usize, usize)>) {
    let parsed = text.rsplit_once(':').and_then(|(path, lines)| {
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let number = |text: &str| text.trim_start_matches('L').parse().ok();
        Some((path.to_owned(), Some((number(first)?, number(last)?))))
    });
    parsed.unwrap_or_else(|| (text.to_owned(), None))
}

/// The file below the root, and nothing outside of it.
fn inside(root: &Path, path: &str) -> Option<PathBuf> {
    let plain =
        Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let file = root.join(path).canonicalize().ok().filter(|_| plain)?;
    file.starts_with(root.canonicalize().ok()?).then_some(file)
}

enum Found {
    Lines(Vec<String>),
    Nothing,
    Unreadable,
}

fn contents(file: &Path) -> Found {
    match fs::metadata(file) {
        Ok(about) if about.is_file() && about.len() <= MAX_FILE_BYTES => {}
        Ok(_) => return Found::Unreadable,
        Err(_) => return Found::Nothing,
    }
    match fs::read_to_string(file) {
        Ok(text) => Found::Lines(text.lines().map(str::to_owned).collect()),
        Err(_) => Found::Unreadable,
    }
}

/// How lines are indented does not make them others.
fn hash(lines: &[String]) -> String {
    let text: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    format!("{:016x}", term_id(&text.join("\n")))
}
