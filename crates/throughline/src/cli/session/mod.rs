//! `throughline session …`: one run of one agent in one role.

mod compact;
mod end;
mod list;
mod reconstruct;
mod resume;
mod show;
mod state;
mod status;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::app::App;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// The sessions, newest activity first
    List(list::Args),
    /// What happened in a session, the newest part that fits
    Show(show::Args),
    /// How a session stands: duration, events, tokens, scratchpad, settings
    Status(Named),
    /// What a session did, decided and left open, told again
    Reconstruct(reconstruct::Args),
    /// Read or change the scratchpad
    State(state::Args),
    /// End a session and write its summary
    End(Named),
    /// Open an ended session again
    Resume(Named),
    /// Let the older part give way to a summary, now
    Compact(compact::Args),
}

pub(super) fn run(command: Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::List(args) => list::run(&args, app),
        Command::Show(args) => show::run(&args, app),
        Command::Status(named) => status::run(&named, app),
        Command::Reconstruct(args) => reconstruct::run(&args, app),
        Command::State(args) => state::run(&args, app),
        Command::End(named) => end::run(&named, app),
        Command::Resume(named) => resume::run(&named, app),
        Command::Compact(args) => compact::run(&args, app),
    }
}

// The session a command is about. Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Named {
    /// An id, the client's own id, or the beginning of either [default: the newest]
    #[arg(value_name = "SESSION")]
    session: Option<String>,
}
