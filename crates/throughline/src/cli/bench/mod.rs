//! `throughline bench …`: what the product costs at real sizes, in CPU time of one warm process.

mod corpus;
mod cost;
mod search;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::output::Output;
use crate::config::Overrides;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Remember so many memories and search among them
    Search(search::Args),
}

pub(super) fn run(command: &Command, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    match command {
        Command::Search(args) => search::run(args, overrides, output),
    }
}
