//! `throughline model …`: the model that helps, if one was chosen.

mod status;
mod test;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::app::App;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Which model it is, what is left of today's budget, what it was asked for, what went wrong
    Status,
    /// Ask the model one tiny question
    Test,
}

pub(super) fn run(command: &Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::Status => status::run(app),
        Command::Test => test::run(app),
    }
}
