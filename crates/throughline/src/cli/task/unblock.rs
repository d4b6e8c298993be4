//! `throughline task unblock`: the work can go on.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use super::{Within, changed};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Its id
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    within: Within,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = args.within.during(app)?;
    Ok(changed(engine.unblock_item(&caller, &args.id, &during)?, "unblocked", app))
}
