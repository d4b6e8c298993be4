//! `throughline repair`: sets right what `check` finds; what cannot be set right is said with what to do.

use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;
use throughline_engine::repair::{Repaired, repair};
use throughline_engine::store::Location;

use super::app::App;
use super::output::table;

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args, app: &App<'_>) -> Result<ExitCode> {
    let repaired = repaired(app)?;
    let tables: Vec<_> = repaired
        .tables
        .iter()
        .map(|saved| json!({ "table": saved.table, "saved": saved.rows, "lost_at_most": saved.lost }))
        .collect();
    let answer = json!({
        "database": app.config.location.to_string(), "done": repaired.done, "kept": repaired.kept, "tables": tables,
    });
    app.output.show(&answer, |_| text(&repaired));
    Ok(ExitCode::SUCCESS)
}

/// Where there is no file there is nothing to repair, and none is made.
pub(super) fn repaired(app: &App<'_>) -> throughline_engine::Result<Repaired> {
    let config = &app.config;
    match &config.location {
        Location::File(path) if !path.exists() => Ok(Repaired::default()),
        location => repair(location, &config.options, &config.settings),
    }
}

fn text(repaired: &Repaired) -> String {
    if repaired.done.is_empty() {
        return "nothing to repair".to_owned();
    }
    let mut lines = repaired.done.clone();
    lines.extend(repaired.kept.iter().map(|kept| format!("the damaged file is kept: {}", kept.display())));
    if !repaired.tables.is_empty() {
        let row = |saved: &throughline_engine::store::salvage::Saved| {
            let lost = saved.lost.map_or_else(|| "unknown".to_owned(), |lost| lost.to_string());
            vec![saved.table.clone(), saved.rows.to_string(), lost]
        };
        lines.push(table(&["table", "rows saved", "lost at most"], repaired.tables.iter().map(row)));
    }
    lines.join("\n")
}
