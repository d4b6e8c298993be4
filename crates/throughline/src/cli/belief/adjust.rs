//! `throughline belief adjust`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::capture::{During, SessionRef};
use throughline_engine::remember::{Adjustment, Evidence};

use super::super::app::App;
use super::super::share::share;
use crate::wire::decision::Moved;

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("evidence").required(true).args(["supports", "contradicts", "to"])))]
pub(in crate::cli) struct Args {
    /// Its id, or the beginning of it
    #[arg(value_name = "ID")]
    id: String,
    /// Something speaks for it: 30 % of the way to certainty
    #[arg(long)]
    supports: bool,
    /// Something speaks against it: 30 % less
    #[arg(long)]
    contradicts: bool,
    /// This sure from now on, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    to: Option<f64>,
    /// How much the evidence is worth, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share, conflicts_with = "to")]
    weight: f64,
    /// Why
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
    /// The event that shows it
    #[arg(long, value_name = "EVENT")]
    event: Option<String>,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let adjustment = Adjustment {
        evidence: match args.to {
            Some(share) => Evidence::Sets(share),
            None if args.contradicts => Evidence::Contradicts,
            None => Evidence::Supports,
        },
        weight: args.weight,
        reason: args.because,
        event: args.event,
        during: During { session: SessionRef::Own, opening: app.opening() },
    };
    let moved = engine.adjust_belief(&caller, &args.id, &adjustment)?;
    app.output.show(&Moved::from(moved), Moved::line);
    Ok(ExitCode::SUCCESS)
}
