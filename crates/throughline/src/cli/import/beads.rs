//! `throughline import beads`: the issues that beads keeps become items, each once, and follow it when they change there.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use throughline_engine::capture::{During, SessionRef};

use super::super::app::App;
use super::super::task::import;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Files of JSON lines, such as .beads/issues.jsonl; - is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    if let Some(folder) = args.files.iter().find(|file| file.is_dir()) {
        bail!("{} is a folder; name its file, usually .beads/issues.jsonl", folder.display());
    }
    let session = SessionRef::Of { client: "import".to_owned(), session: "beads".to_owned() };
    import::beads(&args.files, &During { session, opening: app.opening() }, app)
}
