//! Memories that cite code: which lines of which file, and a hash by which it shows on reading whether they are still the same.

use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use serde_json::{Value as Json, json};
use throughline_store::Connection;
use throughline_store::memory::{self, Memory, Source};

use super::statement::{Cause, Draft};
use super::{Change, Remembered};
use crate::index::terms::term_id;
use crate::{Caller, Engine, Error, Result};

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
/// So much is hashed to find lines that are not in their place.
const MAX_HASHED_BYTES: usize = 8 * 1024 * 1024;
/// So many are kept with a memory, and so many are looked at when it is read.
pub(super) const MOST: usize = 8;

impl Citation {
    /// `src/cart.rs:10-20`, `src/cart.rs:10` or a whole file, read now.
    pub fn read(root: &Path, text: &str) -> Result<Citation> {
        let (path, range) = split(text);
        let lines = Lines::read(root, &path).map_err(|_| {
            Error::NotFound(format!(
                "there is no readable file {path:?} below the project's folder to cite; write PATH, PATH:LINE or PATH:FIRST-LAST"
            ))
        })?;
        let (first, last) = range.unwrap_or((1, lines.count()));
        match lines.window(first, last).map(hash) {
            Some(hash) => Ok(Citation { path, first, last, hash }),
            None => Err(Error::Invalid(format!(
                "{path} has {} lines; cite some of those, from 1 on and the first before the last",
                lines.count()
            ))),
        }
    }

    /// What has become of it by now.
    pub fn now(&self, root: &Path) -> Code {
        match Lines::read(root, &self.path) {
            Ok(lines) => match self.find(&lines) {
                Some(first) if first == self.first => Code::Same,
                Some(first) => Code::Moved { first },
                None => Code::Changed,
            },
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Code::Gone,
                _ => Code::Unknown,
            },
        }
    }

    /// Where the lines begin, nearest to their old place; many lines are known again only when it is near.
    // One hash is kept for all of them: places times length, and never more than MAX_HASHED_BYTES.
    fn find(&self, lines: &Lines) -> Option<usize> {
        let further = self.last - self.first;
        let mut places: Vec<usize> = (1..=lines.count().saturating_sub(further)).collect();
        places.sort_by_key(|first| first.abs_diff(self.first));
        let mut bytes_left = MAX_HASHED_BYTES;
        for first in places {
            let window = lines.window(first, first + further)?;
            bytes_left = bytes_left.checked_sub(window.len())?;
            if hash(window) == self.hash {
                return Some(first);
            }
        }
        None
    }

    /// The same lines as one of those cites them.
    fn as_in(&self, others: &[Citation]) -> Citation {
        let place = |one: &Citation| (one.path.clone(), one.first, one.last);
        others.iter().find(|other| place(other) == place(self)).unwrap_or(self).clone()
    }

    pub(super) fn json(&self) -> Json {
        json!({ "path": self.path, "first": self.first, "last": self.last, "hash": self.hash })
    }
}

impl Engine {
    /// Who says a memory again of the same lines has looked at them: they are kept as they are now.
    pub(super) fn renew_citations(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (draft, kept): (&Draft, Remembered),
    ) -> Result<Remembered> {
        let Cause::Said { session, opening } = &draft.cause else { return Ok(kept) };
        let known = citations(kept.memory.cites.as_deref());
        let now = citations(draft.memory.cites.as_deref());
        let renewed: Vec<Citation> = known.iter().map(|cited| cited.as_in(&now)).collect();
        if draft.memory.source == Source::ToolOutput || renewed == known {
            return Ok(kept);
        }
        let cites = packed(&renewed);
        memory::set_cites(tx, &caller.project, &kept.memory.id, cites.as_deref())?;
        let why = Some("said again of the same lines, which have changed");
        self.note_memory_change(
            tx,
            caller,
            &kept.memory,
            &Change { what: "cited anew", why, session, opening },
        )?;
        Ok(Remembered { memory: Memory { cites, ..kept.memory }, ..kept })
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

/// The lines of a file without their indentation: that does not make them others.
struct Lines {
    text: String,
    /// Where each begins in the text, and at last where one more would.
    starts: Vec<usize>,
}

impl Lines {
    fn read(root: &Path, path: &str) -> io::Result<Lines> {
        let file = inside(root, path)?;
        let about = fs::metadata(&file)?;
        if !about.is_file() || about.len() > MAX_FILE_BYTES {
            return Err(io::Error::other("not a file, or too large"));
        }
        Ok(Lines::of(&fs::read_to_string(file)?))
    }

    fn of(contents: &str) -> Lines {
        let (mut text, mut starts) = (String::with_capacity(contents.len() + 1), vec![0]);
        // An empty file is one empty line.
        for line in contents.lines().chain(contents.is_empty().then_some("")) {
            text.push_str(line.trim());
            text.push('\n');
            starts.push(text.len());
        }
        Lines { text, starts }
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// From the first to the last, counted from 1, if all of them are there.
    fn window(&self, first: usize, last: usize) -> Option<&str> {
        let start = *self.starts.get(first.checked_sub(1)?)?;
        let end = self.starts.get(last)?.checked_sub("\n".len())?;
        self.text.get(start..end)
    }
}

/// The file below the root; whatever is outside of it counts as not there.
fn inside(root: &Path, path: &str) -> io::Result<PathBuf> {
    let outside = || io::Error::from(io::ErrorKind::NotFound);
    if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(outside());
    }
    let file = root.join(path).canonicalize()?;
    if file.starts_with(root.canonicalize()?) { Ok(file) } else { Err(outside()) }
}

fn hash(window: &str) -> String {
    format!("{:016x}", term_id(window))
}
