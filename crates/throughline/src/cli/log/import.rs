//! `throughline log import`: JSON lines that `export` wrote, checked whole before anything is written.

use std::fs::File;
use std::io::{BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow};
use serde_json::json;
use throughline_engine::log::Carried;
use throughline_engine::remember::EVENT_TARGET as MEMORY_EVENTS;
use throughline_engine::store::event::Kind;
use throughline_engine::{Engine, Error};

use super::super::app::App;
use super::super::lines::{Lines, UNKEPT, spool};
use super::append::line_limit;
use crate::wire::event::Event;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The file to read; - is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    let (checked, memories) = check(args, app, engine)?;
    let tally = engine.import(&caller, || records(&checked, line_limit(app)))?;
    if memories > 0 && tally.imported > 0 {
        app.output.warn(&format!(
            "{memories} of the events are about memories; they are kept, but the memories are not made again from them"
        ));
    }
    let answer = json!({ "imported": tally.imported, "already_there": tally.already_there });
    app.output.show(&answer, |_| {
        format!("imported {} events, {} were there already", tally.imported, tally.already_there)
    });
    Ok(ExitCode::SUCCESS)
}

/// Reads every line once, takes the secrets out, and keeps the result in a file without a name: a wrong line
/// is found before the database is touched, and the transaction can read the lines as often as it must. Also says how
/// many of the events are about memories.
fn check(args: &Args, app: &App<'_>, engine: &Engine) -> Result<(File, usize)> {
    const WRITTEN: &str = "as `throughline log export` does; what `throughline export` wrote is read by `throughline import project`";
    let mut lines = Lines::open(&args.file, line_limit(app), WRITTEN)?;
    let mut out = BufWriter::new(spool(&app.config.home)?);
    let turn = |event: Event| {
        let carried = Carried::try_from(event).map_err(|e| anyhow!(e))?;
        Ok(engine.clean(carried)?)
    };
    let mut memories = 0;
    while let Some(carried) = lines.next(turn)? {
        let line = Event::from(carried);
        let is_memory = line.target.as_deref() == Some(MEMORY_EVENTS) || line.kind == Kind::Decision.as_str();
        memories += usize::from(line.informs.is_some() && is_memory);
        serde_json::to_writer(&mut out, &line).context(UNKEPT)?;
        out.write_all(b"\n").context(UNKEPT)?;
    }
    Ok((out.into_inner().map_err(std::io::IntoInnerError::into_error).context(UNKEPT)?, memories))
}

fn records(checked: &File, line_limit: usize) -> Result<impl Iterator<Item = Result<Carried, Error>>, Error> {
    let lost = |e: &dyn std::fmt::Display| {
        Error::Invalid(format!("the checked lines cannot be read again: {e:#}; run this again"))
    };
    let mut file = checked.try_clone().map_err(|e| lost(&e))?;
    file.seek(SeekFrom::Start(0)).map_err(|e| lost(&e))?;
    let mut lines = Lines::again(file, line_limit.saturating_mul(2));
    let turn = |event: Event| Carried::try_from(event).map_err(|e| anyhow!(e));
    Ok(std::iter::from_fn(move || lines.next(turn).map_err(|e| lost(&e)).transpose()))
}
