//! `throughline log export`: the log as JSON lines, whole and in order.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::json;
use throughline_engine::log::Carried;
use throughline_engine::{Error, store};

use super::super::app::App;
use super::Selection;
use crate::wire::error::unwritten;
use crate::wire::event::Event;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The file to write; it appears only when complete [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    selection: Selection,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    to(args.output.as_deref(), "events", app, &|out| write(args, app, out))
}

/// Writes lines to stdout, or to a file that appears only when it is complete.
pub(in crate::cli) fn to(
    output: Option<&Path>,
    what: &str,
    app: &App<'_>,
    write: &dyn Fn(&mut dyn Write) -> Result<u64>,
) -> Result<ExitCode> {
    match output {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            write(&mut out)?;
        }
        Some(path) => {
            may_be_replaced(path)?;
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            let file = tempfile::NamedTempFile::new_in(folder).map_err(|error| unwritten(path, &error))?;
            let mut out = BufWriter::new(file);
            let count = write(&mut out)?;
            let file = out.into_inner().map_err(io::IntoInnerError::into_error);
            file.and_then(|file| {
                file.as_file().sync_all()?;
                Ok(file.persist(path)?)
            })
            .map_err(|error| unwritten(path, &error))?;
            let answer = json!({ what: count, "file": path });
            app.output.show(&answer, |_| format!("exported {count} {what} to {}", path.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// An export takes the place of an older one, and of nothing that cannot be one.
pub(in crate::cli) fn may_be_replaced(path: &Path) -> Result<()> {
    let mut first = [0];
    let read = File::open(path).and_then(|mut file| file.read(&mut first));
    if path.is_file() && matches!(read, Ok(1)) && !b"{[".contains(&first[0]) {
        bail!("{} exists and is no export; choose another name, or move it away", path.display());
    }
    Ok(())
}

fn write(args: &Args, app: &App<'_>, out: &mut dyn Write) -> Result<u64> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let filter = args.selection.filter(engine, &caller)?;
    let out = RefCell::new(out);
    let line = |carried: Carried| -> Result<(), Error> {
        let text = serde_json::to_string(&Event::from(carried)).expect("our shapes are valid JSON");
        writeln!(out.borrow_mut(), "{text}").map_err(|e| incomplete(&e))
    };
    let count = engine.export(&caller, &filter, &line)?;
    out.borrow_mut().flush().map_err(|e| incomplete(&e))?;
    Ok(count)
}

pub(in crate::cli) fn incomplete(error: &io::Error) -> Error {
    if error.kind() == ErrorKind::BrokenPipe {
        // A reader that has seen enough is no failure.
        std::process::exit(0);
    }
    store::Error::Unavailable(format!(
        "cannot write the export: {error}; it is incomplete, so free some space and export again"
    ))
    .into()
}
