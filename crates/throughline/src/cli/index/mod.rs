//! `throughline index …`: how findable things are, and making them so.

mod file;
mod run;
mod search;
mod status;
mod watch;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::app::App;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// How the search index stands
    Status,
    /// Take in what is not indexed yet: the project's files, events, merges that are due, vectors of the chosen model
    Run,
    /// Keep the index of the project's files up while they change, until Ctrl-C
    Watch,
    /// Find code by meaning, words, symbol or path
    Search(search::Args),
    /// Which commits, sessions, decisions and tasks touched a file, and what changes together with it
    File(file::Args),
    /// Make the search index again from the records and the files
    Rebuild,
}

pub(super) fn run(command: &Command, app: &App<'_>) -> Result<ExitCode> {
    let progress = match command {
        Command::Status => None,
        Command::Run => run::run(app, run::From::WhatIsThere)?,
        Command::Rebuild => run::run(app, run::From::Nothing)?,
        Command::Watch => return watch::run(app),
        Command::Search(args) => return search::run(args, app),
        Command::File(args) => return file::run(args, app),
    };
    status::show(app, progress)
}
