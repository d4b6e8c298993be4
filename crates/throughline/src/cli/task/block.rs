//! `throughline task block`: the work cannot go on, and why.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use super::{Within, changed};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Its id
    #[arg(value_name = "ID")]
    id: String,
    /// What it waits for
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    within: Within,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = args.within.during(app)?;
    Ok(changed(engine.block_item(&caller, &args.id, &args.reason, &during)?, "blocked", app))
}
