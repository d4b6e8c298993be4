//! `throughline man`: the manual pages, for packagers.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::CommandFactory as _;
use serde_json::json;

use super::Cli;
use super::output::Output;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder to write them into; it is made where it is missing
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(super) fn run(args: &Args, output: &Output) -> Result<ExitCode> {
    let folder = args.folder.display();
    let pages = fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), &args.folder))
        .and_then(|()| fs::read_dir(&args.folder))
        .map_err(|error| {
            anyhow!("cannot write manual pages into {folder}: {error}; name a folder that you may write to")
        })?
        .count();
    output.show(&json!({ "folder": args.folder, "pages": pages }), |_| {
        format!("{pages} manual pages in {folder}")
    });
    Ok(ExitCode::SUCCESS)
}
