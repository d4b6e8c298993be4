//! `throughline import`: history and knowledge that were there before, brought in as often as one likes.

mod git;
pub(in crate::cli) mod knowledge;
mod transcripts;

use std::process::ExitCode;

use anyhow::Result;

use super::app::App;
use crate::import::Keeper;
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
    /// The commits of this project's repository
    Git(git::Args),
    /// Instructions for agents: AGENTS.md, CLAUDE.md, GEMINI.md, .cursorrules, Copilot's
    AgentsMd(knowledge::Args),
    /// What Claude Code has written into its own memory of this project
    ClaudeMemory(knowledge::Args),
}

pub(super) fn run(command: &Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::ClaudeCode(args) => transcripts::run(Keeper::ClaudeCode, args, app),
        Command::Codex(args) => transcripts::run(Keeper::Codex, args, app),
        Command::Gemini(args) => transcripts::run(Keeper::GeminiCli, args, app),
        Command::Git(args) => git::run(args, app),
        Command::AgentsMd(args) => knowledge::run(Shelf::Instructions, args, app),
        Command::ClaudeMemory(args) => knowledge::run(Shelf::ClaudeMemory, args, app),
    }
}
