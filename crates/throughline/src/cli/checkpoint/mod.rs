//! `throughline checkpoint …`: what a session stood at, kept and brought back.

mod diff;
mod list;
mod save;
mod show;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::app::App;
use super::task::Within;
use crate::wire::hold::checkpoint::Restored;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Keep what a session and its agent stand at
    Save(save::Args),
    /// The checkpoints, the newest first
    List(list::Args),
    /// What a checkpoint holds
    Show(Named),
    /// What is different now
    Diff(Named),
    /// Bring the working set and the scratchpad back as they were
    Restore(RestoreArgs),
}

// Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Named {
    /// Its id or the beginning of it [default: the newest]
    #[arg(value_name = "ID")]
    id: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct RestoreArgs {
    /// Its id or the beginning of it
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    within: Within,
}

pub(super) fn run(command: Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::Save(args) => save::run(args, app),
        Command::List(args) => list::run(&args, app),
        Command::Show(named) => show::run(&named, app),
        Command::Diff(named) => diff::run(&named, app),
        Command::Restore(args) => restore(args, app),
    }
}

fn restore(args: RestoreArgs, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = args.within.during(app)?;
    let restored = engine.restore_checkpoint(&caller, Some(&args.id), &during)?;
    app.output.show(&Restored::from(restored), |restored| {
        format!(
            "{} entries of {} are as they were at {}; {} takes it back",
            restored.entries, restored.checkpoint.agent, restored.checkpoint.id, restored.undo
        )
    });
    Ok(ExitCode::SUCCESS)
}
