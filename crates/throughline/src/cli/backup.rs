//! `throughline backup`: the whole database as one verified file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::app::App;
use crate::wire::size::megabytes;
use crate::wire::time::compact;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Where to; must not exist yet [default: a file named after the time, in backups beside the database]
    #[arg(value_name = "FILE")]
    to: Option<PathBuf>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let to = match &args.to {
        Some(to) => std::path::absolute(to)?,
        None => app.config.backups().join(format!("throughline-{}.db", compact(engine.now()))),
    };
    let holds = engine.backup(&to)?;
    let answer = json!({
        "file": to, "bytes": holds.bytes, "schema": holds.schema,
        "projects": holds.projects, "events": holds.events, "memories": holds.memories,
    });
    app.output.show(&answer, |_| {
        format!(
            "{} ({}): {} projects, {} events, {} memories; verified",
            to.display(),
            megabytes(holds.bytes),
            holds.projects,
            holds.events,
            holds.memories
        )
    });
    Ok(ExitCode::SUCCESS)
}
