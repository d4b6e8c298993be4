//! Which files say what people want to be known: instructions for agents in the project, and Claude Code's own memory.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Result;
use throughline_engine::remember::files::SYNCED;
use throughline_engine::store::memory::{Kind, Scope};

use super::Homes;
use super::folder::paths_in;
use super::markdown::{self, Stated};
use crate::wire::error::unread;

/// A statement with where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    pub(crate) scope: Scope,
    pub(crate) title: Option<String>,
    pub(crate) text: String,
    /// `AGENTS.md:12`
    pub(crate) place: String,
}

/// A file and what it states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// As it is called in the project; the tag of what it states.
    pub(crate) name: String,
    pub(crate) found: Vec<Found>,
}

const INSTRUCTIONS: [&str; 7] = [
    "AGENTS.md",
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    ".cursorrules",
    ".github/copilot-instructions.md",
];
const INDEX: &str = "MEMORY.md";
const MAX_FILE_BYTES: u64 = 4 << 20;
const MAX_INCLUDES: usize = 50;
const MAX_TAG_BYTES: usize = 100;
/// What `install` writes says nothing that people have said.
const OURS: &str = "written by `throughline install`";

/// The files of instructions that the project has.
pub(crate) fn instructions(root: &Path) -> Vec<PathBuf> {
    INSTRUCTIONS.iter().map(|name| root.join(name)).filter(|path| path.is_file()).collect()
}

/// Claude Code's memory of the project: its own folder, and what the project keeps itself.
pub(crate) fn claude_memory(root: &Path, homes: Option<&Homes>) -> Result<Vec<PathBuf>> {
    let mut found = claude_own_memory(root, homes)?;
    found.extend(files_in(&root.join(".claude/memory"), ".memory.md")?);
    found.sort();
    Ok(found)
}

/// What Claude Code writes by itself, outside the project.
pub(crate) fn claude_own_memory(root: &Path, homes: Option<&Homes>) -> Result<Vec<PathBuf>> {
    let folder = homes.map(|homes| homes.claude_project(root).join("memory"));
    folder.map_or(Ok(vec![]), |folder| files_in(&folder, ".md"))
}

fn files_in(folder: &Path, end: &str) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(vec![]);
    }
    let mut found = paths_in(folder)?;
    found.retain(|path| path.to_string_lossy().ends_with(end) && path.is_file());
    Ok(found)
}

/// What the files state, with what they include from inside the project, each file once.
pub(crate) fn read(root: &Path, files: Vec<PathBuf>) -> Result<Vec<Source>> {
    let real_root = fs::canonicalize(root).map_err(|error| unread(root, &error))?;
    let mut waiting: Vec<PathBuf> = files.into_iter().rev().collect();
    let (mut seen, mut sources) = (vec![], vec![]);
    while let Some(path) = waiting.pop() {
        let told = |error| unread(&path, &error);
        let real = fs::canonicalize(&path).map_err(told)?;
        if seen.contains(&real) || seen.len() > MAX_INCLUDES {
            continue;
        }
        seen.push(real.clone());
        let Some(text) = read_text(&path).map_err(told)? else { continue };
        let folder = real.parent().unwrap_or(&real_root);
        let included =
            markdown::includes(&text).into_iter().filter_map(|name| fs::canonicalize(folder.join(name)).ok());
        waiting.extend(included.filter(|path| path.starts_with(&real_root) && path.is_file()));
        let name = name(&real_root, &real);
        sources.push(Source { found: found(&path, &name, &text), name });
    }
    Ok(sources)
}

fn read_text(path: &Path) -> io::Result<Option<String>> {
    if fs::metadata(path)?.len() > MAX_FILE_BYTES {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    // What is in step with the memories has nothing to bring.
    Ok(Some(text).filter(|text| !text.contains(OURS) && !text.contains(SYNCED)))
}

fn found(path: &Path, name: &str, text: &str) -> Vec<Found> {
    let is_index = path.file_name().is_some_and(|name| name == INDEX);
    if let Some(memory) = whole(name, text).filter(|_| !is_index) {
        return vec![memory];
    }
    let folder = path.parent().unwrap_or(path);
    // The index repeats what the files beside it say.
    let repeats = |stated: &Stated| {
        let linked = stated.text.split("](").nth(1).and_then(|rest| rest.split(')').next());
        is_index && linked.is_some_and(|linked| folder.join(linked).is_file())
    };
    let statements = markdown::stated(text).into_iter().filter(|stated| !repeats(stated));
    let one = |stated: Stated| Found {
        kind: markdown::kind(&stated),
        scope: Scope::App,
        title: None,
        place: format!("{name}:{}", stated.line),
        text: stated.text,
    };
    statements.map(one).collect()
}

/// A memory file of Claude Code is one memory, told apart by what stands before it.
fn whole(name: &str, text: &str) -> Option<Found> {
    let (front, body) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    let field = |key: &str| {
        let line = front.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(':'))?;
        Some(line.trim().trim_matches(['"', '\'']).to_owned()).filter(|value| !value.is_empty())
    };
    let kind = match field("type")?.as_str() {
        "user" => Kind::Preference,
        "feedback" => Kind::Rule,
        "project" | "reference" => Kind::Fact,
        _ => return None,
    };
    let body = throughline_engine::capture::mark::strip(body).trim().to_owned();
    let title = field("description").or_else(|| field("name"));
    let place = format!("{name}:{}", front.lines().count() + 3);
    // What it knows of the person is nobody else's.
    let scope = if kind == Kind::Preference { Scope::User } else { Scope::App };
    (!body.is_empty()).then_some(Found { kind, scope, title, text: body, place })
}

/// The path in the project, or the last two parts of one outside.
fn name(root: &Path, path: &Path) -> String {
    let outside =
        || path.components().rev().take(2).collect::<Vec<_>>().into_iter().rev().collect::<PathBuf>();
    let below = path.strip_prefix(root).map_or_else(|_| outside(), Path::to_owned);
    let mut name: String = below.display().to_string().replace('\\', "/");
    name.retain(|c| !c.is_control());
    while name.len() > MAX_TAG_BYTES {
        name.remove(0);
    }
    name
}
