//! `throughline handoff give`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::hold::handoff::{Give, check_roles};

use super::super::app::App;
use super::super::lines::{SHORTEN, read_text};
use super::super::task::Within;
use super::render;
use crate::wire::error::Usage;
use crate::wire::hold::handoff::Passed;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The role that it is for
    #[arg(value_name = "ROLE")]
    to: String,
    /// The workflow that it belongs to [default: the session's]
    #[arg(long, value_name = "NAME")]
    workflow: Option<String>,
    /// A JSON object beside what the session itself tells: notes, open_questions …; - reads it from stdin
    #[arg(long, value_name = "JSON")]
    context: Option<String>,
    #[command(flatten)]
    within: Within,
}

const MAX_CONTEXT_BYTES: usize = 1024 * 1024;

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    check_roles(&args.to, args.workflow.as_deref()).map_err(Usage::of)?;
    let context = match args.context.as_deref() {
        Some("-") => read_text(Path::new("-"), MAX_CONTEXT_BYTES, SHORTEN)?,
        Some(text) => text.to_owned(),
        None => "{}".to_owned(),
    };
    let context = serde_json::from_str(&context).map_err(|e| {
        Usage(format!("the context of a handoff is a JSON object, for instance '{{\"notes\": \"…\"}}': {e}"))
    })?;
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    let during = args.within.during(app)?;
    let give = Give { to_role: args.to, workflow: args.workflow, context };
    let passed = Passed::given(engine.give_handoff(&caller, &give, &during)?);
    app.output.show(&passed, |passed| passed.handoff.as_ref().map(render).unwrap_or_default());
    Ok(ExitCode::SUCCESS)
}
