//! `throughline eval weigh`: what pairs of statements are weighed by, in numbers, for `evals/consolidation/fit.py`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde::Deserialize;
use serde_json::json;
use throughline_engine::remember::consolidate::weigh::material;

use super::super::output::Output;
use super::lines;
use crate::wire::error::unwritten;

// Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Pairs: a JSON object with `known` and `new` on each line
    #[arg(value_name = "FILE")]
    pairs: PathBuf,
    /// Where the numbers are written, a JSON object for each pair
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Debug, Deserialize)]
struct Pair {
    known: String,
    new: String,
}

pub(super) fn run(args: &Args, output: &Output) -> Result<ExitCode> {
    let pairs: Vec<Pair> = lines(&args.pairs, "consolidation")?;
    let told = |error| unwritten(&args.out, &error);
    let mut file = BufWriter::new(File::create(&args.out).map_err(told)?);
    for pair in &pairs {
        let material = material(&pair.known, &pair.new);
        let line = json!({ "numbers": material.numbers, "known": material.known, "new": material.new });
        writeln!(file, "{line}").map_err(told)?;
    }
    file.flush().map_err(told)?;
    output.show(&json!({ "pairs": pairs.len() }), |_| format!("{} pairs", pairs.len()));
    Ok(ExitCode::SUCCESS)
}
