//! `throughline session end`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::store::session::EndReason;

use super::super::app::App;
use super::Named;
use crate::wire::session::Session;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    named: Named,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let session = engine.end_session(&caller, args.named.session.as_deref(), EndReason::Request)?;
    app.output.show(&Session::from(session), |session| format!("session {} has ended", session.id));
    Ok(ExitCode::SUCCESS)
}
