//! `throughline memory …`: what lasts of the work.

mod generate;
mod list;
mod search;
mod show;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::app::App;
use super::feedback;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// The memories, newest first
    List(list::Args),
    /// A memory with where it came from
    Show(show::Args),
    /// Find memories alone
    Search(search::Args),
    /// Turn what sessions said into memories now
    Generate(generate::Args),
    /// Say how useful memories were
    Feedback(feedback::Args),
}

pub(super) fn run(command: &Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::List(args) => list::run(args, app),
        Command::Show(args) => show::run(args, app),
        Command::Search(args) => search::run(args, app),
        Command::Generate(args) => generate::run(args, app),
        Command::Feedback(args) => feedback::run(args, app),
    }
}
