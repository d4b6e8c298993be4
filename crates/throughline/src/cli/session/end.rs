//! `throughline session end`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::store::session::EndReason;

use super::super::app::App;
use super::Named;
use crate::wire::session::Session;

pub(super) fn run(named: &Named, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let session = engine.end_session(&caller, named.session.as_deref(), EndReason::Request)?;
    app.output.show(&Session::from(session), |session| format!("session {} has ended", session.id));
    Ok(ExitCode::SUCCESS)
}
