//! `throughline memory approve` and `throughline memory reject`: somebody's word on memories that wait.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::capture::{During, SessionRef};
use throughline_engine::remember::Word;

use super::super::app::App;
use crate::wire::review::Review;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The memories, by id or the beginning of it
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// Why; kept in the log
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
}

pub(in crate::cli) fn run(word: Word, args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = During { session: SessionRef::Own, opening: app.opening() };
    let reviewed = engine.review(&caller, &args.ids, word, args.because.as_deref(), &during)?;
    app.output.show(&Review::from(reviewed), Review::text);
    Ok(ExitCode::SUCCESS)
}
