//! `throughline checkpoint save`.

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::NonEmptyStringValueParser;

use super::super::app::App;
use super::super::task::Within;
use crate::wire::hold::checkpoint::Checkpoint;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What it is the moment of [default: the current task]
    #[arg(value_name = "TITLE")]
    title: Option<String>,
    /// Whose working set goes with it [default: that of the session's client]
    #[arg(long, value_name = "AGENT", value_parser = NonEmptyStringValueParser::new())]
    agent: Option<String>,
    #[command(flatten)]
    within: Within,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    let during = args.within.during(app)?;
    let saved = engine.save_checkpoint(&caller, args.agent.as_deref(), args.title.as_deref(), &during)?;
    app.output.show(&Checkpoint::from(saved), |saved| {
        format!("checkpoint {}: {} entries, {} tokens", saved.id, saved.entries, saved.tokens)
    });
    Ok(ExitCode::SUCCESS)
}
