//! `throughline memory sync`: memories and the project's memory files are brought in step, both ways.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::capture::{During, SessionRef};
use throughline_engine::remember::files::{Aim, Fence, Prefer, Request};

use super::super::app::App;
use super::super::import::knowledge::{self, adopt_claude};
use crate::wire::error::Usage;
use crate::wire::memory_file::Sync;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Change nothing, and exit with 1 when files and memories are not in step
    #[arg(long)]
    check: bool,
    /// The folder of the files, below the project's [default: memory.files.folder]
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// Whose text holds where both have changed [default: both stay, and the conflict is reported]
    #[arg(long, value_name = "SIDE")]
    prefer: Option<Side>,
    /// First take in what Claude Code has noted about this project by itself
    #[arg(long)]
    adopt_claude: bool,
    /// Also keep a part of AGENTS.md, between two comments, that says what the project remembers
    #[arg(long)]
    agents_md: bool,
    /// Take that part out again; the memory files are kept in step as without it
    #[arg(long, requires = "agents_md")]
    remove: bool,
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    sync: Sync,
    #[serde(skip_serializing_if = "Option::is_none")]
    adopted: Option<knowledge::Answer>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Side {
    File,
    Memory,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let aim = if args.dry_run || args.check { Aim::Tell } else { Aim::Do };
    let Some(folder) = app.own_folder(engine)? else {
        return Err(Usage(
            "memory files are those of the project you are in; change to its folder".to_owned(),
        )
        .into());
    };
    let caller = if aim == Aim::Tell { app.reader(engine)? } else { app.caller(engine)? };
    let adopted = args.adopt_claude.then(|| adopt_claude(aim == Aim::Tell, app)).transpose()?;
    let during = During { session: SessionRef::Own, opening: app.opening() };
    let request = Request {
        root: &folder.root,
        folder: args.dir.as_deref().unwrap_or(&engine.settings().files.folder),
        aim,
        prefer: args.prefer.map(|side| match side {
            Side::File => Prefer::File,
            Side::Memory => Prefer::Memory,
        }),
        during: &during,
    };
    let synced = engine.sync_memory_files(&caller, &request)?;
    let fence = if args.remove { Fence::Remove } else { Fence::Write };
    let fenced =
        args.agents_md.then(|| engine.fence_agents_file(&caller, &folder.root, fence, aim)).transpose()?;
    let sync = Sync::of(synced, fenced, aim == Aim::Do);
    let is_right = sync.in_step || (args.dry_run && !args.check && sync.problems.is_empty());
    app.output.show(&Answer { sync, adopted }, text);
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn text(answer: &Answer) -> String {
    let adopted = answer.adopted.as_ref().map(|adopted| format!("{}\n", knowledge::text(adopted)));
    format!("{}{}", adopted.unwrap_or_default(), answer.sync.text())
}
