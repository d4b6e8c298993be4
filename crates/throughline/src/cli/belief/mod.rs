//! `throughline belief …`: what the project believes, and why it is as sure as it is.

mod adjust;
mod list;
mod show;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::app::App;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// The beliefs, the surest first
    List(list::Args),
    /// Why a belief is as sure as it is, step by step
    Show(show::Args),
    /// Move a belief by evidence, or to where it should be
    Adjust(adjust::Args),
}

pub(super) fn run(command: Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::List(args) => list::run(&args, app),
        Command::Show(args) => show::run(&args, app),
        Command::Adjust(args) => adjust::run(args, app),
    }
}
