//! `throughline bench …`: what the product costs at real sizes, in CPU time of one warm process.

mod client;
mod context;
mod corpus;
mod cost;
mod place;
mod search;
mod serve;
mod set;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::output::Output;
use crate::config::Overrides;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Ask for the context of items among so many
    Context(context::Args),
    /// Remember so many memories and search among them
    Search(search::Args),
    /// Many clients at once on a running server
    Serve(serve::Args),
    /// Fill a working set and load, compare and flash save it
    Set(set::Args),
}

pub(super) fn run(command: &Command, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    match command {
        Command::Context(args) => context::run(args, overrides, output),
        Command::Search(args) => search::run(args, overrides, output),
        Command::Serve(args) => serve::run(args, output),
        Command::Set(args) => set::run(args, overrides, output),
    }
}
