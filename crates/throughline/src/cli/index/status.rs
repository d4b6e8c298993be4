//! `throughline index status`: how the search index stands, and what it was worth.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::index::code::CodeProgress;

use super::super::app::App;
use super::super::output::table;
use crate::wire::code::Run;
use crate::wire::index::Index;

#[derive(Debug, Serialize)]
struct Answer {
    #[serde(flatten)]
    index: Index,
    /// What became of the project's files just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<Run>,
}

pub(super) fn show(app: &App<'_>, progress: Option<CodeProgress>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let index = Index::of(engine, &app.reader(engine)?)?;
    let run = progress.map(|progress| Run::from(&progress));
    app.output.show(&Answer { index, run }, |answer| text(&answer.index));
    Ok(ExitCode::SUCCESS)
}

fn text(answer: &Index) -> String {
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
