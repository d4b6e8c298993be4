//! `throughline handoff …`: what one role passes to the next.

mod give;
mod list;
mod take;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::app::App;
use crate::wire::hold::handoff::Handoff;
use crate::wire::time::readable;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Pass on what a session stands at
    Give(give::Args),
    /// Take over what waits for a role, once
    Take(take::Args),
    /// What waits, or everything that was passed on
    List(list::Args),
}

pub(super) fn run(command: Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::Give(args) => give::run(args, app),
        Command::Take(args) => take::run(args, app),
        Command::List(args) => list::run(&args, app),
    }
}

fn render(handoff: &Handoff) -> String {
    let mut text = format!(
        "handoff {} from {} to {}, by {} at {} (session {})\n",
        handoff.id,
        handoff.from,
        handoff.to,
        handoff.given_by,
        readable(handoff.given_at.0),
        handoff.session
    );
    for (key, value) in handoff.context.as_object().into_iter().flatten() {
        text.push_str(&format!("{key}: {value}\n"));
    }
    text + &handoff.summary
}
