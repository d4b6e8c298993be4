//! `throughline bench compare`: memory servers over MCP on stdin and stdout, each with the same texts and questions, one after
//! the other on the same machine.

mod facts;
mod measure;
mod profile;
mod stdio;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::super::output::{Output, table};
use facts::Corpus;
use measure::Measured;
use profile::Profile;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What says how a server is started and called
    #[arg(value_name = "PROFILE.toml", required = true)]
    profiles: Vec<PathBuf>,
    /// Where servers are installed: `{installed}` in a profile
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    installed: PathBuf,
    /// The throughline to measure: `{throughline}` in a profile [default: this program]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// How many memories
    #[arg(long, value_name = "N", default_value_t = 500,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(20..=facts::MOST as u64))]
    memories: usize,
    /// How many questions
    #[arg(long, value_name = "N", default_value_t = 200,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    questions: usize,
}

#[derive(Debug, Serialize)]
struct Comparison {
    memories: usize,
    /// Of these so many were said again with another value.
    replaced: usize,
    questions: usize,
    servers: Vec<Measured>,
    /// Servers that could not be measured, and why.
    failed: Vec<String>,
}

pub(super) fn run(args: &Args, output: &Output) -> Result<ExitCode> {
    let installed = std::path::absolute(&args.installed).context("the folder of the servers")?;
    let program = match &args.program {
        Some(path) => std::path::absolute(path).context("the program to measure")?,
        None => std::env::current_exe().context("this program cannot be found")?,
    };
    let places =
        [("installed", installed.display().to_string()), ("throughline", program.display().to_string())];
    let profiles = args.profiles.iter().map(|path| Profile::read(path)).collect::<Result<Vec<_>>>()?;
    let corpus = Corpus::of(args.memories, args.questions);
    let (mut servers, mut failed) = (vec![], vec![]);
    for profile in &profiles {
        output.say(&format!("measuring {}", profile.name));
        match measure::measure(profile, &places, &corpus) {
            Ok(measured) => servers.push(measured),
            Err(error) => failed.push(format!("{}: {error:#}", profile.name)),
        }
    }
    let is_whole = failed.is_empty();
    let comparison = Comparison {
        memories: corpus.facts.len(),
        replaced: corpus.replaced().count(),
        questions: corpus.questions.len(),
        servers,
        failed,
    };
    output.show(&comparison, text);
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn text(comparison: &Comparison) -> String {
    let servers = &comparison.servers;
    let header: Vec<&str> = std::iter::once("").chain(servers.iter().map(|one| one.name.as_str())).collect();
    let rows = measure::LINES
        .iter()
        .map(|(name, show)| std::iter::once((*name).to_owned()).chain(servers.iter().map(show)).collect());
    let mut text = table(&header, rows);
    let Comparison { memories, replaced, questions, .. } = comparison;
    text.push_str(&format!("\n{memories} memories, {replaced} of them replaced, {questions} questions"));
    let notes =
        servers.iter().filter_map(|one| one.note.as_ref().map(|note| format!("\n{}: {note}", one.name)));
    text.extend(notes);
    text.extend(comparison.failed.iter().map(|failure| format!("\nfailed: {failure}")));
    text
}
