//! `throughline task delete`: items leave the backlog; the log keeps what they were.

use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::super::app::App;
use super::Within;
use crate::wire::item::Deleted;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Their ids
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    #[command(flatten)]
    within: Within,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = args.within.during(app)?;
    // A mistyped id is found before anything is gone.
    for id in &args.ids {
        engine.item(&caller, id)?;
    }
    let mut deleted: Vec<Deleted> = vec![];
    for id in &args.ids {
        deleted.push(engine.delete_item(&caller, id, &during)?.into());
    }
    let lines: Vec<String> = deleted.iter().map(line).collect();
    app.output.show(&json!({ "deleted": deleted }), |_| lines.join("\n"));
    Ok(ExitCode::SUCCESS)
}

fn line(deleted: &Deleted) -> String {
    let mut text = format!("deleted {}: {}", deleted.id, deleted.title);
    if !deleted.moved.is_empty() {
        text.push_str(&format!("; moved up: {}", deleted.moved.join(", ")));
    }
    if !deleted.released.is_empty() {
        text.push_str(&format!("; no longer waiting for it: {}", deleted.released.join(", ")));
    }
    text
}
