//! `throughline index status`: how the search index stands, and what it was worth.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::index::code::CodeProgress;
use throughline_engine::index::{Coverage, Standing};

use super::super::app::App;
use super::super::comparison;
use super::super::output::table;
use crate::wire::code::{Health, Run};

#[derive(Debug, Serialize)]
struct Answer {
    collections: Vec<Collection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_problem: Option<String>,
    /// What compares vectors.
    vectors: String,
    /// The index of the project's files, once somebody asked for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Health>,
    /// What became of the project's files just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<Run>,
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

pub(super) fn show(app: &App<'_>, progress: Option<CodeProgress>) -> Result<ExitCode> {
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
    let run = progress.map(|progress| Run::from(&progress));
    let code = engine.code_health(&caller)?.map(|health| Health::at(&health, engine.now()));
    app.output.show(&Answer { collections, model, model_problem, vectors, code, run }, text);
    Ok(ExitCode::SUCCESS)
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
    match &answer.code {
        Some(code) => text.push_str(&format!("\n\n{}", code.text())),
        None => text.push_str("\n\nno index of the project's files yet; `throughline index run` makes it"),
    }
    text
}
