//! `throughline restore`: a backup in the place of the database, which is kept.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::json;
use throughline_engine::repair::restore;
use throughline_engine::store::backup::Replace;
use throughline_engine::store::{self, Location};

use super::app::App;
use crate::wire::error::unread;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The backup
    #[arg(value_name = "FILE")]
    from: PathBuf,
    /// Replace a database that is there; it is kept in backups beside it
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let from = args.from.display();
    if args.from.is_dir() {
        bail!("{from} is a folder; name a backup in it");
    }
    if !args.from.is_file() {
        bail!(
            "there is no file {from}; name one that `throughline backup` wrote, usually in {}",
            app.config.backups().display()
        );
    }
    File::open(&args.from).map_err(|error| unread(&args.from, &error))?;
    if let Location::File(database) = &app.config.location
        && is_one_file(&args.from, database)
    {
        bail!("{from} is the database itself; name a file that `throughline backup` wrote");
    }
    let replace = if args.force { Replace::KeepOld } else { Replace::Refuse };
    let config = &app.config;
    let restored =
        restore(&args.from, &config.location, &config.options, replace).map_err(|error| match error {
            throughline_engine::Error::Store(store::Error::Exists(path)) => anyhow::anyhow!(
                "{} exists; `restore --force` replaces it and keeps it in {}",
                path.display(),
                config.backups().display()
            ),
            throughline_engine::Error::Store(store::Error::Foreign(path)) if path == args.from => anyhow::anyhow!(
                "{from} is no backup of Throughline; name a file that `throughline backup` wrote, usually in {}",
                config.backups().display()
            ),
            throughline_engine::Error::Store(store::Error::Corrupt(why)) if why.starts_with(&from.to_string()) => {
                anyhow::anyhow!(
                    "the backup is damaged, and nothing was changed: {why}; take another, usually in {}",
                    config.backups().display()
                )
            }
            other => other.into(),
        })?;
    let holds = &restored.holds;
    let answer = json!({
        "database": config.location.to_string(), "kept": restored.kept,
        "projects": holds.projects, "events": holds.events, "memories": holds.memories,
    });
    app.output.show(&answer, |_| {
        let kept = restored.kept.as_ref().map(|kept| format!("\nthe one before is kept: {}", kept.display()));
        format!(
            "{} has {} projects, {} events, {} memories again{}",
            config.location,
            holds.projects,
            holds.events,
            holds.memories,
            kept.unwrap_or_default()
        )
    });
    Ok(ExitCode::SUCCESS)
}

fn is_one_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}
