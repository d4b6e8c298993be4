//! `throughline eval weigh`: what pairs of statements and sentences are weighed by, in numbers, for `evals/consolidation`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde::Deserialize;
use serde_json::json;
use throughline_engine::remember::consolidate::weigh::{material, whole};

use super::super::output::Output;
use super::lines;
use crate::wire::error::unwritten;

// Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// A JSON object on each line: `known` and `new` of a pair, or the `text` of a sentence
    #[arg(value_name = "FILE")]
    pairs: PathBuf,
    /// Where the numbers are written, a JSON object for each line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Weighed {
    Pair { known: String, new: String },
    Text { text: String },
}

pub(super) fn run(args: &Args, output: &Output) -> Result<ExitCode> {
    let all: Vec<Weighed> = lines(&args.pairs, "consolidation")?;
    let told = |error| unwritten(&args.out, &error);
    let mut file = BufWriter::new(File::create(&args.out).map_err(told)?);
    for one in &all {
        let line = match one {
            Weighed::Pair { known, new } => {
                let material = material(known, new);
                json!({ "numbers": material.numbers, "known": material.known, "new": material.new })
            }
            Weighed::Text { text } => json!({ "whole": whole(text) }),
        };
        writeln!(file, "{line}").map_err(told)?;
    }
    file.flush().map_err(told)?;
    output.show(&json!({ "lines": all.len() }), |_| format!("{} lines", all.len()));
    Ok(ExitCode::SUCCESS)
}
