//! `throughline task complete`: what was done, and how it was checked.

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::NonEmptyStringValueParser;
use throughline_engine::store::item::Validation;

use super::super::app::App;
use super::{Within, changed};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("verdict").args(["valid", "invalid"]))]
pub(in crate::cli) struct Args {
    /// Its id
    #[arg(value_name = "ID")]
    id: String,
    /// What was done [default: made from the title, the evidence and the files that were written]
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    /// What shows it; may be given several times
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    evidence: Vec<String>,
    /// It was checked and holds
    #[arg(long)]
    valid: bool,
    /// It was checked and does not hold
    #[arg(long)]
    invalid: bool,
    /// What the check said
    #[arg(long, value_name = "TEXT", requires = "verdict")]
    report: Option<String>,
    #[command(flatten)]
    within: Within,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = args.within.during(app)?;
    let checked = args.valid || args.invalid;
    let validation = checked.then_some(Validation { valid: args.valid, report: args.report });
    let said = (args.summary, validation, args.evidence);
    let verb = if args.invalid { "completed, though its check does not hold," } else { "completed" };
    Ok(changed(engine.complete_item(&caller, &args.id, said, &during)?, verb, app))
}
