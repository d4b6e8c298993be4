//! `throughline memory archive`: puts away what was never used and is hardly believed any more.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::capture::{During, SessionRef};
use throughline_engine::remember::Archiving;

use super::super::app::App;
use crate::wire::memory::{Archived, Memory};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Only say what would be put away
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = During { session: SessionRef::Own, opening: app.opening() };
    let archiving = if args.dry_run { Archiving::Tell } else { Archiving::Do };
    let archived = engine.archive_memories(&caller, archiving, &during)?;
    let now = engine.now();
    let archived = archived.into_iter().map(|memory| Memory::at(memory, now)).collect();
    app.output.show(&Archived { archived, dry_run: args.dry_run }, text);
    Ok(ExitCode::SUCCESS)
}

fn text(answer: &Archived) -> String {
    if answer.archived.is_empty() {
        return "nothing to archive".to_owned();
    }
    let mut lines: Vec<String> =
        answer.archived.iter().map(|memory| format!("{} {}", memory.id, memory.title)).collect();
    lines.push(if answer.dry_run {
        "these would be archived".to_owned()
    } else {
        "archived; `throughline memory approve ID…` brings one back".to_owned()
    });
    lines.join("\n")
}
