//! `throughline task block`: the work cannot go on, and why.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::backlog::blocked_reason;

use super::super::app::App;
use super::{Within, changed};
use crate::wire::error::Usage;

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
    let reason = blocked_reason(&args.reason).map_err(Usage::of)?;
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = args.within.during(app)?;
    Ok(changed(engine.block_item(&caller, &args.id, &reason, &during)?, "blocked", app))
}
