//! `throughline eval …`: how well what was said is found again, measured on public question sets, and how well the
//! rules tell what is worth remembering, on labelled sets of our own.
//!
//! Every turn of a conversation is recorded through the real capture path and every question is asked through the
//! real recall, in a database of its own.

mod ask;
mod commits;
mod compaction;
mod consolidation;
mod extraction;
mod history;
mod locomo;
mod longmemeval;
mod metrics;
mod report;
mod stated;
mod tally;
mod weigh;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Subcommand;
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

use tally::{Errors, Tally};

use super::app::App;
use super::output::Output;
use crate::config::Overrides;
use crate::wire::error::unread;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Conversations in the format of LoCoMo
    Locomo(Args),
    /// Questions over many sessions in the format of LongMemEval, all sessions of the files as one haystack
    Longmemeval(Args),
    /// Which lines and stretches of work become memories, and which should
    Extraction(ExtractionArgs),
    /// What pairs of statements are to each other: the same, refined, opposite, unrelated
    Consolidation(ConsolidationArgs),
    /// What compaction spares over long simulated sessions, and whether what later steps need is still there
    Compaction(compaction::Args),
    /// Whether the files that past commits changed are found by what the commits say
    Commits(commits::Args),
    /// What is remembered after weeks of sessions with changes, repetitions and traps, and whether it is what holds
    History(history::Args),
    /// Whether a fact that is told in many wordings is one memory, what contradicts it replaces it, and the rest stays
    Stated(stated::Args),
    /// Write what pairs of statements are weighed by, for fitting
    Weigh(weigh::Args),
}

// Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct ExtractionArgs {
    /// Labelled lines and stretches of work, one JSON object on each line
    #[arg(value_name = "FILE", default_values = ["evals/extraction/lines.jsonl", "evals/extraction/engineers.jsonl", "evals/extraction/trades.jsonl", "evals/extraction/sessions.jsonl", "evals/extraction/stretches.jsonl"])]
    files: Vec<PathBuf>,
    /// List what was missed and what is wrong
    #[arg(long)]
    errors: bool,
}

// Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct ConsolidationArgs {
    /// Labelled pairs, or facts in many phrasings, one JSON object on each line
    #[arg(value_name = "FILE", default_values = ["evals/consolidation/pairs.jsonl", "evals/consolidation/phrasings.jsonl", "evals/consolidation/tenfold.jsonl", "evals/consolidation/attributes.jsonl", "evals/consolidation/stated.jsonl", "evals/consolidation/unseen.jsonl"])]
    files: Vec<PathBuf>,
    /// List the pairs that came out wrong
    #[arg(long)]
    errors: bool,
}

// Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// JSON files of the set
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Only the first questions of each haystack
    #[arg(long, value_name = "N")]
    questions: Option<usize>,
}

/// What is searched together, and what is asked about it.
#[derive(Debug)]
struct Haystack {
    name: String,
    sessions: Vec<Session>,
    questions: Vec<Question>,
}

#[derive(Debug)]
struct Session {
    name: String,
    at: Timestamp,
    turns: Vec<Turn>,
}

#[derive(Debug)]
struct Turn {
    /// Unique in its haystack.
    key: String,
    kind: Kind,
    text: String,
}

#[derive(Debug)]
struct Question {
    text: String,
    /// The type by which results are shown apart.
    group: String,
    /// Whether it counts in the headline figures.
    headline: bool,
    asked_at: Timestamp,
    turns: Vec<String>,
    sessions: Vec<String>,
}

/// A file of a set, read as what its format says.
fn read<T: serde::de::DeserializeOwned>(path: &Path, format: &str) -> Result<T> {
    let text = std::fs::read_to_string(path).map_err(|error| unread(path, &error))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{} is no {format} file; name one of that set", path.display()))
}

/// Where the sets are, for whoever has only the program.
const SETS: &str = "the source repository has sets in evals/";

/// A set that has one example on each line.
fn lines<T: serde::de::DeserializeOwned>(path: &Path, format: &str) -> Result<Vec<T>> {
    let text = std::fs::read_to_string(path).map_err(|error| unread(path, &error)).context(SETS)?;
    let filled = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let example = |(at, line): (usize, &str)| {
        let wrong = || format!("line {} of {} is no {format} example; {SETS}", at + 1, path.display());
        serde_json::from_str(line).map_err(|error: serde_json::Error| match error.to_string() {
            // The parser does not say what none of several forms had.
            why if why.contains("untagged enum") => anyhow!(wrong()),
            why => anyhow!("{}: {why}", wrong()),
        })
    };
    filled.map(example).collect()
}

pub(super) fn run(command: &Command, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    match command {
        Command::Locomo(args) => recall("locomo", args, locomo::haystacks(&args.files)?, overrides, output),
        Command::Longmemeval(args) => {
            recall("longmemeval", args, longmemeval::haystacks(&args.files)?, overrides, output)
        }
        Command::Extraction(args) => {
            rules("extraction", extraction::measure(&args.files)?, args.errors, output)
        }
        Command::Compaction(args) => compaction::run(args, overrides, output),
        Command::Commits(args) => commits::run(args, overrides, output),
        Command::History(args) => history::run(args, overrides, output),
        Command::Stated(args) => stated::run(args, overrides, output),
        Command::Weigh(args) => weigh::run(args, output),
        Command::Consolidation(args) => {
            rules("consolidation", consolidation::measure(&args.files)?, args.errors, output)
        }
    }
}

fn rules(set: &'static str, tally: Tally, list_errors: bool, output: &Output) -> Result<ExitCode> {
    let errors = if list_errors { Errors::Listed } else { Errors::Counted };
    let report = tally.report(set, errors);
    output.show(&report, tally::Report::text);
    Ok(ExitCode::SUCCESS)
}

fn recall(
    set: &'static str,
    args: &Args,
    mut haystacks: Vec<Haystack>,
    overrides: &Overrides,
    output: &Output,
) -> Result<ExitCode> {
    if let Some(most) = args.questions {
        haystacks.iter_mut().for_each(|haystack| haystack.questions.truncate(most));
    }
    if haystacks.iter().all(|haystack| haystack.questions.is_empty()) {
        bail!("no question of these files names where its answer is; nothing can be measured");
    }
    let app = App::load(overrides, output)?;
    let bench = ask::Bench::open(overrides, &app.config)?;
    let measured = bench.measure(&haystacks, output)?;
    let report = report::Report::new(set, &haystacks, measured);
    output.show(&report, report::Report::text);
    Ok(ExitCode::SUCCESS)
}
