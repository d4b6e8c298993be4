//! `throughline eval fit`: makes the weights that tell which sentences last, which the program is built with, anew from
//! labelled sets.

mod lines;
mod softmax;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::json;

use crate::cli::output::Output;

// Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Labelled sets: lines or histories
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Where the weights are written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// What histories are told with.
#[derive(Debug, Deserialize)]
struct Material {
    topics: Vec<Topic>,
    /// What must not be remembered, by why.
    traps: BTreeMap<String, Vec<String>>,
}

/// Something that has one value at a time, and how it is told.
#[derive(Debug, Deserialize)]
struct Topic {
    values: Vec<String>,
    first: Vec<String>,
    again: Vec<String>,
    change: Vec<String>,
}

pub(in crate::cli) fn run(args: &Args, output: &Output) -> Result<ExitCode> {
    let (weights, report) = lines::fit(&args.files)?;
    std::fs::write(&args.out, &weights).with_context(|| format!("cannot write {}", args.out.display()))?;
    output.show(&json!({ "bytes": weights.len(), "report": report }), |_| report.clone());
    Ok(ExitCode::SUCCESS)
}
