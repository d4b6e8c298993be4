//! `throughline index …`: how findable things are, and making them so.

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use serde::Serialize;
use throughline_engine::index::{Coverage, Standing};
use throughline_engine::work::Outcome;

use super::app::App;
use super::comparison;
use super::output::table;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// How the search index stands
    Status,
    /// Take in what is not indexed yet, merge what is due, and make the vectors of the chosen model
    Run,
    /// Make the search index again from the records
    Rebuild,
}

#[derive(Debug, Serialize)]
struct Answer {
    collections: Vec<Collection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_problem: Option<String>,
    /// What compares vectors.
    vectors: String,
}

#[derive(Debug, Serialize)]
struct Collection {
    collection: String,
    documents: u64,
    pending: usize,
    partitions: usize,
    unindexed: i64,
    pages: i64,
    bytes: i64,
    /// How many records have a vector of the chosen model, of how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    embedded: Option<[i64; 2]>,
}

pub(super) fn run(command: &Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::Status => {}
        Command::Run => work(app, false)?,
        Command::Rebuild => work(app, true)?,
    }
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let standings = engine.index_standing(&caller)?;
    let (model, coverages, model_problem) = match engine.embedding_progress(&caller) {
        Ok(Some((model, coverages))) => (Some(model), coverages, None),
        Ok(None) => (None, vec![], None),
        Err(error) => (None, vec![], Some(error.to_string())),
    };
    let collections = standings.into_iter().map(|standing| collection(standing, &coverages)).collect();
    let vectors = comparison::text(&engine.comparison()?);
    app.output.show(&Answer { collections, model, model_problem, vectors }, text);
    Ok(ExitCode::SUCCESS)
}

/// Does the work here and now, instead of waiting for a long-lived process to do it.
fn work(app: &App<'_>, rebuild: bool) -> Result<()> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    if rebuild {
        engine.rebuild_index(&caller)?;
    }
    engine.request_indexing(&caller)?;
    let worker = format!("index-{}", std::process::id());
    while let Some(run) = engine.work_one(&worker)? {
        if let Outcome::Failed { error, .. } | Outcome::Dead { error } = &run.outcome {
            app.output.warn(&format!("{} {}: {error}", run.job.kind, run.job.key));
        }
    }
    Ok(())
}

fn collection(standing: Standing, coverages: &[Coverage]) -> Collection {
    let covered = coverages.iter().find(|coverage| coverage.collection == standing.collection);
    Collection {
        collection: standing.collection.to_string(),
        documents: standing.documents,
        pending: standing.pending,
        partitions: standing.partitions,
        unindexed: standing.unindexed,
        pages: standing.pages,
        bytes: standing.bytes,
        embedded: covered.map(|coverage| [coverage.embedded_to, coverage.last]),
    }
}

fn text(answer: &Answer) -> String {
    let rows = answer.collections.iter().map(|collection| {
        vec![
            collection.collection.clone(),
            collection.documents.to_string(),
            collection.pending.to_string(),
            collection.partitions.to_string(),
            collection.unindexed.to_string(),
            format!("{:.1}", collection.bytes as f64 / 1e6),
            collection.embedded.map_or_else(|| "-".to_owned(), |[to, last]| format!("{to} of {last}")),
        ]
    });
    let header = ["collection", "documents", "pending", "partitions", "unindexed", "mb", "embedded"];
    let mut text = table(&header, rows);
    match (&answer.model, &answer.model_problem) {
        (Some(model), _) => {
            text.push_str(&format!("\nmeaning by {model}, by the built-in table where it has not got to"));
        }
        (None, Some(problem)) => {
            text.push_str(&format!("\nmeaning by the built-in table; the chosen model fails: {problem}"));
        }
        (None, None) => text.push_str("\nmeaning by the built-in table"),
    }
    text.push_str(&format!("\nvectors are compared by {}", answer.vectors));
    text
}
