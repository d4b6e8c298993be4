//! `throughline import project`: what `export` wrote, checked whole before anything is written.

use std::fs::File;
use std::io::{BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::{Value as Json, json};
use throughline_engine::carry::Record;
use throughline_engine::{Engine, Error};

use super::super::app::App;
use super::super::lines::{Lines, UNKEPT, spool};
use super::super::log::append::line_limit;
use crate::wire::carried::{self, Line};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The file to read; - is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only say what there is to import
    #[arg(long)]
    dry_run: bool,
}

/// A checkpoint holds all that an agent held, and texts grow when they are written as JSON.
const LONGER_THAN_AN_EVENT: usize = 64;

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let (checked, count) = check(args, app, engine)?;
    if args.dry_run {
        let answer = json!({"dry_run": true, "records": count});
        app.output.show(&answer, |_| format!("would import {count} records"));
        return Ok(ExitCode::SUCCESS);
    }
    let caller = app.caller(engine)?;
    let brought = engine.import_records(&caller, || records(&checked, limit(app)))?;
    let answer = json!({"imported": brought.imported, "already_there": brought.already_there});
    app.output.show(&answer, |_| {
        format!("imported {} records, {} were there already", brought.imported, brought.already_there)
    });
    Ok(ExitCode::SUCCESS)
}

fn limit(app: &App<'_>) -> usize {
    line_limit(app).saturating_mul(LONGER_THAN_AN_EVENT)
}

/// Reads every line once, takes the secrets out, and keeps the result in a file without a name: a wrong line is found
/// before the database is touched, and the transaction can read the lines as often as it must.
fn check(args: &Args, app: &App<'_>, engine: &Engine) -> Result<(File, u64)> {
    let file = args.file.display();
    let mut lines = Lines::open(&args.file, limit(app), "as `throughline export` does")?;
    let mut out = BufWriter::new(spool(&app.config.home)?);
    let turn = |line: Json| carried::read(&line).map_err(|why| anyhow!(why));
    let (mut count, mut header, mut end) = (0, None, None);
    while let Some(line) = lines.next(turn)? {
        match line {
            Line::Header { has_end } => header = Some(has_end),
            Line::End { records } => end = Some(records),
            Line::Record(record) if header.is_some() => {
                writeln!(out, "{}", carried::line(&engine.clean_record(record))).context(UNKEPT)?;
                count += 1;
            }
            Line::Record(_) => break,
        }
    }
    match (header, end) {
        (None, _) => bail!("this is not what `throughline export` wrote; see `throughline import --help`"),
        (Some(true), None) => {
            bail!("{file} is cut off after {count} records; nothing was imported, export it again")
        }
        (_, Some(records)) if records != count => {
            bail!("{file} has {count} of {records} records; nothing was imported, export it again")
        }
        _ => {}
    }
    Ok((out.into_inner().map_err(std::io::IntoInnerError::into_error).context(UNKEPT)?, count))
}

fn records(checked: &File, limit: usize) -> Result<impl Iterator<Item = Result<Record, Error>>, Error> {
    let lost = |e: &dyn std::fmt::Display| {
        Error::Invalid(format!("the checked lines cannot be read again: {e:#}; run this again"))
    };
    let mut file = checked.try_clone().map_err(|e| lost(&e))?;
    file.seek(SeekFrom::Start(0)).map_err(|e| lost(&e))?;
    let mut lines = Lines::again(file, limit.saturating_mul(2));
    let turn = |line: Json| match carried::read(&line).map_err(|why| anyhow!(why))? {
        Line::Record(record) => Ok(record),
        Line::Header { .. } | Line::End { .. } => bail!("only records were kept"),
    };
    Ok(std::iter::from_fn(move || lines.next(turn).map_err(|e| lost(&e)).transpose()))
}
