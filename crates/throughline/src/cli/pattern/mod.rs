//! `throughline pattern …`: what finished sessions teach.

mod list;
mod mine;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use throughline_engine::remember::Word;

use super::app::App;
use super::memory::approve;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Look at the finished sessions and suggest what recurs in them
    Mine,
    /// What was suggested, and what holds
    List,
    /// Make suggested patterns beliefs
    Approve(approve::Args),
}

pub(super) fn run(command: &Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::Mine => mine::run(app),
        Command::List => list::run(app),
        Command::Approve(args) => approve::run(Word::Approve, args, app),
    }
}
