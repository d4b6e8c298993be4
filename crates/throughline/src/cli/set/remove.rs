//! `throughline set archive` and `throughline set delete`.

use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;
use throughline_engine::hold::Removal;
use throughline_engine::store::id::EntryId;

use super::super::app::App;
use super::Agent;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Entries by id or its beginning
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    #[command(flatten)]
    agent: Agent,
}

pub(super) fn run(args: &Args, removal: Removal, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let removed = engine.remove_entries(&app.reader(engine)?, &args.agent.name(app), &args.ids, removal)?;
    let verb = match removal {
        Removal::Archive => "archived",
        Removal::Delete => "deleted",
    };
    let ids: Vec<&str> = removed.iter().map(EntryId::as_str).collect();
    app.output.show(&json!({ verb: ids }), |_| format!("{verb} {}", ids.join(", ")));
    Ok(ExitCode::SUCCESS)
}
