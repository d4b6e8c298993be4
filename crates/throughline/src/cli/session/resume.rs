//! `throughline session resume`.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use super::Named;
use crate::wire::session::Session;

pub(super) fn run(named: &Named, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let session = engine.resume_session(&caller, named.session.as_deref())?;
    app.output.show(&Session::from(session), |session| format!("session {} goes on", session.id));
    Ok(ExitCode::SUCCESS)
}
