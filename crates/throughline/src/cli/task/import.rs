//! `throughline task import`: items from files of others, all or none.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde::Serialize;
use throughline_engine::Error;
use throughline_engine::backlog::{Imported, Outcome, Source};
use throughline_engine::capture::During;

use super::super::app::App;
use super::super::lines::{SHORTEN, read_text};
use super::super::one_of::one_of;
use super::Within;
use crate::import::folder::paths_in;
use crate::wire::backlog::{File, Format};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Files, or folders of markdown files; - is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// What they are written in
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = one_of::<Asked>(["auto", "markdown", "issues", "beads"]))]
    format: Asked,
    #[command(flatten)]
    within: Within,
}

#[derive(Debug, Clone, Copy)]
enum Asked {
    Auto,
    Of(Format),
}

impl std::str::FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Asked, String> {
        if text == "auto" { Ok(Asked::Auto) } else { text.parse().map(Asked::Of) }
    }
}

#[derive(Serialize)]
struct Answer {
    created: usize,
    updated: usize,
    unchanged: usize,
    items: Vec<Line>,
    /// What could not be kept.
    lost: Vec<String>,
}

#[derive(Serialize)]
struct Line {
    key: String,
    id: String,
    outcome: &'static str,
}

const MAX_FILE_BYTES: usize = 256 * 1024 * 1024;

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let during = args.within.during(app)?;
    bring(&args.files, args.format, &during, app)
}

/// Issues of beads, whatever the file is called.
pub(in crate::cli) fn beads(files: &[PathBuf], during: &During, app: &App<'_>) -> Result<ExitCode> {
    bring(files, Asked::Of(Format::Beads), during, app)
}

fn bring(files: &[PathBuf], asked: Asked, during: &During, app: &App<'_>) -> Result<ExitCode> {
    let (sources, lost) = read(files, asked)?;
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    let imported = engine.import_items(&caller, sources, during)?;
    app.output.show(&Answer::of(imported, lost), text);
    Ok(ExitCode::SUCCESS)
}

fn read(files: &[PathBuf], asked: Asked) -> Result<(Vec<Source>, Vec<String>)> {
    let (mut sources, mut lost) = (vec![], vec![]);
    for path in paths(files)? {
        let name = path.display().to_string();
        let text = read_text(&path, MAX_FILE_BYTES, SHORTEN)?;
        if text.trim().is_empty() {
            bail!("{name} is empty; name a file that has items");
        }
        let file = File { name, text };
        let format = match asked {
            Asked::Auto => Format::of(&file),
            Asked::Of(format) => format,
        };
        let read = format.read(&file).map_err(|wrong| match asked {
            Asked::Auto if format != Format::Markdown => {
                Error::Invalid(format!("{wrong} (taken for {}; --format names another)", format.as_str()))
            }
            Asked::Auto | Asked::Of(_) => Error::Invalid(wrong),
        })?;
        sources.extend(read.sources);
        lost.extend(read.lost);
    }
    Ok((sources, lost))
}

/// The files that were named, and those of the folders.
fn paths(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = vec![];
    for path in named {
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        collect(path, &mut found)?;
        if found.len() == before {
            bail!("{} has no markdown files; name a folder that has, or the file itself", path.display());
        }
    }
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for path in paths_in(folder)? {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let markdown = path.extension().is_some_and(|end| end == "md" || end == "markdown");
        if path.is_dir() && !path.is_symlink() && !hidden {
            collect(&path, found)?;
        } else if path.is_file() && markdown && !hidden {
            found.push(path);
        }
    }
    Ok(())
}

impl Answer {
    fn of(imported: Imported, lost: Vec<String>) -> Answer {
        let count = |outcome| imported.items.iter().filter(|(.., one)| *one == outcome).count();
        Answer {
            created: count(Outcome::Created),
            updated: count(Outcome::Updated),
            unchanged: count(Outcome::Unchanged),
            lost,
            items: imported
                .items
                .into_iter()
                .map(|(key, id, outcome)| Line { key, id: id.to_string(), outcome: name(outcome) })
                .collect(),
        }
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Created => "created",
        Outcome::Updated => "updated",
        Outcome::Unchanged => "unchanged",
    }
}

fn text(answer: &Answer) -> String {
    let Answer { created, updated, unchanged, .. } = answer;
    let mut lines = vec![format!("{created} created, {updated} updated, {unchanged} unchanged")];
    lines.extend(answer.lost.iter().cloned());
    lines.join("\n")
}
