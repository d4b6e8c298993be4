//! `throughline handoff take`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::hold::handoff::check_roles;

use super::super::app::App;
use super::super::task::Within;
use super::render;
use crate::wire::error::Usage;
use crate::wire::hold::handoff::Passed;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The role in which it is taken over
    #[arg(value_name = "ROLE")]
    role: String,
    /// Only of this workflow
    #[arg(long, value_name = "NAME")]
    workflow: Option<String>,
    #[command(flatten)]
    within: Within,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    check_roles(&args.role, args.workflow.as_deref()).map_err(Usage::of)?;
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = args.within.during(app)?;
    let taken = engine.take_handoff(&caller, (&args.role, args.workflow.as_deref()), &during)?;
    app.output.show(&Passed::taken(taken), |passed| match &passed.handoff {
        Some(handoff) => render(handoff),
        None => format!("nothing waits for {}", args.role),
    });
    Ok(ExitCode::SUCCESS)
}
