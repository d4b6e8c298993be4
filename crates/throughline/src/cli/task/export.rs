//! `throughline task export`: the whole backlog in a format of others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::backlog::{Entry, ids_in};

use super::super::app::App;
use super::super::log::export::may_be_replaced;
use super::super::one_of::one_of;
use crate::wire::backlog::{Format, beads, issues, markdown};
use crate::wire::error::{Usage, unread, unwritten};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "markdown", value_parser = one_of::<Format>(Format::ALL.iter().map(|it| it.as_str())))]
    format: Format,
    /// The file to write, or the folder for markdown files [default: stdout]
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer {
    items: usize,
    out: String,
    /// Files of items that are no longer there.
    left: Vec<String>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let entries = engine.every_item(&caller)?;
    let text = match args.format {
        Format::Markdown => return files(&entries, args.out.as_deref(), app),
        Format::Issues => issues::write(&entries),
        Format::Beads => beads::write(&entries),
    };
    match &args.out {
        None => app.output.raw(&text),
        Some(path) => {
            may_be_replaced(path)?;
            put(path, &text)?;
            show(entries.len(), path, vec![], app);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn files(entries: &[Entry], folder: Option<&Path>, app: &App<'_>) -> Result<ExitCode> {
    let folder = folder
        .ok_or_else(|| Usage("markdown is one file for each item; name a folder with --out".to_owned()))?;
    fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    let mut names = vec![];
    for entry in entries {
        let (name, text) = markdown::write(entry);
        put(&folder.join(&name), &text)?;
        names.push(name);
    }
    show(entries.len(), folder, left(folder, &names)?, app);
    Ok(ExitCode::SUCCESS)
}

/// A file appears only when complete.
fn put(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = tempfile::NamedTempFile::new_in(folder).and_then(|file| {
        fs::write(file.path(), text)?;
        Ok(file.persist(path)?)
    });
    written.map(|_| ()).map_err(|error| unwritten(path, &error))
}

/// Files in the folder that look like ours and are of no item.
fn left(folder: &Path, written: &[String]) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).map_err(|error| unread(folder, &error))?;
    let mut left = vec![];
    for entry in entries {
        let name = entry.map_err(|error| unread(folder, &error))?.file_name().to_string_lossy().into_owned();
        let ours = name.strip_suffix(".md").is_some_and(|stem| ids_in(stem).any(|id| id.as_str() == stem));
        if ours && !written.contains(&name) {
            left.push(name);
        }
    }
    left.sort();
    Ok(left)
}

fn show(items: usize, out: &Path, left: Vec<String>, app: &App<'_>) {
    let answer = Answer { items, out: out.display().to_string(), left };
    app.output.show(&answer, |answer| {
        let mut text = format!("exported {} items to {}", answer.items, answer.out);
        if !answer.left.is_empty() {
            text.push_str(&format!("; of items that are no longer there: {}", answer.left.join(", ")));
        }
        text
    });
}
