//! `throughline export`: everything of the project as JSON lines, to be brought in elsewhere with `import project`.

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::Value as Json;
use throughline_engine::Error;
use throughline_engine::carry::Record;

use super::app::App;
use super::log::export::{incomplete, to};
use crate::wire::carried;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file to write; it appears only when complete [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    to(args.output.as_deref(), "records", app, &|out| write(app, out))
}

fn write(app: &App<'_>, out: &mut dyn Write) -> Result<u64> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let out = RefCell::new(out);
    let line = |json: &Json| writeln!(out.borrow_mut(), "{json}").map_err(|e| incomplete(&e));
    line(&carried::header())?;
    let each = |record: Record| -> Result<(), Error> { line(&carried::line(&record)) };
    let count = engine.export_records(&caller, &each)?;
    line(&carried::end(count))?;
    out.borrow_mut().flush().map_err(|e| incomplete(&e))?;
    Ok(count)
}
