//! `throughline forget`: memories that are found no more. Their text stays in the log until it is purged.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::capture::SessionRef;

use super::app::App;
use crate::wire::memory::{Forgetting, Forgotten};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The memories, by id or the beginning of it
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// Why; kept with the memory
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let forgotten =
        engine.forget(&caller, &args.ids, args.reason.as_deref(), (&SessionRef::Own, &app.opening()))?;
    app.output.show(&Forgetting::from(forgotten), text);
    Ok(ExitCode::SUCCESS)
}

fn text(answer: &Forgetting) -> String {
    let line = |memory: &Forgotten| {
        let verb = if memory.already { "was forgotten already" } else { "forgotten" };
        format!("{verb}: {} {}", memory.id, memory.title)
    };
    answer.forgotten.iter().map(line).collect::<Vec<_>>().join("\n")
}
