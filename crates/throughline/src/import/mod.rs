//! History that was there before: what clients, git and people's own files tell, as observations and statements.
//!
//! One file per source, each pure. A tool call in a transcript becomes the same event, under the same key, as it would
//! have through a hook; so what was recorded by hooks and is then imported is there once.

mod bring;
mod claude_code;
mod codex;
pub(crate) mod folder;
mod gemini_cli;
pub(crate) mod git;
pub(crate) mod knowledge;
mod lines;
mod markdown;
pub(crate) mod opencode;
mod places;
mod source;
pub(crate) mod tools;
mod turn;
mod twins;

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::Value as Json;
use throughline_engine::capture::Observation;
use throughline_engine::store::actor::ActorKind;
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

pub(crate) use bring::{Aim, Origin, Problem, Tally, bring};
use lines::{Line, Lines};
pub(crate) use markdown::sameness;
pub(crate) use places::Homes;
use source::Source;
use twins::Twins;

use crate::hooks::Client;
use crate::hooks::event::{Head, Said, Seen};
use crate::wire::time::parse_exact;

/// One thing that a transcript tells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Past {
    pub(crate) actor: ActorKind,
    pub(crate) observation: Observation,
    pub(crate) known_by: KnownBy,
}

/// How an event that a hook has recorded is found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KnownBy {
    /// The hook gave it the same key.
    Key,
    /// What the hook was told does not name it; what happened when must do.
    Time,
}

/// A transcript of some client, read from its beginning.
pub(crate) trait Transcript {
    /// Adds what the line tells to `past`; most lines tell nothing.
    fn read(&mut self, line: &Json, past: &mut Vec<Past>);
}

/// The clients that keep transcripts which are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeper {
    ClaudeCode,
    Codex,
    GeminiCli,
    /// In a database with all its sessions.
    OpenCode,
}

impl Keeper {
    pub(crate) fn client(self) -> Client {
        match self {
            Keeper::ClaudeCode => Client::ClaudeCode,
            Keeper::Codex => Client::Codex,
            Keeper::GeminiCli => Client::GeminiCli,
            Keeper::OpenCode => Client::OpenCode,
        }
    }

    /// Whether a file is a transcript, by its name.
    pub(crate) fn keeps(self, path: &Path) -> bool {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match self {
            Keeper::ClaudeCode => name.ends_with(".jsonl"),
            Keeper::Codex => name.starts_with("rollout-") && name.ends_with(".jsonl"),
            Keeper::GeminiCli => {
                name.starts_with("session-") && (name.ends_with(".jsonl") || name.ends_with(".json"))
            }
            Keeper::OpenCode => name.starts_with("opencode") && name.ends_with(".db"),
        }
    }

    /// The reader of one transcript. `beside` is what the client wrote about it into a file of its own.
    pub(crate) fn reader(self, beside: &Json) -> Box<dyn Transcript> {
        match self {
            Keeper::ClaudeCode => Box::new(claude_code::Reader::new(beside)),
            Keeper::Codex => Box::new(codex::Reader::default()),
            Keeper::GeminiCli => Box::new(gemini_cli::Reader::default()),
            Keeper::OpenCode => Box::new(opencode::Reader),
        }
    }

    /// Where the client worked, if the line says so.
    pub(crate) fn folder(self, line: &Json) -> Option<PathBuf> {
        let told = match self {
            Keeper::ClaudeCode => line.get("cwd"),
            Keeper::Codex => line.get("payload").and_then(|payload| payload.get("cwd")),
            Keeper::GeminiCli | Keeper::OpenCode => None,
        };
        told.and_then(Json::as_str).map(PathBuf::from)
    }
}

/// All that a transcript tells, for whoever wants to go through it without bringing it in; broken lines tell nothing.
pub(crate) fn whole(keeper: Keeper, path: &Path) -> Result<Vec<Past>> {
    let mut transcript = keeper.reader(&keeper.beside(path));
    let (mut source, mut past) = (Source::open(path, None)?, vec![]);
    while let Some(line) = source.read()? {
        if let Line::Said(line) = line {
            transcript.read(&line, &mut past);
        }
    }
    Ok(past)
}

/// What was seen at some time, as a hook of the client would have observed it.
fn tell(client: Client, head: &Head<'_>, at: Timestamp, seen: Vec<Seen>) -> Vec<Past> {
    let said = Said { client, event: None, payload: &Json::Null, now: at };
    let past = |observation: Observation| Past {
        actor: if observation.kind == Kind::UserMessage { ActorKind::User } else { ActorKind::Agent },
        observation: Observation { at: Some(at), ..observation },
        known_by: KnownBy::Key,
    };
    said.observations(head, seen).into_iter().map(past).collect()
}

/// The same for what no hook could have told under this key.
fn tell_otherwise(client: Client, head: &Head<'_>, at: Timestamp, seen: Vec<Seen>) -> Vec<Past> {
    let otherwise = |past: Past| {
        let key = past.observation.client_key.map(|key| key.replacen("hook", "import", 1));
        let observation = Observation { client_key: key, ..past.observation };
        Past { observation, known_by: KnownBy::Time, ..past }
    };
    tell(client, head, at, seen).into_iter().map(otherwise).collect()
}

fn moment(line: &Json) -> Option<Timestamp> {
    parse_exact(line.get("timestamp")?.as_str()?).ok()
}
