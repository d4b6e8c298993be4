//! `throughline import`: history and knowledge that were there before, brought in as often as one likes.

mod beads;
mod git;
pub(in crate::cli) mod knowledge;
mod project;
mod tool;
mod transcripts;

use std::process::ExitCode;

use anyhow::Result;

use super::app::App;
use crate::import::Keeper;
use crate::import::tools::Tool;
use knowledge::Shelf;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Sessions of Claude Code and their sub-agents
    ClaudeCode(transcripts::Args),
    /// Sessions of Codex
    Codex(transcripts::Args),
    /// Sessions of Gemini CLI
    #[command(alias = "gemini-cli")]
    Gemini(transcripts::Args),
    /// Sessions of OpenCode and their sub-agents, of its database
    #[command(name = "opencode", mut_arg("paths", |paths| paths.help(transcripts::DATABASES)))]
    OpenCode(transcripts::Args),
    /// The commits of this project's repository
    Git(git::Args),
    /// Instructions for agents: AGENTS.md, CLAUDE.md, GEMINI.md, .cursorrules, Copilot's
    AgentsMd(knowledge::Args),
    /// What Claude Code has written into its own memory of this project
    ClaudeMemory(knowledge::Args),
    /// Notes of basic-memory: a folder of Markdown files, or one
    BasicMemory(tool::Args),
    /// Issues of beads: its JSON lines become items
    Beads(beads::Args),
    /// Observations and summaries of claude-mem: its claude-mem.db
    ClaudeMem(tool::Args),
    /// Memories of mem0: the JSON of its list or export
    Mem0(tool::Args),
    /// The graph of the official memory server: its memory.jsonl or JSON
    ServerMemory(tool::Args),
    /// Everything of a project, as `throughline export` wrote it
    Project(project::Args),
}

pub(super) fn run(command: &Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::ClaudeCode(args) => transcripts::run(Keeper::ClaudeCode, args, app),
        Command::Codex(args) => transcripts::run(Keeper::Codex, args, app),
        Command::Gemini(args) => transcripts::run(Keeper::GeminiCli, args, app),
        Command::OpenCode(args) => transcripts::run(Keeper::OpenCode, args, app),
        Command::Git(args) => git::run(args, app),
        Command::AgentsMd(args) => knowledge::run(Shelf::Instructions, args, app),
        Command::ClaudeMemory(args) => knowledge::run(Shelf::ClaudeMemory, args, app),
        Command::BasicMemory(args) => tool::run(Tool::BasicMemory, args, app),
        Command::Beads(args) => beads::run(args, app),
        Command::ClaudeMem(args) => tool::run(Tool::ClaudeMem, args, app),
        Command::Mem0(args) => tool::run(Tool::Mem0, args, app),
        Command::ServerMemory(args) => tool::run(Tool::ServerMemory, args, app),
        Command::Project(args) => project::run(args, app),
    }
}
