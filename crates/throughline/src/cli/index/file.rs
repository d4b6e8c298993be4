//! `throughline index file`: who touched a file, and what changes together with it.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use crate::wire::code::History;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The file, from the project's root
    #[arg(value_name = "PATH")]
    path: String,
    /// Only what names this symbol
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
    /// How many of each at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let limit = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let history = engine.file_history(&caller, &args.path, args.symbol.as_deref(), limit)?;
    app.output.show(&History::from(history), History::text);
    Ok(ExitCode::SUCCESS)
}
