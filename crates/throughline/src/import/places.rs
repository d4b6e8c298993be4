//! Where clients keep what they wrote: the folders, the transcripts in them, and which folder a transcript is about.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use super::{Keeper, Line, Lines};
use crate::config::non_empty_env;

/// The folders of the clients whose history is read.
#[derive(Debug, Clone)]
pub(crate) struct Homes {
    claude: PathBuf,
    codex: PathBuf,
    gemini: PathBuf,
    opencode: PathBuf,
}

/// Where a client worked is in the first lines, or not at all.
const LINES_TO_ASK: usize = 100;
const MAX_ASKED_BYTES: usize = 4 << 20;

impl Homes {
    /// Nothing on a system that has no home folder.
    pub(crate) fn of_this_machine() -> Option<Homes> {
        let home = dirs::home_dir()?;
        let moved = |variable, usual| non_empty_env(variable).map_or_else(|| home.join(usual), PathBuf::from);
        Some(Homes {
            claude: moved("CLAUDE_CONFIG_DIR", ".claude"),
            codex: moved("CODEX_HOME", ".codex"),
            gemini: home.join(".gemini"),
            opencode: moved("XDG_DATA_HOME", ".local/share").join("opencode"),
        })
    }

    /// The folder that has a client's transcripts.
    pub(crate) fn transcripts(&self, keeper: Keeper) -> PathBuf {
        match keeper {
            Keeper::ClaudeCode => self.claude.join("projects"),
            Keeper::Codex => self.codex.join("sessions"),
            Keeper::GeminiCli => self.gemini.join("tmp"),
            Keeper::OpenCode => self.opencode.clone(),
        }
    }

    /// The folder that Claude Code keeps for work in `folder`.
    pub(crate) fn claude_project(&self, folder: &Path) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = folder.display().to_string().chars().map(plain).collect();
        self.claude.join("projects").join(name)
    }
}

impl Keeper {
    /// The transcripts in a folder and below, a parent's before its sub-agents', earlier ones first.
    pub(crate) fn transcripts_in(self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut found = vec![];
        // Below OpenCode's own folder are copies of whole projects.
        let below = if self == Keeper::OpenCode { Below::LeftOut } else { Below::Searched };
        collect(folder, below, &|path| self.keeps(path), &mut found)?;
        match self {
            Keeper::ClaudeCode => found.sort_by_cached_key(|path| {
                let main = main_transcript(path);
                (changed(main.as_deref().unwrap_or(path)), main.clone(), main.is_some(), path.clone())
            }),
            // Their names begin with when they did.
            Keeper::Codex | Keeper::GeminiCli | Keeper::OpenCode => {
                found.sort_by_cached_key(|path| (path.file_name().map(ToOwned::to_owned), path.clone()));
            }
        }
        Ok(found)
    }

    /// Where the client worked; `here` is a folder that a name made of it is compared with.
    pub(crate) fn worked_in(self, path: &Path, here: &Path) -> io::Result<Option<PathBuf>> {
        if self == Keeper::GeminiCli {
            return Ok(gemini_folder(path, here));
        }
        let mut lines = Lines::of(BufReader::new(File::open(path)?), MAX_ASKED_BYTES);
        for _ in 0..LINES_TO_ASK {
            match lines.read()? {
                None => break,
                Some(Line::Said(line)) => {
                    if let Some(folder) = self.folder(&line) {
                        return Ok(Some(folder));
                    }
                }
                Some(Line::TooLong(_) | Line::Broken(_)) => {}
            }
        }
        Ok(None)
    }

    /// What the client wrote about the transcript into a file beside it.
    pub(crate) fn beside(self, path: &Path) -> Json {
        let file = match self {
            Keeper::ClaudeCode => path.with_extension("meta.json"),
            Keeper::Codex | Keeper::GeminiCli | Keeper::OpenCode => return Json::Null,
        };
        let text = fs::read_to_string(file).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }
}

/// The transcript of the session that a sub-agent worked for: `S/subagents/agent-A.jsonl` has `S.jsonl`.
fn main_transcript(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| folder.ends_with("subagents"))?;
    Some(folder.parent()?.with_extension("jsonl"))
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|about| about.modified()).ok()
}

/// `tmp/NAME/chats/session-….jsonl`: a file in `tmp/NAME` has the folder, or NAME is made of it.
fn gemini_folder(path: &Path, here: &Path) -> Option<PathBuf> {
    let kept = path.parent()?.parent()?;
    if let Ok(folder) = fs::read_to_string(kept.join(".project_root")) {
        return Some(PathBuf::from(folder.trim()));
    }
    let name = kept.file_name()?.to_string_lossy().into_owned();
    named_by_gemini(kept.parent()?.parent()?, &name).or_else(|| (name == hash(here)).then(|| here.to_owned()))
}

fn named_by_gemini(home: &Path, name: &str) -> Option<PathBuf> {
    let names: Json = serde_json::from_str(&fs::read_to_string(home.join("projects.json")).ok()?).ok()?;
    let projects = names.get("projects")?.as_object()?;
    projects.iter().find(|(_, given)| given.as_str() == Some(name)).map(|(folder, _)| PathBuf::from(folder))
}

fn hash(folder: &Path) -> String {
    Sha256::digest(folder.display().to_string()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    Searched,
    LeftOut,
}

fn collect(
    folder: &Path,
    below: Below,
    is_wanted: &dyn Fn(&Path) -> bool,
    found: &mut Vec<PathBuf>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        // A link may lead anywhere, and back.
        if kind.is_dir() && below == Below::Searched {
            collect(&path, below, is_wanted, found)?;
        } else if kind.is_file() && is_wanted(&path) {
            found.push(path);
        }
    }
    Ok(())
}
