//! `throughline migrate`: what of the schema is still to be applied, and applying it.

use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;
use throughline_engine::store::Schema;

use super::app::App;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only say what would be applied
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let config = &app.config;
    let schema = Schema::look(&config.location, &config.options)?;
    let applies = !args.dry_run && !schema.pending.is_empty();
    let copy = if applies { Schema::bring_up(&config.location, &config.options)? } else { None };
    let pending: Vec<_> =
        schema.pending.iter().map(|(version, name)| json!({ "version": version, "name": name })).collect();
    let answer = json!({
        "database": config.location.to_string(), "found": schema.found, "known": schema.known,
        "pending": pending, "applied": applies, "copy": copy,
    });
    app.output.show(&answer, |_| {
        let mut lines = vec![format!("{} has schema {}", config.location, schema.found)];
        let done = if applies { "applied" } else { "pending" };
        lines.extend(schema.pending.iter().map(|(version, name)| format!("{done}  {version} {name}")));
        lines.extend(copy.iter().map(|copy| format!("the one before is kept: {}", copy.display())));
        if schema.pending.is_empty() {
            lines.push(format!("this throughline knows {}: nothing to apply", schema.known));
        }
        lines.join("\n")
    });
    Ok(ExitCode::SUCCESS)
}
