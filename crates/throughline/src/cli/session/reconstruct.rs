//! `throughline session reconstruct`: what a session did, told again.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::reconstruct::{Include, Reconstruction as Told, Request, Which};

use super::super::app::App;
use super::Named;
use crate::wire::reconstruct::{Reconstruction, text};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    named: Named,
    /// The past session that tells most about this instead
    #[arg(long, value_name = "TEXT", conflicts_with = "session")]
    about: Option<String>,
    /// List what was written as well
    #[arg(long)]
    writes: bool,
    /// Leave out what was read and searched
    #[arg(long)]
    no_reads: bool,
    /// Leave out what was decided
    #[arg(long)]
    no_decisions: bool,
    /// How many operations to list at most
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=500))]
    max_operations: u32,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let request = Request {
        which: match &args.about {
            Some(description) => Which::About(description.clone()),
            None => Which::Session(args.named.session.clone()),
        },
        include: Include { decisions: !args.no_decisions, reads: !args.no_reads, writes: args.writes },
        max_operations: args.max_operations as usize,
        asking: None,
    };
    let write = |told: &Told| {
        let told = Reconstruction::from(told);
        let json = || serde_json::to_string_pretty(&told).expect("our shapes are valid JSON");
        if app.output.is_json() { json() } else { text(&told) }
    };
    let told = engine.reconstruct(&caller, &request, &write)?;
    app.output.show(&Reconstruction::from(&told), text);
    Ok(ExitCode::SUCCESS)
}
