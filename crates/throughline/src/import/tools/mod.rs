//! What other memory tools keep, as statements; one file for each tool, each reading that tool's own format.

mod basic_memory;
mod claude_mem;
mod mem0;
mod server_memory;

use std::path::Path;

use anyhow::{Result, bail};
use throughline_engine::capture::mark;
use throughline_engine::store::memory::Kind;
use throughline_engine::store::time::Timestamp;

use crate::wire::error::unread;

/// Whose memory it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    BasicMemory,
    ClaudeMem,
    Mem0,
    ServerMemory,
}

/// One thing that the tool remembered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    pub(crate) kind: Kind,
    pub(crate) title: Option<String>,
    pub(crate) text: String,
    pub(crate) tags: Vec<String>,
    pub(crate) at: Option<Timestamp>,
    /// Where it stands: a file and its line, a table and its row.
    pub(crate) place: String,
}

/// What a file or folder held.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) told: Vec<Told>,
    /// What is not taken in, each with its place and why.
    pub(crate) left_out: Vec<String>,
    /// What belongs to other projects.
    pub(crate) of_others: usize,
}

const MAX_BYTES: u64 = 256 << 20;
const MIN_WORDS: usize = 3;
const MAX_TAG_BYTES: usize = 100;

impl Tool {
    /// What it is called, and the tag of what comes from it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Tool::BasicMemory => "basic-memory",
            Tool::ClaudeMem => "claude-mem",
            Tool::Mem0 => "mem0",
            Tool::ServerMemory => "server-memory",
        }
    }

    /// `belongs` says whether what is kept for a project of that name is wanted.
    pub(crate) fn read(self, path: &Path, belongs: &dyn Fn(&str) -> bool) -> Result<Kept> {
        match self {
            Tool::BasicMemory => basic_memory::read(path),
            Tool::ClaudeMem => claude_mem::read(path, belongs),
            Tool::Mem0 => Ok(mem0::read(&text_of(path)?, &name_of(path))),
            Tool::ServerMemory => Ok(server_memory::read(&text_of(path)?, &name_of(path))),
        }
    }
}

impl Kept {
    /// Keeps what says something; what is left out is told.
    fn add(&mut self, told: Told) {
        let text = mark::strip(&told.text).trim().to_owned();
        match worthless(&text) {
            Some(why) => self.left_out.push(format!("{}: {why}", told.place)),
            None => self.told.push(Told {
                text,
                tags: told.tags.iter().filter_map(|tag| tag_of(tag)).collect(),
                ..told
            }),
        }
    }
}

/// Tools that record everything also record noise.
fn worthless(text: &str) -> Option<&'static str> {
    let is_json = text.starts_with(['{', '[']) && serde_json::from_str::<serde_json::Value>(text).is_ok();
    match () {
        () if is_json => Some("is raw JSON, no statement"),
        () if text.split_whitespace().count() < MIN_WORDS => Some("says too little"),
        () => None,
    }
}

fn tag_of(text: &str) -> Option<String> {
    let mut tag: String = text.trim().chars().filter(|c| !c.is_control()).collect();
    while tag.len() > MAX_TAG_BYTES {
        tag.pop();
    }
    (!tag.is_empty()).then_some(tag)
}

fn text_of(path: &Path) -> Result<String> {
    let size = std::fs::metadata(path).map_err(|error| unread(path, &error))?.len();
    if size > MAX_BYTES {
        bail!("{} has {size} bytes and at most {MAX_BYTES} are read; split it", path.display());
    }
    let bytes = std::fs::read(path).map_err(|error| unread(path, &error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Kinds as other tools name them.
fn kind_named(name: &str) -> Kind {
    match name.to_lowercase().as_str() {
        "decision" | "decisions" => Kind::Decision,
        "preference" | "preferences" | "user_preferences" => Kind::Preference,
        "rule" | "rules" | "requirement" | "constraint" | "convention" | "guideline" => Kind::Rule,
        "technique" | "procedure" | "how-to" | "howto" | "skill" => Kind::Skill,
        _ => Kind::Fact,
    }
}
