//! `throughline memory …`: what lasts of the work.

pub(super) mod approve;
mod archive;
mod generate;
mod list;
mod review;
mod search;
mod show;
mod sync;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use throughline_engine::remember::Word;

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
    /// Memories that wait for somebody's word, with why
    Review(review::Args),
    /// Let memories that wait be found, and bring back archived and superseded ones
    Approve(approve::Args),
    /// Drop memories that wait
    Reject(approve::Args),
    /// Put away what was never used and is hardly believed any more
    Archive(archive::Args),
    /// Say how useful memories were
    Feedback(feedback::Args),
    /// Bring memories and the project's memory files in step, both ways
    Sync(sync::Args),
}

pub(super) fn run(command: &Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::List(args) => list::run(args, app),
        Command::Show(args) => show::run(args, app),
        Command::Search(args) => search::run(args, app),
        Command::Generate(args) => generate::run(args, app),
        Command::Review(args) => review::run(args, app),
        Command::Approve(args) => approve::run(Word::Approve, args, app),
        Command::Reject(args) => approve::run(Word::Reject, args, app),
        Command::Archive(args) => archive::run(args, app),
        Command::Feedback(args) => feedback::run(args, app),
        Command::Sync(args) => sync::run(args, app),
    }
}
